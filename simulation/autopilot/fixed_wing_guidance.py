"""Path follower of aeroplanes: PathDesired becomes a velocity, which the compiled loop flies.

The rules are those of LibrePilot's fixedwingflycontroller.cpp: where the aircraft will be after
CourseFeedForward (FixedWingPathFollowerSettings), the velocity is that of the path and, besides,
HorizontalPosP times the way to it. An end point is flown to however near it is, with at least
HorizontalVelMin through the air: the aeroplane passes over it again and again. Holding a position
and returning are such an end point.

Land (fixedwinglandcontroller.cpp) is a glide with the wings level, the motor off and the nose at
LandingPitch, from wherever it begins: along its path if that has a direction, else straight on. It
does not look for the ground, and nothing disarms. Brake and Velocity are flown by nobody
(pathfollower.cpp).
"""

from typing import Final

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import NOWHERE, PathLegProgress, Vector, progress_on
from simulation.autopilot.path_progress import PathProgress
from simulation.autopilot.path_reader import PathReader
from simulation.autopilot.wing_safety import WingSafety
from simulation.autopilot.wing_takeoff import WingTakeoff, heading_of
from simulation.mathematics.vectors import moved
from simulation.records import interface as kernel

_UNKNOWN: Final = frozenset({"SetAccessory", "Brake", "Velocity"})
_PATHS: Final = frozenset({"GoToEndpoint", "FollowVector", "CircleRight", "CircleLeft"})
_SHORT: Final = 1e-6


def is_fixed_wing(board: SimulatedBoard) -> bool:
    """Whether SystemSettings.AirframeType is one of the aeroplanes."""
    return board["SystemSettings"].option("AirframeType").startswith("FixedWing")


class FixedWingGuidance:
    """Writes COMMAND once per loop of the automatic modes: `update`, then, armed, `follow`."""

    can_land_at_base = False

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._command = command
        self._settings = board["FixedWingPathFollowerSettings"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._reader = PathReader(board)
        self._progress = PathProgress(board, lambda: self.progress, "FixedWingPathFollowerStatus")
        self._start = WingTakeoff(board)
        self._safety = WingSafety(board)
        self._is_unsafe = False
        self._mode = ""
        self._settings.subscribe(self._take_settings)
        self._take_settings()

    @property
    def alarm(self) -> str:
        """What the alarm Guidance says."""
        if self._mode == "DisarmAlarm":
            return "Critical"
        if self._mode in _UNKNOWN:
            return "Error"
        return "Warning" if self._is_unsafe else "OK"

    def leave(self) -> None:
        """Somebody else writes COMMAND."""
        self._change_mode("")

    def update(self, now_us: int) -> None:
        """Once per loop, armed or not."""
        self._reader.is_new()
        mode = self._reader.path.mode
        if mode != self._mode:
            self._change_mode(mode)
        if mode == "AutoTakeoff":
            self._start.update()
        if self._is_on_path():
            self._is_unsafe = self._safety.is_unsafe(*self._wanted(self._progressed())[:2])
        else:
            self._is_unsafe = mode == "AutoTakeoff" and self._start.is_unsafe
        self._progress.update(mode in _UNKNOWN or self._is_unsafe)

    def follow(self, position_valid: bool) -> None:
        """Fly what PathDesired says. Without a position the compiled loop circles and keeps the
        height."""
        if self._mode in _UNKNOWN or self._mode == "DisarmAlarm":
            return
        command = self._command
        command["armed"] = 1
        command["axis_mode"][:] = (kernel.AXIS_ATTITUDE, kernel.AXIS_ATTITUDE, kernel.AXIS_MANUAL)
        command["axis_setpoint"][:] = 0.0
        if self._mode == "FixedAttitude":
            roll, pitch, yaw, thrust = self._reader.parameters
            self._hold_attitude((roll, pitch, yaw), kernel.AXIS_LOCK, thrust)
        elif self._mode == "Land":
            self._glide()
        elif self._mode == "AutoTakeoff" and not self._start.is_holding:
            start = self._start
            attitude = (0.0, start.pitch_deg, start.heading_deg)
            self._hold_attitude(attitude, kernel.AXIS_ATTITUDE, start.thrust)
        else:
            self._fly()

    def _change_mode(self, mode: str) -> None:
        if self._mode == "AutoTakeoff":
            self._start.leave()
        self._mode = mode
        if mode == "AutoTakeoff":
            self._start.activate()

    def _take_settings(self) -> None:
        row = self._settings.row
        self._ahead_s = float(row["CourseFeedForward"])
        self._gain = float(row["HorizontalPosP"])

    def _is_on_path(self) -> bool:
        holds = self._mode == "AutoTakeoff" and self._start.is_holding
        return holds or self._mode in _PATHS

    # The modes --------------------------------------------------------------------------

    def _fly(self) -> None:
        command, progress = self._command, self._progressed()
        north, east, down = self._wanted(progress)
        command["horizontal_mode"] = kernel.HORIZONTAL_WING
        command["vertical_mode"] = kernel.VERTICAL_PATH
        command["velocity_north"], command["velocity_east"] = north, east
        command["velocity_down"] = down
        command["down_m"] = self._position.vector()[2] + progress.correction[2]

    def _wanted(self, progress: PathLegProgress) -> Vector:
        """updatePathVelocity: back to the path as well as along it, unless both are behind, when
        it turns round first."""
        (north, east, down), correction = progress.velocity, progress.correction
        if not self._is_facing_away(progress):
            north += correction[0] * self._gain
            east += correction[1] * self._gain
        return north, east, down

    def _is_facing_away(self, progress: PathLegProgress) -> bool:
        along, across, flown = progress.velocity, progress.correction, self._velocity.vector()
        if max(abs(along[0]), abs(along[1])) <= _SHORT:
            return False
        return _dot(along, flown) < 0.0 and _dot(across, flown) < 0.0

    def _glide(self) -> None:
        path = self._reader.path
        heading = heading_of(path.start, path.end)
        axis = kernel.AXIS_RATE if heading is None else kernel.AXIS_ATTITUDE
        pitch = float(self._settings.fields["LandingPitch"])
        self._hold_attitude((0.0, pitch, heading or 0.0), axis, 0.0)

    def _hold_attitude(self, attitude: Vector, yaw_axis: int, thrust: float) -> None:
        """Roll and pitch in degrees, yaw in degrees or degrees per second."""
        command = self._command
        command["horizontal_mode"] = kernel.HORIZONTAL_NONE
        command["vertical_mode"] = kernel.VERTICAL_MANUAL
        command["axis_mode"][2] = yaw_axis
        command["axis_setpoint"][:] = attitude
        command["thrust"], command["cruise"] = thrust, 0

    def _progressed(self) -> PathLegProgress:
        """On the path, where it will be."""
        ahead = moved(self._position.vector(), self._ahead_s, self._velocity.vector())
        return progress_on(self._reader.path, ahead)

    @property
    def progress(self) -> PathLegProgress:
        """How far it has come along its path."""
        if self._mode == "Land":
            return PathLegProgress(0.0, 0.0, NOWHERE, NOWHERE)
        if self._mode == "AutoTakeoff" and not self._start.is_holding:
            return self._start.progress()
        return self._progressed()


def _dot(a: Vector, b: Vector) -> float:
    """Over ground."""
    return a[0] * b[0] + a[1] * b[1]
