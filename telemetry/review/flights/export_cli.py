"""The command `lapwing flight export`: a flight as a data set for SLAM."""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from telemetry.base.command_line import BAD_INPUT, Subparsers
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.timeline import parse_time
from telemetry.review.flights.dataset import DatasetSummary, export_dataset
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import FlightFileError, read_flight


def add_export(commands: Subparsers) -> None:
    """Add `export`, which sets `run`, which returns the exit code."""
    export = commands.add_parser("export", help="write frames and poses as a data set for SLAM")
    export.add_argument("flight", type=Path, metavar="FLIGHT.lapwing")
    export.add_argument("--format", choices=("euroc", "tum"), default="euroc")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    export.add_argument("--video", default="", metavar="NAME", help="the first one if not given")
    export.add_argument("--from", dest="start", default=None, metavar="S", help="first second")
    export.add_argument("--to", dest="end", default=None, metavar="S", help="last second")
    export.add_argument(
        "--rate", type=float, default=None, metavar="HZ", help="most frames a second"
    )
    export.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    try:
        summary = _export(arguments)
    except (ExportError, FlightFileError, LogError, ValueError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    damaged = f", {summary.damaged} damaged left out" if summary.damaged else ""
    print(
        f"{summary.frames} frames written to {arguments.out}, "
        f"{summary.with_pose} with a pose{damaged}."
    )
    return 0


def _export(arguments: argparse.Namespace) -> DatasetSummary:
    stored = read_flight(arguments.flight)
    video = _video(arguments.video, stored.content)
    start_s = None if arguments.start is None else parse_time(arguments.start)
    end_s = None if arguments.end is None else parse_time(arguments.end)
    recording = read_log(stored.log, catalogue_for(arguments)).recording
    with tqdm(unit="frame", leave=False, disable=None, file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        request = ExportRequest((), start_s, end_s, arguments.rate, show)
        return export_dataset(recording, video, arguments.format, arguments.out, request)


def _video(name: str, content: FlightContent) -> FlightVideo:
    found = [video for video in content.videos if name in ("", video.name)]
    if not found:
        names = ", ".join(video.name for video in content.videos) or "none"
        raise ExportError(f"The flight has no video {name!r}; it has {names}.")
    return found[0]
