"""The commands `lapwing log info`, `lapwing log define` and `lapwing log export`."""

import argparse
import math
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from telemetry.base.command_line import (
    Subparsers,
    add_word,
    print_report,
    progress_bar,
    refuse,
)
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.recording.export.formats import FORMATS
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.logs.definitions import (
    LogDefinitionsError,
    definitions_path,
    faults,
    offered_definitions,
    unfit_sentence,
)
from telemetry.recording.logs.info import LogInfo, ObjectInfo
from telemetry.recording.logs.reader import (
    LogError,
    LogReading,
    keep_known,
    read_log,
)
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.timeline import format_time, parse_time


def add_commands(subparsers: Subparsers) -> None:
    """Add `log` with its commands; each sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "log", "look into flight logs and convert them")
    info = commands.add_parser("info", help="say what a log holds and what is damaged")
    info.add_argument("file", type=Path, metavar="FILE")
    info.add_argument("--json", action="store_true", help="print one JSON object")
    info.set_defaults(run=_run_info)
    define = commands.add_parser(
        "define", help="show unknown objects of a log by its firmware's definitions"
    )
    define.add_argument("file", type=Path, metavar="FILE")
    define.add_argument(
        "given",
        type=Path,
        nargs="+",
        metavar="DEFINITIONS",
        help="XML files of UAVObjects, folders of them, .definitions.json of another log; what the "
        "log needs of them is kept beside it, for window and commands",
    )
    define.set_defaults(run=_run_define)
    export = commands.add_parser("export", help="write a log, with streams beside it, for others")
    export.add_argument("file", type=Path, metavar="FILE")
    export.add_argument("--format", choices=list(FORMATS), default="csv")
    export.add_argument("--out", type=Path, required=True, metavar="DIR")
    export.add_argument("--objects", default="", metavar="A,B", help="all if not given")
    add_span(export)
    export.add_argument(
        "--rate", default=None, metavar="HZ", help="values at equal steps of time, as they held"
    )
    export.set_defaults(run=_run_export)


def add_span(export: argparse.ArgumentParser) -> None:
    """Add the two times that `span_of` reads."""
    export.add_argument("--from", dest="start", default=None, metavar="S", help="first second")
    export.add_argument("--to", dest="end", default=None, metavar="S", help="last second")


def span_of(arguments: argparse.Namespace) -> tuple[float | None, float | None]:
    """The first and the last second that are asked for; raise ValueError for what is no time."""
    start_s = None if arguments.start is None else parse_time(arguments.start)
    return start_s, None if arguments.end is None else parse_time(arguments.end)


def _run_info(arguments: argparse.Namespace) -> int:
    try:
        reading = read_log(arguments.file, catalogue_for(arguments))
    except LogError as error:
        return refuse(error)
    print_report(reading.info.as_json(), log_lines(reading), as_json=arguments.json)
    return 0


def _run_define(arguments: argparse.Namespace) -> int:
    log, given, catalogue = arguments.file, arguments.given, catalogue_for(arguments)
    try:
        unknown = read_log(log, catalogue).unknown_ids
        sources = offered_definitions(given)
        for fault in faults(sources, given):
            print(fault, file=sys.stderr)
        reading = read_log(log, catalogue.with_own(*sources))
        if not unknown - reading.unknown_ids:
            return refuse(unfit_sentence(log.name, len(unknown), given))
        keep_known(log, reading, catalogue)
    except (LogError, LogDefinitionsError) as error:
        return refuse(error)
    get = (reading.catalogue or catalogue).get
    names = [found.name for each in unknown if (found := get(each)) is not None]
    print(f"{log.name} shows {', '.join(sorted(names))}; kept in {definitions_path(log).name}.")
    if reading.unknown_ids:
        print(f"Unknown as before: {', '.join(f'0x{i:08X}' for i in sorted(reading.unknown_ids))}.")
    return 0


def _run_export(arguments: argparse.Namespace) -> int:
    try:
        request = _request(arguments)
        reading = read_log(arguments.file, catalogue_for(arguments))
        check_span(reading.info, request.start_s, request.end_s)
        request = replace(request, catalogue=reading.catalogue)
        for problem in attach_streams(reading.recording, streams_beside(arguments.file)):
            print(problem, file=sys.stderr)
        with progress_bar("part") as show:
            files = FORMATS[arguments.format].export(
                reading.recording, arguments.out, replace(request, progress=show)
            )
    except (LogError, ExportError, ValueError) as error:
        return refuse(error)
    if not files:
        return refuse("Nothing was sent then: no file was written.")
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    print(f"{count} written to {arguments.out}.")
    return 0


def _request(arguments: argparse.Namespace) -> ExportRequest:
    """What is asked for; raise ValueError for what is no time or no rate."""
    objects = tuple(name.strip() for name in arguments.objects.split(",") if name.strip())
    start_s, end_s = span_of(arguments)
    rate_hz = None
    if arguments.rate is not None:
        try:
            rate_hz = float(arguments.rate)
        except ValueError:
            raise ValueError(f"'{arguments.rate}' is not a rate; write 30 for 30 Hz") from None
        if not 0.0 < rate_hz < math.inf:
            raise ValueError(f"a rate of {arguments.rate} Hz cannot be meant; write 30 for 30 Hz")
    return ExportRequest(objects, start_s, end_s, rate_hz)


def check_span(info: LogInfo, t0: float | None, t1: float | None) -> None:
    """Raise ValueError for a span in which there is nothing to write."""
    start, end = t0 or 0.0, info.last_s if t1 is None else t1
    if t1 is not None and start > t1:
        raise ValueError(f"--from {start:g} lies behind --to {t1:g}; exchange them.")
    if start > info.last_s or end < info.first_s:
        raise ValueError(
            f"Nothing was recorded then; the log goes from {info.first_s:.3f} "
            f"to {info.last_s:.3f} s."
        )


def log_lines(reading: LogReading) -> list[str]:
    """The facts of a log for people."""
    info = reading.info
    facts = [
        ("Release", info.release or "unknown"),
        ("Time", f"{format_time(info.first_s)} to {format_time(info.last_s)}"),
        ("Records", f"{info.records:,}"),
        ("Frames", f"{info.frames:,}"),
        ("CRC errors", f"{info.crc_errors:,}"),
        ("Junk bytes", f"{info.junk_bytes:,}"),
        ("Unknown frames", f"{info.unknown_frames:,}"),
        ("Objects", f"{info.objects:,}"),
        ("Wire", _wire_text(info)),
        ("Restarts", ", ".join(format_time(t) for t in info.reboots) or "none"),
    ]
    lines = [f"{label:16}{text}" for label, text in facts]
    lines += [f"Note: {warning}" for warning in reading.warnings]
    lines += _table("Object", info.per_object)
    if info.without_value:
        lines += _table("Asked for, without a value", info.without_value)
    return lines


def _table(title: str, objects: Mapping[str, ObjectInfo]) -> list[str]:
    head = f"{title:32}{'Id':12}{'Values':>8}{'Hz':>10}{'Requests':>10}{'Refusals':>10}"
    rows = [
        f"{name:32}0x{entry.id:08X}{entry.count:10,}{entry.rate_hz:10.3f}"
        f"{entry.requests:10,}{entry.refusals:10,}"
        for name, entry in objects.items()
    ]
    return ["", head, *rows]


def _wire_text(info: LogInfo) -> str:
    places = {
        "always": "instance id in every frame",
        "multi": "instance id only in frames of multi-instance objects",
        "?": "place of the instance id unknown",
    }
    size = info.wire.metadata_bytes
    metadata = f"metadata of {size} bytes" if size else "no metadata seen"
    return f"{places[info.wire.instance_id]}, {metadata}"
