"""Corridor controller: keeps to the middle of a corridor, as in seed 003 (appendix B.2).

What passes on the right moves to the right in the pictures, on the left to the left, the faster the
nearer it is. So the sum of all flow is positive near the right wall, and rolling by a negative
share of it balances both sides. Pitch stays as it is.
"""

from typing import Final

import numpy as np

from simulation.scenarios.coaxial_flight import CoaxialCommand
from simulation.scenarios.controllers.altitude import AltitudeSwitch
from simulation.scenarios.flow_view import FlowView

ROLL_WEIGHTS: Final = (-0.01,) * 8
"""Roll command per count of each camera."""
PITCH: Final = -0.6


class CorridorFollowing:
    """Equation 35 for roll. With weights of the other sign it flies into a wall."""

    def __init__(
        self, roll_weights: tuple[float, ...] = ROLL_WEIGHTS, pitch: float = PITCH
    ) -> None:
        self._weights = np.array(roll_weights)
        self._pitch = pitch
        self._altitude = AltitudeSwitch()

    def __call__(self, view: FlowView) -> CoaxialCommand:
        roll = float(self._weights @ view.flow)
        return CoaxialCommand(self._altitude.at(view.height_m), pitch=self._pitch, roll=roll)
