"""Constant flow: the coaxial helicopter in a corridor, as fast as its mean optic flow allows.

It flies faster where the corridor is wider (seed 003, section 7.3).
"""

from typing import Final

import numpy as np

from simulation.scenarios.coaxial_flight import CYCLE_S
from simulation.scenarios.controllers.constant_flow import ConstantFlow
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world

_LAST: Final = 100
"""Cycles that are looked at."""
_START_M: Final = (2.0, 0.1, -1.5)


def run(experiment: Experiment) -> RunOutcome:
    """Mean flow of all cameras and mean speed over the last cycles."""
    values = experiment.values
    gains = values["pitch_per_count"], values["pitch_per_count_second"]
    loop = fly_in_world(experiment, ConstantFlow(values["flow"], *gains), _START_M)
    loop.fly_for(values["seconds"] - _LAST * CYCLE_S)
    flows = [float(np.abs(loop.advance().flow).mean()) for _ in range(_LAST)]
    metrics = {
        "mean_flow": float(np.mean(flows)),
        "speed_mps": float(loop.flight.track["true_velocity"][-_LAST:, 0].mean()),
    }
    return loop.outcome(metrics)
