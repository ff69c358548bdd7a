"""Drafts of settings: what is staged outlives a reconnection and the end of the station."""

from concurrent.futures import Executor, Future

from app.messages import Messages
from telemetry.base.finding import Level
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.vehicle.vehicle import Fleet


class DraftSaving:
    """Has drafts written by the jobs, and tells what has happened to them by itself."""

    def __init__(self, store: DraftStore, fleet: Fleet, jobs: Executor, messages: Messages) -> None:
        self._store = store
        self._fleet = fleet
        self._jobs = jobs
        self._messages = messages
        self._writing: Future[None] | None = None
        self._told: dict[str, str] = {}
        self._problem = ""

    def poll(self) -> None:
        """Call it now and then."""
        if self._store.is_unwritten and (self._writing is None or self._writing.done()):
            self._writing = self._jobs.submit(self._store.flush)
        if self._store.problem != self._problem:
            self._problem = self._store.problem
            self._messages.report(self._problem, Level.WARNING)
        for vehicle in self._fleet.vehicles:
            notice = configuration_of(vehicle).notice
            if notice != self._told.get(vehicle.name, ""):
                self._messages.tell(notice)
            self._told[vehicle.name] = notice
