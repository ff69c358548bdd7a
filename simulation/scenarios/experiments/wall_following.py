"""Wall following: the coaxial helicopter along the wall on its right, by its optic flow.

Seed 003, section 7.4.

It begins farther away than the flow that it keeps asks for, with a constant pitch command. A
constant flow at a constant speed is a constant distance; the bands say which. Place and heading at
the beginning are drawn.
"""

import math
from typing import Final

import numpy as np

from simulation.scenarios.controllers.wall_following import WallFollowing
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world
from simulation.scenarios.several_seeds import drawn, fly_seeds

_HEIGHT_M: Final = 1.5
_ALONG_M, _ASIDE_M, _TURNED_RAD = 1.0, 0.1, math.radians(5.0)
_FOUND_S: Final = 8.0
"""Until it has found its distance."""


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """Least and largest distance from the wall once it is found, speed along it at the end, and for
    how long it flew."""
    values, seed = experiment.values, experiment.seed
    wall_m = values["width_m"] / 2.0
    start = (
        _ALONG_M * drawn(seed, 0),
        wall_m - values["start_m"] + _ASIDE_M * drawn(seed, 1),
        -_HEIGHT_M,
    )
    controller = WallFollowing(values["flow"], values["roll_per_count"], values["yaw_per_count"])
    turned = _TURNED_RAD * drawn(seed, 2)
    loop = fly_in_world(experiment, controller, start, heading_rad=turned)
    flown_s = loop.fly_for(values["seconds"])
    track = loop.flight.track
    away = wall_m - np.asarray(track["true_position"])[loop.cycles_of(_FOUND_S) :, 1]
    metrics = {
        "least_distance_m": float(away.min()) if away.size else math.nan,
        "largest_distance_m": float(away.max()) if away.size else math.nan,
        "speed_mps": float(track["true_velocity"][-1, 0]),
        "flown_s": flown_s,
    }
    return loop.outcome(metrics, walls_m=(wall_m,))
