"""Wall following: keeps the distance of a wall on the right (seed 003, chapter 7.4).

At a constant speed v a wall at the distance D passes with v / D, so a constant flow in the cameras
that look to the right is a constant distance. Too much flow is too near: it rolls to the left, and
the sooner, the faster the flow grows.

The gyro that damps its turning has a bias, which turns the nose by some degrees a minute, and a
flow that is kept at another angle is another distance: it came nearer to the wall and touched it
after three minutes. So it keeps the nose along the wall: with the nose towards it, the camera that
looks to the right and ahead sees more flow than the one that looks to the right and back.
"""

from typing import Final

from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialCommand
from simulation.scenarios.controllers.altitude import AltitudeSwitch
from simulation.scenarios.flow_view import FlowView

FLOW: Final = 16.6
"""Counts that are kept: about 0.7 m from it at 0.66 m/s."""
RIGHT: Final = (5, 6)
"""The cameras that look to the right."""
PITCH: Final = -0.6
ROLL_PER_COUNT: Final = 0.06
ROLL_PER_GROWTH: Final = 0.12
"""Units per count a second."""
SLOW_S: Final = 0.5
"""Over which growth is looked at."""
MOST_ROLL: Final = 0.6
YAW_DAMPING: Final = 0.002
"""Units per rad/s."""
YAW_PER_COUNT: Final = 1e-4
"""Units per count that is seen more ahead of the right than behind it."""


class WallFollowing:
    """Proportional and derivative control of flow by roll."""

    def __init__(
        self,
        flow: float = FLOW,
        roll_per_count: float = ROLL_PER_COUNT,
        yaw_per_count: float = YAW_PER_COUNT,
    ) -> None:
        self._wanted, self._yaw_per_count = flow, yaw_per_count
        self._gain = roll_per_count
        self._slow = flow
        self._altitude = AltitudeSwitch()

    def __call__(self, view: FlowView) -> CoaxialCommand:
        flow = sum(float(view.flow[camera]) for camera in RIGHT) / len(RIGHT)
        growth = (flow - self._slow) / SLOW_S
        self._slow += CYCLE_S * growth
        roll = -self._gain * (flow - self._wanted) - ROLL_PER_GROWTH * growth
        towards = float(view.flow[RIGHT[0]] - view.flow[RIGHT[1]])
        return CoaxialCommand(
            self._altitude.at(view.height_m),
            yaw=-YAW_DAMPING * view.yaw_rate_radps - self._yaw_per_count * towards,
            pitch=PITCH,
            roll=min(max(roll, -MOST_ROLL), MOST_ROLL),
        )
