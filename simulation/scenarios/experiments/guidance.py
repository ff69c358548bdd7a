"""E4: an aeroplane on a flight plan.

A hexagon is uploaded and flown as legs from waypoint to waypoint, in wind. What counts is how
far the truth strays from its sides once it has been reached; corners are begun early, because
an aeroplane cannot turn on the spot.
"""

import math
from typing import Any, Final

import numpy as np

from simulation.records.flight import FIXED_WING
from simulation.scenarios.air_data import airspeed
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Figure, curves, from_above
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.measures import Column, distances, distances_to_line, rms
from simulation.scenarios.plan_upload import plan_uploads
from simulation.scenarios.scenario import ScenarioStep, Upload
from telemetry.protocol.objects.catalogue import Catalogue

CORNERS: Final = (
    (120.0, 70.0),
    (120.0, 210.0),
    (0.0, 280.0),
    (-120.0, 210.0),
    (-120.0, 70.0),
    (0.0, 0.0),
)
"""Metres north and east of home; flown in this order, and round again."""
_HEIGHT_M: Final = 40.0
_ROUNDS: Final = 1
_REACHED_M: Final = 15.0


def run(experiment: Experiment) -> RunOutcome:
    """Upload the plan, take off, fly the rounds; measure the distance to its sides."""
    experiment.insist_on(FIXED_WING)
    begin = list(experiment.scenario.steps)
    speed = experiment.values["speed_mps"]
    uploads = _plan(experiment.catalogue, speed, experiment.values["early_m"])
    seconds = _ROUNDS * _around() / speed + 30.0
    plan = ScenarioStep("fly", mode="PathPlanner", throttle=0.6, seconds=seconds, label="plan")
    flight = experiment.fly([ScenarioStep("upload", objects=uploads), *begin, plan])
    return outcome_of(flight, _metrics(flight), _figure(flight))


def _around() -> float:
    """The hexagon's circumference."""
    return sum(math.dist(CORNERS[i - 1], CORNERS[i]) for i in range(len(CORNERS)))


def _plan(catalogue: Catalogue, speed: float, early_m: float) -> tuple[Upload, ...]:
    """PathPlan, Waypoint and PathAction: follow vectors, each until `early_m` before its end."""
    corners = (*CORNERS, CORNERS[0])
    legs = [
        {"Position": [*corner, -_HEIGHT_M], "Velocity": speed, "Action": int(i == len(CORNERS))}
        for i, corner in enumerate(corners)
    ]
    early: dict[str, Any] = {
        "Mode": "FollowVector",
        "EndCondition": "LegRemaining",
        "ConditionParameters": [early_m * len(CORNERS) / _around(), 0.0, 0.0, 0.0],
        "Command": "OnConditionNextWaypoint",
    }
    again = {**early, "Command": "OnConditionJumpWaypoint", "JumpDestination": 1}
    return plan_uploads(catalogue, legs, (early, again))


def _metrics(flight: SimulatedFlight) -> dict[str, float]:
    places = flight.track["true_position"][:, :2]
    rows = flight.rows("plan")
    reached = [_first_near(places, rows, corner) for corner in CORNERS]
    begin = _first_near(places, rows, CORNERS[1])
    names = ("track_error_m", "track_rms_m", "speed_rms_mps", "height_rms_m")
    if math.isnan(begin):
        return {"reached": float(np.isfinite(reached).sum()), **dict.fromkeys(names, math.nan)}
    steady = rows[rows >= int(begin)]
    errors = distances_to_line(places[steady], (CORNERS[-1], *CORNERS))
    speed, height = airspeed(flight.track)[steady], -flight.track["true_position"][steady, 2]
    values = (
        float(errors.max()),
        rms(errors),
        rms(speed - speed.mean()),
        rms(height - height.mean()),
    )
    return {
        "reached": float(np.isfinite(reached).sum()),
        **dict(zip(names, values, strict=True)),
    }


def _first_near(places: Column, rows: Any, corner: tuple[float, float]) -> float:
    """The first of these rows at which the corner is passed, NaN if it never is."""
    near = rows[distances(places[rows], corner) < _REACHED_M]
    return float(near[0]) if near.size else math.nan


def _figure(flight: SimulatedFlight) -> Figure:
    track = flight.track
    place, time = track["true_position"], ("time, s", track.time_s)
    ways = {"flown": place, "plan": np.array((*CORNERS, CORNERS[0]))}
    speeds = {"airspeed": airspeed(track), "height": -place[:, 2]}
    rolls = {"roll": track["attitude_deg"][:, 0], "desired": track["attitude_desired"][:, 0]}
    axes = (
        from_above("Track", ways, {"plan": "dashed"}),
        curves("Airspeed and height", time, "m/s, m", speeds),
        curves("Roll", time, "degrees", rolls, {"desired": "dashed"}),
    )
    return Figure("Guidance along waypoints", axes)
