"""Command line of `lapwing`: opens the window, or runs a sub-command without loading Qt."""

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from app.diagnostics.environment import (
    EnvironmentProblem,
    check_all,
    check_qt,
    explain_import_error,
)
from telemetry.base.command_line import BAD_INPUT
from telemetry.base.escaping import escaped_output
from telemetry.base.folders import Folders
from telemetry.base.registry import contributions
from telemetry.protocol.links.address import AddressError, is_address, scheme_of
from telemetry.protocol.links.link import Link

if TYPE_CHECKING:
    from app.connection.opened_ahead import OpenedAhead
    from app.plugin_loading.contributions import PluginContributions

BAD_ENVIRONMENT = 2

# Each module has add_commands(subparsers); it is imported only when its word is used.
_COMMANDS = {
    "log": "telemetry.recording.cli",
    "flight": "telemetry.review.flights.cli",
    "objects": "telemetry.protocol.objects.cli",
    "sync": "telemetry.review.flights.synchronisation.cli",
    "airframe": "telemetry.configuration.airframe.cli",
    "settings": "telemetry.configuration.settings.cli",
    "firmware": "telemetry.configuration.firmware.cli",
    "board-log": "telemetry.configuration.board_logs.cli",
    "mission": "app.mission.cli",
    "sim": "simulation.command.cli",
    "study": "simulation.studies.cli",
    "tune": "simulation.tuning.cli",
    "fit-thrust": "simulation.fitting.cli",
    "identify": "simulation.identification.cli",
    "video": "app.video.cli",
    "doctor": "app.diagnostics.doctor",
}


