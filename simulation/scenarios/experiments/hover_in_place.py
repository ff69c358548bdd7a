"""Hovering in place: the coaxial helicopter stays where it is by its optic flow, after a push.

Seed 003, section 7.4.
"""

import math
from typing import Final

from simulation.scenarios.controllers.hover_in_place import HoverInPlace
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world

_START_M: Final = (2.0, 0.3, -1.5)


def run(experiment: Experiment) -> RunOutcome:
    """How far it is from where it began, and how fast, at the end."""
    values = experiment.values
    controller = HoverInPlace(values["per_count"], values["per_way"])
    loop = fly_in_world(experiment, controller, _START_M)
    loop.flight.begin_with((values["push_north_mps"], values["push_east_mps"], 0.0))
    loop.fly_for(values["seconds"])
    north_mps, east_mps, _ = loop.flight.track["true_velocity"][-1].tolist()
    metrics = {
        "away_m": math.dist(loop.flight.place[:2], _START_M[:2]),
        "speed_mps": math.hypot(north_mps, east_mps),
    }
    return loop.outcome(metrics)
