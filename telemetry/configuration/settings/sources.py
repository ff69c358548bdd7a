"""Settings sources as one word: an address, a settings file, a log, or `set:NAME`.

A log may be followed by @SECONDS; without it, its end counts.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from telemetry.base.clock import wall_now
from telemetry.configuration.settings.document import SettingsDocument, SettingsError, aircraft_name
from telemetry.configuration.settings.files import is_settings_file, read_settings
from telemetry.configuration.settings.headless import Headless
from telemetry.configuration.settings.identity import identity_in
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.configuration.settings.snapshot import Skipped, snapshot_of
from telemetry.protocol.links.address import AddressError, is_address
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.timeline import parse_time

SET = "set:"

Reach = Callable[[str], Headless]


@dataclass(frozen=True, slots=True)
class Sources:
    """What is needed to understand such a word. `reach` makes a connection, still to be entered."""

    catalogue: Catalogue
    sets: ConfigurationSets
    reach: Reach

    def load(self, word: str) -> SettingsDocument:
        """All settings that a word stands for. Raises SettingsError, LinkError."""
        return self.load_file(word) or self._load_board(word)

    def load_file(self, word: str) -> SettingsDocument | None:
        """The same for what is on disk; None for an address. Raises SettingsError."""
        if word.startswith(SET):
            return self.sets.load(self.sets.find(word.removeprefix(SET)), self.catalogue)
        if Path(word).exists():
            return self._read(Path(word), None)
        place, at, seconds = word.rpartition("@")
        if at and Path(place).exists():
            return self._read(Path(place), seconds)
        if is_address(word):
            return None
        raise SettingsError(
            f"{word} does not exist; give a settings file, a log, set:NAME, or an address such as "
            "tcp:127.0.0.1:9000."
        )

    def _read(self, path: Path, at: str | None) -> SettingsDocument:
        if at is None and is_settings_file(path):
            return read_settings(path, self.catalogue)
        return read_log_settings(path, self.catalogue, at)

    def _load_board(self, address: str) -> SettingsDocument:
        with self.reach(address) as remote:
            return read_board(remote)


def read_board(remote: Headless) -> SettingsDocument:
    """Everything that a board holds now. Raises LinkError."""
    silent = remote.fetch_all()
    snapshot = remote.settings.snapshot(remote.address)
    if not snapshot.objects:
        raise AddressError(f"{remote.address} has no settings that any known release defines.")
    missing = tuple(Skipped(name, "the board did not answer for it") for name in silent)
    snapshot = replace(snapshot, skipped=missing)
    identity = remote.settings.aircraft.identity
    return SettingsDocument(snapshot, identity, aircraft_name(snapshot), wall_now())


def read_log_settings(path: Path, catalogue: Catalogue, at: str | None = None) -> SettingsDocument:
    """What a log knew at a time, or at its end. Raises SettingsError."""
    try:
        reading = read_log(path, catalogue)
        t = None if at is None else parse_time(at)
    except (LogError, ValueError) as error:
        raise SettingsError(str(error)) from error
    title = path.name if at is None else f"{path.name}@{at}"
    snapshot = snapshot_of(reading.recording, title, t)
    if not snapshot.objects:
        when = "" if at is None else f" at {at}"
        raise SettingsError(f"{path.name} holds no settings{when}; nothing had been asked for.")
    identity = identity_in(reading.recording, t)
    return SettingsDocument(
        snapshot, identity, aircraft_name(snapshot), reading.recording.started_at
    )
