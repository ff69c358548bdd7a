"""A4: waypoint navigation, and what a temporary discontinuity of GPS does to the track.

Seed 000, figure 5 (bottom), shows a plan, the way flown in reality and the way flown in
simulation; they differ in the middle, where the real GPS jumped. Here GPS jumps on demand.
"""

import math
from dataclasses import replace
from typing import Any, Final

import numpy as np

from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Figure, Style, curves, from_above
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.flight_measures import heights, touchdown_mps
from simulation.scenarios.measures import distances, distances_to_line, rms
from simulation.scenarios.plan_upload import plan_uploads
from simulation.scenarios.scenario import ScenarioStep, Until, Upload
from telemetry.protocol.objects.catalogue import Catalogue

PLAN: Final = (
    (20.0, 0.0, -8.0),
    (20.0, 70.0, -8.0),
    (-10.0, 70.0, -8.0),
    (-10.0, 10.0, -6.0),
    (0.0, 0.0, -6.0),
)
"""North, east and down of home, metres."""
BENT_M: Final = 3.0
"""A straight leg that leaves its line by more than this is bent."""
_RADIUS_M = 2.0
_MISSED_M = 2.5
_JUMPING = 1  # the leg to this waypoint
_MODE = "PathPlanner"


def run(experiment: Experiment) -> RunOutcome:
    """Fly the plan, with or without the jump."""
    flight = experiment.fly(_steps(experiment))
    return outcome_of(flight, _metrics(flight, experiment.values["gps_jump"]), _figure(flight))


def _plan(catalogue: Catalogue, speed_mps: float, is_corrupt: bool) -> tuple[Upload, ...]:
    """The objects of the plan: lines from point to point, and a stop at the last. A corrupt one
    has a wrong checksum."""
    on_line = {"Mode": "FollowVector", "EndCondition": "DistanceToTarget"}
    actions: tuple[dict[str, Any], ...] = (
        {**on_line, "ConditionParameters": [_RADIUS_M, 0.0, 0.0, 0.0]},
        {"Mode": "GoToEndpoint", "EndCondition": "None"},
    )
    points: list[dict[str, Any]] = [
        {"Position": list(place), "Velocity": 0.0 if is_last else speed_mps, "Action": int(is_last)}
        for place, is_last in ((place, place is PLAN[-1]) for place in PLAN)
    ]
    *parts, plan = plan_uploads(catalogue, points, actions)
    if is_corrupt:
        plan = replace(plan, values={**plan.values, "Crc": plan.values["Crc"] ^ 1})
    return *parts, plan


def _steps(experiment: Experiment) -> list[ScenarioStep]:
    values = experiment.values
    uploads = _plan(experiment.catalogue, values["speed_mps"], bool(values["corrupt"]))
    jump_m = values["jump_m"] if values["gps_jump"] else None
    half_s = 0.3 * (PLAN[1][1] - PLAN[0][1]) / values["speed_mps"]
    return [
        ScenarioStep("wait", seconds=4.0),
        ScenarioStep("arm"),
        ScenarioStep("takeoff"),
        ScenarioStep("upload", objects=uploads),
        _fly_until(_JUMPING),
        _fly_for(half_s, "before"),
        *_jump(jump_m),
        _fly_for(half_s, "jump"),
        *_jump(None if jump_m is None else 0.0),
        _fly_until(_JUMPING + 1),
        *(_fly_until(i, "undisturbed") for i in range(_JUMPING + 2, len(PLAN))),
        _fly_for(12.0, "last"),
        ScenarioStep("land"),
    ]


def _jump(north_m: float | None) -> list[ScenarioStep]:
    return [] if north_m is None else [ScenarioStep("set", values={"gps_jump_north_m": north_m})]


def _fly_until(waypoint: int, label: str = "") -> ScenarioStep:
    until = Until("WaypointActive", "Index", waypoint)
    return ScenarioStep("fly", timeout_s=60.0, mode=_MODE, throttle=0.5, until=until, label=label)


def _fly_for(seconds: float, label: str) -> ScenarioStep:
    return ScenarioStep("fly", seconds=seconds, mode=_MODE, throttle=0.5, label=label)


def _metrics(flight: SimulatedFlight, gps_jump: float) -> dict[str, float]:
    """`bend_m`: how far truth left the direction it had before the jump. Waypoints count as
    reached where the aircraft thought so. `track_rms_m`: truth beside the plan on the last legs,
    GPS error included."""
    track = flight.track
    place, thought = track["true_position"][:, :2], track["position"][:, :2]
    missed = sum(float(distances(thought, point[:2]).min()) > _MISSED_M for point in PLAN)
    before, jump = flight.rows("before"), flight.rows("jump")
    bend_m = math.nan
    if before.size and jump.size:
        bend_m = float(np.abs(place[jump, 0] - place[before[-1], 0]).max())
    undisturbed = flight.rows("undisturbed")
    return {
        "waypoints_missed": float(missed),
        "bend_m": bend_m,
        "unexpected_bend": abs(float(bend_m > BENT_M) - gps_jump),
        "track_rms_m": rms(distances_to_line(place[undisturbed], np.array(PLAN)[:, :2])),
        "touchdown_mps": touchdown_mps(track),
    }


def _figure(flight: SimulatedFlight) -> Figure:
    track = flight.track
    ways = {
        "planned": np.array(PLAN),
        "flown": track["true_position"],
        "flown as estimated": track["position"][track["position_valid"] != 0],
    }
    styles: dict[str, Style] = {"planned": "dots", "flown as estimated": "dashed"}
    height = curves("Height", ("time, s", track.time_s), "m", {"height": heights(track)})
    return Figure("Waypoint navigation", (from_above("Planned and flown", ways, styles), height))
