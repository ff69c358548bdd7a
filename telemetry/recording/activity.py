"""Activity of a recording over time: counts per tenth of a second, and the gaps between."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

BIN_S = 0.1
GAP_S = 2.0

Counts = npt.NDArray[np.uint32]

_SAFE_BINS = 3_600_000  # 100 hours; what comes later counts as the last instant of them
_AT_ONCE = 1 << 15  # which stay in the processor's cache
_ONE = np.uint32(1)


class Activity:
    """Counts samples in bins of `BIN_S` from time 0 on. One writer, many readers."""

    def __init__(self) -> None:
        self.bins = 0
        self.busy_bins = 0
        self.late = 0
        """Rises with samples before the newest, which may end what was a gap."""
        self._counts: Counts = np.zeros(1024, np.uint32)

    @property
    def counts(self) -> Counts:
        """Samples per bin; bin i covers [i, i + 1) * BIN_S. A view: do not write."""
        bins = self.bins
        return self._counts[:bins]

    def add(self, t: float) -> None:
        """Count one sample, none of which is before the newest (writer thread only)."""
        index = self._bin_of(t)
        if index >= self.bins:
            self._reach(index + 1)
        self._counts[index] += 1
        if self._counts[index] == 1:
            self.busy_bins += 1

    def add_many(self, columns: Sequence[npt.NDArray[np.float64]]) -> None:
        """Count the samples of columns of times, each ascending and none empty (writer thread
        only)."""
        first = min(self._bin_of(float(times[0])) for times in columns)
        stop = max(self._bin_of(float(times[-1])) for times in columns) + 1
        is_late = first + 1 < self.bins
        self._reach(max(self.bins, stop))
        counts = self._counts[first:stop]
        busy_before = np.count_nonzero(counts)
        for times in columns:
            for start in range(0, len(times), _AT_ONCE):
                bins = times[start : start + _AT_ONCE] / BIN_S
                indices = np.clip(bins, 0, _SAFE_BINS, out=bins).astype(np.intp)
                np.add.at(self._counts, indices, _ONE)
        self.late += is_late
        # last: readers look again when it has risen
        self.busy_bins += int(np.count_nonzero(counts) - busy_before)

    @staticmethod
    def _bin_of(t: float) -> int:
        return min(max(0, int(t / BIN_S)), _SAFE_BINS)

    def _reach(self, bins: int) -> None:
        if bins > len(self._counts):
            grown = np.zeros(max(bins, 2 * len(self._counts)), np.uint32)
            grown[: self.bins] = self._counts[: self.bins]
            self._counts = grown
        self.bins = bins

    def gaps(self, after_bin: int = 0) -> tuple[list[tuple[float, float]], int]:
        """Silences longer than `GAP_S` between samples from a bin on: (start, length), to BIN_S
        accuracy; and the last bin with a sample, from which later ones are found."""
        busy = after_bin + np.flatnonzero(self.counts[after_bin:])
        apart = np.diff(busy)
        silent = np.flatnonzero(apart > round(GAP_S / BIN_S))
        found = [(float(busy[i] + 1) * BIN_S, float(apart[i]) * BIN_S) for i in silent]
        return found, int(busy[-1]) if len(busy) else after_bin
