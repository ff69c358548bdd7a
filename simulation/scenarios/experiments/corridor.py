"""D5: the coaxial helicopter flies along a corridor by its optic flow and finds the middle (seed
003, figure 42).

It begins near a wall, with a constant pitch command, and flies 1200 cycles with the controller of
`simulation/scenarios/controllers/corridor_following.py`. The flight ends where it touches
something, which its rotors would not survive.
"""

from typing import Final

import numpy as np

from simulation.perception.flow.ring_layout import LAYOUTS
from simulation.scenarios.controllers.corridor_following import ROLL_WEIGHTS, CorridorFollowing
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world

CYCLES: Final = 1200
_HEIGHT_M: Final = 1.5


def run(experiment: Experiment) -> RunOutcome:
    """Root mean square and largest distance from the middle in the second half of the flight, its
    speed at the end, and how many cycles it flew until it hit a wall."""
    values = experiment.values
    layout = LAYOUTS["direct" if values["fast"] != 0.0 else "A"]
    start = (0.0, values["start_m"], -_HEIGHT_M)
    weights = tuple(values["roll_weight"] / ROLL_WEIGHTS[0] * weight for weight in ROLL_WEIGHTS)
    controller = CorridorFollowing(weights)
    loop = fly_in_world(experiment, controller, start, layout, values["servo_constant"])
    cycles = loop.fly(CYCLES)
    track = loop.flight.track
    second_half = np.asarray(track["true_position"])[CYCLES // 2 :, 1]
    hit = cycles < CYCLES
    metrics = {
        "rms_m": float(np.sqrt(np.mean(second_half**2))) if not hit else np.nan,
        "largest_m": float(np.abs(second_half).max()) if not hit else np.nan,
        "speed_mps": float(track["true_velocity"][-1, 0]),
        "cycles_flown": float(cycles),
    }
    half_width_m = values["width_m"] / 2.0
    return loop.outcome(metrics, walls_m=(-half_width_m, half_width_m))
