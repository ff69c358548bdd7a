"""Low-pass filter of optic flow, after the aircraft's own turning is taken out of it.

    y[n] = (1 - alpha) y[n-1] + alpha x[n]

Eq. 33 of seed 003 has x[n-1] in the place of y[n-1]; its program is right. It delays as an RC does
whose time constant is dt (1 - alpha) / alpha (eq. 34): 64 ms at 0.2 and 16 ms.
"""

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


class LowPass:
    """Filters any number of values together, from 0 on."""

    def __init__(self, alpha: float) -> None:
        self._alpha = alpha
        self._values: Values = np.zeros(())

    def add(self, values: npt.ArrayLike) -> Values:
        """Take the next values, and tell the filtered ones."""
        new = np.asarray(values, np.float64)
        self._values = np.asarray((1.0 - self._alpha) * self._values + self._alpha * new)
        return self._values


def time_constant_s(alpha: float, period_s: float) -> float:
    """RC of the filter (eq. 34)."""
    return period_s * (1.0 - alpha) / alpha
