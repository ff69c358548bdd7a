"""Time axis of a bar: the times of a flight over its pixels, long silences folded."""

from dataclasses import dataclass, field, replace

import numpy as np

from widgets.compressed_time import CompressedTime, Times

Window = tuple[float, float]
_SHORTEST_S = 0.5
_LEAST_SHARE = 1e-6


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Maps times to pixels from `left_px` on over `width_px`, and back.

    `window` is the part that is shown (start, end) in seconds, None for all.
    """

    line: CompressedTime = field(default_factory=lambda: CompressedTime(0.0, 1.0))
    left_px: float = 0.0
    width_px: float = 1.0
    window: Window | None = None

    @property
    def shares(self) -> tuple[float, float]:
        """Where the shown part begins and ends on the whole line, 0 to 1."""
        if self.window is None:
            return 0.0, 1.0
        first, last = (self.line.share_of(t) for t in self.window)
        return first, max(last, first + _LEAST_SHARE)

    def x_of(self, t: float) -> float:
        """The pixel of a time; what is not shown lies to the left or right of the bar."""
        return float(self.xs_of(np.array(t)))

    def xs_of(self, times: Times) -> Times:
        """The pixels of these times."""
        first, last = self.shares
        return self.left_px + (self.line.shares_of(times) - first) / (last - first) * self.width_px

    def time_at(self, x: float) -> float:
        """The time of a pixel, kept inside what is shown."""
        share = min(1.0, max(0.0, (x - self.left_px) / self.width_px))
        return float(self.times_of(np.array([share]))[0])

    def times_of(self, shares: Times) -> Times:
        """The times at these shares, 0 to 1, of the shown part."""
        first, last = self.shares
        return self.line.times_of(first + shares * (last - first))

    def zoomed(self, factor: float, x: float) -> "TimeAxis":
        """Showing `factor` times as much, the time at pixel `x` staying in place."""
        first, last = self.shares
        at = first + (last - first) * (x - self.left_px) / self.width_px
        return self._showing(at - (at - first) * factor, at + (last - at) * factor)

    def panned(self, pixels: float) -> "TimeAxis":
        """Showing what lies so many pixels further right, as far as there is any."""
        first, last = self.shares
        by = pixels / self.width_px * (last - first)
        by = min(max(by, -first), 1.0 - last)
        return self._showing(first + by, last + by)

    def showing(self, window: Window | None) -> "TimeAxis":
        """Showing this part."""
        return replace(self, window=window)

    def _showing(self, first: float, last: float) -> "TimeAxis":
        first, last = max(0.0, first), min(1.0, last)
        if last - first > 1.0 - 1e-3:
            return replace(self, window=None)
        start, end = (float(t) for t in self.line.times_of(np.array([first, last])))
        return replace(self, window=(start, end)) if end - start >= _SHORTEST_S else self
