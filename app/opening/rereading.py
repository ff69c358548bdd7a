"""Log rereading of an open flight: from another file, or with more definitions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.background_jobs import BackgroundJobs, JobRefused
from app.messages import Messages
from app.opening.logs import LogOpening
from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import DefinitionSource
from telemetry.recording.logs.definitions import (
    LogDefinitionsError,
    faults,
    offered_definitions,
    unfit_sentence,
)
from telemetry.review.flights.file_reference import whole_path
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class _Reread:
    """`vehicle` is None if the definitions show nothing more, `told` what came of it."""

    vehicle: Vehicle | None
    told: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Fitting:
    """`names` are of the objects that an aircraft sends and these definitions tell."""

    sources: tuple[DefinitionSource, ...]
    names: Sequence[str]
    faults: tuple[str, ...]


class LogRereading:
    """Puts a vehicle that was read anew in the place of another one; what belongs to its flight
    stays. For the GUI thread. `show` gets that vehicle and the file its flight was opened by."""

    def __init__(
        self,
        fleet: Fleet,
        logs: LogOpening,
        jobs: BackgroundJobs,
        messages: Messages,
        show: Callable[[Vehicle, Path], None],
    ) -> None:
        self._fleet = fleet
        self._logs = logs
        self._jobs = jobs
        self._messages = messages
        self._show = show

    def read_from(self, vehicle: Vehicle, log: Path) -> None:
        """Read a flight's log from this file."""
        log = whole_path(log)
        self._jobs.submit(
            partial(self._logs.read, log),
            f"Opening {log.name}",
            partial(self._exchange, vehicle, log),
        )

    def read_with(self, vehicle: Vehicle | None, paths: Sequence[Path]) -> None:
        """Read a flight's log with the definitions in these files and folders, and keep beside the
        log what of them it needs; or hear a live aircraft by them from now on."""
        if vehicle is not None and vehicle.is_live:
            self._jobs.submit(
                partial(self._fitting, vehicle, paths),
                f"Looking through the definitions in {paths[0].name}",
                partial(self._hear_with, vehicle, paths),
            )
            return
        log = flight_of(vehicle).log if vehicle is not None else None
        if vehicle is None or log is None or vehicle.status.state is not LinkState.REPLAY:
            self._messages.report(
                "Definitions belong to a log: open that first and drop them again. Those for all "
                "flights go into the definitions folder that the doctor (Help) shows.",
                Level.INFO,
            )
            return
        self._jobs.submit(
            partial(self._reread, vehicle, log, paths),
            f"Opening {log.name} with the definitions in {paths[0].name}",
            partial(self._take, vehicle, log),
        )

    def _fitting(self, vehicle: Vehicle, paths: Sequence[Path]) -> _Fitting:
        """In a job: what of definitions an aircraft sends. Raises JobRefused."""
        sources = _offered(paths)
        ids = vehicle.status.unknown_ids
        found = (source.with_id(each) for each in ids for source in sources)
        names = sorted({one.name for one in found if one is not None})
        return _Fitting(sources, names, tuple(faults(sources, paths)))

    def _hear_with(self, vehicle: Vehicle, paths: Sequence[Path], fitting: _Fitting) -> None:
        for fault in fitting.faults:
            self._messages.report(fault, Level.WARNING)
        if not fitting.names:
            told = unfit_sentence(vehicle.name, vehicle.status.unknown_objects, paths)
            self._messages.report(told, Level.INFO)
            return
        vehicle.catalogue.take(fitting.sources)
        is_recorded = bool(vehicle.status.recording_file)
        since = ", and of the whole flight when its recording is opened" if is_recorded else ""
        self._messages.report(
            f"{vehicle.name} shows {_named(fitting.names)} from now on{since}. That holds until "
            "Lapwing is closed; definitions for all flights go into the folder that the doctor "
            "(Help) shows.",
            Level.INFO,
        )

    def _reread(self, vehicle: Vehicle, log: Path, paths: Sequence[Path]) -> _Reread:
        """In a job. Raises JobRefused."""
        from telemetry.recording.logs.reader import keep_known

        sources = _offered(paths)
        found = tuple(faults(sources, paths))
        reading = self._logs.read_log(log, sources)
        unknown = vehicle.status.unknown_objects
        new = sorted({*reading.recording.names()} - {*vehicle.recording.names()})
        if not new and len(reading.unknown_ids) >= unknown:
            return _Reread(None, unfit_sentence(log.name, unknown, paths), found)
        kept = "What it needs of the definitions is kept beside it."
        try:
            keep_known(log, reading, self._logs.catalogue())
        except OSError as error:
            kept = f"They could not be kept beside it ({error.strerror or error})."
        told = f"{log.name} shows {_named(new)} now. {kept}"
        return _Reread(self._logs.vehicle_of(log, reading), told, found)

    def _take(self, vehicle: Vehicle, log: Path, reread: _Reread) -> None:
        for fault in reread.faults:
            self._messages.report(fault, Level.WARNING)
        self._messages.report(reread.told, Level.INFO)
        if reread.vehicle is not None:
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
        self._show(fresh, before.path or log)
        if vehicle.recording.names():
            fresh.timeline.seek(vehicle.timeline.t)


def _offered(paths: Sequence[Path]) -> tuple[DefinitionSource, ...]:
    """Raises JobRefused."""
    try:
        return offered_definitions(paths)
    except LogDefinitionsError as error:
        raise JobRefused(str(error)) from error


def _named(names: Sequence[str]) -> str:
    """Some of these; of objects that were only asked for there is none."""
    more = len(names) - _MOST_NAMED
    shown = ", ".join(names[:_MOST_NAMED]) or "what its other frames are"
    return f"{shown} and {more} more" if more > 0 else shown
