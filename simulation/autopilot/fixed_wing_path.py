"""FixedWingPathFollower: the modes that fly by themselves, for an aeroplane. Writes PathDesired.

Holding a position is circling it. Taking off begins when the throttle is raised, in the hand of
whoever throws the aircraft, and ends in a circle at AutoTakeOffHeight; it is given up, motor off,
when the aircraft leaves what SafetyCutoffLimits allow. Land circles down, and when it looks the
way it was thrown (into the wind, one hopes) glides straight on with its motor off.
"""

import math
from typing import Final

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_guidance import LOITER_M
from simulation.autopilot.path_follower import PathAlarms, PathFollower
from simulation.autopilot.path_geometry import Vector

_HAND_M: Final = 1.6  # it is armed in a hand: the ground lies that much lower
_APPROACH_M: Final = 20.0  # height from which it glides
_NEAR_M: Final = 5.0
_APPROACH_DEG: Final = 20.0  # how near to the heading of the throw it must be to glide
_LANDING_SPEED: Final = 1.25  # of HorizontalVelMin: the flare and the wind's decrease take some
_FAR_M: Final = 2000.0
_THROWN_MPS: Final = 6.0
_MID_THROTTLE: Final = 0.3


class FixedWingPathFollower(PathFollower):
    """Plans the paths of the automatic modes, one loop at a time."""

    unknown_modes = frozenset({"SetAccessory", "Brake", "Velocity"})

    def __init__(self, board: SimulatedBoard) -> None:
        super().__init__(board)
        self._wing = board["FixedWingPathFollowerSettings"]
        self._airspeed = board["AirspeedState"]
        self._heading_deg = 0.0
        self._fastest = 0.0

    def remember_takeoff(self) -> None:
        """Note where the aircraft was armed, and where it looked."""
        super().remember_takeoff()
        self._heading_deg = float(self._attitude.fields["Yaw"])

    def _enter(self, now_us: int, mode: str) -> None:
        super()._enter(now_us, mode)
        self._braking_until_us = None
        self._fastest = 0.0

    def _show_nothing(self) -> None:
        super()._show_nothing()
        self._progress.show_takeoff("Inactive")

    # The modes --------------------------------------------------------------------------

    def _hover(self, now_us: int) -> None:
        self._circle(self._cruise())

    def _auto_takeoff(self, now_us: int, armed: bool, is_standing: bool) -> None:
        if self._phase == "start" and not is_standing:
            self._phase = "hold"  # already flying
        elif self._phase == "start" and armed and self._is_throttle_raised():
            self._phase = "climb"
            self._aim_here()
            self._target.down -= float(self._settings.fields["AutoTakeOffHeight"])
            self._heading_deg = float(self._attitude.fields["Yaw"])
        if self._phase == "climb":
            self._climb_out()
        elif self._phase == "hold":
            self._progress.show_takeoff("Hold")
            self._circle(self._cruise())
        elif self._phase == "aborted":
            self._progress.show_takeoff("ThrustOff")
            self.send("FixedAttitude")
        else:
            self._progress.show_takeoff("CheckState" if armed else "Inactive")
            self.send("FixedAttitude")

    def _climb_out(self) -> None:
        self._progress.show_takeoff("Takeoff")
        start = (self._target.north, self._target.east, self._target.down)
        self._line("AutoTakeoff", start, self._ahead_of(start), self._cruise())
        if self._here()[2] - self._target.down < _NEAR_M:
            self._phase = "hold"
            here = self._here()
            self._target.north, self._target.east = here[0], here[1]
        elif not self._is_safe():
            self._phase = "aborted"
            self.alarms = PathAlarms(guidance="Critical")

    def _is_throttle_raised(self) -> bool:
        return float(self._command.fields["Throttle"]) > _MID_THROTTLE

    def _is_safe(self) -> bool:
        """Within SafetyCutoffLimits: roll, pitch beyond TakeOffPitch, yaw off the heading of the
        throw, and the loss of airspeed. The hand may do as it likes."""
        limits = self._wing.fields["SafetyCutoffLimits"].tolist()
        row = self._attitude.row
        north, east, _ = self._velocity.vector()
        speed = math.hypot(north, east)
        self._fastest = max(self._fastest, speed)
        if self._fastest < _THROWN_MPS:
            return True
        return bool(
            abs(float(row["Roll"])) <= limits[0]
            and abs(float(row["Pitch"]) - float(self._wing.fields["TakeOffPitch"])) <= limits[1]
            and abs(_wrapped(float(row["Yaw"]) - self._heading_deg)) <= limits[2]
            and self._fastest - speed <= limits[3]
        )

    def return_to_base(self, armed: bool, is_standing: bool) -> None:
        """Climb, fly home and circle, a step of it."""
        takeoff = self._takeoff.row
        down = self._here()[2]
        if self._phase == "start":
            offset = float(self._settings.fields["ReturnToBaseAltitudeOffset"])
            self._target.north, self._target.east = float(takeoff["North"]), float(takeoff["East"])
            self._target.down = min(down, float(takeoff["Down"])) - offset
            self._phase = "cruise"
        north, east, _ = self._here()
        distance = math.hypot(north - self._target.north, east - self._target.east)
        lands = self._settings.option("ReturnToBaseNextCommand") == "Land"
        if self._phase == "cruise" and distance < LOITER_M + 2.0 * _NEAR_M and lands:
            self._phase = "descend"
        if self._phase == "cruise":
            speed = float(self._settings.fields["ReturnToBaseVelocity"])
            self._circle(max(speed, self._cruise()))
        else:
            self._land(armed, is_standing)

    def _land(self, armed: bool, is_standing: bool) -> None:
        ground = float(self._takeoff.fields["Down"]) + _HAND_M
        speed = _LANDING_SPEED * float(self._wing.fields["HorizontalVelMin"])
        here = self._here()
        if self._phase != "glide":
            self._target.down = ground - _APPROACH_M
            is_low = here[2] > self._target.down - _NEAR_M
            if is_standing or (is_low and self._is_on_approach()):
                self._phase = "glide"
                end = self._ahead_of((here[0], here[1], ground))
                self._line("Land", (here[0], here[1], ground), end, speed)
            else:
                self._circle(speed)
        glides = "ThrustOff" if is_standing else "AtDescentRate"
        state = glides if self._phase == "glide" else "InitAltHold"
        self._progress.show_land(state if armed else "Disarmed")

    def _is_on_approach(self) -> bool:
        north, east, _ = self._velocity.vector()
        course = math.degrees(math.atan2(east, north))
        return abs(_wrapped(course - self._heading_deg)) < _APPROACH_DEG

    # Paths ------------------------------------------------------------------------------

    def _cruise(self) -> float:
        """The speed of holding and climbing: a quarter of the way from the slowest to the
        fastest, where it flies longest with some margin to the stall."""
        row = self._wing.row
        slowest, fastest = float(row["HorizontalVelMin"]), float(row["HorizontalVelMax"])
        return slowest + 0.25 * (fastest - slowest)

    def _ahead_of(self, place: Vector) -> Vector:
        """A point far away on the heading of the throw."""
        heading = math.radians(self._heading_deg)
        north, east = _FAR_M * math.cos(heading), _FAR_M * math.sin(heading)
        return place[0] + north, place[1] + east, place[2]

    def _circle(self, speed: float) -> None:
        end = (self._target.north, self._target.east, self._target.down)
        self._line("CircleRight", (end[0] + LOITER_M, end[1], end[2]), end, speed)

    def _line(self, mode: str, start: Vector, end: Vector, speed: float) -> None:
        """Write PathDesired, unless it says so already."""
        path = (mode, start, end, speed)
        if path == self._sent:
            return
        self._sent = path
        row = self._path.row
        row["Mode"] = self._path.number("Mode", mode)
        row["Start"], row["End"] = start, end
        row["ModeParameters"] = 0.0
        row["StartingVelocity"] = row["EndingVelocity"] = np.float32(speed)
        self.tell_path()


def _wrapped(angle_deg: float) -> float:
    """The same angle within -180..180."""
    return (angle_deg + 180.0) % 360.0 - 180.0
