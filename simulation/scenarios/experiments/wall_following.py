"""Wall following: the coaxial helicopter along the wall on its right, by its optic flow.

Seed 003, section 7.4.

It begins farther away than the flow that it keeps asks for, with a constant pitch command. A
constant flow at a constant speed is a constant distance; the bands say which.
"""

from typing import Final

from simulation.scenarios.controllers.wall_following import WallFollowing
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world

_START_M: Final = (2.0, 0.0, -1.5)


def run(experiment: Experiment) -> RunOutcome:
    """Distance from the wall and speed along it, at the end."""
    values = experiment.values
    wall_m = values["width_m"] / 2.0
    controller = WallFollowing(values["flow"], values["roll_per_count"])
    north, _, down = _START_M
    start = (north, wall_m - values["start_m"], down)
    loop = fly_in_world(experiment, controller, start)
    loop.fly_for(values["seconds"])
    metrics = {
        "distance_m": wall_m - loop.flight.place[1],
        "speed_mps": float(loop.flight.track["true_velocity"][-1, 0]),
    }
    return loop.outcome(metrics, walls_m=(wall_m,))
