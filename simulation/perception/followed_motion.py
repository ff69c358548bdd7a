"""Followed motion: a flight as another thread sees it, so that looking never holds up who flies."""

from collections import deque
from collections.abc import Callable
from threading import Condition
from typing import Any, Final

import numpy as np

from simulation.perception.suite import WatchedMotion
from simulation.records.interface import OUTPUT, STEP_S

MOST_BEHIND_S: Final = 0.3
"""How far behind the flight looking may be, in simulated time."""


class FollowedMotion:
    """Stands in for a Simulator where sensors are carried, moved on by `follow` in a thread of
    theirs.

    If that is too slow for the flight, what waits is given up, and `on_gap` called once `output`
    shows the first row after it.
    """

    def __init__(self, simulator: WatchedMotion, most_behind_s: float = MOST_BEHIND_S) -> None:
        self.seed = simulator.seed
        self._shown = np.zeros(1, OUTPUT)
        self.output: Any = self._shown[0]
        self.on_gap: Callable[[], object] = lambda: None
        self._simulator = simulator
        self._most_behind_s = most_behind_s
        self._most_rows = 1
        self._rows: deque[np.void] = deque()
        self._has_gap = False
        self._take: Callable[[np.void], object] = lambda output: None
        self._changed = Condition()
        self._shown[0] = simulator.output

    def watch(self, take: Callable[[np.void], object], every: int = 1) -> None:
        """See Simulator.watch; for one watcher."""
        self._take = take
        self._most_rows = max(1, round(self._most_behind_s / (every * STEP_S)))
        self._simulator.watch(self._note, every)

    def follow(self, patience_s: float) -> None:
        """Move on to where the flight is by now; wait so long for it to go on."""
        with self._changed:
            self._changed.wait_for(lambda: self._rows, patience_s)
            rows, has_gap = list(self._rows), self._has_gap
            self._rows.clear()
            self._has_gap = False
        for row in rows:
            self._shown[0] = row
            if has_gap:
                self.on_gap()
                has_gap = False
            self._take(self.output)

    def _note(self, output: Any) -> None:
        """The flight has moved on; in its thread."""
        with self._changed:
            if len(self._rows) >= self._most_rows:
                self._rows.clear()
                self._has_gap = True
            self._rows.append(output.copy())
            self._changed.notify()
