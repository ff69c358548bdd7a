"""Constant-flow controller: a corridor as fast as a constant mean flow allows (seed 003, 7.3).

Where the corridor becomes narrow the flow grows, and it slows down; where it is wide it flies fast.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialCommand
from simulation.scenarios.controllers.corridor_following import CorridorFollowing
from simulation.scenarios.flow_view import FlowView

FLOW: Final = 8.0
"""Counts, mean of all cameras' amounts."""
PER_COUNT: Final = 0.04
PER_COUNT_SECOND: Final = 0.03
SLOWEST, FASTEST = 0.0, -1.5
"""Pitch commands."""


class ConstantFlow:
    """Corridor following with proportional and integral control of flow by pitch."""

    def __init__(
        self,
        flow: float = FLOW,
        pitch_per_count: float = PER_COUNT,
        pitch_per_count_second: float = PER_COUNT_SECOND,
    ) -> None:
        self._wanted = flow
        self._gain, self._gain_per_s = pitch_per_count, pitch_per_count_second
        self._steady = -0.3
        self._corridor = CorridorFollowing()

    def __call__(self, view: FlowView) -> CoaxialCommand:
        missing = self._wanted - float(np.abs(view.flow).mean())
        self._steady = _limited(self._steady - self._gain_per_s * CYCLE_S * missing)
        pitch = _limited(self._steady - self._gain * missing)
        return replace(self._corridor(view), pitch=pitch)


def _limited(pitch: float) -> float:
    return min(max(pitch, FASTEST), SLOWEST)
