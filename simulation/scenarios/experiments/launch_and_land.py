"""E1, launch and landing of an aeroplane: from the hand back to the grass.

Launched by hand at full throttle the aeroplane climbs, cruises up and down, comes back against the
wind and lands with a flare, its motor off, by its own guidance and through its own sensors. All
that counts is the truth: it must never stall in the air.

A firmware flies the same by modes and a plan, as a pilot would have it do. Its Land has no flare:
nose at LandingPitch, motor off (fixedwinglandcontroller.cpp of LibrePilot).
"""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from simulation.records.flight import FIXED_WING
from simulation.records.interface import (
    HORIZONTAL_WING,
    VERTICAL_LAND,
    VERTICAL_PATH,
    VERTICAL_TAKEOFF,
)
from simulation.scenarios.air_data import airspeed, angle_of_attack_deg
from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of, outcome_of_bare
from simulation.scenarios.figure import Figure, curves, from_above
from simulation.scenarios.flight_measures import attitudes_deg
from simulation.scenarios.measures import Column, touchdown_speed
from simulation.scenarios.plan_upload import plan_uploads
from simulation.scenarios.scenario import ScenarioStep, Until, overlaid
from simulation.scenarios.track import OutputTrack

_FLYING_MPS = 5.0  # slower it is in the hand, or slides
_AIRBORNE_M = 3.0
_HEIGHT_M = 40.0
_APPROACH_M = 20.0  # from where it glides
_HAND_M = 1.6  # home is in the hand: the ground lies that much lower
_CRUISE_MPS = 14.0
_LANDING_MPS = 15.0  # the flare takes some of it
_WARM_UP_S, _LONGEST_CLIMB_S, _LEG_S, _LANDING_S = 6.0, 20.0, 20.0, 40.0
_LEVEL_OFF_M = 5.0
_SETTINGS: Final = {
    "FlightModeSettings": {
        "FlightModePosition": [
            "Stabilized1",
            "PathPlanner",
            "PositionHold",
            "ReturnToBase",
            "Land",
            "AutoTakeoff",
        ]
    }
}
_PLAN: Final = (
    (250.0, 0.0, -_HEIGHT_M),
    (500.0, 0.0, -_HEIGHT_M),
    (500.0, 80.0, -_HEIGHT_M),
    (0.0, 80.0, -_HEIGHT_M),
    (-250.0, 40.0, -30.0),
    (-250.0, 0.0, -30.0),
    (-100.0, 0.0, -_APPROACH_M),
    (600.0, 0.0, -_APPROACH_M),
)
"""North, east and down of home: up and down beside it, and back against the wind."""
_CRUISE_BEGINS: Final = 1
_CRUISE_ENDS: Final = 4
"""Waypoints."""
_ALONG: Final = {
    "Mode": "FollowVector",
    "EndCondition": "DistanceToTarget",
    "ConditionParameters": [25.0, 0.0, 0.0, 0.0],
    "Command": "OnConditionNextWaypoint",
}


def run(experiment: Experiment) -> RunOutcome:
    """Fly; measure cruise, angle of attack and touchdown."""
    experiment.insist_on(FIXED_WING)
    if experiment.firmware is not None:
        return _by_a_board(experiment)
    flight = experiment.bare_flight(experiment.simulator())
    cruise = _fly(flight)
    return outcome_of_bare(flight, _metrics(flight.track, cruise), _figure(flight.track))


def _fly(flight: BareFlight) -> tuple[float, float]:
    """When the cruise began and ended, s."""
    command, position = flight.simulator.command, flight.simulator.output["position"]
    flight.advance(_WARM_UP_S)
    ground_m = float(position[2]) + _HAND_M  # off by what GPS was off at the start
    command["armed"] = 1
    command["horizontal_mode"] = HORIZONTAL_WING
    command["vertical_mode"] = VERTICAL_TAKEOFF
    command["velocity_north"], command["down_m"] = _CRUISE_MPS, -_HEIGHT_M
    while position[2] > _LEVEL_OFF_M - _HEIGHT_M and flight.now_s < _LONGEST_CLIMB_S:
        flight.advance(0.02)
    command["vertical_mode"] = VERTICAL_PATH
    began = flight.now_s
    flight.advance(_LEG_S)
    command["velocity_north"] = -_CRUISE_MPS
    flight.advance(_LEG_S)
    ended = flight.now_s
    command["velocity_north"], command["down_m"] = _LANDING_MPS, -_APPROACH_M
    flight.advance(_LEG_S)
    command["vertical_mode"], command["down_m"] = VERTICAL_LAND, ground_m
    flight.advance(_LANDING_S)
    return began, ended


