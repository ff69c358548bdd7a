"""After an upload: what was kept is compared with what is on board now, and the rest is staged.

Nothing here is sent: a setting is back when the user has applied it and it was read back.
"""

from dataclasses import dataclass, replace

from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.difference import difference
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.snapshot import Address, Skipped, Snapshot, snapshot_of
from telemetry.vehicle.vehicle import Vehicle

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
            return "All settings that were compared were on board as they had been kept."
        if self.staged == 1:
            return "One setting was not on board as it had been kept."
        return f"{self.staged} settings were not on board as they had been kept."

    @property
    def _leftover(self) -> str:
        if not self.unlike:
            return ""
        told = "; ".join(f"{entry.name}: {entry.why}" for entry in self.unlike[:_NAMED])
        more = len(self.unlike) - _NAMED
        return f"Not alike in both: {told}{f'; and {more} more' if more > 0 else ''}."


def stage_kept(vehicle: Vehicle, kept: Snapshot, since_s: float = 0.0) -> SettingsAfter:
    """Stage what differs between a kept set and what the board holds, by what it has told since
    `since_s` of its recording: objects that only the firmware before had are not on board."""
    settings = configuration_of(vehicle)
    heard = snapshot_of(vehicle.recording, "the board")
    now = {a: values for a, values in heard.objects.items() if _told_s(vehicle, a) >= since_s}
    board = replace(heard, objects=now)
    found = difference(board, adapted(kept, board))
    with settings.staging_from("Before the firmware update"):
        unlike = settings.stage_snapshot(kept, board=board)
    return SettingsAfter(len(found.changed), unlike)


def _told_s(vehicle: Vehicle, address: Address) -> float:
    track = vehicle.recording.track(*address)
    return track.last_s if track is not None else -1.0
