"""The command `lapwing flight`: new flights, packed ones, data sets for SLAM, and reports."""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from telemetry.base.command_line import Subparsers, add_word, progress_bar, refuse
from telemetry.base.escaping import drawn_on, terminal_text
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.recording.cli import add_span, span_of
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.recording import Recording
from telemetry.review.flights.dataset import DatasetSummary, export_dataset
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import (
    SUFFIX,
    FlightFileError,
    check_not_own,
    read_flight,
    write_flight,
)
from telemetry.review.flights.matching.cli import add_match
from telemetry.review.flights.new_flight import gather_flight
from telemetry.review.flights.packing.cli import add_commands as add_packing
from telemetry.review.flights.report import write_report


def add_commands(subparsers: Subparsers) -> None:
    """Add `flight` with its commands; each sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "flight", "put logs and videos together to flights")
    new = commands.add_parser("new", help="write a flight's file for logs and videos")
    new.add_argument("out", type=Path, metavar="OUT.lapwing")
    new.add_argument("files", type=Path, nargs="+", metavar="LOG|VIDEO")
    new.set_defaults(run=_run_new)
    add_match(commands)
    export = commands.add_parser("export", help="write frames and poses as a data set for SLAM")
    export.add_argument("flight", type=Path, metavar="FLIGHT.lapwing")
    export.add_argument("--format", choices=("euroc", "tum"), default="euroc")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    export.add_argument("--video", default="", metavar="NAME", help="the first one if not given")
    add_span(export)
    export.add_argument(
        "--rate", type=float, default=None, metavar="HZ", help="most frames a second"
    )
    export.set_defaults(run=_run_export)
    report = commands.add_parser("report", help="write a flight's figures as one web page")
    report.add_argument("flight", type=Path, metavar="FLIGHT|LOG")
    report.add_argument("out", type=Path, metavar="OUT.html")
    report.set_defaults(run=_run_report)
    add_packing(commands)


def _run_new(arguments: argparse.Namespace) -> int:
    out: Path = arguments.out
    if out.suffix != SUFFIX:
        return refuse(f"{out} must end with {SUFFIX}; the logs and videos follow it.")
    if out.exists():
        return refuse(f"{out} is there already and stays as it is; choose another name.")
    if not out.resolve().parent.is_dir():
        return refuse(f"The folder {out.resolve().parent} does not exist; make it first.")
    with tqdm(arguments.files, unit=" files", disable=None, file=drawn_on(sys.stderr)) as bar:

        def show(file: Path) -> None:
            bar.set_description(terminal_text(file.name))
            bar.update()

        try:
            made = gather_flight(arguments.files, catalogue_for(arguments), show)
        except FlightFileError as error:
            bar.close()
            return refuse(error)
    try:
        write_flight(out, made.log, made.content)
    except OSError as error:
        return refuse(f"Cannot write {out}: {error.strerror or error}.")
    for notice in made.notices:
        print(notice, file=sys.stderr)
    others = f", {len(made.content.logs)} more" if made.content.logs else ""
    count = len(made.content.videos)
    print(f"{out}: {made.log.name}{others}, and {count} {'video' if count == 1 else 'videos'}.")
    return 0


def _run_export(arguments: argparse.Namespace) -> int:
    try:
        summary = _export(arguments)
    except (ExportError, FlightFileError, LogError, ValueError) as error:
        return refuse(error)
    damaged = f", {summary.damaged} damaged left out" if summary.damaged else ""
    print(
        f"{summary.frames} frames written to {arguments.out}, "
        f"{summary.with_pose} with a pose{damaged}."
    )
    return 0


def _export(arguments: argparse.Namespace) -> DatasetSummary:
    stored = read_flight(arguments.flight)
    video = _video(arguments.video, stored.content)
    span = span_of(arguments)
    recording = _recording(stored.log, arguments)
    with progress_bar("frame") as show:
        request = ExportRequest((), *span, arguments.rate, show)
        return export_dataset(recording, video, arguments.format, arguments.out, request)


def _recording(log: Path, arguments: argparse.Namespace) -> Recording:
    """With its streams, whose cameras tell of themselves. Raises LogError."""
    recording = read_log(log, catalogue_for(arguments)).recording
    for problem in attach_streams(recording, streams_beside(log)):
        print(problem, file=sys.stderr)
    return recording


def _video(name: str, content: FlightContent) -> FlightVideo:
    found = [video for video in content.videos if name in ("", video.name)]
    if not found:
        names = ", ".join(video.name for video in content.videos) or "none"
        raise ExportError(f"The flight has no video {name!r}; it has {names}.")
    return found[0]


def _run_report(arguments: argparse.Namespace) -> int:
    path: Path = arguments.flight
    try:
        log, content = path, FlightContent()
        if path.suffix.lower() == SUFFIX:
            stored = read_flight(path)
            log, content = stored.log, stored.content
        check_not_own(arguments.out, path, log, content)
        recording = _recording(log, arguments)
    except (FlightFileError, LogError) as error:
        return refuse(error)
    try:
        write_report(arguments.out, recording, content)
    except OSError as error:
        return refuse(f"Cannot write {arguments.out}: {error.strerror or error}.")
    print(f"The report was written to {arguments.out}.")
    return 0
