"""D6: two throttles keep the height of the coaxial helicopter, as in seed 003's controller.

Above 1.7 m it takes .382, below 1.3 m .385, and in between what it took before. What is left over
of its weight, m g - 2 C W^2, is what drag holds at the end: .33 m/s up and .35 m/s down. It flies
ahead with the seed's pitch, and then hovers, where no drag of its speed damps it. The seed's law
leaves the band of 1.2 to 1.8 m after 20 s; the one flown looks ahead, see
`simulation/scenarios/controllers/altitude.py`, and `lead_s` 0 is the seed's. Heights are measured
with noise; height and climb at the beginning are drawn.
"""

import hashlib
import math
from dataclasses import replace

import numpy as np

from simulation.environment.earth import GRAVITY
from simulation.scenarios.coaxial_flight import CYCLE_S, HOVER, CoaxialCommand, CoaxialFlight
from simulation.scenarios.controllers.altitude import LOWER_M, UPPER_M, AltitudeSwitch
from simulation.scenarios.controllers.corridor_following import PITCH
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.flow_flight import measured_height_m
from simulation.scenarios.several_seeds import drawn, fly_seeds
from simulation.scenarios.track import OutputTrack

_MASS_KG, _DRAG = 0.030, 0.02
_SETTLING_S = 8.0
_HEIGHT_M, _AROUND_M, _CLIMB_MPS = 1.5, 0.1, 0.1


def run(experiment: Experiment) -> RunOutcome:
    """Lowest and highest place of all flights, and the terminal speeds of both throttles."""
    sinking, climbing = experiment.values["sinking"], experiment.values["climbing"]
    kept = fly_seeds(experiment, _flown)
    speeds = {
        "climb_mps": -_terminal_mps(experiment, climbing),
        "sink_mps": _terminal_mps(experiment, sinking),
        "climb_by_drag_mps": _by_drag_mps(climbing),
        "sink_by_drag_mps": _by_drag_mps(sinking),
    }
    return replace(kept, metrics={**kept.metrics, **speeds})


def _flown(experiment: Experiment) -> RunOutcome:
    """Lowest and highest place, ahead and in place."""
    values, seed = experiment.values, experiment.seed
    tracks, crashed = [], False
    for number, pitch in enumerate((PITCH, 0.0)):
        height_m = _HEIGHT_M + _AROUND_M * drawn(seed, 2 * number)
        flight = CoaxialFlight(experiment, (0.0, 0.0, -height_m))
        flight.begin_with((0.0, 0.0, _CLIMB_MPS * drawn(seed, 2 * number + 1)))
        switch = AltitudeSwitch(values["sinking"], values["climbing"], values["lead_s"])
        for cycle in range(round(values["duration_s"] / CYCLE_S)):
            throttle = switch.at(measured_height_m(flight, cycle))
            flight.command(CoaxialCommand(throttle, pitch=pitch))
            flight.advance()
        tracks.append(flight.track)
        crashed = crashed or flight.has_crashed
    heights = -np.concatenate([track["true_position"][:, 2] for track in tracks])
    metrics = {"lowest_m": float(heights.min()), "highest_m": float(heights.max())}
    digest = hashlib.sha256("".join(track.digest() for track in tracks).encode()).hexdigest()
    return RunOutcome(metrics, _figure(tracks[0]), digest, crashed)


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
