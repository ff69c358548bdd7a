"""Exports in jobs: logs, data sets, and videos, which a process of its own draws."""

import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from app.background_jobs import BackgroundJobs, JobCancelled, JobControl, JobRefused
from app.exporting.choice import ExportChoice
from app.messages import Messages
from app.workspaces.workspace import Workspace
from telemetry.base.child_process import end_process
from telemetry.base.installation import ROOT
from telemetry.base.safe_files import remove_begun
from telemetry.recording.export.request import file_name
from telemetry.review.flights.flight import FlightContent, flight_of
from telemetry.vehicle.vehicle import Vehicle

if TYPE_CHECKING:
    from telemetry.recording.export.request import ExportRequest


class Exports:
    """Starts exports and tells what has become of them. For the GUI thread."""

    def __init__(self, jobs: BackgroundJobs, messages: Messages) -> None:
        self._jobs = jobs
        self._messages = messages

    def start(self, vehicle: Vehicle, choice: ExportChoice, place: Path) -> None:
        """Export what was chosen into a folder, or a video into a file."""
        flight = flight_of(vehicle)
        if choice.shape.kind == "video" and flight.log is None:
            self._messages.tell("A video is made of a flight with a log; this one has none.")
            return
        control = JobControl()
        if choice.shape.kind == "video" and flight.log is not None:
            run = partial(_write_video, flight.content, flight.log, choice, place, control)
        elif choice.shape.kind == "dataset":
            run = partial(_write_dataset, vehicle, flight.content, choice, place, control)
        elif choice.shape.kind == "report":
            run = partial(_write_report, vehicle, flight.content, place)
        else:
            run = partial(_write_log, vehicle, choice, place, control)
        self._jobs.submit(run, f"Exporting {vehicle.name}", self._messages.tell, control=control)


def _request(choice: ExportChoice, control: JobControl) -> "ExportRequest":
    from telemetry.recording.export.request import ExportRequest

    start_s, end_s = choice.span or (None, None)
    return ExportRequest((), start_s, end_s, choice.rate_hz, control.report)


def _write_log(vehicle: Vehicle, choice: ExportChoice, place: Path, control: JobControl) -> str:
    """Write one of the formats of `lapwing log export`; return a sentence. Raises JobRefused."""
    from telemetry.recording.export.formats import FORMATS
    from telemetry.recording.export.request import ExportError

    request = replace(_request(choice, control), catalogue=vehicle.catalogue)
    try:
        files = FORMATS[choice.shape.name].export(vehicle.recording, place, request)
    except ExportError as error:
        raise JobRefused(str(error)) from error
    return f"{_counted(len(files), 'file')} written to {place}."


def _write_report(vehicle: Vehicle, content: FlightContent, place: Path) -> str:
    """Write the report; return a sentence. Raises OSError."""
    from telemetry.review.flights.report import write_report

    path = place / file_name(vehicle.recording, "_report.html")
    write_report(path, vehicle.recording, content)
    return f"The report was written to {path}."


def _write_dataset(
    vehicle: Vehicle,
    content: FlightContent,
    choice: ExportChoice,
    place: Path,
    control: JobControl,
) -> str:
    """Write frames and poses into a folder of their own; return a sentence. Raises JobRefused."""
    from telemetry.recording.export.request import ExportError
    from telemetry.review.flights.dataset import export_dataset

    video = next(one for one in content.videos if one.name == choice.video)
    folder = place / f"{Path(video.name).stem}_{choice.shape.name}"
    layout: Literal["euroc", "tum"] = "tum" if choice.shape.name == "tum" else "euroc"
    try:
        summary = export_dataset(
            vehicle.recording, video, layout, folder, _request(choice, control)
        )
    except ExportError as error:
        raise JobRefused(str(error)) from error
    return f"{_counted(summary.frames, 'frame')} written to {folder}."


def _write_video(
    content: FlightContent, log: Path, choice: ExportChoice, place: Path, control: JobControl
) -> str:
    """Have the command draw and write it, since widgets paint in the thread of the window only.

    Returns a sentence; raises JobRefused with what the command says, and JobCancelled.
    """
    from telemetry.review.flights.lapwing_file import FlightFileError, check_not_own, write_flight

    workspace = Workspace("export", "Export", choice.workspace or choice.views or ())
    videos = content.videos if choice.video else ()  # the command would take the first of them
    with TemporaryDirectory(prefix="lapwing-export-") as folder:
        flight = Path(folder) / "flight.lapwing"
        try:
            check_not_own(place, flight, log, content)
        except FlightFileError as error:
            raise JobRefused(str(error)) from error
        write_flight(flight, log, replace(content, videos=videos, layout=workspace.to_json()))
        command = [sys.executable, "-m", "lapwing", *_words(choice, flight, place)]
        errors = Path(folder) / "errors"
        with (
            errors.open("w") as log_file,
            subprocess.Popen(
                command,
                cwd=ROOT,
                text=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log_file,  # a pipe that nobody empties would stop it
            ) as process,
        ):
            try:
                said = _follow(process, control)
            except JobCancelled:
                end_process(process)
                remove_begun(place.parent, process.pid)
                raise
        complaint = errors.read_text("utf-8", "replace").strip()
    if process.returncode != 0:
        raise JobRefused(complaint.splitlines()[-1] if complaint else said)
    return said


def _words(choice: ExportChoice, flight: Path, place: Path) -> list[str]:
    words = ["video", "export", str(flight), str(place), "--tell-progress"]
    words += ["--template", choice.template]
    if choice.size is not None:
        words += ["--size", f"{choice.size[0]}x{choice.size[1]}"]
    if choice.views is not None:
        words += ["--views", ",".join(view.key for view in choice.views)]
    if choice.video:
        words += ["--video", choice.video]
    if choice.span is not None:
        words += ["--from", f"{choice.span[0]:.3f}", "--to", f"{choice.span[1]:.3f}"]
    return words


def _follow(process: "subprocess.Popen[str]", control: JobControl) -> str:
    """Hand on how far it is, a number a line; return its last line."""
    said = ""
    for line in process.stdout or ():
        try:
            control.report(float(line), 1.0)
        except ValueError:
            said = line.strip()
    return said


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
