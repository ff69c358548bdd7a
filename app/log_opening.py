"""Opening and exporting logs off the GUI thread: never blocking, failing with a sentence."""

import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.messages import Message, Messages
from plugins.api import LogFormat, resolve
from telemetry.clock import monotonic_s
from telemetry.finding import Level
from telemetry.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Fleet, Vehicle

_SLOW_S = 0.3
_OWN_SUFFIXES = ("*.opl", "*.tll", "*.drlog")


class JobRefused(Exception):  # noqa: N818 - a refusal is not a fault
    """The work cannot be done; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class _Job:
    future: "Future[Any]"
    doing: str
    on_done: Callable[[Any], None]
    started_s: float


class LogOpening:
    """Reads logs and adds them to the fleet as flights to replay. For the GUI thread."""

    def __init__(
        self,
        fleet: Fleet,
        formats: Sequence[LogFormat],
        catalogue: Callable[[], Catalogue],
        jobs: Executor,
        messages: Messages,
    ) -> None:
        self._fleet = fleet
        self._formats = formats
        self._catalogue = catalogue
        self._jobs = jobs
        self._messages = messages
        self._running: list[_Job] = []

    @property
    def name_filter(self) -> str:
        """The kinds of files that can be opened, as a file dialog offers them."""
        kinds = [
            ("Flight logs", " ".join((*_OWN_SUFFIXES, *(f"*{f.suffix}" for f in self._formats))))
        ]
        kinds += [(entry.title, f"*{entry.suffix}") for entry in self._formats]
        return ";;".join(f"{title} ({names})" for title, names in (*kinds, ("All files", "*")))

    @property
    def is_busy(self) -> bool:
        """Whether anything is still being read or written."""
        return bool(self._running)

    @property
    def progress(self) -> str:
        """What takes a while now, as a sentence; "" when nothing does."""
        now = monotonic_s()
        slow = [job for job in self._running if now - job.started_s > _SLOW_S]
        if not slow:
            return ""
        return f"{slow[0].doing} … {now - slow[0].started_s:.0f} s"

    def open(self, path: Path, on_open: Callable[[Vehicle], None] = lambda _vehicle: None) -> None:
        """Read a log; the flight becomes the active vehicle when it is there."""

        def finish(vehicle: Vehicle) -> None:
            self._fleet.add(vehicle)
            on_open(vehicle)

        self._submit(lambda: self._read(path), f"Opening {path.name}", finish)

    def export(self, vehicle: Vehicle, folder: Path) -> None:
        """Write the flight as CSV files, one per object."""

        def write() -> int:
            from telemetry.logs.export.request import ExportError
            from telemetry.logs.export.tables import export_csv

            try:
                return len(export_csv(vehicle.recording, folder))
            except ExportError as error:
                raise JobRefused(str(error)) from error

        self._submit(
            write,
            f"Exporting {vehicle.name}",
            lambda count: self._messages.tell(f"Exported {count} objects to {folder}."),
        )

    def poll(self) -> None:
        """Take over what has finished; call it on the tick."""
        for job in [job for job in self._running if job.future.done()]:
            self._running.remove(job)
            error = job.future.exception()
            if error is None:
                job.on_done(job.future.result())
            else:
                is_expected = isinstance(error, OSError | ValueError | JobRefused)
                details = "" if is_expected else "".join(traceback.format_exception(error))
                text = str(error) if is_expected else f"{job.doing} failed ({error!r})."
                self._messages.put(Message(text, Level.WARNING, details))

    def _submit(self, run: Callable[[], Any], doing: str, on_done: Callable[[Any], None]) -> None:
        self._running.append(_Job(self._jobs.submit(run), doing, on_done, monotonic_s()))

    def _read(self, path: Path) -> Vehicle:
        from telemetry.logs.reader import LogError, read_log
        from telemetry.vehicle.replay import replay_vehicle

        own = next((f for f in self._formats if path.name.lower().endswith(f.suffix)), None)
        try:
            reading = (resolve(own.read) if own else read_log)(path, self._catalogue())
        except LogError as error:
            raise JobRefused(str(error)) from error
        for warning in reading.warnings:
            self._messages.report(f"{path.name}: {warning}", Level.WARNING)
        return replay_vehicle(reading, self._catalogue())
