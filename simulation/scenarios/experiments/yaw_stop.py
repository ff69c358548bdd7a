"""C2, yaw stop: how fast turning ends with its command, against how fast moving does.

Seed 002 brakes turning with D_r = 20 D_b, the same number in other units: I_z w' = -D_r w and
m v' = -D_b v make time constants of the ratio (I_z / m) / 20. The aircraft's file has the drag
about z that was fitted to flights instead, which stops it in a tenth of a second; it is flown too.
Exponentials forget how fast it was: the time constants are the same after commands of any size and
direction, which are drawn.
"""

import math

import numpy as np

from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of_bare
from simulation.scenarios.experiments.commanded import command, hovering
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.several_seeds import drawn, fly_seeds

_TURNED_S, _STOPPED_S = 1.0, 0.5
_MOVED_S, _LEVELLED_S, _SLOWED_S = 2.0, 1.0, 1.0
_MOVED = 0.3
_STOPPED_DPS = 0.25  # a hundredth of what one command is


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """Metrics: time constants of turning and moving, how far their ratio is from the seed's as a
    share of it, until when turning has stopped, and the time constant of the file as it is."""
    flight = hovering(experiment, 1)
    p = flight.simulator.record["parameters"]
    turn, way = _drawn_command(experiment.seed, 0), math.pi * drawn(experiment.seed, 2)
    fitted_s, _ = _stop_turning(flight, turn)
    p["yaw_drag"] = experiment.values["yaw_drag_per_drag"] * p["linear_drag"]
    turning_s, stopped_s = _stop_turning(flight, turn)
    moving_s = _stop_moving(flight, way)
    ratio = float(p["inertia"][2] / p["mass"]) / 20.0
    metrics = {
        "turning_time_constant_s": turning_s,
        "moving_time_constant_s": moving_s,
        "ratio_error": abs(turning_s / moving_s / ratio - 1.0),
        "stopped_after_s": stopped_s,
        "fitted_time_constant_s": fitted_s,
    }
    rates = {"flown": flight.track["true_rates"][:, 2]}
    axes = curves("Rate about z", ("time, s", flight.track.time_s), "deg/s", rates)
    return outcome_of_bare(flight, metrics, Figure(experiment.scenario.title, (axes,)))


def _drawn_command(seed: int, number: int) -> float:
    """Half of the most to the most, either way."""
    return math.copysign(0.75 + 0.25 * drawn(seed, number), drawn(seed, number + 1))


def _stop_turning(flight: BareFlight, wanted: float) -> tuple[float, float]:
    """The time constant, and the time from the end of the command until it stands."""
    command(flight.simulator, (0.0, 0.0, wanted, 0.0))
    flight.advance(_TURNED_S)
    begin = len(flight.track)
    command(flight.simulator, (0.0, 0.0, 0.0, 0.0))
    flight.advance(_STOPPED_S)
    rates = np.abs(flight.track["true_rates"][begin:, 2])
    times_s = flight.track.time_s[begin:]
    falls = (rates < 0.9 * rates[0]) & (rates > 0.1 * rates[0])
    first, last = np.flatnonzero(falls)[[0, -1]]
    constant_s = (times_s[last] - times_s[first]) / math.log(rates[first] / rates[last])
    moving = times_s[rates >= abs(wanted) * _STOPPED_DPS]
    return float(constant_s), float(moving[-1] - times_s[0])


def _stop_moving(flight: BareFlight, way_rad: float) -> float:
    """The time constant of the speed ahead once it is level again."""
    ahead, right = _MOVED * math.cos(way_rad), _MOVED * math.sin(way_rad)
    command(flight.simulator, (right, -ahead, 0.0, 0.0))
    flight.advance(_MOVED_S)
    command(flight.simulator, (0.0, 0.0, 0.0, 0.0))
    flight.advance(_LEVELLED_S)
    before = _speed(flight)
    flight.advance(_SLOWED_S)
    return _SLOWED_S / math.log(before / _speed(flight))


def _speed(flight: BareFlight) -> float:
    return float(np.hypot(*flight.simulator.output["true_velocity"][:2]))
