"""Mission transfer to or from the aircraft; it goes on whatever is shown meanwhile."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QTimer

from plugins.plan.board_statement import board_knowledge_of
from telemetry.base.folders import Folders
from telemetry.base.statement import Statement
from telemetry.missions.board.plan_backup import plan_backups
from telemetry.missions.board.plan_reading import BoardSession, board_session
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
_GIVEN_UP = "The transfer was given up: nothing is known of the plan on board. Compare to know it."


@dataclass(frozen=True, slots=True)
class _Carried:
    """What is under way: with which aircraft, for which plan here, and what to do with it then."""

    transfer: MissionUpload | MissionDownload
    vehicle: Vehicle
    mission: Mission
    done: Callable[[], None]


class PlanTransferJob:
    """At most one transfer at a time. What has come of it is known by `board_knowledge_of` its
    aircraft."""

    def __init__(self) -> None:
        self._carried: _Carried | None = None
        self._session: BoardSession = (0, 0)
        """The board's before the last step: what was read then is known of that one."""
        self._timer: QTimer | None = None

    @property
    def is_busy(self) -> bool:
        """Whether one is under way."""
        return self._carried is not None

    @property
    def progress(self) -> Statement | None:
        """What is being carried, to or from which aircraft; None while nothing is."""
        if self._carried is None:
            return None
        transfer, vehicle = self._carried.transfer, self._carried.vehicle
        text = f"{vehicle.name}: {_progress_words(transfer)} …"
        if vehicle.commands.refusal():
            text = f"{text} It waits for the link."
        return Statement(text, vehicle.name, ends="it has ended")

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
        kept = plan_backups(Folders.of_user(os.environ).plan_backups)
        upload = MissionUpload(vehicle, mission, ground, kept)
        self._begin(_Carried(upload, vehicle, mission, lambda: None))

    def download(self, vehicle: Vehicle, here: Mission, take: Callable[[Mission], None]) -> None:
        """Read the plan on board and hand it over; `here` is the one that is edited, whose take-off
        it keeps: a board does not tell of one."""
        download = MissionDownload(vehicle)

        def hand_over() -> None:
            take(replace(download.mission, take_off=here.take_off))

        self._begin(_Carried(download, vehicle, here, hand_over))

    def close(self) -> None:
        """Let go of what is under way; what is on board stays as it is then."""
        carried = self._end()
        if carried is not None:
            carried.transfer.cancel()
            board_knowledge_of(carried.vehicle).take_problem(_GIVEN_UP, carried.mission)

    def _begin(self, carried: _Carried) -> None:
        self._carried = carried
        board_knowledge_of(carried.vehicle).forget()
        self._session = board_session(carried.vehicle)
        self._timer = QTimer()
        self._timer.timeout.connect(self.poll)
        self._timer.start(_POLL_MS)
        self.poll()

    def poll(self) -> None:
        """Go on; called by itself while one is under way."""
        if self._carried is None:
            return
        if not self._carried.transfer.poll():
            self._session = board_session(self._carried.vehicle)
            return
        carried = self._end()
        if carried is None:
            return
        transfer, known = carried.transfer, board_knowledge_of(carried.vehicle)
        definitions = transfer.board.definitions
        if transfer.problem or definitions is None:
            known.take_problem(transfer.problem, carried.mission)
            return
        known.take_read(transfer.image, definitions, self._session)
        carried.done()

    def _end(self) -> _Carried | None:
        carried, self._carried = self._carried, None
        if self._timer is not None:
            self._timer.stop()
            self._timer.deleteLater()
            self._timer = None
        return carried


def _progress_words(transfer: PlanTransfer) -> str:
    if transfer.total <= 1:
        return transfer.text
    return f"{transfer.text}, {transfer.done} of {transfer.total}"
