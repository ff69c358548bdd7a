"""The command `lapwing flight`."""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from telemetry.base.command_line import BAD_INPUT, Subparsers, add_word
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.review.flights.export_cli import add_export
from telemetry.review.flights.lapwing_file import SUFFIX, FlightFileError, write_flight
from telemetry.review.flights.matching.cli import add_match
from telemetry.review.flights.new_flight import gather_flight
from telemetry.review.flights.report_cli import add_report


def add_commands(subparsers: Subparsers) -> None:
    """Add `flight` with its commands; each sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "flight", "put logs and videos together to flights")
    new = commands.add_parser("new", help="write a flight's file for logs and videos")
    new.add_argument("out", type=Path, metavar="OUT.lapwing")
    new.add_argument("files", type=Path, nargs="+", metavar="LOG|VIDEO")
    new.set_defaults(run=_run_new)
    add_match(commands)
    add_export(commands)
    add_report(commands)


def _run_new(arguments: argparse.Namespace) -> int:
    out: Path = arguments.out
    if out.suffix != SUFFIX:
        return _refuse(f"{out} must end with {SUFFIX}; the logs and videos follow it.")
    if out.exists():
        return _refuse(f"{out} is there already and stays as it is; choose another name.")
    if not out.resolve().parent.is_dir():
        return _refuse(f"The folder {out.resolve().parent} does not exist; make it first.")
    with tqdm(arguments.files, unit=" files", disable=None, file=sys.stderr) as bar:

        def show(file: Path) -> None:
            bar.set_description(file.name)
            bar.update()

        try:
            made = gather_flight(arguments.files, catalogue_for(arguments), show)
        except FlightFileError as error:
            bar.close()
            return _refuse(str(error))
    try:
        write_flight(out, made.log, made.content)
    except OSError as error:
        return _refuse(f"Cannot write {out}: {error.strerror or error}.")
    for notice in made.notices:
        print(notice, file=sys.stderr)
    others = f", {len(made.content.logs)} more" if made.content.logs else ""
    count = len(made.content.videos)
    print(f"{out}: {made.log.name}{others}, and {count} {'video' if count == 1 else 'videos'}.")
    return 0


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return BAD_INPUT
