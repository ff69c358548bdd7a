"""After an upload: what was kept is compared with what is on board now, and the rest is staged.

Nothing here is sent: a setting is back when the user has applied it and it was read back.
"""

from dataclasses import dataclass

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.difference import difference
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.snapshot import Skipped, Snapshot

_NAMED = 5


@dataclass(frozen=True, slots=True)
class SettingsAfter:
    """How many values were staged, and what could not be: what is renamed or gone in the new
    firmware, or new in it."""

    staged: int
    unlike: tuple[Skipped, ...]

    @property
    def sentence(self) -> str:
        """Both in words."""
        return f"{self._differing} {self._leftover}".strip()

    @property
    def _differing(self) -> str:
        if not self.staged:
            return "All settings that both firmwares have are as they were kept."
        differ = "One setting differs" if self.staged == 1 else f"{self.staged} settings differ"
        return (
            f"{differ} from what was kept and wait below: look at them, apply and save. "
            "They are on board again once they were read back."
        )

    @property
    def _leftover(self) -> str:
        if not self.unlike:
            return ""
        told = "; ".join(f"{entry.name}: {entry.why}" for entry in self.unlike[:_NAMED])
        more = len(self.unlike) - _NAMED
        return f"Not alike in both: {told}{f'; and {more} more' if more > 0 else ''}."


def stage_kept(settings: Configuration, kept: Snapshot) -> SettingsAfter:
    """Stage what differs between a kept set and what is on board, of an aircraft that was fetched
    after its start."""
    board = settings.snapshot()
    found = difference(board, adapted(kept, board))
    with settings.staging_from("Before the firmware update"):
        unlike = settings.stage_snapshot(kept)
    return SettingsAfter(len(found.changed), unlike)
