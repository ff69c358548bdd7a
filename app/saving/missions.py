"""Mission files dropped on the window, and the plan that is not saved, kept by itself."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from pathlib import Path
from typing import Final

from app.background_jobs import BackgroundJobs
from app.messages import Messages
from telemetry.base.finding import Level
from telemetry.missions.board.plan import board_home
from telemetry.missions.draft import MissionDraft, mission_draft_of
from telemetry.missions.files.carried import CarriedMission
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import (
    SUFFIX,
    read_carried,
    read_mission,
    write_mission,
)
from telemetry.vehicle.vehicle import Fleet

_UNSAVED: Final = f"unsaved{SUFFIX}"


class MissionSaving:
    """Writes the draft of the station into a folder of its own whenever it is not saved, so that
    nobody has to be asked when the station ends. For the GUI thread. `on_open` shows the plan."""

    def __init__(
        self, fleet: Fleet, folder: Path, pool: Executor, jobs: BackgroundJobs, messages: Messages
    ) -> None:
        self._fleet = fleet
        self._path = folder / _UNSAVED
        self._pool = pool
        self._jobs = jobs
        self._messages = messages
        self._writing: Future[None] | None = None
        self._problem = ""
        self._draft: MissionDraft = mission_draft_of(fleet)
        self._kept = self._draft.mission
        self._is_kept = False
        self.on_open: Callable[[], None] = lambda: None

    def open(self, path: Path) -> None:
        """Open a mission; what was there can be had back by undoing."""
        vehicle = self._fleet.active
        home = board_home(vehicle.recording) if vehicle else None

        def take(carried: CarriedMission) -> None:
            mission = carried.mission
            self._draft.open(f"Open {path.name}", mission, path if carried.is_own else None)
            count = f"{path.name}: {len(mission.waypoints)} waypoints."
            self._messages.tell(" ".join((count, *carried.left_out)))
            self.on_open()

        self._jobs.submit(lambda: read_carried(path, home), f"Opening {path.name}", take)

    def restore(self) -> None:
        """Take up the plan that was not saved when the station ended last."""
        if not self._path.exists():
            return
        try:
            mission = read_mission(self._path)
        except MissionFileError as error:
            self._messages.report(f"The plan of last time is lost: {error}", Level.WARNING)
            return
        self._draft.open("The plan of last time", mission)
        self._kept, self._is_kept = mission, True
        count = len(mission.waypoints)
        self._messages.tell(f"The plan that was not saved last time is back: {count} waypoints.")

    def poll(self) -> None:
        """Keep what has changed; call it now and then."""
        writing = self._writing
        if writing is not None:
            if not writing.done():
                return
            self._writing, error = None, writing.exception()
            problem = f"The plan could not be kept: {error}" if error else ""
            if problem != self._problem:
                self._problem = problem
                self._messages.report(problem, Level.WARNING)
        if (write := self._due()) is not None:
            self._writing = self._pool.submit(write)

    def close(self) -> None:
        """Keep it now: the station ends."""
        if self._writing is not None:
            wait([self._writing])
        if (write := self._due()) is not None:
            try:
                write()
            except (OSError, MissionFileError) as error:
                self._messages.report(f"The plan could not be kept: {error}", Level.WARNING)

    def _due(self) -> Callable[[], None] | None:
        """What has to be written or removed since the last time."""
        draft, path = self._draft, self._path
        mission = draft.mission
        if not draft.is_unsaved:
            if not self._is_kept:
                return None
            self._is_kept = False
            return lambda: path.unlink(missing_ok=True)
        if self._is_kept and mission is self._kept:
            return None
        self._kept, self._is_kept = mission, True

        def write() -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_mission(path, mission)

        return write
