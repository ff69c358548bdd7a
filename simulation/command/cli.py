"""`lapwing sim`: serve a simulated aircraft to ground stations, or fly a scenario headless."""

import argparse
import json
import math
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from simulation.autopilot.preset import DEFAULT_AIRCRAFT, load_preset
from simulation.command.force_option import add_force_options, load_force
from simulation.command.hitl import add_hitl_options, fly_hardware
from simulation.command.record_option import add_record_options, check_record_options, open_track
from simulation.command.sheet import add_sheet_options, print_sheet
from simulation.command.sil_option import add_sil_options, load_controller
from simulation.command.streams_option import (
    add_streams_options,
    check_streams_options,
    open_streams,
)
from simulation.command.video_option import (
    add_video_options,
    check_video_options,
    open_film,
    with_bar,
)
from simulation.command.wind_option import add_wind_options, load_wind
from simulation.command.world_option import add_world_options, load_flown_world, world_to_note

if TYPE_CHECKING:
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.scenarios.experiment import Experiment
    from simulation.serving.recording_file import RecordingFile
    from simulation.sil.loop import SoftwareInTheLoop

DEFAULT_SCENARIO = "takeoff-hold-land"
_BAD_INPUT, _ENVIRONMENT, _INTERRUPTED = 1, 2, 130
_SHORTEST_S, _LONGEST_S = 0.02, 1e7
_LARGEST_SEED = 2**63 - 1
_OPTIONS_OF = {
    "hitl": ("hitl_sensors", "hitl_rate", "propellers_removed", "restore"),
    "sil": ("sil_rate", "sil_timeout"),
    "serve": ("erased",),
}
"""Options that say nothing without another one."""


