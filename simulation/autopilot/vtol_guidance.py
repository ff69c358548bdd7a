"""Guidance of rotorcraft: PathDesired and PathStatus become the compiled loop's COMMAND.

End points are flown to by the position loop. Along lines and circles the velocity is the path's
speed in its direction and, across it, what HorizontalPosP makes of the distance to the path
(VtolPathFollowerSettings), so that wind moves the aircraft off its line by the position loop's
error only.
"""

import math
from typing import Final

import numpy as np

from simulation import interface as kernel
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import vector_of

_VERTICAL_MODES: Final = {
    "Land": kernel.VERTICAL_LAND,
    "AutoTakeoff": kernel.VERTICAL_TAKEOFF,
    "FixedAttitude": kernel.VERTICAL_MANUAL,
}
_SINKING: Final = ("InitAltHold", "WtgForDescentRate", "AtDescentRate")
"""States of StatusVtolLand in which standing still is not being down."""
_ALONG: Final = frozenset({"FollowVector", "CircleRight", "CircleLeft"})
_MIN_WAY_M: Final = 2.0
_MIN_SPEED_MPS: Final = 1.0


class VtolGuidance:
    """Writes COMMAND once per loop of the automatic modes."""

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._command = command
        self._path = board["PathDesired"]
        self._status = board["PathStatus"]
        self._sticks = board["ManualControlCommand"]
        self._bank = board["StabilizationBank"]
        self._settings = board["VtolPathFollowerSettings"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._takeoff = board["TakeOffLocation"]
        self._landing = board["StatusVtolLand"]
        self._flight = board["FlightStatus"]
        modes = self._path.definition.field_named("Mode")
        self._mode_names = dict(zip(modes.option_values, modes.options, strict=True))
        self._followed: tuple[object, ...] | None = None
        self._course_deg: float | None = None
        for entry in (self._bank, self._settings):
            entry.subscribe(self._take_settings)
        self._take_settings()

    def leave(self) -> None:
        """Somebody else writes COMMAND."""
        self._followed = None
        self._course_deg = None

    def follow(self, position_valid: bool) -> None:
        """Fly what PathDesired says; without a position, level and by height alone."""
        mode = self._mode_names.get(int(self._path.fields["Mode"]), "Brake")
        yaw = self._yaw(mode)
        looks_for_ground = mode != "Land" or self._landing.option("State") not in _SINKING
        situation = (self._path.packed(), yaw, position_valid, looks_for_ground)
        if mode == "SetAccessory":
            return  # nobody flies that: the command stands as it is
        passes = mode == "GoToEndpoint" and self._passes()
        if situation == self._followed and mode not in (*_ALONG, "Velocity") and not passes:
            return  # the command stands as it is
        self._followed = situation
        command, row = self._command, self._path.row
        command["armed"] = 1
        command["axis_mode"][:] = (kernel.AXIS_ATTITUDE, kernel.AXIS_ATTITUDE, yaw[0])
        command["axis_setpoint"][:] = (0.0, 0.0, yaw[1])
        command["vertical_mode"] = _VERTICAL_MODES.get(mode, kernel.VERTICAL_PATH)
        if not looks_for_ground:
            command["vertical_mode"] = kernel.VERTICAL_VARIO
        command["down_m"] = row["End"][2]
        command["velocity_down"] = row["ModeParameters"][2]
        if mode == "FixedAttitude":
            self._hold_attitude()
        elif not position_valid:
            command["horizontal_mode"] = kernel.HORIZONTAL_NONE
        elif mode in ("Velocity", "Brake"):
            self._fly_velocity(mode)
        elif mode in _ALONG:
            self._fly_along(mode)
        elif passes:
            self._fly_through()
        else:
            self._fly_to_end(mode)

    def _take_settings(self) -> None:
        self._fastest_yaw = float(self._bank.fields["ManualRate"][2])
        self._fastest = float(self._settings.fields["HorizontalVelMax"])
        self._gain = float(self._settings.fields["HorizontalPosP"])
        self._yaw_control = self._settings.option("YawControl")

    # The modes --------------------------------------------------------------------------

    def _hold_attitude(self) -> None:
        """ModeParameters: roll and pitch in degrees, yaw in degrees per second, thrust 0..1."""
        command = self._command
        roll, pitch, yaw, thrust = self._path.fields["ModeParameters"].tolist()
        command["horizontal_mode"] = kernel.HORIZONTAL_NONE
        command["axis_mode"][2] = kernel.AXIS_LOCK
        command["axis_setpoint"][:] = (roll, pitch, yaw)
        command["thrust"] = thrust
        command["cruise"] = 0

    def _fly_velocity(self, mode: str) -> None:
        """ModeParameters: velocity north, east and down; without a velocity down, End's height."""
        command = self._command
        north, east, down = (0.0, 0.0, 0.0)
        if mode == "Velocity":
            north, east, down = self._path.fields["ModeParameters"].tolist()[:3]
        command["horizontal_mode"] = kernel.HORIZONTAL_VELOCITY
        command["velocity_north"], command["velocity_east"] = north, east
        command["velocity_down"] = down
        if down != 0.0:
            command["down_m"] = self._position.row["Down"]

    def _fly_to_end(self, mode: str) -> None:
        command, row = self._command, self._path.row
        command["horizontal_mode"] = kernel.HORIZONTAL_POSITION
        command["north_m"], command["east_m"] = row["End"][0], row["End"][1]
        command["speed_limit"] = 0.0 if self._is_planned() else row["StartingVelocity"]
        if mode not in _VERTICAL_MODES:
            command["velocity_down"] = 0.0

    def _is_planned(self) -> bool:
        """Whether the path is that of a plan."""
        return self._flight.option("FlightMode") == "PathPlanner"

    def _passes(self) -> bool:
        """Whether a planned end is to be passed with a velocity."""
        return self._is_planned() and float(self._path.fields["EndingVelocity"]) > 0.0

    def _fly_through(self) -> None:
        """Towards the end with EndingVelocity, faster the farther it is, up to HorizontalVelMax
        (path_endpoint in paths.c, ControlPositionWithPath in pidcontrolne.cpp)."""
        command, here = self._command, self._position.vector()
        end = vector_of(self._path.fields["End"])
        way = [e - h for e, h in zip(end, here, strict=True)]
        speed = float(self._path.fields["EndingVelocity"])
        onward = speed / max(math.hypot(*way), 1e-6)
        north, east = (w * (onward + self._gain) for w in way[:2])
        scale = min(1.0, self._fastest / max(math.hypot(north, east), 1e-6))
        command["horizontal_mode"] = kernel.HORIZONTAL_PATH
        command["velocity_north"], command["velocity_east"] = north * scale, east * scale
        command["velocity_down"] = way[2] * onward

    def _fly_along(self, mode: str) -> None:
        command, status = self._command, self._status.newest()
        direction = [float(status[f"path_direction_{axis}"]) for axis in ("north", "east", "down")]
        correction = [
            float(status[f"correction_direction_{axis}"]) for axis in ("north", "east", "down")
        ]
        speed = self._speed_along(mode, direction)
        north = direction[0] * speed + correction[0] * self._gain
        east = direction[1] * speed + correction[1] * self._gain
        scale = min(1.0, self._fastest / max(math.hypot(north, east), 1e-6))
        command["horizontal_mode"] = kernel.HORIZONTAL_PATH
        command["velocity_north"], command["velocity_east"] = north * scale, east * scale
        command["velocity_down"] = direction[2] * speed * scale
        command["down_m"] = float(self._position.fields["Down"]) + correction[2]

    def _speed_along(self, mode: str, direction: list[float]) -> float:
        """Evenly from StartingVelocity to EndingVelocity, which it keeps beyond the end; circles
        are flown with EndingVelocity (path_vector, path_circle in paths.c)."""
        row = self._path.row
        first, last = float(row["StartingVelocity"]), float(row["EndingVelocity"])
        if mode != "FollowVector":
            return last
        start, here = vector_of(row["Start"]), self._position.vector()
        length = math.dist(start, vector_of(row["End"]))
        done = sum((h - s) * d for s, h, d in zip(start, here, direction, strict=True))
        return first + min(max(done / max(length, 1e-6), 0.0), 1.0) * (last - first)

    # The nose ---------------------------------------------------------------------------

    def _yaw(self, mode: str) -> tuple[int, float]:
        """Axis mode and setpoint by VtolPathFollowerSettings.YawControl. Manual: the pilot's stick
        turns the nose, deg/s. Otherwise a heading in degrees, kept while there is no course."""
        if self._yaw_control in ("Manual", "POI"):
            sticks = self._sticks.fields
            rate = float(sticks["Yaw"]) * self._fastest_yaw if sticks["Connected"] else 0.0
            return kernel.AXIS_LOCK, rate
        north, east, least = self._course(mode)
        if math.hypot(north, east) > least:
            self._course_deg = math.degrees(math.atan2(east, north))
        if self._course_deg is None:
            return kernel.AXIS_LOCK, 0.0
        return kernel.AXIS_ATTITUDE, self._course_deg

    def _course(self, mode: str) -> tuple[float, float, float]:
        """A vector north, east along which the nose shall point, and the least length to go by."""
        here, end = self._position.vector(), self._path.fields["End"].tolist()
        if self._yaw_control == "MovementDirection":
            north, east, _ = self._velocity.vector()
            return north, east, _MIN_SPEED_MPS
        if self._yaw_control == "Tailin":
            home = self._takeoff.row
            return here[0] - float(home["North"]), here[1] - float(home["East"]), _MIN_WAY_M
        if mode in _ALONG:
            status = self._status.newest()
            along, across = status["path_direction_north"], status["path_direction_east"]
            return float(along), float(across), 0.1
        return end[0] - here[0], end[1] - here[1], _MIN_WAY_M
