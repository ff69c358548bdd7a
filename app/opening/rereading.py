"""Log rereading of an open flight: from another file, or with more definitions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.background_jobs import BackgroundJobs
from app.messages import Messages
from app.opening.logs import LogOpening
from telemetry.base.finding import Level
from telemetry.protocol.objects.definition_folder import DefinitionFolder
from telemetry.recording.logs.definitions import write_definitions
from telemetry.review.flights.file_reference import whole_path
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class _Reread:
    """`problem` says why definitions were not kept beside the log."""

    vehicle: Vehicle
    new_names: tuple[str, ...]
    errors: tuple[str, ...]
    problem: str


class LogRereading:
    """Puts a vehicle that was read anew in the place of another one; what belongs to its flight
    stays. For the GUI thread. `on_open` as in FlightOpening; `read_others` reads those of the other
    logs of its flight that were not read."""

    def __init__(
        self,
        fleet: Fleet,
        logs: LogOpening,
        jobs: BackgroundJobs,
        messages: Messages,
        read_others: Callable[[Vehicle], None],
    ) -> None:
        self._fleet = fleet
        self._logs = logs
        self._jobs = jobs
        self._messages = messages
        self._read_others = read_others
        self.on_open: Callable[[Vehicle, Path], None] = lambda _vehicle, _path: None

    def read_from(self, vehicle: Vehicle, log: Path) -> None:
        """Read a flight's log from this file."""
        log = whole_path(log)
        self._jobs.submit(
            partial(self._logs.read, log),
            f"Opening {log.name}",
            partial(self._exchange, vehicle, log),
        )

    def read_with(self, vehicle: Vehicle | None, paths: Sequence[Path]) -> None:
        """Read a flight's log with the definitions in these folders and beside these files, and
        keep beside the log what of them it needs."""
        log = flight_of(vehicle).log if vehicle is not None else None
        if vehicle is None or log is None or vehicle.status.state is not LinkState.REPLAY:
            self._messages.report(
                "Definitions belong to a log: open that first and drop them again. Those for all "
                "flights go into the definitions folder that the doctor (Help) shows.",
                Level.INFO,
            )
            return
        folders = sorted({path if path.is_dir() else path.parent for path in paths})
        self._jobs.submit(
            partial(self._reread, vehicle, log, folders),
            f"Opening {log.name} with the definitions in {folders[0].name}",
            partial(self._take, vehicle, log),
        )

    def _reread(self, vehicle: Vehicle, log: Path, folders: Sequence[Path]) -> _Reread:
        """In a job."""
        sources = [DefinitionFolder(path, path.name) for path in folders]
        fresh = self._logs.read(log, sources)
        new = sorted({*fresh.recording.names()} - {*vehicle.recording.names()})
        problem = ""
        if new:
            used = {track.definition for track in fresh.recording.tracks()}
            try:
                write_definitions(
                    log, [one for one in used if one.meta_of is None], fresh.catalogue
                )
            except OSError as error:
                problem = f"They could not be kept beside it ({error.strerror or error})."
        errors = tuple(str(error) for source in sources for error in source.errors)
        return _Reread(fresh, tuple(new), errors, problem)

    def _take(self, vehicle: Vehicle, log: Path, reread: _Reread) -> None:
        for error in reread.errors:
            self._messages.report(f"A definition file was left out: {error}.", Level.WARNING)
        if not reread.new_names:
            self._messages.report(
                f"{log.name} has no object that only these definitions know.", Level.INFO
            )
            return
        names = ", ".join(reread.new_names[:_MOST_NAMED])
        more = len(reread.new_names) - _MOST_NAMED
        names += f" and {more} more" if more > 0 else ""
        kept = reread.problem or "What it needs of the definitions is kept beside it."
        self._messages.report(f"{log.name} shows {names} now. {kept}", Level.INFO)
        self._exchange(vehicle, log, reread.vehicle)

    def _exchange(self, vehicle: Vehicle, log: Path, fresh: Vehicle) -> None:
        before, after = flight_of(vehicle), flight_of(fresh)
        after.take_over(before)
        after.log = log
        for track in vehicle.recording.media_tracks():
            if fresh.recording.media(track.description.name) is None:
                fresh.recording.add_media(track)
        self._fleet.remove(vehicle)
        self._fleet.add(fresh)
        self.on_open(fresh, before.path or log)
        self._read_others(fresh)
        if vehicle.recording.names():
            fresh.timeline.seek(vehicle.timeline.t)
