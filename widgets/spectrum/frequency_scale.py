"""Frequency scale of an axis, linear or logarithmic. No Qt."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from widgets.plot.axes import GridLine, value_levels
from widgets.plot.window import Span

Floats = npt.NDArray[np.float64]
_STEPS = (1.0, 2.0, 5.0)
_LEAST_SHARE = 1e-3


@dataclass(frozen=True, slots=True)
class FrequencyScale:
    """Frequencies from `low` to `high` in Hz, `low` above 0 where it is logarithmic."""

    low: float
    high: float
    is_log: bool = False

    def share(self, hz: Floats) -> Floats:
        """How far along the axis frequencies (n,) are, 0 to 1."""
        return np.asarray((self._bent(hz) - self._ends[0]) / (self._ends[1] - self._ends[0]))

    def frequency(self, share: Floats) -> Floats:
        """The frequencies (n,) at shares of the axis."""
        bent = self._ends[0] + share * (self._ends[1] - self._ends[0])
        return np.asarray(np.exp(bent) if self.is_log else bent)

    def zoomed(self, factor: float, at: float, limits: "FrequencyScale") -> "FrequencyScale":
        """`factor` times as much of the axis, with the frequency at share `at` staying there,
        within the limits."""
        start = at * (1.0 - factor)
        return self._between(start, start + factor, limits)

    def moved(self, by: float, limits: "FrequencyScale") -> "FrequencyScale":
        """The same length of the axis, `by` of it further on, as far as the limits allow."""
        first, last = limits.share(np.array([self.low, self.high]))
        length = last - first
        start = min(max(first + by * length, 0.0), 1.0 - length)
        low, high = limits.frequency(np.array([start, start + length]))
        return replace(self, low=float(low), high=float(high))

    def levels(self, length_px: float, label_px: float) -> tuple[GridLine, ...]:
        """The frequencies that are labelled on an axis so long, by labels so long."""
        if not self.is_log or self.high / self.low < 4.0:
            return value_levels(Span(self.low, self.high), length_px, label_px)
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        every = [step * 10.0**decade for decade in decades for step in _STEPS]
        inside = [hz for hz in every if self.low <= hz <= self.high]
        room = length_px / max(1.0, math.log10(self.high / self.low))
        coarse = [hz for hz in inside if f"{hz:e}".startswith("1.0")]
        chosen = inside if room > 4.0 * label_px else coarse
        return tuple(GridLine(hz, f"{hz:g}") for hz in chosen)

    @property
    def _ends(self) -> tuple[float, float]:
        if self.is_log:
            return math.log(self.low), math.log(self.high)
        return self.low, self.high

    def _bent(self, hz: Floats) -> Floats:
        return np.asarray(np.log(np.maximum(hz, 1e-9))) if self.is_log else hz

    def _between(self, start: float, stop: float, limits: "FrequencyScale") -> "FrequencyScale":
        low, high = (float(hz) for hz in self.frequency(np.array([start, stop])))
        low, high = max(low, limits.low), min(high, limits.high)
        if high - low < _LEAST_SHARE * (limits.high - limits.low):
            return self
        return replace(self, low=low, high=high)
