"""`lapwing sim`: fly a simulated aircraft, headless or at the end of a link.

`lapwing sim COMMAND --help` tells its options. Without a COMMAND they choose it: `lapwing sim`
flies the default scenario, and `lapwing sim --serve ADDRESS` is `lapwing sim serve ADDRESS`.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from simulation.command.fly import FLY_OPTIONS, STAND_OPTIONS, fly_scenario, stand
from simulation.command.hitl import HITL_OPTIONS, fly_hardware
from simulation.command.older_spelling import OLDER_FLAGS, has_command, older_refusal, with_command
from simulation.command.options import JSON_OPTION, Options, add_options
from simulation.command.serve import CONNECT_OPTIONS, SERVE_OPTIONS, connect, serve
from simulation.command.sheet import SHEET_OPTIONS, print_sheet
from simulation.command.terminal import BAD_ENVIRONMENT, BAD_INPUT, INTERRUPTED, tell
from simulation.serving.interrupts import ending_on_request, interrupts_postponed
from telemetry.base.command_line import print_lines
from telemetry.protocol.links.address import AddressError


class SubCommand(NamedTuple):
    """A word behind `lapwing sim`. Without `about` it is for other programs, and no help shows it.
    `nature` is why it lacks options that others have; `interrupted` its exit code after Ctrl+C."""

    run: Callable[[argparse.Namespace], int]
    options: Options
    about: str = ""
    nature: str = ""
    interrupted: int = INTERRUPTED


def _list_scenarios(options: argparse.Namespace) -> int:
    from simulation.scenarios.listing import as_lines, as_rows

    print_lines([json.dumps({"scenarios": as_rows()})] if options.json else as_lines())
    return 0


def _list_worlds(options: argparse.Namespace) -> int:
    from simulation.worlds.listing import as_lines, as_rows

    print_lines([json.dumps({"worlds": as_rows()})] if options.json else as_lines())
    return 0


_COMMANDS: Final = {
    "fly": SubCommand(fly_scenario, FLY_OPTIONS, "fly a scenario, and judge it"),
    "stand": SubCommand(
        stand, STAND_OPTIONS, "power up, and let time pass", "nobody flies the aircraft"
    ),
    "serve": SubCommand(
        serve,
        SERVE_OPTIONS,
        "wait for ground stations, and fly by their commands",
        "it flies in real time by a station's commands, and sends what its objects' metadata say",
        interrupted=0,
    ),
    "hitl": SubCommand(
        fly_hardware,
        HITL_OPTIONS,
        "have a real flight controller fly the simulated aircraft",
        "a real board flies it, in real time and over level ground",
    ),
    "sheet": SubCommand(
        print_sheet,
        SHEET_OPTIONS,
        "print what an aircraft can do: power, speeds, endurance, answers to steps",
        "it chooses its flights itself, give only --plot and --json beside it",
    ),
    "scenarios": SubCommand(_list_scenarios, JSON_OPTION, "list what to fly, and what can be set"),
    "worlds": SubCommand(_list_worlds, JSON_OPTION, "list where to fly, and what can be set"),
    "connect": SubCommand(connect, CONNECT_OPTIONS, interrupted=0),
}


def add_commands(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `sim` to the command line; its `run` returns the exit code. All words behind it are left
    to `run`, which reads them once more when it knows which sub-command they are for."""
    parser = subparsers.add_parser(
        "sim", help="fly a simulated aircraft", add_help=False, prefix_chars="\0"
    )
    parser.add_argument("words", nargs=argparse.REMAINDER)
    parser.set_defaults(run=partial(run, type(parser), parser.prog))


def run(kind: type[argparse.ArgumentParser], prog: str, given: argparse.Namespace) -> int:
    """Do what the words say, read by parsers of this kind. 1: bad input or the scenario failed; 2:
    the machine refuses; 130: a flight was interrupted. Ctrl+C is how serving is meant to end."""
    words = given.words
    if not has_command(words):
        words = with_command(words, kind(prog=prog, add_help=False))
    options, unknown = _parser(kind, prog, words).parse_known_args(words)
    command = _COMMANDS[options.command]
    try:
        if unknown:
            _refuse(options.command, unknown, has_command(given.words))
        with ending_on_request():
            with interrupts_postponed():
                import simulation.simulator.simulator  # noqa: F401 - with the compiler, which takes longest
            return command.run(options)
    except (AddressError, ValueError) as error:
        tell(str(error))
        return BAD_INPUT
    except _refusals_of_the_machine() as error:
        tell(str(error))
        return BAD_ENVIRONMENT
    except KeyboardInterrupt:
        return command.interrupted


def _refusals_of_the_machine() -> tuple[type[Exception], ...]:
    """Loaded when there is an error at all: a station's simulator is to start fast."""
    from simulation.scenarios.plot import PlotError
    from simulation.worlds.film_error import FilmError
    from telemetry.protocol.links.link import LinkError
    from telemetry.vehicle.original_metadata import OriginalMetadataError

    return FilmError, LinkError, PlotError, OriginalMetadataError


def _parser(
    kind: type[argparse.ArgumentParser], prog: str, words: Sequence[str]
) -> argparse.ArgumentParser:
    """The parser for these words; only the sub-command that they use has options."""
    parser = kind(
        prog=prog, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in _COMMANDS.items():
        if not command.about:
            added = subparsers.add_parser(name)
        else:
            about = f"{command.about.capitalize()}."
            added = subparsers.add_parser(name, help=command.about, description=about)
        if name == words[0]:
            add_options(added, command.options)
    return parser


def _refuse(name: str, unknown: Sequence[str], is_new: bool) -> None:
    """Raise ValueError for words that this sub-command does not know, and say which one does."""
    option = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
    nature = _COMMANDS[name].nature
    why = f": {nature}" if nature else ""
    knowing = [other for other, one in _COMMANDS.items() if option and _knows(one, option)]
    if not knowing and option not in OLDER_FLAGS:
        raise ValueError(
            f"unrecognized arguments: {' '.join(unknown)}; try `lapwing sim {name} -h`."
        )
    if not is_new:
        raise ValueError(older_refusal(name, option, why, knowing))
    if OLDER_FLAGS.get(option) == name:
        raise ValueError(f"`lapwing sim {name}` takes no {option}; give its value alone.")
    others = " or ".join(f"`lapwing sim {other}`" for other in knowing or [OLDER_FLAGS[option]])
    raise ValueError(f"`lapwing sim {name}` takes no {option}{why}; leave it out, or use {others}.")


def _knows(command: SubCommand, option: str) -> bool:
    """Whether it has this option, which may be shortened."""
    names = " ".join(command.options).split()
    return bool(command.about) and any(name.startswith(option) for name in names)
