"""Residuals of a fit by channel: how much is left, how much that is, and whether it is noise."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from simulation.identification.logged_flight import Floats
from simulation.identification.synthesis import CHANNELS, UNITS, Synthesis

_LAGS: Final = 20
_WORSE: Final = -0.2
_LEAST: Final = 50
_SIGMAS: Final = 1.96


@dataclass(frozen=True, slots=True)
class ChannelResidual:
    """What is left of one channel, in its unit.

    `explained` is the share of its variance about the means of the windows that the model repeats;
    of a channel that shows noise only it is about 0. `whiteness` is the share of the first
    autocorrelations that lie within what 95 % of those of white noise do: 0.95 where only noise is
    left (Ljung, System Identification, 2nd ed., 16.6).
    """

    unit: str
    rms: float
    explained: float
    whiteness: float
    samples: int

    @property
    def is_worse_than_nothing(self) -> bool:
        """Whether the mean of each window would have been nearer."""
        return self.explained < _WORSE


def judge_residuals(
    synthesis: Synthesis, predicted: Floats, counts: Floats
) -> dict[str, ChannelResidual]:
    """By the names of CHANNELS, those that have samples, in windows that count (windows,). The
    attitude is no measurement."""
    residual = synthesis.observed - predicted
    bounds = synthesis.bounds()
    window = np.repeat(np.arange(synthesis.windows), np.diff(bounds))
    found = {}
    for number, name in enumerate(CHANNELS):
        sensor = name.partition("_")[0]
        own = (synthesis.channel == number) & (counts[window] > 0.0)
        if sensor == "attitude" or own.sum() < _LEAST:
            continue
        left, seen, part = residual[own], synthesis.observed[own], window[own]
        sizes = np.maximum(np.bincount(part, minlength=synthesis.windows), 1)
        means = np.bincount(part, seen, synthesis.windows) / sizes
        around = float(((seen - means[part]) ** 2).sum())
        found[name] = ChannelResidual(
            UNITS[sensor],
            float(np.sqrt((left**2).mean())),
            1.0 - float((left**2).sum()) / max(around, 1e-12),
            _whiteness(left),
            len(left),
        )
    return found


def _whiteness(left: Floats) -> float:
    centred = left - left.mean()
    power = float((centred**2).sum())
    lags = range(1, min(_LAGS, len(left) // 4) + 1)
    limit = _SIGMAS / np.sqrt(len(left))
    within = [abs(float(centred[k:] @ centred[:-k])) / power < limit for k in lags]
    return float(np.mean(within)) if within and power > 0.0 else 1.0
