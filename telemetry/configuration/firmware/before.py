"""Before an upload: what the user has to say yes to, and the settings kept as a set.

From the erase to the end of an upload a board may start an incomplete image as soon as it loses
USB or six seconds pass (`jump_to_app` in the bootloader's main.c looks at the first word only), so
that its outputs may do anything: no propellers, no battery.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from telemetry.base.unused_names import unused_name
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.document import (
    SettingsDocument,
    SettingsError,
    aircraft_name,
)
from telemetry.configuration.settings.sets import ConfigurationSets, board_folder
from telemetry.configuration.settings.snapshot import Snapshot

WHY_OFF = (
    "From the erase to the end the board may start an incomplete firmware as soon as it loses USB, "
    "or by itself after six seconds: motors and servos may do anything then."
)
_LONGEST_NAME = 80
_NO_LETTER = re.compile(r"[^\w .,+()-]")


@dataclass(frozen=True, slots=True)
class Consent:
    """What a user has said. `without_settings_of` is the name of the board whose settings may be
    lost unkept, "" for none."""

    has_propellers_off: bool = False
    has_battery_off: bool = False
    without_settings_of: str = ""

    def missing(self, board: str, *, can_keep: bool) -> str:
        """What is still to be said before `board` is erased, a sentence; "" for nothing.
        `can_keep`: its firmware answers, so that its settings are kept first."""
        if not self.has_propellers_off:
            return "Before an upload: take the propellers off, and say so."
        if not self.has_battery_off:
            return "Before an upload: disconnect the battery, and say so."
        return "" if can_keep else self.missing_loss(board)

    def missing_loss(self, board: str) -> str:
        """The same before the settings of `board` are lost, unkept."""
        if self.without_settings_of == board:
            return ""
        return f"The settings of {board} cannot be kept now: say that they may be lost."


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """What was kept: as values, and the name of the set. So many objects are `missing` in it, since
    the board gave no answer for them."""

    snapshot: Snapshot
    name: str
    missing: int = 0

    @property
    def sentence(self) -> str:
        """Where the settings are."""
        return kept_as(self.name, self.missing)


def kept_as(name: str, missing: int = 0) -> str:
    """In which set the settings are, in a sentence."""
    but = f", but for {missing} objects that got no answer" if missing else ""
    return f"The settings of before are kept as the set '{name}'{but}."


def keep_settings(settings: Configuration, sets: ConfigurationSets, now: datetime) -> KeptSettings:
    """Keep what is on board as a set named by board, firmware and date. Raises SettingsError."""
    if not settings.aircraft.is_complete:
        raise SettingsError("Not everything has been fetched from the board yet; wait for that.")
    snapshot = settings.snapshot()
    who = settings.aircraft.identity
    name = f"{who.board_name} {who.firmware or 'unknown firmware'} {now:%Y-%m-%d %H.%M}"
    name = _NO_LETTER.sub("-", name).strip(" .-")[: _LONGEST_NAME - 4]
    taken = {entry.name for entry in sets.entries(board_folder(who))}
    document = SettingsDocument(
        snapshot, who, aircraft_name(snapshot), now, "Before a firmware update"
    )
    return KeptSettings(snapshot, sets.save(unused_name(name, taken), document).name)