def _by_a_board(experiment: Experiment) -> RunOutcome:
    """The same course by AutoTakeoff, PathPlanner and Land."""
    config = experiment.config()
    objects = overlaid(config.preset.objects, _SETTINGS)
    config = replace(config, preset=replace(config.preset, objects=objects))
    flight = experiment.fly(_script(experiment), config=config)
    rows = flight.rows("cruise")
    time_s = flight.track.time_s
    cruise = (float(time_s[rows[0]]), float(time_s[rows[-1]])) if rows.size else (0.0, 0.0)
    return outcome_of(flight, _metrics(flight.track, cruise), _figure(flight.track))


def _script(experiment: Experiment) -> list[ScenarioStep]:
    legs = [{"Position": list(place), "Velocity": _CRUISE_MPS, "Action": 0} for place in _PLAN]
    plan = plan_uploads(experiment.catalogue, legs, (_ALONG,))
    return [
        ScenarioStep("upload", objects=plan),
        ScenarioStep("wait", seconds=_WARM_UP_S),
        ScenarioStep("arm", mode="AutoTakeoff"),
        ScenarioStep("fly", seconds=_LONGEST_CLIMB_S, mode="AutoTakeoff", throttle=1.0),
        _plan_until(_CRUISE_BEGINS, "climb"),
        _plan_until(_CRUISE_ENDS, "cruise"),
        _plan_until(len(_PLAN) - 1, "approach"),
        ScenarioStep("fly", seconds=_LANDING_S, mode="Land", throttle=0.5, label="landing"),
    ]


def _plan_until(waypoint: int, label: str) -> ScenarioStep:
    until = Until("WaypointActive", "Index", waypoint)
    return ScenarioStep("fly", mode="PathPlanner", throttle=0.6, until=until, label=label)


def _height(track: OutputTrack) -> Column:
    """Above the ground."""
    height: Column = -track["true_position"][:, 2]
    return height


def _metrics(track: OutputTrack, cruising: tuple[float, float]) -> dict[str, float]:
    height = _height(track)
    speed, alpha = airspeed(track), angle_of_attack_deg(track)
    cruise = (track.time_s >= cruising[0]) & (track.time_s < cruising[1])
    flies = (speed > _FLYING_MPS) & (track["touches_ground"] == 0)
    touches, sink = track["touches_ground"], track["true_velocity"][:, 2]
    landing = np.flatnonzero(touches)
    thrust = track["actuator_desired"][:, 3]
    return {
        "climbed_m": float(height.max()),
        "slowest_cruise_mps": float(speed[cruise].min()) if cruise.any() else math.nan,
        "fastest_cruise_mps": float(speed[cruise].max()) if cruise.any() else math.nan,
        "largest_alpha_deg": float(alpha[flies].max()) if flies.any() else math.nan,
        "touchdown_mps": touchdown_speed(height, sink, touches, _AIRBORNE_M),
        "touchdown_thrust": float(thrust[landing[0]]) if landing.size else math.nan,
    }


def _figure(track: OutputTrack) -> Figure:
    time, angles = ("time, s", track.time_s), attitudes_deg(track)
    # Standing, the air comes from anywhere.
    alpha = np.where(airspeed(track) > _FLYING_MPS, angle_of_attack_deg(track), np.nan)
    speeds = {"airspeed": airspeed(track), "height": _height(track)}
    shown = {"roll": angles[:, 0], "pitch": angles[:, 1], "angle of attack": alpha}
    axes = (
        from_above("Position track", {"truth": track["true_position"]}),
        curves("Speed and height", time, "m/s, m", speeds),
        curves("Attitude", time, "degrees", shown, {"angle of attack": "dashed"}),
    )
    return Figure("Hand launch, cruise and landing", axes)
