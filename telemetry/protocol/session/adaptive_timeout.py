"""Adaptive timeout of answers: as long as this link takes, learned while it is used.

The mean and spread of the times that answers took, as TCP learns them: only answers to what was
sent once count, since of a repeated request nobody knows which one was answered. A link that is
slower than the patience would never give such an answer, so every wait in vain lengthens it.
"""

_GAIN, _SPREAD_GAIN = 0.125, 0.25
_SPREADS = 4.0
_GROWTH = 1.25
_LONGEST = 6.0
"""Times the shortest wait."""


class AdaptiveTimeout:
    """Never shorter than `shortest_s`, which is right for any good link."""

    def __init__(self, shortest_s: float) -> None:
        self._shortest_s = shortest_s
        self._mean_s: float | None = None
        self._spread_s = 0.0
        self.wait_s = shortest_s

    def on_answer(self, took_s: float) -> None:
        """What was sent once was answered."""
        if self._mean_s is None:
            self._mean_s, self._spread_s = took_s, took_s / 2
        else:
            error_s = took_s - self._mean_s
            self._mean_s += _GAIN * error_s
            self._spread_s += _SPREAD_GAIN * (abs(error_s) - self._spread_s)
        self._set(self._mean_s + _SPREADS * self._spread_s)

    def on_timeout(self) -> None:
        """A wait was in vain."""
        self._set(self.wait_s * _GROWTH)

    def _set(self, wait_s: float) -> None:
        self.wait_s = min(max(wait_s, self._shortest_s), _LONGEST * self._shortest_s)
