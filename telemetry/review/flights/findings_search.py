"""Findings search: a vehicle's recording searched in a job, anew while it grows."""

from concurrent.futures import Executor, Future

from telemetry.base.clock import monotonic_s
from telemetry.base.memory import give_back_freed
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.flight_finding import FlightFinding
from telemetry.review.analysis.findings.search import find_everything, finding_kinds
from telemetry.vehicle.vehicle import Vehicle

EVERY_S = 5.0
_MOST_SHARE = 0.02
"""Of one processor: a longer recording is looked at less often."""

_LONG_S = 0.3
"""What takes that long has gone through a large log, and freed much."""

_Found = tuple[tuple[FlightFinding, ...], float]


class FindingsSearch:
    """One search per vehicle, whoever shows what it finds. For the GUI thread."""

    def __init__(self) -> None:
        self.findings: tuple[FlightFinding, ...] = ()
        self.events: tuple[Event, ...] = ()
        """Those findings that the recording's own events do not tell of, where they begin."""
        self.is_done = False
        """Whether the recording was looked through at least once."""
        self._job: Future[_Found] | None = None
        self._searched_version = -1
        self._recording: Recording | None = None
        self._next_s = 0.0

    def poll(self, recording: Recording, jobs: Executor, now: float) -> None:
        """Take what a job has found; begin the next one if there is something new to look at."""
        if self._job is not None:
            if not self._job.done():
                return
            job, self._job = self._job, None
            self.findings, lasted_s = job.result()
            told = {kind.code for kind in finding_kinds() if kind.event}
            self.events = tuple(
                Event(one.t, "finding", one.finding.level, f"{one.title}: {one.finding.text}")
                for one in self.findings
                if one.finding.code not in told
            )
            self.is_done = True
            self._next_s = now + max(EVERY_S, lasted_s / _MOST_SHARE)
        is_other = recording is not self._recording
        has_grown = recording.version != self._searched_version and now >= self._next_s
        if is_other or has_grown:
            self._recording, self._searched_version = recording, recording.version
            self._job = jobs.submit(_search, recording)


def _search(recording: Recording) -> _Found:
    """What there is to find, and how long that took in seconds."""
    began_s = monotonic_s()
    found, lasted_s = find_everything(recording), monotonic_s() - began_s
    if lasted_s > _LONG_S:
        give_back_freed()
    return found, lasted_s


def findings_search_of(vehicle: Vehicle) -> FindingsSearch:
    """The search of this vehicle, the same for everybody who asks."""
    return vehicle.attachment("findings.search", FindingsSearch)
