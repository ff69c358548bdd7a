"""Package opening: packed flights, unpacked once into a folder of their own and opened there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.background_jobs import BackgroundJobs, JobControl, JobRefused
from app.messages import Message, Messages
from telemetry.base.finding import Level

if TYPE_CHECKING:
    from telemetry.review.flights.packing.unpack import PackageReport


@dataclass(frozen=True, slots=True)
class _Unpacked:
    """The flight's file; None of a package that is damaged, of which `words` tell."""

    flight: Path | None
    words: str


class PackageOpening:
    """Unpacks packed flights in jobs, beside them or, where nothing can be written there, into a
    folder below `otherwise`; `open_flight` gets the flight's file. For the GUI thread."""

    def __init__(
        self,
        open_flight: Callable[[Path], object],
        otherwise: Callable[[], Path],
        jobs: BackgroundJobs,
        messages: Messages,
    ) -> None:
        self._open_flight = open_flight
        self._otherwise = otherwise
        self._jobs = jobs
        self._messages = messages

    def open(self, package: Path, *, whole_only: bool = False) -> None:
        """Open a packed flight, of a damaged one what is whole if that is wanted."""
        control = JobControl(is_for_window=True)
        run = partial(_unpacked, package, self._otherwise(), control, whole_only=whole_only)
        doing = f"Unpacking {package.name}"
        self._jobs.submit(run, doing, partial(self._take, package), control=control)

    def _take(self, package: Path, unpacked: _Unpacked) -> None:
        if unpacked.flight is not None:
            self._messages.tell(unpacked.words)
            self._open_flight(unpacked.flight)
            return
        again = partial(self.open, package, whole_only=True)
        self._messages.put(
            Message(
                unpacked.words,
                Level.WARNING,
                remedy_title="Open what is whole",
                remedy=again,
                topic=f"damaged {package.name}",
            )
        )


def _unpacked(
    package: Path, otherwise: Path, control: JobControl, *, whole_only: bool
) -> _Unpacked:
    """In a job. Raises JobRefused, OSError."""
    from telemetry.review.flights.packing.contents import PackageError
    from telemetry.review.flights.packing.unpack import (
        PackageDamagedError,
        flight_in,
        place_for,
        unpack_package,
    )

    report = partial(control.report, total=1.0)
    try:
        place = place_for(package, otherwise)
        if place.is_there:
            words = f"{package.name} is open from {place.folder}, where it was unpacked before."
            return _Unpacked(flight_in(place.folder), words)
        unpacked = unpack_package(package, place.folder, report, whole_only=whole_only)
        words = _words(package, place.folder, unpacked)
        return _Unpacked(flight_in(place.folder), words)
    except PackageDamagedError as error:
        return _Unpacked(None, str(error))
    except PackageError as error:
        raise JobRefused(str(error)) from error


def _words(package: Path, folder: Path, report: "PackageReport") -> str:
    missing = f" without {', '.join(one.path for one in report.lost)}" if report.lost else ""
    problem = f" The archive {report.problem}; what is unpacked is whole." if report.problem else ""
    return f"{package.name} is unpacked in {folder}{missing}.{problem}"
