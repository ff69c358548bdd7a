"""Obstacle avoidance by saccades: turns away quickly from what comes near (seed 003, 7.4).

What it flies towards grows in its pictures: to the left of the nose flow goes to the left, to the
right of it to the right. Where the difference becomes too large it turns towards the side with less
flow, by a fixed angle and without looking, and goes on.
"""

from typing import Final

from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialCommand
from simulation.scenarios.controllers.altitude import AltitudeSwitch
from simulation.scenarios.flow_view import FlowView

PITCH: Final = -0.3
BRAKE: Final = 1.0
"""Pitch command at the beginning of a saccade, against the motion."""
GROWTH: Final = 9.0
"""Counts between the cameras beside the nose at which it turns."""
LEFT, RIGHT = (2, 3), (4, 5)
TURN_RADPS: Final = 2.0
SACCADE_S: Final = 1.0
REST_S: Final = 1.0
"""After a saccade, until flow is looked at again: the filter has to forget the turn."""
YAW_GAIN: Final = 0.04
"""Units of yaw per rad/s that is missing."""


class ObstacleAvoidance:
    """Straight ahead and saccades by turns."""

    def __init__(self, growth: float = GROWTH) -> None:
        self._growth = growth
        self._altitude = AltitudeSwitch()
        self._left_s = 0.0
        self._turn = 0.0
        self.saccades = 0

    def __call__(self, view: FlowView) -> CoaxialCommand:
        self._left_s = max(self._left_s - CYCLE_S, 0.0)
        left = sum(float(view.flow[camera]) for camera in LEFT) / len(LEFT)
        right = sum(float(view.flow[camera]) for camera in RIGHT) / len(RIGHT)
        if self._left_s == 0.0 and right - left > self._growth:
            self._left_s = SACCADE_S + REST_S
            self._turn = -TURN_RADPS if abs(right) > abs(left) else TURN_RADPS
            self.saccades += 1
        turns = self._left_s > REST_S
        wanted = self._turn if turns else 0.0
        return CoaxialCommand(
            self._altitude.at(view.height_m),
            yaw=YAW_GAIN * (wanted - view.yaw_rate_radps),
            pitch=BRAKE if self._left_s > REST_S + 0.7 * SACCADE_S else PITCH,
        )