class _BadInputError(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def print_help(self, file: Any = None) -> None:
        print(*self.format_help().split("\n"), sep="\n", end="", file=file)

    def error(self, message: str) -> NoReturn:
        raise _BadInputError(f"{self.prog}: {message}; try {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run Lapwing with these arguments; return the exit code."""
    with escaped_output():
        return _run(list(sys.argv[1:] if argv is None else argv))


def _run(words: list[str]) -> int:
    try:
        with contributions(_plugin_contributions):
            args = make_parser(words).parse_args(words)
            args.definitions = [Folders.of_user(os.environ).definitions]
            args.open_link = open_link
            run = getattr(args, "run", None)
            return _run_command(run, args) if run is not None else _open_window(args)
    except _BadInputError as error:
        return _refuse(str(error), BAD_INPUT)
    except EnvironmentProblem as problem:
        return _refuse(str(problem), BAD_ENVIRONMENT)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has gone
        _print_no_more()
        return 0


def _plugin_contributions() -> "PluginContributions":
    """What plugins bring into the tables that a command reads; failures go beside its output."""
    from app.plugin_loading.contributions import PluginContributions
    from app.plugin_loading.loader import find_plugins

    found = find_plugins(Folders.of_user(os.environ).plugins)
    return PluginContributions(found, lambda text: print(text, file=sys.stderr))


def open_link(address: str) -> Link:
    """Open an address by the plugin that knows its kind, without a window; raise LinkError."""
    from app.plugin_loading.loader import find_plugins
    from plugins.api import resolve

    kinds = {kind.scheme: kind for kind in find_plugins(Folders.of_user(os.environ).plugins).links}
    kind = kinds.get(scheme_of(address))
    if kind is None:
        known = ", ".join(f"{scheme}:" for scheme in sorted(kinds))
        raise AddressError(f"'{address}' cannot be opened; it may begin with {known}.")
    link: Link = resolve(kind.open)(address)
    return link


def _run_command(run: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    """Run a sub-command, to the last byte of its output."""
    try:
        code = int(run(args))
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _print_no_more()
        what = error.filename or "the output"
        return _refuse(
            f"lapwing: {what} cannot be written or read: {error.strerror}.", BAD_ENVIRONMENT
        )
    return code


def _print_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def make_parser(words: Sequence[str] = ("--help",)) -> argparse.ArgumentParser:
    """The parser for a command line; only the sub-command that it uses is loaded."""
    parser = _Parser(
        prog="lapwing",
        description="Ground control station and flight simulator for aircraft that speak UAVTalk.",
    )
    _add_window_options(parser, None)
    subparsers = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)
    opening = subparsers.add_parser("open", help="open flights, logs and videos, or connect")
    opening.add_argument("target", metavar="FILE|ADDRESS")
    opening.add_argument("others", metavar="FILE", type=Path, nargs="*")
    _add_window_options(opening, argparse.SUPPRESS)
    first = next((word for word in words if word in _COMMANDS), None)
    wants_all = first is None and any(word in ("-h", "--help") for word in words)
    for name, module in _COMMANDS.items():
        if name == first or wants_all:
            importlib.import_module(module).add_commands(subparsers)
        else:
            subparsers.add_parser(name)
    return parser


def _add_window_options(parser: argparse.ArgumentParser, default: object) -> None:
    parser.add_argument(
        "--workspace",
        metavar="NAME",
        default=default,
        help="show this workspace: fly, analyse, objects or one of your own",
    )
    parser.add_argument(
        "--at",
        metavar="SECONDS",
        type=_seconds,
        default=default,
        help="put the cursor at this time of the flight",
    )
    parser.add_argument(
        "--screenshot",
        metavar="PNG",
        type=Path,
        default=default,
        help="save a picture of the window and leave; needs no display",
    )
    parser.add_argument(
        "--size",
        metavar="WxH",
        type=_size,
        default=default,
        help="the size of the window in pixels, such as 1366x768",
    )
    parser.add_argument("--theme", choices=("light", "dark", "sunlight"), default=default,
                        help="the colours to use this time")  # fmt: skip


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in a flight, in seconds")
    return value


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; write it like 1366x768")
    size = (int(width), int(height))
    if not all(200 <= side <= 10_000 for side in size):
        raise argparse.ArgumentTypeError(f"{text!r}: each side must be 200 to 10000 pixels")
    return size


def _open_window(args: argparse.Namespace) -> int:
    target, others = getattr(args, "target", ""), tuple(getattr(args, "others", ()))
    for file in (target, *map(str, others)):
        _check_target(file)
    if args.screenshot is None:
        check_all()
    else:
        check_qt()
        _check_picture(args.screenshot)
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    gc.disable()  # until the window shows: what a start makes is no garbage
    from app.connection.opened_ahead import open_ahead

    with closing(open_ahead(target, Folders.of_user(os.environ))) as ahead:
        return _run_window(target, others, args, ahead)


def _run_window(
    target: str, others: tuple[Path, ...], args: argparse.Namespace, ahead: "OpenedAhead"
) -> int:
    try:
        from app import run
        from app.station import StartOptions
    except ImportError as error:
        raise explain_import_error(error) from error
    options = StartOptions(
        target, args.workspace or "", args.at, args.theme or "", args.size, others
    )
    try:
        if args.screenshot is None:
            return run.run_window(options, ahead)
        return run.take_screenshot(options, args.screenshot, ahead)
    except run.CannotShow as error:
        raise _BadInputError(str(error)) from error


def _check_target(target: str) -> None:
    """A file that is not there is refused before a window opens; addresses go to their plugin."""
    if target and not is_address(target) and not Path(target).is_file():
        what = "is a folder, not a file" if Path(target).is_dir() else "does not exist"
        raise _BadInputError(
            f"{target} {what}; give a log file, or an address such as tcp:host:9000"
        )


def _check_picture(path: Path) -> None:
    if path.suffix.lower() != ".png":
        raise _BadInputError(f"{path} must end with .png")
    if not path.resolve().parent.is_dir():
        raise _BadInputError(f"the folder {path.resolve().parent} does not exist")


def _refuse(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code
