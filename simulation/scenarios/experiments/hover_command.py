"""C1: without a command the AR.Drone hovers, with one it reaches its speed, released it stops.

Seed 002, motion model: no control signal, the same location; a signal, the force that reaches its
velocity against a drag linear in velocity; when it ends, the drag slows it down until it hovers.
The aircraft's file has the constants of tum_ardrone, which were fitted to flights; no flight of
this drone has been published beside. So what is judged is where it goes: its whole way, through
commands drawn in direction, size and length, against tum_ardrone's prediction, integrated here
from that program's own constants, with the heading alone taken from the flight:

    tilt' = c3 (wanted - tilt),  v' = c1 (c2 sin(tilt) - v)
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.mathematics.rotation import euler_of
from simulation.records.interface import STEP_S
from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of_bare
from simulation.scenarios.experiments.commanded import command, hovering
from simulation.scenarios.figure import Figure, from_above
from simulation.scenarios.flight_measures import tilts_deg
from simulation.scenarios.measures import Column
from simulation.scenarios.several_seeds import drawn, fly_seeds
from simulation.scenarios.track import OutputTrack

Array = npt.NDArray[np.float64]

_C1_PER_S, _C2_MPS, _C3_PER_S = 0.58, 17.8, 10.0  # DroneKalmanFilter.cpp, not the aircraft's file
_SAMPLE_STEPS: Final = 10
_COMMANDED_S, _RELEASED_S = 10.0, 8.0
_MORE: Final = 3
"""Commands after the first, of a size and length that are drawn."""
_SHARES: Final = (0.3, 1.0)
_LENGTHS_S: Final = (2.0, 8.0)
_MOST_TURN_S: Final = 7.0
_SAMPLE_S: Final = _SAMPLE_STEPS * STEP_S


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """Metrics: speed and way without a command, how far the speed at a tilt is from that of the
    prediction, the speed when the release is over, how long that took to fall to 0.37, and how far
    it was from the predicted place at most, as a share of the way flown."""
    values, seed = experiment.values, experiment.seed
    flight = hovering(experiment, _SAMPLE_STEPS, values["drag_share"])
    per_command = float(flight.simulator.record["parameters"]["tilt_per_command"])
    left = values["left_command"]
    command(flight.simulator, (0.0, left, math.copysign(1.0, drawn(seed, 0)), 0.0))
    flight.advance(round(_MOST_TURN_S * abs(drawn(seed, 0)), 2))
    command(flight.simulator, (0.0, left, 0.0, 0.0))
    flight.advance(2.0)
    begin, begin_s = len(flight.track), flight.now_s
    flight.advance(values["still_s"])
    wanted: list[tuple[float, Array]] = [(flight.now_s - begin_s, np.zeros(2))]

    def tilt(way_rad: float, tilt_rad: float, seconds: float) -> None:
        ahead, right = tilt_rad * math.cos(way_rad), tilt_rad * math.sin(way_rad)
        command(flight.simulator, (right / per_command, left - ahead / per_command, 0.0, 0.0))
        flight.advance(seconds)
        command(flight.simulator, (0.0, left, 0.0, 0.0))
        flight.advance(_RELEASED_S)
        wanted.extend([(seconds, np.array([ahead, right])), (_RELEASED_S, np.zeros(2))])

    tilted = math.radians(values["tilt_deg"])
    tilt(math.pi * drawn(seed, 1), tilted, _COMMANDED_S)
    first_s = flight.now_s
    for number in range(_MORE):
        share, seconds = (
            low + 0.5 * (1.0 + drawn(seed, 10 * number + key)) * (high - low)
            for key, (low, high) in ((2, _SHARES), (3, _LENGTHS_S))
        )
        tilt(math.pi * drawn(seed, 10 * number + 4), share * tilted, round(seconds, 2))
    track = flight.track
    place, speed, time_s = track["true_position"][begin:, :2], _speeds(track), track.time_s
    still = time_s[begin:] <= begin_s + values["still_s"]
    at_tilt = int(np.searchsorted(time_s, first_s - _RELEASED_S)) - 1
    slowed = int(np.searchsorted(time_s, first_s)) - 1
    predicted = _predicted(flight, begin, wanted)
    way_m = float(np.hypot(*np.diff(place, axis=0).T).sum())
    metrics = {
        "hover_speed_mps": float(speed[begin:][still].max()),
        "hover_way_m": float(np.hypot(*(place[still] - place[0]).T).max()),
        "tilt_deg": float(tilts_deg(track)[at_tilt]),
        "speed_error_mps": abs(float(speed[at_tilt]) - _C2_MPS * math.sin(tilted)),
        "released_speed_mps": float(speed[slowed]),
        "stopping_s": _stopping_s(time_s, speed, at_tilt),
        "place_error": float(np.hypot(*(place - predicted).T).max()) / way_m,
    }
    ways = {"flown": np.asarray(place), "predicted": predicted}
    figure = Figure(experiment.scenario.title, (from_above("Way", ways, {"predicted": "dashed"}),))
    return outcome_of_bare(flight, metrics, figure)


def _predicted(flight: BareFlight, begin: int, wanted: list[tuple[float, Array]]) -> Array:
    """North and east (n, 2) of every sample from `begin` on: what tum_ardrone predicts of these
    tilts ahead and to the right, each for so many seconds. Each sample is a solution in closed form
    for the mean of its tilts."""
    track = flight.track
    heading = euler_of(track["true_quaternion"][begin].tolist())[2]
    turn = np.array(
        [
            [math.cos(heading), -math.sin(heading)],
            [math.sin(heading), math.cos(heading)],
        ]
    )
    place = np.array(track["true_position"][begin, :2])
    velocity, tilt = np.zeros(2), np.zeros(2)
    places = [place]
    follows, keeps = math.exp(-_C3_PER_S * _SAMPLE_S), math.exp(-_C1_PER_S * _SAMPLE_S)
    for seconds, asked in wanted:
        for _ in range(round(seconds / _SAMPLE_S)):
            before, tilt = tilt, asked + (tilt - asked) * follows
            end = _C2_MPS * np.sin(0.5 * (before + tilt))
            way = _SAMPLE_S * end + (velocity - end) * (1.0 - keeps) / _C1_PER_S
            velocity = end + (velocity - end) * keeps
            place = place + turn @ way
            places.append(place)
    return np.array(places)[: len(track) - begin]


def _speeds(track: OutputTrack) -> Column:
    speeds: Column = np.hypot(*track["true_velocity"][:, :2].T)
    return speeds


def _stopping_s(time_s: Column, speed: Column, released: int) -> float:
    """From the release until the speed is 1 / e of what it was; infinite if it never is."""
    slow = speed[released:] < speed[released] / math.e
    return float(time_s[released:][slow][0] - time_s[released]) if slow.any() else math.inf
