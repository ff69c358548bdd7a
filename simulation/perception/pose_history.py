"""Pose history of an aircraft's last moments, for sensors that look for longer than an instant."""

from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.records.interface import STEP_US

Array = npt.NDArray[np.float64]

_CERTAIN = 0.1
"""If the scalar parts of neighbours are all above it, none has the other sign: they differ little.
"""


class PoseHistory:
    """Rows of position and attitude, one every `every` steps, of which the newest are kept."""

    def __init__(self, every: int, longest_us: int) -> None:
        """Keeps as much as stretches of `longest_us` need."""
        self._every = every
        self._rows = np.zeros((longest_us // (every * STEP_US) + 12, 7))
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

    def rows(self, first_step: int, last_step: int, grid_steps: int) -> Array:
        """Positions and attitudes (n, 7) from one step that is covered to another, on a grid of so
        many steps, a multiple of `every`: what lies between does not matter. Two at the least."""
        each = grid_steps // self._every
        count = max((last_step - first_step) // grid_steps, 1) + 1
        first = first_step // self._every
        length = len(self._rows)
        begin, end = first % length, first % length + each * (count - 1) + 1
        if end <= length:
            found = self._rows[begin:end:each].copy()
        else:
            found = self._rows[(first + each * np.arange(count)) % length]
        if first + each * (count - 1) > self._last:
            found[-1] = found[-2]  # there is nothing yet, and it does not matter
        if found[:, 3].min() < _CERTAIN:
            _run_the_short_way(found[:, 3:])
        return found


def _run_the_short_way(quaternion: Array) -> None:
    """q and -q are the same rotation: turn signs so that lines between rows are short."""
    turned = np.einsum("ij,ij->i", quaternion[1:], quaternion[:-1])
    quaternion[1:] *= np.cumprod(np.where(turned < 0.0, -1.0, 1.0))[:, None]
