"""Given path to carry sensors along without any physics: by hand, or as an aircraft once flew."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simulation.records.interface import OUTPUT, STEP_S

Pose = tuple[Sequence[float], Sequence[float]]


class GivenPath:
    """Advances in the steps of a Simulator, and stands in for one where sensors are carried. Of
    `output` only `step` and the true position and attitude are written."""

    def __init__(self, pose: Callable[[float], Pose], seed: int = 1) -> None:
        """`pose` says position (NED, m) and attitude (quaternion, scalar first, body to NED) at a
        time in seconds."""
        self.seed = seed
        self.output: Any = np.zeros(1, OUTPUT)[0]
        self._pose = pose
        self._watchers: list[tuple[Callable[[np.void], object], int]] = []
        self._move_to(0)

    def watch(self, take: Callable[[np.void], object], every: int = 1) -> None:
        """See Simulator.watch."""
        self._watchers.append((take, every))

    def advance(self, steps: int) -> None:
        """Move on by so many steps of STEP_US."""
        step = int(self.output["step"])
        end = step + steps
        while step < end:
            following = (step + every - step % every for _, every in self._watchers)
            step = min(end, *following) if self._watchers else end
            self._move_to(step)
            for take, every in tuple(self._watchers):
                if step % every == 0:
                    take(self.output)

    def _move_to(self, step: int) -> None:
        output = self.output
        output["step"] = step
        output["true_position"], output["true_quaternion"] = self._pose(step * STEP_S)
