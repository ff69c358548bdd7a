"""D1: image interpolation (I2A) on pictures that are known to have moved.

A picture of waves, none shorter than `wavelength_px`, is drawn twice, the second time moved by up
to half a pixel; drawn, not resampled, so that the motion is exact. Where something is at x first
and at x + 0.5 then, dx is +0.5 (seed 003, eq. 23 to 29: f2 is the picture moved to +x).
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.perception.flow.image_interpolation import COUNTS
from simulation.perception.flow.picture_flow import INT8, REAL, FlowArithmetic, PictureFlow
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, Style, curves

Array = npt.NDArray[np.float64]

_SIDE: Final = 16
_WAVES: Final = 24
_SHIFTS: Final = np.arange(-10, 11) / 20.0


def run(experiment: Experiment) -> RunOutcome:
    """Errors of the motion across and down, relative to half a pixel, and of what the whole
    numbers of firmware make of it."""
    waves = _Waves(experiment.seed, experiment.values)
    sign = -1.0 if experiment.values["mirrored"] != 0.0 else 1.0
    across = np.array([_found(waves, (sign * float(d), 0.0), REAL) for d in _SHIFTS])
    down = np.array([_found(waves, (0.0, sign * float(d)), REAL) for d in _SHIFTS])
    counts = np.array([_found(waves, (sign * float(d), 0.0), INT8) for d in _SHIFTS]) / COUNTS
    half = np.abs(_SHIFTS) == 0.5
    metrics = {
        "across_error": _error(across[half, 0], _SHIFTS[half]),
        "down_error": _error(down[half, 1], _SHIFTS[half]),
        "whole_error": _error(counts[half, 0], _SHIFTS[half]),
        "to_the_right_px": float(across[-1, 0]),
        "leakage_px": float(max(np.abs(across[:, 1]).max(), np.abs(down[:, 0]).max())),
    }
    digest = hashlib.sha256(np.concatenate([across, down, counts]).tobytes()).hexdigest()
    return RunOutcome(metrics, _figure(across[:, 0], counts[:, 0]), digest)


class _Waves:
    """Plane waves in all directions, about a mean grey."""

    def __init__(self, seed: int, values: Mapping[str, float]) -> None:
        random = np.random.default_rng([seed, 0xD1])
        turn = random.uniform(0.0, 2.0 * np.pi, _WAVES)
        length = values["wavelength_px"] * random.uniform(1.0, 3.0, _WAVES)
        self._waves = 2.0 * np.pi / length * np.array([np.cos(turn), np.sin(turn)])
        self._phase = random.uniform(0.0, 2.0 * np.pi, _WAVES)

    def drawn(self, moved: tuple[float, float]) -> Array:
        """(1, rows, columns), everything moved by so many pixels to the right and down."""
        down, across = np.mgrid[0:_SIDE, 0:_SIDE]
        x, y = across - moved[0], down - moved[1]
        angle = x[..., None] * self._waves[0] + y[..., None] * self._waves[1] + self._phase
        return np.asarray(128.0 + 8.0 * np.cos(angle).sum(axis=-1))[None]


def _found(waves: _Waves, moved: tuple[float, float], arithmetic: FlowArithmetic) -> Array:
    flow = PictureFlow((1, _SIDE, _SIDE), arithmetic)
    flow.add(waves.drawn((0.0, 0.0)))
    flow.add(waves.drawn(moved))
    found: Array = flow.flow[0]
    return found


def _error(found: Any, true: Any) -> float:
    """The largest, relative."""
    return float(np.abs(found / true - 1.0).max())


def _figure(across: Array, counts: Array) -> Figure:
    values = {"moved": _SHIFTS, "real numbers": across, "whole numbers": counts}
    styles: dict[str, Style] = {"moved": "dashed", "whole numbers": "dots"}
    axes = curves("Motion across", ("moved, px", _SHIFTS), "px", values, styles)
    return Figure("Image interpolation", (axes,))
