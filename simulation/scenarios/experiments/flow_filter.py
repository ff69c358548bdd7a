"""D3: the low-pass filter of the optic flow, alpha 0.2 at 16 ms, is an RC of 64 ms.

A ramp comes out of it later by RC, as of every filter of first order. With eq. 33 of seed 003 as
printed, which has the input's last value in the place of the output's, the delay is 12.8 ms.
"""

import hashlib
from typing import Final

import numpy as np

from simulation.perception.flow.low_pass import LowPass, time_constant_s
from simulation.scenarios.coaxial_flight import CYCLE_S
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.measures import Column

_SAMPLES: Final = 200


def run(experiment: Experiment) -> RunOutcome:
    """How much later a ramp comes out, and how far a step has come after one sample."""
    alpha = experiment.values["alpha"]
    as_printed = experiment.values["as_printed"] != 0.0
    time_s = np.arange(1.0, _SAMPLES + 1.0) * np.float64(CYCLE_S)
    ramp = _filtered(time_s, alpha, as_printed)
    step = _filtered(np.ones(_SAMPLES), alpha, as_printed)
    metrics = {
        "ramp_delay_ms": 1e3 * float(time_s[-1] - ramp[-1]),
        "time_constant_ms": 1e3 * time_constant_s(alpha, CYCLE_S),
        "first_share": float(step[0]),
        "rest_after_1_s": float(1.0 - step[round(1.0 / CYCLE_S)]),
    }
    digest = hashlib.sha256(np.concatenate([ramp, step]).tobytes()).hexdigest()
    shown = time_s < 0.5
    axes = curves("Step", ("time, s", time_s[shown]), "", {"filtered step": step[shown]})
    return RunOutcome(metrics, Figure("Low-pass", (axes,)), digest)


def _filtered(values: Column, alpha: float, as_printed: bool) -> Column:
    if as_printed:
        before = np.concatenate([[0.0], values[:-1]])
        return (1.0 - alpha) * before + alpha * values
    low_pass = LowPass(alpha)
    return np.array([float(low_pass.add(value)) for value in values])
