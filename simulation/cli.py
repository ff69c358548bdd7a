"""`lapwing sim`: serve a simulated aircraft to ground stations, or fly a scenario headless."""

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulation.autopilot.autopilot import AutopilotConfig

DEFAULT_AIRCRAFT = "ar100b"
DEFAULT_SCENARIO = "takeoff-hold-land"
_BAD_INPUT, _ENVIRONMENT, _INTERRUPTED = 1, 2, 130
_LONGEST_S = 1e7
_LARGEST_SEED = 2**63 - 1


def add_commands(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `sim` to the command line; its `run` returns the exit code."""
    parser = subparsers.add_parser("sim", help="fly a simulated aircraft", description=__doc__)
    parser.add_argument("--aircraft", metavar="NAME", default=DEFAULT_AIRCRAFT)
    parser.add_argument(
        "--serve", metavar="ADDRESS", help="wait for ground stations, e.g. tcp:127.0.0.1:9000"
    )
    parser.add_argument(
        "--scenario",
        metavar="NAME|FILE",
        help=f"scripted flight (default without --serve and --duration: {DEFAULT_SCENARIO})",
    )
    parser.add_argument("--duration", metavar="S", type=_seconds, help="end after S seconds")
    parser.add_argument("--fast", action="store_true", help="as fast as possible")
    parser.add_argument("--seed", metavar="N", type=_seed, default=1)
    parser.add_argument("--record", metavar="FILE", type=Path, help="write telemetry to an .opl")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.0 < value <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"{text} is no duration; give seconds, more than 0")
    return value


def _seed(text: str) -> int:
    value = int(text)
    if not 0 <= value <= _LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"{text} is no seed; give 0 to {_LARGEST_SEED}")
    return value


def run(options: argparse.Namespace) -> int:
    """Fly as the options say. 1: bad input or the scenario failed; 2: the machine refuses;
    130: a flight was interrupted. Ctrl+C is how serving is meant to end."""
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.autopilot.preset import load_preset
    from simulation.process import ending_on_request
    from telemetry.links.address import AddressError
    from telemetry.links.link import LinkError
    from telemetry.logs.opl_writer import WriteFailed

    try:
        config = AutopilotConfig(load_preset(options.aircraft), options.seed)
        with ending_on_request():
            return _serve(options, config) if options.serve else _fly(options, config)
    except (AddressError, ValueError) as error:
        return _fail(error, _BAD_INPUT)
    except (LinkError, WriteFailed) as error:
        return _fail(error, _ENVIRONMENT)
    except KeyboardInterrupt:
        return 0 if options.serve else _INTERRUPTED


def _fail(error: Exception, code: int) -> int:
    print(f"lapwing sim: {error}", file=sys.stderr)
    return code


def _serve(options: argparse.Namespace, config: "AutopilotConfig") -> int:
    from simulation.process import open_server, serve

    if options.fast or options.scenario:
        raise ValueError(
            "--serve flies in real time by a station's commands: no --fast, --scenario."
        )
    lines = sys.stderr if options.json else sys.stdout
    with ExitStack() as resources:
        keep = _Keeper(_open_record(options.record, resources)) if options.record else None
        link = open_server(options.serve)
        print("Starting the simulator; the first start compiles it.", file=lines, flush=True)
        ready = partial(_tell_ready, options, config)
        serve(config, link, options.duration, keep, ready)
        return _ENVIRONMENT if keep is not None and keep.has_failed else 0


def _tell_ready(options: argparse.Namespace, config: "AutopilotConfig", address: str) -> None:
    """A sentence, or one object, as soon as stations can connect."""
    if options.json:
        report = {"aircraft": options.aircraft, "seed": options.seed, "address": address}
        print(json.dumps(report), flush=True)
    else:
        title = config.preset.title
        print(
            f"{title} is ready: ground stations connect to {address}. Ctrl+C ends it.", flush=True
        )


class _Keeper:
    """Records while that is possible: a full disk is no reason to fall from the sky."""

    def __init__(self, write: "Callable[..., None]") -> None:
        self.has_failed = False
        self._write = write

    def __call__(self, t_s: float, data: bytes, received: bool) -> None:
        from telemetry.logs.opl_writer import WriteFailed

        if self.has_failed:
            return
        try:
            self._write(t_s, data, received)
        except WriteFailed as error:
            self.has_failed = True
            _fail(error, _ENVIRONMENT)


def _fly(options: argparse.Namespace, config: "AutopilotConfig") -> int:
    from simulation.scenarios.flight import Flight, fly
    from simulation.scenarios.scenario import load_scenario
    from simulation.warm_up import warm_up
    from telemetry.clock import monotonic_s
    from telemetry.objects.catalogue import load_catalogue

    name = options.scenario or (None if options.duration else DEFAULT_SCENARIO)
    scenario = load_scenario(name) if name else None
    catalogue = load_catalogue()
    with ExitStack() as resources:
        write = _open_record(options.record, resources) if options.record else None
        warm_up(config, catalogue)
        flight = Flight(config, catalogue, scenario)
        start_s = monotonic_s()
        pace = None if options.fast else _pace(start_s, monotonic_s)
        fly(flight, options.duration, write, pace)
    wall_s = monotonic_s() - start_s
    report = {
        "aircraft": options.aircraft,
        "scenario": scenario.name if scenario else None,
        "seed": options.seed,
        **flight.report(),
        "wall_s": round(wall_s, 3),
        "real_time_factor": round(flight.autopilot.now_s / wall_s, 1) if wall_s else None,
    }
    print(json.dumps(report) if options.json else _as_text(report))
    return 0 if report["passed"] else _BAD_INPUT


def _open_record(path: Path, resources: ExitStack) -> "Callable[..., None]":
    from telemetry.logs.opl_writer import OplWriter, WriteFailed

    try:
        writer = OplWriter(path)
    except WriteFailed as error:
        raise ValueError(f"{error} Give another file.") from error
    resources.callback(writer.close)
    return writer.write


def _pace(start_s: float, clock: Callable[[], float]) -> Callable[[float], None]:
    never = Event()

    def wait_for(t_s: float) -> None:
        ahead_s = start_s + t_s - clock()
        if ahead_s > 0.0:
            never.wait(ahead_s)

    return wait_for


def _as_text(report: dict[str, Any]) -> str:
    final = report.pop("final")
    lines = {**report, **{f"final {key}": value for key, value in final.items()}}
    return "\n".join(f"{key.replace('_', ' '):22}{value}" for key, value in lines.items())
