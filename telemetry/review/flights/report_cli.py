"""The command `lapwing flight report`: a flight as one web page."""

import argparse
import sys
from pathlib import Path

from telemetry.base.command_line import BAD_INPUT, Subparsers
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.lapwing_file import (
    SUFFIX,
    FlightFileError,
    check_not_own,
    read_flight,
)
from telemetry.review.flights.report import write_report


def add_report(commands: Subparsers) -> None:
    """Add `report`, which sets `run`, which returns the exit code."""
    report = commands.add_parser("report", help="write a flight's figures as one web page")
    report.add_argument("flight", type=Path, metavar="FLIGHT|LOG")
    report.add_argument("out", type=Path, metavar="OUT.html")
    report.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    path: Path = arguments.flight
    try:
        log, content = path, FlightContent()
        if path.suffix.lower() == SUFFIX:
            stored = read_flight(path)
            log, content = stored.log, stored.content
        check_not_own(arguments.out, path, log, content)
        recording = read_log(log, catalogue_for(arguments)).recording
    except (FlightFileError, LogError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    try:
        write_report(arguments.out, recording, content)
    except OSError as error:
        print(f"Cannot write {arguments.out}: {error.strerror or error}.", file=sys.stderr)
        return BAD_INPUT
    print(f"The report was written to {arguments.out}.")
    return 0
