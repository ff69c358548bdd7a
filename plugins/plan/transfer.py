"""Mission transfer to or from the aircraft; it goes on whatever is shown meanwhile."""

import os
from collections.abc import Callable

from PySide6.QtCore import QTimer

from telemetry.base.folders import Folders
from telemetry.missions.board.plan_backup import plan_backups
from telemetry.missions.board.transfer import (
    MissionDownload,
    MissionUpload,
    PlanTransfer,
    why_not_now,
)
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import GroundHeights
from telemetry.vehicle.vehicle import Vehicle

_POLL_MS = 20


class PlanTransferJob:
    """At most one transfer at a time. `text` says what is going on or how it ended, `problem`
    whether that was badly; `version` changes with them."""

    def __init__(self) -> None:
        self._transfer: PlanTransfer | None = None
        self._done: Callable[[], None] = lambda: None
        self._timer: QTimer | None = None
        self.text = ""
        self.is_problem = False
        self.version = 0

    @property
    def is_busy(self) -> bool:
        """Whether one is under way."""
        return self._transfer is not None

    def why_not(self, vehicle: Vehicle | None) -> str:
        """Why nothing can be carried now; empty if it can."""
        if vehicle is None:
            return "No aircraft is connected."
        if self.is_busy:
            return "A plan is on its way; wait for it."
        refusal = vehicle.commands.refusal()
        return f"{refusal.partition('. ')[0].rstrip('.')}." if refusal else ""

    def why_not_upload(self, vehicle: Vehicle | None) -> str:
        """Why no plan can be written now; empty if it can."""
        refusal = self.why_not(vehicle)
        if refusal or vehicle is None:
            return refusal
        return why_not_now(vehicle.recording.latest("FlightStatus", float("inf")))

    def upload(self, vehicle: Vehicle, mission: Mission, ground: GroundHeights) -> None:
        """Write a mission and read it back."""
        count = len(mission.waypoints)

        def done() -> None:
            self._say(f"{count} waypoints are on board and read back.")

        kept = plan_backups(Folders.of_user(os.environ).plan_backups)
        self._begin(MissionUpload(vehicle, mission, ground, kept), done)

    def download(self, vehicle: Vehicle, take: Callable[[Mission], None]) -> None:
        """Read the plan on board and hand it over."""
        transfer = MissionDownload(vehicle)

        def done() -> None:
            count = len(transfer.mission.waypoints)
            self._say(f"Read {count} waypoints." if count else "There is no plan on board.")
            take(transfer.mission)

        self._begin(transfer, done)

    def close(self) -> None:
        """Let go of what is under way; what is on board stays as it is then."""
        if self._transfer is not None:
            self._transfer.cancel()
        self._end()

    def _begin(self, transfer: PlanTransfer, done: Callable[[], None]) -> None:
        self._transfer, self._done = transfer, done
        self._timer = QTimer()
        self._timer.timeout.connect(self.poll)
        self._timer.start(_POLL_MS)
        self.poll()

    def poll(self) -> None:
        """Go on; called by itself while one is under way."""
        transfer = self._transfer
        if transfer is None:
            return
        if not transfer.poll():
            share = f", {transfer.done} of {transfer.total}" if transfer.total > 1 else ""
            self._say(f"{transfer.text}{share} …")
            return
        self._end()
        if transfer.problem:
            self._say(transfer.problem, is_problem=True)
        else:
            self._done()

    def _end(self) -> None:
        self._transfer = None
        if self._timer is not None:
            self._timer.stop()
            self._timer.deleteLater()
            self._timer = None

    def _say(self, text: str, *, is_problem: bool = False) -> None:
        if (text, is_problem) != (self.text, self.is_problem):
            self.text, self.is_problem = text, is_problem
            self.version += 1
