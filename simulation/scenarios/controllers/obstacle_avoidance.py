"""Obstacle avoidance by saccades: turns away quickly from what comes near (seed 003, 7.4).

What it flies towards grows in its pictures: to the left of the nose flow goes to the left, to the
right of it to the right. Where the difference becomes too large it brakes, turns towards the side
with less flow, by a fixed angle and without looking, and goes on.

The seed has not flown it, and names no more than "the saccade of a flying insect". Drag takes half
of this helicopter's speed in some seconds, so that after a turn alone it slides on into what it
turned from. So it brakes until its ring sees no motion ahead before it turns, and it rolls against
what motion to the side it sees. Both are sums over the ring, as in `hover_in_place`.
"""

from typing import Final

from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialCommand
from simulation.scenarios.controllers.altitude import AltitudeSwitch
from simulation.scenarios.flow_view import FlowView, ahead_and_right

PITCH: Final = -0.3
BRAKE: Final = 1.0
"""Pitch command against the motion, until flow ahead is below AHEAD or for LONGEST_BRAKE_S."""
AHEAD: Final = 0.5
"""Counts."""
LONGEST_BRAKE_S: Final = 2.5
GROWTH: Final = 9.0
"""Counts between the cameras beside the nose at which it turns."""
LEFT, RIGHT = (2, 3), (4, 5)
TURN_RADPS: Final = 2.0
SACCADE_S: Final = 1.0
REST_S: Final = 1.0
"""After a saccade, until flow is looked at again: the filter has to forget the turn."""
YAW_GAIN: Final = 0.004
"""Units of yaw per rad/s that is missing."""
ROLL_PER_COUNT: Final = 0.12
"""Units per count of motion to the side."""
MOST_ROLL: Final = 1.0


class ObstacleAvoidance:
    """Straight ahead; near something, braking and a saccade."""

    def __init__(self, growth: float = GROWTH, brake: float = BRAKE) -> None:
        self._growth, self._brake = growth, brake
        self._altitude = AltitudeSwitch()
        self._braking_s = 0.0
        self._left_s = 0.0
        self._turn = 0.0
        self.saccades = 0

    def __call__(self, view: FlowView) -> CoaxialCommand:
        left = sum(float(view.flow[camera]) for camera in LEFT) / len(LEFT)
        right = sum(float(view.flow[camera]) for camera in RIGHT) / len(RIGHT)
        ahead, aside = ahead_and_right(view.flow, view.azimuths_rad).tolist()
        self._left_s = max(self._left_s - CYCLE_S, 0.0)
        turns = self._left_s > REST_S
        if self._braking_s > 0.0:
            self._braking_s -= CYCLE_S
            if ahead < AHEAD or self._braking_s <= 0.0:
                self._braking_s = 0.0
                self._left_s = SACCADE_S + REST_S
                turns = True
        elif self._left_s == 0.0 and right - left > self._growth:
            self._braking_s = LONGEST_BRAKE_S
            self._turn = -TURN_RADPS if abs(right) > abs(left) else TURN_RADPS
            self.saccades += 1
        roll = 0.0 if turns else -ROLL_PER_COUNT * aside
        return CoaxialCommand(
            self._altitude.at(view.height_m),
            yaw=YAW_GAIN * ((self._turn if turns else 0.0) - view.yaw_rate_radps),
            pitch=self._brake if self._braking_s > 0.0 else 0.0 if turns else PITCH,
            roll=min(max(roll, -MOST_ROLL), MOST_ROLL),
        )
