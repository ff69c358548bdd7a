"""Hovering in place: the coaxial helicopter stays where it is by its optic flow, after a push.

Seed 003, section 7.4.

Where it begins and where the push goes are drawn.
"""

import math
from typing import Final

import numpy as np

from simulation.scenarios.controllers.hover_in_place import HoverInPlace
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world
from simulation.scenarios.measures import distances
from simulation.scenarios.several_seeds import drawn, fly_seeds

_START_M: Final = (2.0, 0.3, -1.5)
_ALONG_M, _ASIDE_M = 0.5, 0.3
_BACK_S: Final = 20.0
"""Until it is back from the push; of a shorter flight the second half counts."""


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """How far it is from where it began at most, and how fast, once it is back, and for how long it
    flew."""
    values, seed = experiment.values, experiment.seed
    controller = HoverInPlace(values["per_count"], values["per_way"], values["homing"] != 0.0)
    north_m, east_m, down_m = _START_M
    start = (north_m + _ALONG_M * drawn(seed, 0), east_m + _ASIDE_M * drawn(seed, 1), down_m)
    loop = fly_in_world(experiment, controller, start)
    towards = math.pi * drawn(seed, 2)
    push_mps = values["push_mps"]
    loop.flight.begin_with((push_mps * math.cos(towards), push_mps * math.sin(towards), 0.0))
    flown_s = loop.fly_for(values["seconds"])
    track = loop.flight.track
    back = loop.cycles_of(min(_BACK_S, 0.5 * flown_s))
    speeds = np.hypot(*np.asarray(track["true_velocity"])[back:, :2].T)
    metrics = {
        "away_m": float(distances(track["true_position"][back:, :2], start[:2]).max()),
        "speed_mps": float(np.sqrt(np.mean(speeds**2))),
        "flown_s": flown_s,
    }
    return loop.outcome(metrics)
