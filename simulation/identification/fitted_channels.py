"""Channels of a fit: what was logged beside what was synthesised, what is left, and whether that is
noise."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from simulation.identification.channels import CHANNELS, UNITS
from simulation.identification.logged_flight import Floats
from simulation.identification.synthesis import Synthesis

_LAGS: Final = 20
_WORSE: Final = -0.2
_LEAST: Final = 50
_SIGMAS: Final = 1.96


@dataclass(frozen=True, slots=True, eq=False)
class FittedChannel:
    """One channel in its unit: (n,) at times in the log's seconds. `spread` is the deviation of
    what was logged from the mean of its window."""

    unit: str
    times: Floats
    logged: Floats
    synthesised: Floats
    spread: float

    @property
    def rms(self) -> float:
        """What is left."""
        return float(np.sqrt(np.mean((self.logged - self.synthesised) ** 2)))

    @property
    def explained(self) -> float:
        """The share of the variance in windows that is repeated; about 0 where only noise was
        logged."""
        return 1.0 - (self.rms / max(self.spread, 1e-9)) ** 2

    @property
    def whiteness(self) -> float:
        """The share of the first autocorrelations of what is left that lie within what 95 % of
        those of white noise do: 0.95 where only noise is left (Ljung, System Identification, 2nd
        ed., 16.6)."""
        left = self.logged - self.synthesised
        left = left - left.mean()
        power = float((left**2).sum())
        lags = range(1, min(_LAGS, len(left) // 4) + 1)
        limit = _SIGMAS / np.sqrt(len(left))
        within = [abs(float(left[k:] @ left[:-k])) < limit * power for k in lags]
        return float(np.mean(within)) if within else 1.0

    @property
    def is_worse_than_nothing(self) -> bool:
        """Whether the mean of each window would have been nearer."""
        return self.explained < _WORSE


def fitted_channels(
    synthesis: Synthesis, predicted: Floats, counts: Floats
) -> dict[str, FittedChannel]:
    """By the names of CHANNELS, those that have samples, in windows that count (windows,). The
    attitude is no measurement."""
    window = np.repeat(np.arange(synthesis.windows), np.diff(synthesis.channels.bounds))
    found = {}
    for number, name in enumerate(CHANNELS):
        sensor = name.partition("_")[0]
        own = (synthesis.channels.channel == number) & (counts[window] > 0.0)
        if sensor == "attitude" or own.sum() < _LEAST:
            continue
        logged, part = synthesis.channels.observed[own], window[own]
        sizes = np.maximum(np.bincount(part, minlength=synthesis.windows), 1)
        means = np.bincount(part, logged, synthesis.windows) / sizes
        spread = float(np.sqrt(np.mean((logged - means[part]) ** 2)))
        times, shown = synthesis.channels.times[own], predicted[own]
        found[name] = FittedChannel(UNITS[sensor], times, logged, shown, spread)
    return found


def explained_together(channels: Mapping[str, FittedChannel]) -> float:
    """Of all channels, each in units of what is left of it."""
    left = sum(len(each.times) for each in channels.values())
    logged = sum(
        len(each.times) * (each.spread / max(each.rms, 1e-9)) ** 2 for each in channels.values()
    )
    return 1.0 - left / logged if logged else 0.0
