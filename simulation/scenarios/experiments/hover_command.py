"""C1: without a command the AR.Drone hovers, with one it reaches its speed, released it stops.

Seed 002, motion model: no control signal, the same location; a signal, the force that reaches its
velocity against a drag linear in velocity; when it ends, the drag slows it down until it hovers.
Which speed a tilt belongs to is tum_ardrone's: c2 times the sine of the tilt.
"""

import math

import numpy as np

from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of_bare
from simulation.scenarios.experiments.commanded import command, hovering
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.flight_measures import tilts_deg
from simulation.scenarios.measures import Column
from simulation.scenarios.track import OutputTrack

_SPEED_PER_SINE_MPS = 17.8  # c2 of DroneKalmanFilter.cpp, not of the aircraft's file
_STILL_S, _COMMANDED_S, _RELEASED_S = 3.0, 10.0, 8.0


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: speed and way without a command, how far the speed at a tilt is from that of the
    prediction, the speed when the release is over, and how long that took to fall to 0.37."""
    values = experiment.values
    flight = hovering(experiment, 10, values["drag_share"])
    simulator, left = flight.simulator, values["left_command"]
    p = simulator.record["parameters"]
    tilted = math.radians(values["tilt_deg"]) / float(p["tilt_per_command"])
    command(simulator, (0.0, left, 0.0, 0.0))
    begin_s = flight.now_s
    flight.advance(_STILL_S)
    command(simulator, (0.0, -tilted, 0.0, 0.0))
    flight.advance(_COMMANDED_S)
    released_s = flight.now_s
    command(simulator, (0.0, left, 0.0, 0.0))
    flight.advance(_RELEASED_S)
    track = flight.track
    still = (track.time_s > begin_s) & (track.time_s <= begin_s + _STILL_S)
    place, speed = track["true_position"][still], _speeds(track)
    at_tilt = int(np.searchsorted(track.time_s, released_s))
    wanted = _SPEED_PER_SINE_MPS * math.sin(math.radians(values["tilt_deg"]))
    metrics = {
        "hover_speed_mps": float(np.linalg.norm(track["true_velocity"][still], axis=1).max()),
        "hover_way_m": float(np.linalg.norm(place - place[0], axis=1).max()),
        "tilt_deg": float(tilts_deg(track)[at_tilt]),
        "speed_error_mps": abs(float(speed[at_tilt]) - wanted),
        "released_speed_mps": float(speed[-1]),
        "stopping_s": _stopping_s(track, speed, at_tilt),
    }
    return outcome_of_bare(flight, metrics, _figure(experiment, track, wanted))


def _speeds(track: OutputTrack) -> Column:
    speeds: Column = np.hypot(*track["true_velocity"][:, :2].T)
    return speeds


def _stopping_s(track: OutputTrack, speed: Column, released: int) -> float:
    """From the release until the speed is 1 / e of what it was; infinite if it never is."""
    slow = speed[released:] < speed[released] / math.e
    return (
        float(track.time_s[released:][slow][0] - track.time_s[released]) if slow.any() else math.inf
    )


def _figure(experiment: Experiment, track: OutputTrack, wanted: float) -> Figure:
    time, flown = ("time, s", track.time_s), {"flown": _speeds(track)}
    axes = curves("Speed over the ground", time, "m/s", flown, bands=(0.05, wanted))
    return Figure(experiment.scenario.title, (axes,))
