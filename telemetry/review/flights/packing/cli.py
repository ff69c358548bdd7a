"""The commands `lapwing flight pack`, `unpack` and `verify`."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Final, get_args

from telemetry.base.command_line import (
    BAD_INPUT,
    Subparsers,
    percent_bar,
    print_lines,
    print_report,
    refuse,
)
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.review.flights.file_kind import PACKED_SUFFIX as SUFFIX
from telemetry.review.flights.file_kind import FileKind, kind_of
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.lapwing_file import SUFFIX as FLIGHT_SUFFIX
from telemetry.review.flights.lapwing_file import FlightFileError, read_flight
from telemetry.review.flights.packing.contents import FlightToPack, PackageError
from telemetry.review.flights.packing.manifest import Videos
from telemetry.review.flights.packing.pack import PackSummary, pack_flight
from telemetry.review.flights.packing.unpack import (
    PackageDamagedError,
    PackageReport,
    unpack_package,
    verify_package,
)


def add_commands(commands: Subparsers) -> None:
    """Add them to `lapwing flight`; each sets `run`, which returns the exit code."""
    pack = commands.add_parser("pack", help="put a flight with all its files into one")
    pack.add_argument("flight", type=Path, metavar="FLIGHT|LOG")
    pack.add_argument("out", type=Path, metavar=f"OUT{SUFFIX}")
    pack.add_argument(
        "--videos",
        choices=get_args(Videos),
        default="copy",
        help="as they are, made small (640 wide, with sound), or none",
    )
    pack.set_defaults(run=_run_pack)
    unpack = commands.add_parser("unpack", help="unpack a packed flight into a folder")
    unpack.add_argument("file", type=Path, metavar=f"FILE{SUFFIX}")
    unpack.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    unpack.add_argument(
        "--whole-only", action="store_true", help="of a damaged one the files that are whole"
    )
    unpack.set_defaults(run=_run_unpack)
    verify = commands.add_parser("verify", help="say of each packed file whether it is whole")
    verify.add_argument("file", type=Path, metavar=f"FILE{SUFFIX}")
    verify.add_argument("--json", action="store_true", help="print one JSON object")
    verify.set_defaults(run=_run_verify)


def _run_pack(arguments: argparse.Namespace) -> int:
    out: Path = arguments.out
    if out.suffix != SUFFIX:
        return refuse(f"{out} must end with {SUFFIX}.")
    if out.exists():
        return refuse(f"{out} is there already and stays as it is; choose another name.")
    try:
        summary = _pack(arguments)
    except (PackageError, FlightFileError) as error:
        return refuse(error)
    except OSError as error:
        return refuse(f"Cannot pack as {out}: {_words(error, out)}")
    print_lines(summary.notices)
    manifest = summary.manifest
    left_out = f", {_counted(len(manifest.left_out))} left out" if manifest.left_out else ""
    print(f"{out}: {_counted(len(manifest.files))}, {_megabytes(out.stat().st_size)}{left_out}.")
    return 0


def _pack(arguments: argparse.Namespace) -> PackSummary:
    path: Path = arguments.flight
    _check_kind(path)
    log, content = path, FlightContent()
    if path.suffix.lower() == FLIGHT_SUFFIX:
        stored = read_flight(path)
        log, content = stored.log, stored.content
    catalogue = catalogue_for(arguments)
    with percent_bar(f"Packing {path.name}") as show:
        return pack_flight(
            arguments.out,
            FlightToPack(path, log, content),
            catalogue,
            arguments.videos,
            show,
        )


def _check_kind(path: Path) -> None:
    """Raises PackageError for what is there and is neither a flight nor a log."""
    kind = kind_of(path) if path.exists() else FileKind.LOG
    if kind is FileKind.PACKAGE:
        raise PackageError(f"{path} is packed already. 'lapwing flight unpack' unpacks it.")
    if kind in _NO_FLIGHTS:
        raise PackageError(
            f"{path} is {_NO_FLIGHTS[kind]}. Name the log, or a flight's {FLIGHT_SUFFIX} file, "
            "which knows its videos."
        )


_NO_FLIGHTS: Final = {
    FileKind.VIDEO: "a video",
    FileKind.FOLDER: "a folder",
    FileKind.DEFINITIONS: "definitions of objects",
    FileKind.EMPTY: "empty",
}


def _run_unpack(arguments: argparse.Namespace) -> int:
    package: Path = arguments.file
    try:
        with percent_bar(f"Unpacking {package.name}") as show:
            report = unpack_package(
                package,
                arguments.out,
                show,
                whole_only=arguments.whole_only,
            )
    except PackageDamagedError as error:
        print_lines(_lines(error.report))
        return refuse(f"{error} ('--whole-only')")
    except PackageError as error:
        return refuse(error)
    except OSError as error:
        return refuse(f"Cannot unpack {package.name}: {_words(error, arguments.out)}")
    print_lines(_lines(report, only_wrong=True))
    whole = sum(one.state == "whole" for one in report.files)
    print(f"{arguments.out}: {_counted(whole)} of {len(report.manifest.files)}, all of them whole.")
    return BAD_INPUT if report.lost else 0


def _run_verify(arguments: argparse.Namespace) -> int:
    package: Path = arguments.file
    try:
        with percent_bar(f"Reading {package.name}") as show:
            report = verify_package(package, show)
    except PackageError as error:
        return refuse(error)
    except OSError as error:
        return refuse(f"Cannot read {package}: {error.strerror or error}.")
    value = {
        "is_whole": report.is_whole,
        "problem": report.problem,
        "files": [asdict(one) for one in report.files],
        "left_out": [asdict(one) for one in report.manifest.left_out],
    }
    print_report(value, _lines(report), as_json=arguments.json)
    return 0 if report.is_whole else BAD_INPUT


def _lines(report: PackageReport, *, only_wrong: bool = False) -> list[str]:
    lines = [f"The archive {report.problem}."] if report.problem else []
    lines += [
        f"{one.state:8} {one.path}{': ' if one.reason else ''}{one.reason}"
        for one in report.files
        if one.state != "whole" or not only_wrong
    ]
    if not only_wrong:
        lines += [f"left out {one.name}: {one.why}" for one in report.manifest.left_out]
    return lines


def _words(error: OSError, place: Path) -> str:
    return f"{error.filename or place}: {error.strerror or error}."


def _counted(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
