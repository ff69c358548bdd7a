"""Obstacle avoidance: the coaxial helicopter keeps off a room's walls by saccades.

Seed 003, section 7.4.
"""

from typing import Final

from simulation.scenarios.controllers.obstacle_avoidance import ObstacleAvoidance
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world

_START_M: Final = (2.0, 0.5, -1.5)


def run(experiment: Experiment) -> RunOutcome:
    """How often it turned away, and how long it flew until it touched something."""
    values = experiment.values
    controller = ObstacleAvoidance(values["growth"])
    loop = fly_in_world(experiment, controller, _START_M)
    flown_s = loop.fly_for(values["seconds"])
    return loop.outcome({"saccades": float(controller.saccades), "flown_s": flown_s})
