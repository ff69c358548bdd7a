"""D8: which way the coaxial helicopter turns when its upper rotor is the faster one.

The upper rotor turns counterclockwise, seen from above, so the body is turned clockwise: the nose
goes right, M_z = M_u - M_l. Eq. 19 of seed 003 has M_l - M_u, its program is right. Its torque,
0.001 Nm per unit of speed squared, is an eighth of what moving the air takes; here it is that of
momentum theory with a figure of merit of 0.4, which with thrust goes with the square of speed too.
"""

import math
from typing import Final

import numpy as np

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.scenarios.coaxial_flight import (
    CYCLE_S,
    HOVER,
    UNIT_RADPS,
    CoaxialCommand,
    CoaxialFlight,
)
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.measures import Column

_AREA_M2: Final = math.pi * 0.095**2
_ROTOR_DRAG: Final = 1.0 / (0.4 * UNIT_RADPS * math.sqrt(2.0 * SEA_LEVEL_DENSITY * _AREA_M2))
"""Nm at a unit of speed, whose thrust T is 1 N: T v_i over the figure of merit and that speed."""
_INERTIA = 1.8e-5
_CYCLES = 60


def run(experiment: Experiment) -> RunOutcome:
    """The rate of turn after a second, with the upper rotor faster, slower and as fast."""
    difference = experiment.values["difference"]
    if experiment.values["as_printed"] != 0.0:
        difference = -difference
    flights = [_flown(experiment, sign * difference) for sign in (1.0, -1.0, 0.0)]
    faster, slower, same = (rates[-1] for _, rates in flights)
    # From the second cycle on: in the first one the rotors' lag and their reaction are in it.
    begin = (flights[0][1][1] - flights[0][1][0]) / CYCLE_S
    expected = np.degrees(_ROTOR_DRAG * 4.0 * HOVER * experiment.values["difference"] / _INERTIA)
    metrics = {
        "upper_faster_dps": float(faster),
        "upper_slower_dps": float(slower),
        "same_speed_dps": float(abs(same)),
        "moment_error": float(abs(begin / expected - 1.0)),
    }
    time = ("time, s", np.arange(1, _CYCLES + 1) * CYCLE_S)
    rates = dict(zip(("faster", "slower", "same"), (flown for _, flown in flights), strict=True))
    figure = Figure("The upper rotor's speed", (curves("Rate of turn", time, "deg/s", rates),))
    return RunOutcome(metrics, figure, flights[0][0])


def _flown(experiment: Experiment, yaw: float) -> tuple[str, Column]:
    """The digest and the rate of turn after each cycle, deg/s."""
    flight = CoaxialFlight(experiment)
    flight.command(CoaxialCommand(HOVER, yaw=yaw))
    flight.advance(_CYCLES)
    return flight.track.digest(), np.asarray(flight.track["true_rates"][:, 2])
