"""D6: two throttles keep the height of the coaxial helicopter, as in seed 003's controller.

Above 1.7 m it takes .382, below 1.3 m .385, and in between what it took before. What is left over
of its weight, m g - 2 C W^2, is what drag holds at the end: .33 m/s up and .35 m/s down. It flies
ahead with the seed's pitch: drag grows with the whole speed, and at rest it would swing farther.
The band is that of 1200 cycles; later it swings down to 1.16 m, as its tilted rotor lifts less.
"""

import math

import numpy as np

from simulation.environment.earth import GRAVITY
from simulation.scenarios.coaxial_flight import CYCLE_S, HOVER, CoaxialCommand, CoaxialFlight
from simulation.scenarios.controllers.altitude import LOWER_M, UPPER_M, AltitudeSwitch
from simulation.scenarios.controllers.corridor_following import PITCH
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.track import OutputTrack

_MASS_KG, _DRAG = 0.030, 0.02
_SETTLING_S = 8.0


def run(experiment: Experiment) -> RunOutcome:
    """Lowest and highest place of the flight, and the terminal speeds of both throttles."""
    values = experiment.values
    sinking, climbing = values["sinking"], values["climbing"]
    flight = CoaxialFlight(experiment)
    switch = AltitudeSwitch(sinking, climbing)
    for _ in range(round(values["duration_s"] / CYCLE_S)):
        flight.command(CoaxialCommand(switch.at(flight.height_m), pitch=PITCH))
        flight.advance()
    track = flight.track
    heights = -track["true_position"][:, 2]
    metrics = {
        "lowest_m": float(heights.min()),
        "highest_m": float(heights.max()),
        "climb_mps": -_terminal_mps(experiment, climbing),
        "sink_mps": _terminal_mps(experiment, sinking),
        "climb_by_drag_mps": _by_drag_mps(climbing),
        "sink_by_drag_mps": _by_drag_mps(sinking),
    }
    return RunOutcome(metrics, _figure(track), track.digest(), flight.has_crashed)


def _terminal_mps(experiment: Experiment, throttle: float) -> float:
    """Downwards, after a time with this throttle, begun so near to it that it gets there."""
    sinks = throttle < HOVER
    flight = CoaxialFlight(experiment, (0.0, 0.0, -4.0 if sinks else -0.6))
    flight.begin_with((0.0, 0.0, 0.3 if sinks else -0.3))
    flight.command(CoaxialCommand(throttle))
    flight.advance(round(_SETTLING_S / CYCLE_S))
    return float(flight.track["true_velocity"][-1, 2])


def _by_drag_mps(throttle: float) -> float:
    """Where drag balances what thrust and weight leave, by hand."""
    return math.sqrt(abs(2.0 * throttle**2 - _MASS_KG * GRAVITY) / _DRAG)


def _figure(track: OutputTrack) -> Figure:
    time, height = ("time, s", track.time_s), -np.asarray(track["true_position"])[:, 2]
    axes = curves("Height", time, "m", {"height": height}, bands=(LOWER_M, UPPER_M))
    return Figure("Height between two throttles", (axes,))
