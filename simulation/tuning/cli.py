"""`lapwing tune`: gains of stabilization for an aircraft, searched in simulation.

Gains are flown by the compiled board with its own estimation, over what is not known of the
aircraft, in wind and on an empty battery, and have to hold the margins of the linearised loop. The
chosen ones are printed, or written as a settings file; nothing is sent.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from telemetry.base.command_line import Subparsers, print_lines, refuse
from telemetry.base.escaping import terminal_text

if TYPE_CHECKING:
    from simulation.autopilot.preset import Preset
    from simulation.tuning.judge import GainJudge
    from simulation.tuning.objectives import Targets
    from simulation.tuning.uncertainty import Uncertainty
    from telemetry.protocol.objects.catalogue import Catalogue

_MACHINE: Final = 2
_REFUSED: Final = 3


def add_commands(subparsers: Subparsers) -> None:
    """Add `tune` to the command line; its `run` returns the exit code."""
    parser = subparsers.add_parser(
        "tune",
        help="search gains of stabilization in simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "target",
        metavar="LOG|AIRCRAFT",
        help="a preset, its .json or .toml file, or a log of a flight",
    )
    parser.add_argument("--aircraft", help="of a log: the preset, or its .json or .toml file")
    parser.add_argument(
        "--identified", metavar="JSON", type=Path, help="what 'lapwing identify --json' has printed"
    )
    parser.add_argument("--rise-s", metavar="S", type=_rise, help="longest rise (default: 0.45)")
    parser.add_argument(
        "--overshoot", metavar="SHARE", type=_overshoot, help="largest overshoot (default: 0.15)"
    )
    parser.add_argument("--seed", metavar="N", type=_seed, default=1)
    parser.add_argument("--threads", metavar="N", type=_threads, default=1)
    parser.add_argument("--save", metavar="FILE", type=Path, help=".settings.toml or .uav to write")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Tune and print. 1: bad input; 2: the file cannot be written; 3: no gains hold."""
    from simulation.serving.interrupts import ending_on_request
    from simulation.tuning.search import NoGainsError
    from telemetry.configuration.settings.files import check_suffix

    try:
        if options.save is not None:
            check_suffix(options.save)
        with ending_on_request():
            return _tune(options)
    except NoGainsError as error:
        if options.json:
            print(json.dumps({"refused": str(error)}))
        refuse(f"lapwing tune: {error}")
        return _REFUSED
    except ValueError as error:  # every refusal of a file, a name or a number is one
        return refuse(f"lapwing tune: {error}")
    except OSError as error:
        refuse(f"lapwing tune: {error.filename} cannot be written: {error.strerror}.")
        return _MACHINE


def _tune(options: argparse.Namespace) -> int:
    from simulation.tuning.report import as_dict, as_lines
    from simulation.tuning.settings_file import save_gains
    from simulation.tuning.tuning import tune
    from telemetry.protocol.objects.catalogue import load_catalogue

    catalogue = load_catalogue()
    preset, uncertainty = _known(options, catalogue)
    _tell(uncertainty.text)
    judge = make_judge(options, preset, uncertainty, catalogue)
    found = tune(judge, _targets(options), options.seed, _tell)
    if options.save is not None:
        save_gains(options.save, found.choices[found.chosen].gains, preset, catalogue)
        _tell(f"{options.save} has the chosen gains; 'lapwing settings' shows and applies them.")
    if options.json:
        who: dict[str, Any] = {"aircraft": preset.name, "title": preset.title}
        who["identified"] = uncertainty.file or None
        print(json.dumps({**who, **as_dict(found, judge)}))
    else:
        print_lines([preset.title, *as_lines(found, judge)])
    return 0


def make_judge(
    options: argparse.Namespace,
    preset: "Preset",
    uncertainty: "Uncertainty",
    catalogue: "Catalogue",
) -> "GainJudge":
    """Who flies the gains. Raises TuningError for an aircraft that cannot be tuned."""
    from simulation.tuning.tuned_aircraft import TunedAircraft

    return TunedAircraft(preset, catalogue, uncertainty, options.seed, options.threads)


def _known(options: argparse.Namespace, catalogue: "Catalogue") -> "tuple[Preset, Uncertainty]":
    """The aircraft, with the gains of the log if one is given, and what is known of it. Raises
    ValueError."""
    from simulation.autopilot.preset import load_preset
    from simulation.tuning.flown_log import FlownLog
    from simulation.tuning.tuned_aircraft import check_aircraft
    from simulation.tuning.uncertainty import assumed, read_identified

    name = _aircraft_name(options)
    preset = load_preset(name)
    aircraft = preset.load_aircraft()
    check_aircraft(preset, aircraft.parameters)
    log = None if name == options.target else FlownLog(Path(options.target), catalogue)
    if log is not None:
        preset = log.preset(preset)
    if options.identified is not None:
        return preset, read_identified(options.identified, aircraft.parameters)
    if log is not None:
        return preset, log.uncertainty(aircraft, _tell)
    return preset, assumed(aircraft.parameters)


def _aircraft_name(options: argparse.Namespace) -> str:
    """Of the aircraft that is to be tuned. Raises ValueError."""
    from simulation.autopilot.preset import preset_names

    target: str = options.target
    if target in preset_names() or target.endswith((".json", ".toml")):
        if options.aircraft is not None:
            raise ValueError(f"{target} is an aircraft itself; leave out --aircraft.")
        return target
    if options.aircraft is None and Path(target).exists():
        raise ValueError(f"{target} is a log; say by --aircraft which aircraft flew it.")
    return str(options.aircraft or target)


def _targets(options: argparse.Namespace) -> "Targets":
    from simulation.tuning.objectives import Targets

    given = {"rise_s": options.rise_s, "overshoot": options.overshoot}
    return Targets(**{name: value for name, value in given.items() if value is not None})


def _seed(text: str) -> int:
    return _whole(text, 0, 2**31, "no seed; give a whole number from 0 on")


def _threads(text: str) -> int:
    return _whole(text, 1, 256, "no number of threads; give 1 to 256")


def _whole(text: str, low: int, high: int, what: str) -> int:
    value = _between(text, low, high, what)
    if not value.is_integer():
        raise argparse.ArgumentTypeError(f"'{text}' is {what}")
    return int(value)


def _rise(text: str) -> float:
    return _between(text, 0.02, 5.0, "no rise time; give 0.02 to 5 seconds")


def _overshoot(text: str) -> float:
    return _between(text, 0.01, 1.0, "no overshoot; give a share of the way, 0.01 to 1")


def _between(text: str, low: float, high: float, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"'{text}' is {what}")
    return value


def _tell(what: str) -> None:
    print(terminal_text(what), file=sys.stderr, flush=True)
