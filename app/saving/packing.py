"""Flight packing: a flight with all its files as one, in a job."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from app.background_jobs import BackgroundJobs, JobControl, JobRefused
from app.messages import Messages
from app.saving.flights import FlightSaving
from app.window.commands import MenuEntry
from app.window.overlay import CommandPalette
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.review.flights.file_kind import PACKED_SUFFIX
from telemetry.vehicle.vehicle import Vehicle
from widgets.dialogs import ask_where_to_save

if TYPE_CHECKING:  # which takes what reads videos
    from telemetry.review.flights.packing.contents import FlightToPack
    from telemetry.review.flights.packing.manifest import Videos

_CHOICES: Final[tuple[tuple[str, "Videos"], ...]] = (
    ("The videos as they are", "copy"),
    ("The videos made small: 640 pixels wide, with sound", "small"),
    ("Without the videos", "none"),
)


class FlightPacking:
    """Packs flights as they show, saved or not. For the GUI thread.

    `ask_videos` lets the user choose what becomes of the videos, `ask_where` a file.
    """

    def __init__(
        self,
        keeping: FlightSaving,
        catalogue: Callable[[], Catalogue],
        jobs: BackgroundJobs,
        messages: Messages,
    ) -> None:
        self._keeping = keeping
        self._catalogue = catalogue
        self._jobs = jobs
        self._messages = messages
        self.ask_videos: Callable[[Callable[[Videos], None]], object] = lambda take: take("copy")
        self.ask_where: Callable[[Path, Callable[[Path], None]], object] = lambda _path, _take: None

    def pack(self, vehicle: Vehicle) -> None:
        """Ask how and where, and pack. Without a log it is told that there is none."""
        flight = self._keeping.to_pack(vehicle)
        if flight is None:
            return

        def ask_where(videos: "Videos") -> None:
            where = flight.file.with_suffix(PACKED_SUFFIX)
            self.ask_where(where, partial(self._start, flight, videos))

        if flight.content.videos:
            self.ask_videos(ask_where)
        else:
            ask_where("copy")

    def _start(self, flight: "FlightToPack", videos: "Videos", out: Path) -> None:
        control = JobControl()
        run = partial(_packed, flight, videos, out, self._catalogue, control)
        self._jobs.submit(run, f"Packing {flight.file.stem}", self._tell, control=control)

    def _tell(self, sentences: list[str]) -> None:
        for sentence in sentences:
            self._messages.tell(sentence)


def ask_videos(parent: QWidget, take: Callable[["Videos"], None]) -> CommandPalette:
    """Let the user choose what becomes of a flight's videos."""
    entries = [MenuEntry(title, partial(take, videos)) for title, videos in _CHOICES]
    return CommandPalette(parent, entries, "What of the videos goes with the flight?")


def ask_where(parent: QWidget, path: Path, take: Callable[[Path], None]) -> None:
    """Let the user choose where a flight is packed, near `path`."""
    filters = f"Packed flight (*{PACKED_SUFFIX})"
    ask_where_to_save(parent, "Pack the flight as", filters, PACKED_SUFFIX, take, path)


def _packed(
    flight: "FlightToPack",
    videos: "Videos",
    out: Path,
    catalogue: Callable[[], Catalogue],
    control: JobControl,
) -> list[str]:
    """In a job; returns sentences. Raises JobRefused, OSError."""
    from telemetry.review.flights.lapwing_file import FlightFileError
    from telemetry.review.flights.packing.contents import PackageError
    from telemetry.review.flights.packing.pack import pack_flight

    report = partial(control.report, total=1.0)
    try:
        summary = pack_flight(out, flight, catalogue(), videos, report)
    except (PackageError, FlightFileError) as error:
        raise JobRefused(str(error)) from error
    size_mb = out.stat().st_size / 1e6
    return [*summary.notices, f"The flight is packed as {out}, {size_mb:.1f} MB."]
