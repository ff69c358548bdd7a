"""`lapwing board-log`: the flights in a board's own flash, from a command line."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Any

from telemetry.base.clock import monotonic_s
from telemetry.base.command_line import (
    Subparsers,
    add_word,
    print_json,
    print_report,
    progress_bar,
    refuse,
)
from telemetry.base.folders import Folders
from telemetry.configuration.board_logs.board_flight import BoardFlight, WrittenFlight
from telemetry.configuration.board_logs.board_log import BoardLog
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.configuration.board_logs.log_presets import LOG_PRESETS
from telemetry.configuration.board_logs.logged_objects import (
    MODE_TITLES,
    LoggedObjects,
    has_entry_log,
)
from telemetry.configuration.board_logs.opening import open_board_log
from telemetry.configuration.settings.headless import Headless, add_wait
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.protocol.objects.definition import UpdateMode

_NO_BOARD = 2
_NONE = ("No flight is on board.",)


def add_commands(subparsers: Subparsers) -> None:
    """Add `board-log` with its commands; each sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "board-log", "fetch flights from a board's own flash")
    listing = commands.add_parser("list", help="list the flights on board")
    download = commands.add_parser("download", help="fetch flights and write each as a log")
    download.add_argument("--out", type=Path, metavar="DIR", default=Path(), help="where to (here)")
    erase = commands.add_parser("erase", help="erase all flights on board")
    erase.add_argument("--yes", action="store_true", help="really erase them")
    _add_flights(download, "only this flight")
    _add_flights(erase, "a flight that may be lost though it is not downloaded")
    configure = commands.add_parser("configure", help="say or choose what the board logs")
    names = [preset.name for preset in LOG_PRESETS]
    configure.add_argument("--preset", choices=names, help="set and save one of these")
    runs = {listing: _list, download: _download, erase: _erase, configure: _configure}
    for parser, run in runs.items():
        parser.add_argument("address", metavar="ADDRESS", help="such as usb: or tcp:host:9000")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        add_wait(parser)
        parser.set_defaults(run=_run, act=run)


def _add_flights(parser: argparse.ArgumentParser, what: str) -> None:
    told = f"{what}; may be given several times"
    parser.add_argument("--flight", type=int, metavar="N", action="append", default=[], help=told)


def _run(options: argparse.Namespace) -> int:
    """Do what was asked for with the board at the address; say in a sentence why not."""
    try:
        catalogue = catalogue_for(options)
        with Headless(options.address, options.open_link, catalogue, options.wait) as remote:
            remote.fetch_all()
            act: Callable[[Headless, argparse.Namespace], int] = options.act
            return act(remote, options)
    except LinkError as error:
        print(error, file=sys.stderr)
        return _NO_BOARD
    except (BoardLogError, ValueError) as error:
        return refuse(error)


@contextmanager
def _log(remote: Headless, unit: str = "entry") -> Iterator[BoardLog]:
    """The board's log, with a bar that shows how far it is."""
    waiting = Event()
    with progress_bar(f" {unit}") as show:

        def pause(seconds: float) -> None:
            if log.progress.total:
                show(log.progress.done, log.progress.total)
            waiting.wait(seconds)

        folder = Folders.of_user(os.environ).board_logs
        log = open_board_log(remote.vehicle, folder, monotonic_s, pause)
        yield log


def _list(remote: Headless, options: argparse.Namespace) -> int:
    with _log(remote, "flight") as log:
        flights = log.flights()
    report = {"address": options.address, "flights": [_as_json(one) for one in flights]}
    print_report(report, map(_line, flights) if flights else _NONE, as_json=options.json)
    return 0


