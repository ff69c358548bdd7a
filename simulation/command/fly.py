"""`lapwing sim fly` and `lapwing sim stand`: a flight to its end, without a station."""

import argparse
import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final, TypeVar

from simulation.command.options import (
    CHANGE_OPTION,
    DURATION_OPTION,
    JSON_OPTION,
    Options,
    check_changes,
    seconds,
    value,
)
from simulation.command.terminal import BAD_ENVIRONMENT, BAD_INPUT, tell
from simulation.command.video_option import with_bar
from simulation.command.wiring import FLIGHT_OPTIONS, KEPT_OPTIONS, FlightWiring, wire_flight
from telemetry.base.command_line import print_lines

if TYPE_CHECKING:
    from simulation.hitl.lockstep.comparison import LockstepComparison
    from simulation.scenarios.experiment import Experiment
    from simulation.scenarios.report import ScenarioReport
    from simulation.scenarios.scenario import Scenario

DEFAULT_SCENARIO = "takeoff-hold-land"
_Flown = TypeVar("_Flown")


FLY_OPTIONS: Final[Options] = {
    "scenario": value(
        "SCENARIO",
        f"name, or .json file, see `lapwing sim scenarios` (default: {DEFAULT_SCENARIO})",
        nargs="?",
    ),
    **CHANGE_OPTION,
    **DURATION_OPTION,
    "--plot": value("PNG", "draw the figure", Path),
    **FLIGHT_OPTIONS,
    **KEPT_OPTIONS,
    **JSON_OPTION,
}
STAND_OPTIONS: Final[Options] = {
    "duration": value("SECONDS", "for how long", seconds),
    **FLIGHT_OPTIONS,
    **KEPT_OPTIONS,
    **JSON_OPTION,
}


def fly_scenario(options: argparse.Namespace) -> int:
    """Fly a scenario and judge it."""
    from simulation.hitl import experiments
    from simulation.scenarios.plot import check_picture, write_picture
    from simulation.scenarios.report import as_lines, run_scenario
    from simulation.scenarios.scenario_file import load_scenario

    check_changes(options.changes)
    changes = {name: value for name, value in options.changes if "." not in name}  # no faults
    scenario = load_scenario(options.scenario or DEFAULT_SCENARIO, changes)
    if options.plot is not None:
        check_picture(options.plot)
    report, wired, wall_s = _flown(options, scenario, lambda it: run_scenario(it, experiments))
    compared = _compared(report, wired)
    if options.json:
        told = compared.as_dict() if compared is not None else {}
        speed = _speed(report.outcome.duration_s, wall_s)
        print(json.dumps({**report.as_dict(), **told, **speed}))
    else:
        lines = as_lines(report, wall_s)
        told_lines = compared.as_lines() if compared is not None else []
        print_lines([*lines[:-1], *told_lines, lines[-1]])
    if options.plot is not None:
        if report.outcome.figure is None:
            raise ValueError("This flight left no figure to draw; leave out --plot.")
        write_picture(report.outcome.figure, options.plot)
    if wired.recording is not None and wired.recording.discard():
        raise ValueError("This scenario flies nothing to record; leave out --record.")
    if wired.track is not None and not len(wired.track):
        raise ValueError("This scenario flies nothing to record; leave out --track.")
    return _exit_code(report.passed, wired)


def _compared(report: "ScenarioReport", wired: "FlightWiring") -> "LockstepComparison | None":
    """A firmware's flight beside that of the embedded board, which is flown now."""
    from simulation.hitl import experiments
    from simulation.hitl.lockstep.board import LockstepFirmware
    from simulation.hitl.lockstep.comparison import LockstepComparison, embedded
    from simulation.scenarios.report import run_scenario

    firmware = wired.config.firmware
    if not isinstance(firmware, LockstepFirmware):
        return None
    own = run_scenario(embedded(report.experiment), experiments)
    return LockstepComparison(firmware, report, own)