def add_commands(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `sim` to the command line; its `run` returns the exit code."""
    parser = subparsers.add_parser("sim", help="fly a simulated aircraft", description=__doc__)
    parser.add_argument(
        "--aircraft",
        metavar="NAME|FILE",
        help=f"airframe, or its .json file (default: the scenario's, {DEFAULT_AIRCRAFT})",
    )
    parser.add_argument(
        "--serve", metavar="ADDRESS", help="wait for ground stations, e.g. tcp:127.0.0.1:9000"
    )
    parser.add_argument(
        "--erased", action="store_true", help="serve a board without settings, to be set up"
    )
    parser.add_argument(
        "--scenario",
        metavar="NAME|FILE",
        help=f"what to fly (default without --serve and --duration: {DEFAULT_SCENARIO})",
    )
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--list-worlds", action="store_true", help="list the worlds")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="changes",
        type=_change,
        action="append",
        default=[],
        help="change a parameter of the scenario, a live control, or, with --streams, a fault of a "
        "sensor (lidar.lost), from time 0 on",
    )
    parser.add_argument("--duration", metavar="S", type=_seconds, help="end after S seconds")
    parser.add_argument("--real-time", action="store_true", help="in step with the clock")
    parser.add_argument("--fast", action="store_true", help="as fast as possible (the default)")
    parser.add_argument("--seed", metavar="N", type=_seed, default=1)
    parser.add_argument("--plot", metavar="PNG", type=Path, help="draw the figure, or the sheet")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_record_options(parser)
    add_video_options(parser)
    add_streams_options(parser)
    add_world_options(parser)
    add_wind_options(parser)
    add_force_options(parser)
    add_sil_options(parser)
    add_hitl_options(parser)
    add_sheet_options(parser)
    parser.set_defaults(run=run)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not _SHORTEST_S <= value <= _LONGEST_S:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no duration; give {_SHORTEST_S:g} to {_LONGEST_S:g} seconds"
        )
    return value


def _seed(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value <= _LARGEST_SEED:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no seed; give a whole number from 0 to {_LARGEST_SEED}"
        )
    return value


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


def run(options: argparse.Namespace) -> int:
    """Fly as the options say. 1: bad input or the scenario failed; 2: the machine refuses;
    130: a flight was interrupted. Ctrl+C is how serving is meant to end."""
    from simulation.scenarios.plot import PlotError
    from simulation.serving.interrupts import ending_on_request, interrupts_postponed
    from simulation.worlds.film_error import FilmError
    from telemetry.protocol.links.address import AddressError
    from telemetry.protocol.links.link import LinkError
    from telemetry.vehicle.original_metadata import OriginalMetadataError

    try:
        with ending_on_request():
            work = _chosen(options)
            with interrupts_postponed():
                import simulation.simulator.simulator  # noqa: F401 - with the compiler, which takes longest
            return work(options)
    except (AddressError, ValueError) as error:
        return _fail(error, _BAD_INPUT)
    except (FilmError, LinkError, PlotError, OriginalMetadataError) as error:
        return _fail(error, _ENVIRONMENT)
    except KeyboardInterrupt:
        return 0 if options.serve else _INTERRUPTED


def _chosen(options: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    """What is to be done; raise ValueError for options that do not go together."""
    if options.fast and options.real_time:
        raise ValueError("--fast and --real-time exclude each other; give one of them.")
    _check_whole(options)
    check_record_options(options)
    check_video_options(options)
    check_streams_options(options)
    if (by_itself := _by_itself(options)) is not None:
        return by_itself
    if options.hitl is not None:
        if options.serve or options.sil or options.fast or options.plot:
            raise ValueError(
                "--hitl flies in real time by a board: no --serve, --sil, --fast, --plot."
            )
        given = [name for name in ("wind", "force", "world") if getattr(options, name)]
        if given:
            option = f"--{given[0]}"
            raise ValueError(f"{option} is for simulated flights; leave it out with --hitl.")
        return fly_hardware
    if options.serve is not None:
        if options.fast or options.scenario or options.changes or options.plot:
            raise ValueError(
                "--serve flies in real time by a station's commands: no --fast, --scenario, "
                "--set, --plot."
            )
        return _serve
    if options.duration and not options.scenario:
        if options.changes or options.plot:
            raise ValueError("--set and --plot belong to a scenario; add --scenario NAME.")
        return _stand
    return _fly


def _check_whole(options: argparse.Namespace) -> None:
    """Refuse options whose owner is missing, and changes of the same thing twice."""
    for owner, names in _OPTIONS_OF.items():
        given = [name for name in names if getattr(options, name) not in (None, False)]
        if given and getattr(options, owner) is None:
            option = given[0].replace("_", "-")
            raise ValueError(f"--{option} says something about --{owner}; add --{owner}.")
    changed = [name for name, _ in options.changes]
    for name in changed:
        if changed.count(name) > 1:
            raise ValueError(f"--set {name} is given more than once; give it once.")


def _by_itself(options: argparse.Namespace) -> Callable[[argparse.Namespace], int] | None:
    """What chooses its flights itself, or makes none; raise ValueError for what it cannot take."""
    if options.list:
        return _list
    if options.list_worlds:
        return _list_worlds
    if options.sheet is None:
        return None
    flown = ("aircraft", "serve", "scenario", "duration", "sil", "hitl")
    others = (*flown, "record", "track", "wind", "world")
    if options.changes or any(getattr(options, name) is not None for name in others):
        raise ValueError(
            "--sheet NAME chooses its flights itself; give only --plot and --json beside it."
        )
    return print_sheet


def _changes_of_scenario(options: argparse.Namespace) -> dict[str, float]:
    """What `--set` changes but for faults of sensors, which have a dot."""
    return {name: value for name, value in options.changes if "." not in name}


def _fail(error: Exception, code: int) -> int:
    _tell(str(error))
    return code


def _tell(sentence: str) -> None:
    print(f"lapwing sim: {sentence}", file=sys.stderr, flush=True)


def _config(
    options: argparse.Namespace, controller: "SoftwareInTheLoop | None", resources: ExitStack
) -> "AutopilotConfig":
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.autopilot.storage import Storage

    preset = load_preset(options.aircraft or DEFAULT_AIRCRAFT)
    storage = Storage.erased() if options.erased else Storage()
    return AutopilotConfig(
        preset,
        options.seed,
        storage=storage,
        inner_loop=controller,
        wind=load_wind(options),
        force=load_force(options, resources),
        world=load_flown_world(options),
    )


def _serve(options: argparse.Namespace) -> int:
    from simulation.aircraft.aircraft import rotor_sentence
    from simulation.command.process import offer_streams, open_server, serve
    from simulation.serving.recording_file import open_recording

    lines = sys.stderr if options.json else sys.stdout
    with ExitStack() as resources:
        config = _config(options, load_controller(options, resources), resources)
        world = world_to_note(options.world, options.seed, config.preset.aircraft)
        keep = open_recording(options.record, _tell, resources, world)
        link = open_server(options.serve)
        rotors = rotor_sentence(config.preset.aircraft)
        starting = f"Starting the simulator; the first start compiles it. {rotors}"
        print(starting.rstrip(), file=lines, flush=True)
        streams, streams_at = offer_streams(config, _tell) or (None, "")
        ready = partial(_tell_ready, options, config, streams_at)
        serve(config, link, options.duration, keep, ready, streams)
    return _ENVIRONMENT if keep is not None and keep.failure else 0


def _tell_ready(
    options: argparse.Namespace, config: "AutopilotConfig", streams_at: str, address: str
) -> None:
    """A sentence, or one object, as soon as stations can connect."""
    if options.json:
        report = {"aircraft": config.preset.name, "seed": options.seed, "address": address}
        if streams_at:
            report["streams"] = streams_at
        print(json.dumps(report), flush=True)
    else:
        title = config.preset.title
        if streams_at:
            print(f"What its sensors see of the world is read at {streams_at}.", flush=True)
        print(
            f"{title} is ready: ground stations connect to {address}. Ctrl+C ends it.", flush=True
        )


def _list(options: argparse.Namespace) -> int:
    """All scenarios, with what can be set."""
    from simulation.scenarios.listing import as_rows, as_text

    print(json.dumps({"scenarios": as_rows()}) if options.json else as_text())
    return 0


def _list_worlds(options: argparse.Namespace) -> int:
    """All worlds, with what can be asked of them."""
    from simulation.worlds.listing import as_rows, as_text

    print(json.dumps({"worlds": as_rows()}) if options.json else as_text())
    return 0


def _fly(options: argparse.Namespace) -> int:
    """A scenario, judged."""
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.scenarios.experiment import Experiment
    from simulation.scenarios.plot import check_picture, write_picture
    from simulation.scenarios.report import as_text, run_scenario
    from simulation.scenarios.scenario_file import load_scenario
    from simulation.serving.recording_file import open_recording
    from simulation.serving.warm_up import warm_up
    from telemetry.base.clock import monotonic_s
    from telemetry.protocol.objects.catalogue import load_catalogue

    scenario = load_scenario(options.scenario or DEFAULT_SCENARIO, _changes_of_scenario(options))
    if options.plot is not None:
        check_picture(options.plot)
    aircraft = options.aircraft or scenario.aircraft
    config = AutopilotConfig(load_preset(aircraft), options.seed)
    catalogue, wind, world = load_catalogue(), load_wind(options), load_flown_world(options)
    with ExitStack() as resources:
        film = open_film(options, options.world or scenario.world_file)
        world_name = options.world or scenario.world_file
        sensors = open_streams(options, world_name, config.preset.aircraft, resources, _tell)
        noted = world_to_note(world_name, options.seed, config.preset.aircraft)
        write = open_recording(options.record, _tell, resources, noted)
        track = open_track(options.track, resources)
        warm_up(config, catalogue)
        start_s = monotonic_s()
        experiment = Experiment(
            scenario,
            options.seed,
            aircraft,
            catalogue,
            record=write,
            pace=_pace(start_s, monotonic_s) if options.real_time else None,
            limit_s=options.duration,
            controller=load_controller(options, resources),
            wind=wind,
            force=load_force(options, resources),
            world=world,
            record_steps=options.record_steps or 0,
            track=track,
            path=film.recorder if film is not None else None,
            sensors=sensors,
        )
        _tell_what_does_not_fit(experiment)
        report = run_scenario(experiment)
        wall_s = monotonic_s() - start_s
        if film is not None and experiment.made:
            film.make(with_bar)
    if options.json:
        print(json.dumps({**report.as_dict(), **_speed(report.outcome.duration_s, wall_s)}))
    else:
        print(as_text(report, wall_s))
    if options.plot is not None:
        if report.outcome.figure is None:
            raise ValueError("This flight left no figure to draw; leave out --plot.")
        write_picture(report.outcome.figure, options.plot)
    if write is not None and write.discard():
        raise ValueError("This scenario flies nothing to record; leave out --record.")
    if track is not None and not len(track):
        raise ValueError("This scenario flies nothing to record; leave out --track.")
    return _exit_code(report.passed, write)


def _tell_what_does_not_fit(experiment: "Experiment") -> None:
    """Before it is flown."""
    from simulation.scenarios.world_fit import what_does_not_fit

    world = experiment.flown_world
    if world is not None:
        problem = what_does_not_fit(experiment.scenario, experiment.preset(), world)
        if problem:
            _tell(problem)


def _stand(options: argparse.Namespace) -> int:
    """Power up and let time pass: nobody flies it."""
    from simulation.scenarios.flight import SimulatedFlight, fly
    from simulation.scenarios.state_recorder import TELEMETRY_STEPS
    from simulation.serving.recording_file import open_recording
    from simulation.serving.warm_up import warm_up
    from simulation.worlds.flight_path import PATH_STEPS
    from telemetry.base.clock import monotonic_s
    from telemetry.protocol.objects.catalogue import load_catalogue

    catalogue = load_catalogue()
    with ExitStack() as resources:
        controller = load_controller(options, resources)
        config = _config(options, controller, resources)
        film = open_film(options, options.world or "")
        world_name = options.world or ""
        sensors = open_streams(options, world_name, config.preset.aircraft, resources, _tell)
        noted = world_to_note(world_name, options.seed, config.preset.aircraft)
        write = open_recording(options.record, _tell, resources, noted)
        track = open_track(options.track, resources)
        warm_up(config, catalogue)
        flight = SimulatedFlight(config, catalogue)
        if track is not None:
            flight.autopilot.simulator.watch(track.add, options.record_steps or TELEMETRY_STEPS)
        if film is not None:
            flight.autopilot.simulator.watch(film.recorder.add, PATH_STEPS)
        if sensors is not None:
            sensors.carry(flight.autopilot.simulator)
        start_s = monotonic_s()
        pace = _pace(start_s, monotonic_s) if options.real_time else None
        fly(flight, options.duration, write, pace, options.record_steps or 0)
        wall_s = monotonic_s() - start_s
        if film is not None:
            film.make(with_bar)
    report: dict[str, Any] = {
        "scenario": None,
        "passed": not (
            flight.has_crashed or flight.diverged or (controller and controller.verdict)
        ),
        "metrics": {},
        "bands": {},
        "seed": options.seed,
        "log_hash": flight.log_hash,
        "aircraft": config.preset.name,
        "armed": flight.autopilot.arming.state,
        "duration_s": flight.autopilot.now_s,
        **_speed(flight.autopilot.now_s, wall_s),
    }
    if controller is not None:
        report["sil"] = controller.report()
    if flight.diverged:
        report["reason"] = flight.diverged
    print(json.dumps(report) if options.json else _as_lines(report))
    return _exit_code(bool(report["passed"]), write)


def _exit_code(has_passed: bool, recording: "RecordingFile | None") -> int:
    if recording is not None and recording.failure:
        return _ENVIRONMENT
    return 0 if has_passed else _BAD_INPUT


def _speed(simulated_s: float, wall_s: float) -> dict[str, float | None]:
    factor = round(simulated_s / wall_s, 1) if wall_s else None
    return {"wall_s": round(wall_s, 3), "real_time_factor": factor}


def _as_lines(report: dict[str, Any]) -> str:
    shown = {key: value for key, value in report.items() if value not in (None, {})}
    return "\n".join(f"{key.replace('_', ' '):22}{value}" for key, value in shown.items())


def _pace(start_s: float, clock: Callable[[], float]) -> Callable[[float], None]:
    never = Event()

    def wait_for(t_s: float) -> None:
        ahead_s = start_s + t_s - clock()
        if ahead_s > 0.0:
            never.wait(ahead_s)

    return wait_for
