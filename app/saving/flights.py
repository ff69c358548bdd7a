"""Flight saving: on command, and by itself of what was not saved."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.background_jobs import BackgroundJobs
from app.messages import Message, Messages
from telemetry.base.finding import Level
from telemetry.review.flights.backups import FlightBackups
from telemetry.review.flights.flight import Flight, FlightContent, flight_of
from telemetry.review.flights.lapwing_file import SUFFIX, write_flight
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle

if TYPE_CHECKING:
    from telemetry.review.flights.packing.contents import FlightToPack


class FlightSaving:
    """Writes `.lapwing` files when the user wants it, and what is not saved into a folder of the
    station's, so that nobody has to be asked when a flight is closed. For the GUI thread.

    `layout` describes the workspace that shows, {} if it is as it always is; `ask_where` lets the
    user choose a file; `on_saved` gets each file that was written.
    """

    def __init__(
        self,
        fleet: Fleet,
        backups: FlightBackups,
        pool: Executor,
        jobs: BackgroundJobs,
        messages: Messages,
    ) -> None:
        self._fleet = fleet
        self._backups = backups
        self._pool = pool
        self._jobs = jobs
        self._messages = messages
        self._kept: dict[Flight, int] = {}
        self._closed: list[Flight] = []
        self._present: tuple[Flight, ...] = ()
        self._writing: Future[None] | None = None
        self._saving: dict[Flight, Path | None] = {}
        self._problem = ""
        self.layout: Callable[[], Mapping[str, Any]] = dict
        self.ask_where: Callable[[Vehicle, Path], object] = lambda _vehicle, _path: None
        self.on_saved: Callable[[Path], None] = lambda _path: None

    def save(self, vehicle: Vehicle, path: Path | None = None) -> None:
        """Save the flight, where it was saved before or beside its log if `path` is None."""
        flight, usual = _with_log(vehicle), self._usual_path(vehicle)
        where = path or usual
        if where is None:
            return
        if path is None and flight.path is None and where.exists():
            self.ask_where(vehicle, where)
        elif flight in self._saving:
            self._saving[flight] = where
        else:
            self._write(vehicle, flight, where)

    def save_as(self, vehicle: Vehicle) -> None:
        """Have the user choose where the flight is saved."""
        if usual := self._usual_path(vehicle):
            self.ask_where(vehicle, usual)

    def to_pack(self, vehicle: Vehicle) -> "FlightToPack | None":
        """The flight as it shows, saved or not; None without a log, which is told."""
        from telemetry.review.flights.packing.contents import FlightToPack

        flight, usual = _with_log(vehicle), self._usual_path(vehicle)
        if usual is None or flight.log is None:
            return None
        return FlightToPack(usual, flight.log, replace(flight.content, layout=self.layout()))

    def _usual_path(self, vehicle: Vehicle) -> Path | None:
        """Where it was saved, else beside its log. Without a log it is told that there is none."""
        flight = _with_log(vehicle)
        if flight.log is None:
            self._messages.report(
                f"{vehicle.name} was not saved: it has no log. Flights are recorded once an "
                "aircraft is connected; see the recording folder in the preferences.",
                Level.WARNING,
            )
            return None
        return flight.path or flight.log.with_suffix(SUFFIX)

    def poll(self) -> None:
        """Keep what has changed; call it now and then."""
        self._look()
        if self._writing is not None and not self._writing.done():
            return
        if self._backups.problem != self._problem:
            self._problem = self._backups.problem
            self._messages.report(self._problem, Level.WARNING)
        if steps := self._due():
            self._writing = self._pool.submit(_run_all, steps)

    def close(self) -> None:
        """Keep everything now: the station ends."""
        if self._writing is not None:
            wait([self._writing])
        self._look()
        self._kept.clear()  # two flights may share a log, and one of them may have let its copy go
        _run_all(self._due())

    def _look(self) -> None:
        present = tuple(_with_log(vehicle) for vehicle in self._fleet.vehicles)
        self._closed += [flight for flight in self._present if flight not in present]
        self._present = present

    def _due(self) -> list[Callable[[], None]]:
        """What has to be written or removed for flights that have changed since the last time."""
        steps: list[Callable[[], None]] = []
        for flight in (*self._present, *self._closed):
            is_kept = self._kept.get(flight, 0) == flight.version
            if flight.log is None or flight.is_being_read or is_kept:
                continue
            self._kept[flight] = flight.version
            if flight.is_unsaved:
                write = self._backups.write
                steps.append(partial(write, flight.log, flight.path, flight.content))
            else:
                steps.append(partial(self._backups.forget, flight.log, flight.path))
        for flight in self._closed:
            self._kept.pop(flight, None)
        self._closed.clear()
        return steps

    def _write(self, vehicle: Vehicle, flight: Flight, path: Path) -> None:
        assert flight.log is not None
        flight.layout = self.layout()
        self._saving[flight] = None
        before = flight.path
        write = partial(write_flight, path, flight.log, flight.content)

        def done(saved: FlightContent) -> None:
            flight.take_saved(path, saved)
            if before != path and flight.log is not None:
                self._pool.submit(self._backups.forget, flight.log, before)
            self._messages.tell(f"Saved as {path}.")
            self.on_saved(path)
            again()

        def failed(message: Message) -> None:
            self._messages.put(
                Message(
                    f"{path.name} was not saved: {message.text}. All of it is kept by itself.",
                    Level.WARNING,
                    message.details,
                    "Save elsewhere …",
                    lambda: self.ask_where(vehicle, path),
                )
            )
            again()

        def again() -> None:
            wanted = self._saving.pop(flight)
            if wanted is not None:
                self._write(vehicle, flight, wanted)

        self._jobs.submit(write, f"Saving {path.name}", done, failed)


def _with_log(vehicle: Vehicle) -> Flight:
    """The flight of a vehicle, which knows its log and its streams from now on: a recording that
    has ended is no longer told of."""
    flight = flight_of(vehicle)
    if flight.log is None and vehicle.status.recording_file:
        flight.log = Path(vehicle.status.recording_file)
    elif flight.log is None and vehicle.status.state is LinkState.REPLAY:
        source = Path(vehicle.recording.source)
        flight.log = source if source.is_file() else None
    if vehicle.recording.media_tracks():
        from telemetry.review.flights.streams import take_streams

        take_streams(flight, vehicle.recording)
    return flight


def _run_all(steps: list[Callable[[], None]]) -> None:
    for step in steps:
        step()