def stand(options: argparse.Namespace) -> int:
    """Power up and let time pass: nobody flies it."""
    from simulation.scenarios.scenario import Scenario

    scenario = Scenario("stand", "Stand")
    flight, wired, wall_s = _flown(options, scenario, lambda experiment: experiment.fly())
    controller = wired.controller
    report: dict[str, Any] = {
        "scenario": None,
        "passed": not (
            flight.has_crashed or flight.diverged or (controller and controller.verdict)
        ),
        "metrics": {},
        "bands": {},
        "seed": options.seed,
        "log_hash": flight.log_hash,
        "aircraft": wired.config.preset.name,
        "armed": flight.aircraft.board["FlightStatus"].option("Armed"),
        "duration_s": flight.aircraft.now_s,
        **_speed(flight.aircraft.now_s, wall_s),
    }
    if controller is not None:
        report["sil"] = controller.report()
    if flight.diverged:
        report["reason"] = flight.diverged
    print_lines([json.dumps(report)] if options.json else _as_lines(report))
    return _exit_code(bool(report["passed"]), wired)


def _flown(
    options: argparse.Namespace, scenario: "Scenario", fly: "Callable[[Experiment], _Flown]"
) -> "tuple[_Flown, FlightWiring, float]":
    """Wire a flight, have it flown and filmed: what came of it, and the seconds that it took."""
    from simulation.scenarios.experiment import Experiment
    from simulation.serving.warm_up import warm_up
    from telemetry.base.clock import monotonic_s

    if options.fast and options.real_time:
        raise ValueError("--fast and --real-time exclude each other; give one of them.")
    with ExitStack() as resources:
        wired = wire_flight(options, resources, scenario.aircraft, scenario.world_file)
        config, film = wired.config, wired.film
        warm_up(config, wired.catalogue)
        start_s = monotonic_s()
        experiment = Experiment(
            scenario,
            config.seed,
            options.aircraft or scenario.aircraft,
            wired.catalogue,
            record=wired.recording,
            pace=_pace(start_s, monotonic_s) if options.real_time else None,
            limit_s=options.duration,
            controller=wired.controller,
            firmware=config.firmware,
            wind=config.wind,
            force=config.force,
            world=config.world,
            record_steps=options.record_steps or 0,
            track=wired.track,
            path=film.recorder if film is not None else None,
            sensors=wired.sensors,
        )
        _tell_what_does_not_fit(experiment)
        flown = fly(experiment)
        wall_s = monotonic_s() - start_s
        if film is not None and experiment.made:
            film.make(with_bar)
    return flown, wired, wall_s


def _tell_what_does_not_fit(experiment: "Experiment") -> None:
    """Before it is flown."""
    from simulation.scenarios.world_fit import what_does_not_fit

    world = experiment.flown_world
    if world is not None:
        problem = what_does_not_fit(experiment.scenario, experiment.preset(), world)
        if problem:
            tell(problem)


def _exit_code(has_passed: bool, wired: "FlightWiring") -> int:
    if wired.recording is not None and wired.recording.failure:
        return BAD_ENVIRONMENT
    return 0 if has_passed else BAD_INPUT


def _speed(simulated_s: float, wall_s: float) -> dict[str, float | None]:
    factor = round(simulated_s / wall_s, 1) if wall_s else None
    return {"wall_s": round(wall_s, 3), "real_time_factor": factor}


def _as_lines(report: dict[str, Any]) -> list[str]:
    shown = {key: value for key, value in report.items() if value not in (None, {})}
    return [f"{key.replace('_', ' '):22}{value}" for key, value in shown.items()]


def _pace(start_s: float, clock: Callable[[], float]) -> Callable[[float], None]:
    never = Event()

    def wait_for(t_s: float) -> None:
        ahead_s = start_s + t_s - clock()
        if ahead_s > 0.0:
            never.wait(ahead_s)

    return wait_for
