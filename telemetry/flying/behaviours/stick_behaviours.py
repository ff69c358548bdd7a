"""Behaviours in the place of an input device: what the transmitter reads while one flies."""

from collections.abc import Callable
from typing import Final

from telemetry.flying.behaviours.pose import PilotPose
from telemetry.flying.behaviours.routes import Route
from telemetry.flying.behaviours.steering import Steering, StickFeel, turn
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.vehicle.sticks import Sticks

_LONGEST_STEP_S: Final = 0.1

ReadPose = Callable[[], PilotPose | None]


class RouteBehaviour:
    """Flies a route by hand, in a mode that levels itself and holds its height."""

    def __init__(self, route: Route, pose: ReadPose, feel: Callable[[], StickFeel]) -> None:
        self.route = route
        self._pose = pose
        self._feel = feel
        self._steering = Steering()
        self._read_s: float | None = None

    @property
    def name(self) -> str:
        """What the route does."""
        return self.route.name

    def read(self, now_s: float) -> DeviceInput | None:
        pose = self._pose()
        course = self.route.course(pose) if pose is not None else None
        if pose is None or course is None:
            return None
        dt_s = 0.0 if self._read_s is None else min(now_s - self._read_s, _LONGEST_STEP_S)
        self._read_s = now_s
        sticks = self._steering.sticks(course, pose, self._feel(), dt_s)
        return DeviceInput(sticks, self.name, now_s)

    def close(self) -> None:
        """It has nothing to let go of."""


class TurnBehaviour:
    """Turns the nose to a heading by the yaw stick, while a guided mode does the rest."""

    name = "turn"

    def __init__(self, heading_deg: float, pose: ReadPose) -> None:
        self.heading_deg = heading_deg
        self._pose = pose

    def read(self, now_s: float) -> DeviceInput | None:
        pose = self._pose()
        yaw = 0.0 if pose is None else turn(self.heading_deg, pose.yaw_deg)
        return DeviceInput(Sticks(yaw=yaw, throttle=0.5), self.name, now_s)

    def close(self) -> None:
        """It has nothing to let go of."""
