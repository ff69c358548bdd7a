"""Where an aircraft was in the last moments, for sensors that look for longer than an instant."""

from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.interface import STEP_US

Array = npt.NDArray[np.float64]


class PoseHistory:
    """Rows of position and attitude, one every `every` steps, of which the newest are kept."""

    def __init__(self, every: int, longest_us: int) -> None:
        """Keeps as much as stretches of `longest_us` need."""
        self._every = every
        self._rows = np.zeros((longest_us // (every * STEP_US) + 8, 7))
        self.begin()

    def begin(self) -> None:
        """Forget everything."""
        self._first = self._last = -1

    def add(self, step: int, position: Any, quaternion: Any) -> None:
        """Take the row of a step, a multiple of `every`; those before it were added already."""
        number = step // self._every
        row = self._rows[number % len(self._rows)]
        row[:3] = position
        row[3:] = quaternion
        if self._first < 0:
            self._first = number
        self._last = number

    def covers(self, time_us: int) -> bool:
        """Whether a stretch that began then can be asked for."""
        oldest = max(self._first, self._last - len(self._rows) + 2)
        return self._first >= 0 and time_us >= oldest * self._every * STEP_US

    def motion(self, times_us: Array, grid_steps: int) -> tuple[Array, Array]:
        """Positions (n, 3) and attitudes (n, 4) at times that are covered, between rows of a grid
        of so many steps: a multiple of `every`, so that what lies between does not matter."""
        grid = grid_steps * STEP_US
        before = (times_us // grid).astype(np.int64)
        share = (times_us / grid - before)[:, None]
        first = int(before[0] if len(before) == 1 else before.min())
        last = int(before[0] if len(before) == 1 else before.max()) + 1
        numbers = np.arange(first, last + 1) * (grid_steps // self._every)
        numbers[-1] = min(numbers[-1], self._last)  # at the very end nothing comes after it
        knots = self._rows[numbers % len(self._rows)]
        quaternion = knots[:, 3:]
        # q and -q are the same rotation; lines between them run the short way.
        turned = (quaternion[1:] * quaternion[:-1]).sum(axis=1)
        quaternion[1:] *= np.cumprod(np.where(turned < 0.0, -1.0, 1.0))[:, None]
        low = before - first
        rows = knots[low] * (1.0 - share) + knots[low + 1] * share
        attitude = rows[:, 3:]
        attitude /= np.sqrt((attitude * attitude).sum(axis=1))[:, None]
        return rows[:, :3], attitude
