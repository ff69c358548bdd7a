"""Options of the simulator's commands: what `add_argument` takes, by name, with other names for the
same behind it."""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from simulation.autopilot.preset import DEFAULT_AIRCRAFT, STARTS

Options = Mapping[str, Mapping[str, Any]]

_SHORTEST_S, _LONGEST_S = 0.02, 1e7


def value(
    metavar: str | None, about: str, kind: Callable[[str], Any] = str, **more: Any
) -> Mapping[str, Any]:
    """An option that takes a value; `kind` understands it, or raises ArgumentTypeError."""
    return {"metavar": metavar, "help": about, "type": kind, **more}


def flag(about: str) -> Mapping[str, Any]:
    """An option that takes none."""
    return {"action": "store_true", "help": about}


def add_options(parser: argparse.ArgumentParser, options: Options) -> None:
    """Add them to a command line."""
    for names, row in options.items():
        parser.add_argument(*names.split(), **row)


def not_given(options: Options) -> dict[str, Any]:
    """What they are where nobody gives them."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser, {name: row for name, row in options.items() if name.startswith("-")})
    return vars(parser.parse_args([]))


def check_changes(changes: Sequence[tuple[str, float]]) -> None:
    """Refuse two changes of the same thing. Raises ValueError."""
    names = [name for name, _ in changes]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"--set {name} is given more than once; give it once.")


def seconds(text: str) -> float:
    """A duration. Raises ArgumentTypeError."""
    return _between(text, float, _SHORTEST_S, _LONGEST_S, "no duration; give {:g} to {:g} seconds")


def _seed(text: str) -> int:
    return int(_between(text, int, 0, 2**63 - 1, "no seed; give a whole number from {} to {}"))


def _between(text: str, kind: Callable[[str], float], low: float, high: float, what: str) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise argparse.ArgumentTypeError(f"'{text}' is {what.format(low, high)}")
    return number


def _change(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    name = name.strip()
    if not name:
        raise argparse.ArgumentTypeError(f"'{text}' names nothing to set; write KEY=NUMBER")
    try:
        return name, float(value)
    except ValueError:
        wanted = f"'{value}' is no number" if equals else "the value is missing"
        raise argparse.ArgumentTypeError(f"{text}: {wanted}; write {name}=NUMBER") from None


WITHOUT_EFFECT: Final = flag(argparse.SUPPRESS)
AIRCRAFT_OPTIONS: Final[Options] = {
    "--aircraft": value(
        "NAME|FILE",
        f"airframe, or its .json or .toml file (default: the scenario's, {DEFAULT_AIRCRAFT})",
    ),
    "--seed": value("N", "of all that is random (default: 1)", _seed, default=1),
}
JSON_OPTION: Final[Options] = {"--json": flag("print one JSON object")}
DURATION_OPTION: Final[Options] = {"--duration": value("S", "end after S seconds", seconds)}
CHANGE_OPTION: Final[Options] = {
    "--set": value(
        "KEY=VALUE",
        "change a parameter of the scenario, a live control, or, with --streams, a fault "
        "of a sensor (lidar.lost), from time 0 on",
        _change,
        dest="changes",
        action="append",
        default=[],
    )
}
CLOCK_OPTIONS: Final[Options] = {
    "--real-time": flag("in step with the clock"),
    "--fast": flag("as fast as possible (the default)"),
}
ERASED_OPTION: Final[Options] = {
    "--erased": flag("begin with a board without settings, to be set up")
}
START_OPTION: Final[Options] = {
    "--start": {
        "choices": STARTS,
        "default": STARTS[0],
        "help": "when the board is ready: as soon as it can fly, or as late as firmware",
    }
}
BOARD_OPTIONS: Final[Options] = {
    **ERASED_OPTION,
    **START_OPTION,
    "--label": value(None, "tells boards of one kind of aircraft apart", default=""),
    "--store": value(None, "file that remembers saved settings", Path),
}
