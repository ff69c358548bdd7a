"""D2, yaw derotation: how much flow the ring's own turning makes, and what is left without it.

Turning with r about the vertical moves what a pin-hole camera sees by f (1 + (x / f)^2) r dt, f
being 8 px / tan(37.5 deg) in configuration A: 21 counts per rad/s in the middle of a picture, 25 in
the mean of its columns. Image interpolation sees more, as it weighs edges by their contrast and
takes differences over two pixels for gradients: seed 003 took 29.77, measured in its office.
Turning to the left makes positive flow (its controller, line 309).
"""

import hashlib
from typing import Final

import numpy as np

from simulation.perception.flow.ring_layout import LAYOUTS
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.experiments.ring_turning import Turning, turned
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.flow_flight import FLOW_PER_RADPS, seen_world

_PICTURES: Final = 24
_RATES: Final = (1.0, -1.0)


def run(experiment: Experiment) -> RunOutcome:
    """Counts per rad/s, and the share that is left after de-rotation with the seed's constant."""
    seen = seen_world("corridor:texture=noise", experiment.seed)
    layout = LAYOUTS["A" if experiment.values["coarse"] == 0.0 else "B"]
    sign = -1.0 if experiment.values["gyro_reversed"] != 0.0 else 1.0
    turnings = [turned(seen, layout, rate, _PICTURES) for rate in _RATES]
    constants = [turning.per_radps for turning in turnings]
    left = [float(_derotated(turning, sign).mean()) / FLOW_PER_RADPS for turning in turnings]
    metrics = {
        "counts_per_radps": float(np.mean(constants)),
        "left_turn_counts": float(turnings[1].flow.mean()),
        "left_after_derotation": float(np.abs(left).max()),
    }
    digest = hashlib.sha256(np.concatenate([t.flow for t in turnings]).tobytes()).hexdigest()
    return RunOutcome(metrics, _figure(turnings[0]), digest)


def _derotated(turning: Turning, sign: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return turning.flow + sign * FLOW_PER_RADPS * turning.rate_radps


def _figure(turning: Turning) -> Figure:
    number = np.arange(1, len(turning.flow) + 1)
    values = {
        "mean of all cameras": turning.flow.mean(axis=1),
        "by the gyro": np.full(len(number), -FLOW_PER_RADPS),
    }
    axes = curves("Flow", ("picture", number), "counts", values, {"by the gyro": "dashed"})
    return Figure("Turning right with 1 rad/s", (axes,))
