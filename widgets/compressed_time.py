"""Compressed time along a line, on which long silences take little room. Pure arithmetic."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

LONG_S = 20.0
"""A shorter silence keeps its length."""
FOLDED_SHARE = 0.02
"""What a folded silence takes of the line."""

Times = npt.NDArray[np.float64]


class CompressedTime:
    """Maps times from `first_s` to `last_s` to shares of a line, 0 to 1, and back. `folds` are the
    silences (start, end) that were folded: the long ones of `silences`, in order.
    """

    def __init__(
        self, first_s: float, last_s: float, silences: Sequence[tuple[float, float]] = ()
    ) -> None:
        within = [(max(first_s, a), min(last_s, b)) for a, b in silences]
        self.folds = tuple((a, b) for a, b in within if b - a > LONG_S)
        folded_s = sum(b - a for a, b in self.folds)
        kept_s = max(last_s - first_s - folded_s, 1e-9)
        shown_s = kept_s * FOLDED_SHARE / max(1e-9, 1.0 - FOLDED_SHARE * len(self.folds))
        self._times = np.array([first_s, *(t for fold in self.folds for t in fold), last_s])
        lengths = np.diff(self._times)
        lengths[1::2] = np.minimum(lengths[1::2], shown_s)
        shares = np.concatenate(([0.0], np.cumsum(lengths)))
        self._shares = shares / max(shares[-1], 1e-9)

    def share_of(self, t: float) -> float:
        """Where on the line a time lies; times outside lie at its ends."""
        return float(self.shares_of(np.array(t)))

    def shares_of(self, times: Times) -> Times:
        """The same of many times."""
        shares: Times = np.interp(times, self._times, self._shares)
        return shares

    def times_of(self, shares: Times) -> Times:
        """The times at these shares of the line."""
        times: Times = np.interp(shares, self._shares, self._times)
        return times

    def is_folded(self, t: float) -> bool:
        """Whether a time lies inside a silence that was folded."""
        return any(a < t < b for a, b in self.folds)
