"""D5: the coaxial helicopter flies along a corridor by its optic flow and finds the middle (seed
003, figure 42).

It begins near a wall, with a constant pitch command, and flies with the controller of
`simulation/scenarios/controllers/corridor_following.py`. The flight ends where it touches
something, which its rotors would not survive. The seed flies 1200 cycles; here it is minutes, in a
corridor as long as that takes. Place and heading at the beginning are drawn.
"""

import math
from typing import Final

import numpy as np

from simulation.perception.flow.ring_layout import LAYOUTS
from simulation.scenarios.controllers.corridor_following import ROLL_WEIGHTS, CorridorFollowing
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world
from simulation.scenarios.several_seeds import drawn, fly_seeds

_HEIGHT_M: Final = 1.5
_ALONG_M, _ASIDE_M, _TURNED_RAD = 0.5, 0.1, math.radians(3.0)
_FOUND_S: Final = 9.6
"""Half of the seed's flight, until it has found the middle."""


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """Root mean square and largest distance from the middle once it is found, its speed at the
    end, and for how long it flew until it hit a wall."""
    values, seed = experiment.values, experiment.seed
    layout = LAYOUTS["direct" if values["fast"] != 0.0 else "A"]
    aside_m = values["start_m"] + _ASIDE_M * drawn(seed, 1)
    weights = tuple(values["roll_weight"] / ROLL_WEIGHTS[0] * weight for weight in ROLL_WEIGHTS)
    loop = fly_in_world(
        experiment,
        CorridorFollowing(weights),
        (_ALONG_M * drawn(seed, 0), aside_m, -_HEIGHT_M),
        layout,
        values["servo_constant"],
        _TURNED_RAD * drawn(seed, 2),
    )
    flown_s = loop.fly_for(values["seconds"])
    track = loop.flight.track
    aside = np.asarray(track["true_position"])[loop.cycles_of(_FOUND_S) :, 1]
    finds = not loop.flight.touches_something and aside.size > 0
    metrics = {
        "rms_m": float(np.sqrt(np.mean(aside**2))) if finds else math.nan,
        "largest_m": float(np.abs(aside).max()) if finds else math.nan,
        "speed_mps": float(track["true_velocity"][-1, 0]),
        "flown_s": flown_s,
    }
    half_width_m = values["width_m"] / 2.0
    return loop.outcome(metrics, walls_m=(-half_width_m, half_width_m))
