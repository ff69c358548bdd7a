"""E1: from the hand back to the grass.

Launched by hand at full throttle the aeroplane climbs, cruises in circles, comes down and lands
with a flare, its motor off. All that counts is the truth: it must never stall in the air.
"""

import math

import numpy as np

from simulation.records import FIXED_WING
from simulation.scenarios.air_data import airspeed, angle_of_attack_deg
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.figures import position_track
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.flight_measures import attitudes_deg
from simulation.scenarios.measures import Column, touchdown_speed

_FLYING_MPS = 5.0  # slower it is in the hand, or slides
_AIRBORNE_M = 3.0


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script; measure cruise, angle of attack and touchdown."""
    experiment.insist_on(FIXED_WING)
    flight = experiment.fly()
    return outcome_of(flight, _metrics(flight), _figure(flight))


def _height(flight: SimulatedFlight) -> Column:
    """Above the ground."""
    height: Column = -flight.track["true_position"][:, 2]
    return height


def _metrics(flight: SimulatedFlight) -> dict[str, float]:
    track, height = flight.track, _height(flight)
    speed, alpha = airspeed(track), angle_of_attack_deg(track)
    cruise = flight.rows("cruise")
    flies = (speed > _FLYING_MPS) & (track["touches_ground"] == 0)
    touches, sink = track["touches_ground"], track["true_velocity"][:, 2]
    landing = np.flatnonzero(touches)
    thrust = track["actuator_desired"][:, 3]
    return {
        "climbed_m": float(height.max()),
        "slowest_cruise_mps": float(speed[cruise].min()) if cruise.size else math.nan,
        "fastest_cruise_mps": float(speed[cruise].max()) if cruise.size else math.nan,
        "largest_alpha_deg": float(alpha[flies].max()) if flies.any() else math.nan,
        "touchdown_mps": touchdown_speed(height, sink, touches, _AIRBORNE_M),
        "touchdown_thrust": float(thrust[landing[0]]) if landing.size else math.nan,
    }


def _figure(flight: SimulatedFlight) -> Figure:
    track = flight.track
    t, angles = track.time_s, attitudes_deg(track)
    # Standing, the air comes from anywhere.
    alpha = np.where(airspeed(track) > _FLYING_MPS, angle_of_attack_deg(track), np.nan)
    return Figure(
        "Hand launch, cruise and landing",
        (
            position_track(flight),
            Axes(
                "Speed and height",
                "time, s",
                "m/s, m",
                (series("airspeed", t, airspeed(track)), series("height", t, _height(flight))),
            ),
            Axes(
                "Attitude",
                "time, s",
                "degrees",
                (
                    series("roll", t, angles[:, 0]),
                    series("pitch", t, angles[:, 1]),
                    series("angle of attack", t, alpha, "dashed"),
                ),
            ),
        ),
    )
