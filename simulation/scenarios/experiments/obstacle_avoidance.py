"""Obstacle avoidance: the coaxial helicopter keeps off a room's walls by saccades.

Seed 003, section 7.4.

Where in the middle of the room it begins, and its heading, are drawn.
"""

import math
from typing import Final

import numpy as np

from simulation.scenarios.controllers.obstacle_avoidance import ObstacleAvoidance
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world
from simulation.scenarios.several_seeds import drawn, fly_seeds

_MIDDLE_M: Final = (1.5, 0.0, -1.5)
_AROUND_M: Final = 1.0


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """How often it turned away, how long it flew until it touched something, how near to a wall it
    came, and the way that it flew."""
    values, seed = experiment.values, experiment.seed
    controller = ObstacleAvoidance(values["growth"], values["brake"])
    north_m, east_m, down_m = _MIDDLE_M
    start = (north_m + _AROUND_M * drawn(seed, 0), east_m + _AROUND_M * drawn(seed, 1), down_m)
    loop = fly_in_world(experiment, controller, start, heading_rad=math.pi * drawn(seed, 2))
    flown_s = loop.fly_for(values["seconds"])
    place = np.asarray(loop.flight.track["true_position"])[:, :2]
    sides = np.array([values["length_m"], values["width_m"]]) / 2.0
    metrics = {
        "saccades": float(controller.saccades),
        "flown_s": flown_s,
        "nearest_m": float((sides - np.abs(place - [values["length_m"] / 2.0 - 1.5, 0.0])).min()),
        "way_m": float(np.hypot(*np.diff(place, axis=0).T).sum()),
    }
    return loop.outcome(metrics)