def _download(remote: Headless, options: argparse.Namespace) -> int:
    if remote.settings.aircraft.is_armed:
        print("The board is armed: what it logs now may have gaps.", file=sys.stderr)
    written: dict[int, WrittenFlight] = {}
    began_s = monotonic_s()
    with _log(remote) as log:
        numbers = options.flight or [flight.number for flight in log.flights()]
        for number in numbers:
            if not sys.stderr.isatty():  # nobody looks at a bar
                print(f"Downloading flight {number}.", file=sys.stderr)
            log.download(number)
            written[number] = log.write(number, options.out)
    seconds = monotonic_s() - began_s
    flights = list(_written_json(written))
    report = {"address": options.address, "seconds": round(seconds, 3), "flights": flights}
    lines = map(_written_line, written.values()) if written else _NONE
    print_report(report, lines, as_json=options.json)
    return 0


def _erase(remote: Headless, options: argparse.Namespace) -> int:
    if not options.yes:
        raise BoardLogError("Nothing was erased. All flights on board go: say --yes if so.")
    with _log(remote) as log:
        log.erase(options.flight)
    report = {"address": options.address, "erased": True}
    print_report(report, ["The log is erased."], as_json=options.json)
    return 0


def _configure(remote: Headless, options: argparse.Namespace) -> int:
    objects = LoggedObjects(remote.vehicle)
    if not has_entry_log(objects.settings):
        raise BoardLogError("This board keeps no log that can be set up so.")
    if options.preset is None:
        return _say_what_is_logged(objects, options)
    objects.stage_preset(next(one for one in LOG_PRESETS if one.name == options.preset))
    count = objects.staged_count()
    transfer = objects.settings.apply(save=True)
    remote.finish(transfer)
    failed = [item for item in transfer.items if not item.is_on_board]
    if options.json:
        report = {"address": options.address, "preset": options.preset}
        print_json({**report, "changed": count, "failed": [i.edit.name for i in failed]})
    if failed:
        raise BoardLogError(f"Not set: {failed[0].edit.name}: {failed[0].reason}")
    if not options.json:
        print(f"{count} values were changed and saved; the log is {objects.when}.")
    return 0


def _say_what_is_logged(objects: LoggedObjects, options: argparse.Namespace) -> int:
    found = {
        one.name: (MODE_TITLES[one.policy.mode], one.policy.period_ms)
        for one in objects.objects()
        if one.policy.mode is not UpdateMode.MANUAL
    }
    logged = {name: {"mode": mode, "period_ms": ms} for name, (mode, ms) in found.items()}
    report = {"address": options.address, "log": objects.when, "objects": logged}
    lines = [f"{name}: {mode}, {ms} ms" for name, (mode, ms) in found.items()]
    title = f"The log is {objects.when}; {len(found)} objects are logged."
    print_report(report, [title, *lines], as_json=options.json)
    return 0


def _as_json(flight: BoardFlight) -> Mapping[str, Any]:
    return {**asdict(flight), "is_downloaded": flight.is_downloaded}


def _line(flight: BoardFlight) -> str:
    count = str(flight.entries) if flight.is_counted else f"at least {flight.kept}"
    parts = [f"flight {flight.number}: {count} entries, {flight.kept} of them here"]
    if flight.from_boot_s is not None:
        parts.append(f"seen {flight.from_boot_s:.0f} s after the board was started")
    if flight.is_open:
        parts.append("being recorded")
    return ", ".join(parts)


def _written_json(written: Mapping[int, WrittenFlight]) -> Iterator[Mapping[str, Any]]:
    for number, one in written.items():
        times, items = one.contents.times, one.contents.items
        yield {
            "flight": number,
            "file": str(one.path),
            "objects": sum(1 for item in items if item.object_id),
            "texts": sum(1 for item in items if item.text),
            "seconds": round(float(times.seconds[-1]), 3),
            "begins_after_boot_s": times.boot_s,
            "known_times": int(times.is_known.sum()),
            "unknown_spans": [
                {
                    "from_s": round(float(times.seconds[span.first]), 3),
                    "to_s": round(float(times.seconds[span.last]), 3),
                    "more_wraps": span.extra,
                }
                for span in times.unknown
            ],
        }


def _written_line(one: WrittenFlight) -> str:
    times = one.contents.times
    known = 100 * int(times.is_known.sum()) // len(times.is_known)
    return f"{one.path}: {times.seconds[-1]:.1f} s, {known} % of its times are known."
