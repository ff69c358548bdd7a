"""AutoTakeoff of aeroplanes: from the launch to circling at the height.

The rules are those of LibrePilot's fixedwingautotakeoffcontroller.cpp. Armed in this mode the
motor runs with full thrust at once, wherever the throttle stick is. It keeps its wings level,
TakeOffPitch and the heading of the launch, and climbs until it is above the end of its path.
Beyond SafetyCutoffLimits the motor is off and the nose at LandingPitch: while it has not yet been
as fast as MaxDecelerationDeltaMPS until it is within them again, after that for good.
"""

import math
from typing import Final

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import NOWHERE, PathLegProgress
from simulation.autopilot.path_reader import path_of

_SHORT_M: Final = 1e-3


class WingTakeoff:
    """The state machine: `heading_deg`, `pitch_deg`, `thrust` are flown until it `is_holding`."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._position = board["PositionState"]
        self._attitude = board["AttitudeState"]
        self._airspeed = board["AirspeedState"]
        self._path = board["PathDesired"]
        self._settings = board["FixedWingPathFollowerSettings"]
        self.state = "Inactive"
        self.is_unsafe = False
        self.heading_deg = 0.0
        self._fastest = 0.0

    @property
    def is_holding(self) -> bool:
        """Whether it has arrived: the end of its path is flown to."""
        return self.state == "Hold"

    @property
    def pitch_deg(self) -> float:
        """The pitch to fly."""
        return float(self._settings.fields["LandingPitch" if self.is_unsafe else "TakeOffPitch"])

    @property
    def thrust(self) -> float:
        """The thrust to fly with."""
        return 0.0 if self.is_unsafe else float(self._settings.fields["ThrustLimit"][2])

    def activate(self) -> None:
        """It is flown now: along its path, or, where that has no direction, straight on."""
        self.state = "Launch"
        path = path_of(self._path)
        heading = heading_of(path.start, path.end)
        yaw = float(self._attitude.fields["Yaw"])
        self.heading_deg = yaw if heading is None else heading
        self._fastest = self._speed()
        self.is_unsafe = False

    def leave(self) -> None:
        """Something else is flown."""
        self.state = "Inactive"

    def update(self) -> None:
        """One step."""
        settings = self._settings.fields
        if self.state == "Launch":
            if self._fastest > float(settings["SafetyCutoffLimits"][3]):
                self.state = "Climb"
            self.is_unsafe = self._is_beyond_limits()
        elif self.state == "Climb":
            self.is_unsafe = self._is_beyond_limits()
            if self.is_unsafe:
                self.state = "Abort"
            elif self._position.vector()[2] < float(self._path.fields["End"][2]):
                self.state = "Hold"

    def progress(self) -> PathLegProgress:
        """setAttitude: the share of the height."""
        down, path = self._position.vector()[2], path_of(self._path)
        height = path.end[2] - path.start[2]
        error = abs(down - path.end[2])
        if abs(height) < _SHORT_M:
            return PathLegProgress(1.0, error, NOWHERE, NOWHERE)
        return PathLegProgress((down - path.start[2]) / height, error, NOWHERE, NOWHERE)

    def _speed(self) -> float:
        return float(self._airspeed.newest()["CalibratedAirspeed"])

    def _is_beyond_limits(self) -> bool:
        """isUnsafe: roll, pitch off TakeOffPitch, yaw off the heading, and the loss of airspeed."""
        roll_limit, pitch_limit, yaw_limit, slower = self._settings.fields[
            "SafetyCutoffLimits"
        ].tolist()
        attitude, speed = self._attitude.fields, self._speed()
        self._fastest = max(self._fastest, speed)
        pitch = float(attitude["Pitch"]) - float(self._settings.fields["TakeOffPitch"])
        yaw = math.remainder(float(attitude["Yaw"]) - self.heading_deg, 360.0)
        return bool(
            speed < self._fastest - slower
            or abs(float(attitude["Roll"])) > roll_limit
            or abs(pitch) > pitch_limit
            or abs(yaw) > yaw_limit
        )


def heading_of(start: tuple[float, ...], end: tuple[float, ...]) -> float | None:
    """The direction of a runway, deg; None where a path has no length over ground."""
    north, east = end[0] - start[0], end[1] - start[1]
    if abs(north) < _SHORT_M and abs(east) < _SHORT_M:
        return None
    return math.degrees(math.atan2(east, north))
