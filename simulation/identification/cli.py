"""`lapwing identify`: what a flight log tells of the wind, the aircraft and its sensors.

The simulator flies windows of the flight again by the motor commands of its log, and finds the
parameters with which its sensors show what was logged. Each has a sigma, or the reason why this
flight does not tell it. Without an aircraft file only a hover's wind is told.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from telemetry.base.command_line import Subparsers, print_lines, refuse
from telemetry.base.escaping import terminal_text

if TYPE_CHECKING:
    from simulation.identification.identification import Identification

_MACHINE: Final = 2
REFUSED: Final = 3
"""The exit code where the flight tells nothing of what was asked for."""


def add_commands(subparsers: Subparsers) -> None:
    """Add `identify`; its `run` returns the exit code."""
    from simulation.identification.groups import WHAT
    from telemetry.recording.cli import add_span

    parser = subparsers.add_parser(
        "identify",
        help="the wind, the aircraft and its sensors, by a flight log",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("log", metavar="LOG", type=Path)
    parser.add_argument(
        "--aircraft", metavar="NAME|FILE", default="", help="what flew, as far as it is known"
    )
    parser.add_argument(
        "--what", metavar="A,B", default=",".join(WHAT), help=f"of {','.join(WHAT)} (all)"
    )
    add_span(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--series", action="store_true", help="with what was logged and what was synthesised"
    )
    parser.add_argument(
        "--save", metavar="FILE.toml", type=Path, help="write the aircraft file that this makes"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """1: the log, the aircraft or the span cannot be used; 2: the file cannot be written; 3: the
    flight does not tell it."""
    from telemetry.recording.logs.reader import LogError

    try:
        found = _found(options)
    except (LogError, ValueError) as error:  # every refusal of a file, a name or a number is one
        return refuse(error)
    from simulation.identification.report import as_json, as_lines

    if options.json:
        report = as_json(found, options.log.name, options.aircraft, series=options.series)
        print(json.dumps(report, allow_nan=False))
    else:
        print_lines(as_lines(found, options.log.name, options.aircraft))
    if found.refused is not None:
        return REFUSED
    return _save(options, found)


def _found(options: argparse.Namespace) -> "Identification":
    from simulation.identification.groups import checked_groups
    from telemetry.protocol.objects.cli import catalogue_for
    from telemetry.recording.cli import check_span, span_of
    from telemetry.recording.logs.reader import read_log

    what = checked_groups(options.what)
    span = span_of(options)
    if options.save is not None and not options.aircraft:
        raise ValueError("--save writes what is otherwise than in a file; add --aircraft FILE.")
    if options.save is not None and options.save.suffix != ".toml":
        raise ValueError(f"{options.save} must end with .toml, as aircraft files do.")
    if options.aircraft.endswith(".json"):
        raise ValueError(
            f"{options.aircraft} describes an airframe; give the name or the .toml file of the "
            "aircraft that it flies."
        )
    reading = read_log(options.log, catalogue_for(options))
    check_span(reading.info, *span)

    from simulation.aircraft.aircraft import load_aircraft
    from simulation.identification.identifying import identify, identify_wind_alone
    from simulation.identification.logged_flight import read_flight

    aircraft = load_aircraft(options.aircraft) if options.aircraft else None
    flight = read_flight(reading.recording, *span)
    if aircraft is None:
        return identify_wind_alone(flight)
    return identify(flight, aircraft, what, _tell)


def _tell(text: str) -> None:
    print(terminal_text(text), file=sys.stderr)


def _save(options: argparse.Namespace, found: "Identification") -> int:
    """Write the aircraft file, if one is wanted."""
    if options.save is None:
        return 0
    from simulation.identification.aircraft_file import save_aircraft
    from simulation.identification.report import as_lines

    notes = as_lines(found, options.log.name, options.aircraft)
    try:
        save_aircraft(options.save, options.aircraft, found.values, notes)
    except ValueError as error:
        return refuse(error)
    except OSError as error:
        refuse(f"{options.save} cannot be written: {error.strerror}.")
        return _MACHINE
    _tell(f"{options.save} is written.")
    return 0
