"""Guidance of aeroplanes: PathDesired becomes a velocity to fly, which the compiled loop follows.

Where the aircraft will be after CourseFeedForward (FixedWingPathFollowerSettings) decides: there,
the desired velocity points along the path with its speed and across it with HorizontalPosP
times the distance to it, and is as fast as the path. An end point cannot be stood on: it is flown
through, or, where EndingVelocity is zero, circled, as is the end of a last leg.
"""

import math
from typing import Final

import numpy as np

from simulation import interface as kernel
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import Path, Vector, progress_on, vector_of

LOITER_M: Final = 45.0
"""Radius of the circle about a point: what 45 degrees of roll can fly at 20 m/s."""
_VERTICAL_MODES: Final = {
    "Land": kernel.VERTICAL_LAND,
    "AutoTakeoff": kernel.VERTICAL_TAKEOFF,
    "FixedAttitude": kernel.VERTICAL_MANUAL,
}
_LINES: Final = frozenset({"FollowVector", "Land", "AutoTakeoff"})
_CIRCLES: Final = frozenset({"CircleRight", "CircleLeft"})


def is_fixed_wing(board: SimulatedBoard) -> bool:
    """Whether SystemSettings.AirframeType is one of the aeroplanes."""
    return board["SystemSettings"].option("AirframeType").startswith("FixedWing")


class FixedWingGuidance:
    """Writes COMMAND once per loop of the automatic modes."""

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._command = command
        self._path = board["PathDesired"]
        self._settings = board["FixedWingPathFollowerSettings"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        modes = self._path.definition.field_named("Mode")
        self._mode_names = dict(zip(modes.option_values, modes.options, strict=True))
        self._settings.subscribe(self._take_settings)
        self._take_settings()

    def leave(self) -> None:
        """Somebody else writes COMMAND."""

    def follow(self, position_valid: bool) -> None:
        """Fly what PathDesired says. Without a position the compiled loop circles and keeps the
        height."""
        command, row = self._command, self._path.row
        mode = self._mode_names.get(int(row["Mode"]), "GoToEndpoint")
        command["armed"] = 1
        command["axis_mode"][:] = (kernel.AXIS_ATTITUDE, kernel.AXIS_ATTITUDE, kernel.AXIS_MANUAL)
        command["axis_setpoint"][:] = 0.0
        command["vertical_mode"] = _VERTICAL_MODES.get(mode, kernel.VERTICAL_PATH)
        if mode == "FixedAttitude":
            roll, pitch, _, thrust = row["ModeParameters"].tolist()
            command["horizontal_mode"] = kernel.HORIZONTAL_NONE
            command["axis_setpoint"][:] = (roll, pitch, 0.0)
            command["thrust"] = thrust
            return
        command["horizontal_mode"] = kernel.HORIZONTAL_WING
        self._fly_along(self._geometry(mode))
        if mode == "Land":
            command["down_m"] = row["End"][2]

    def _take_settings(self) -> None:
        row = self._settings.row
        self._ahead_s = float(row["CourseFeedForward"])
        self._gain = float(row["HorizontalPosP"])
        self._slowest = float(row["HorizontalVelMin"])

    def _geometry(self, mode: str) -> Path:
        """The line or circle to fly."""
        row = self._path.row
        start, end = vector_of(row["Start"]), vector_of(row["End"])
        if mode in _CIRCLES:
            return Path(mode, start, end)
        if mode in _LINES and not self._is_past(start, end):
            return Path("FollowVector", start, end)
        if mode == "GoToEndpoint" and float(row["EndingVelocity"]) > 0.0:
            return Path("FollowVector", self._ahead(), end)
        return Path("CircleRight", (end[0] + LOITER_M, end[1], end[2]), end)

    def _ahead(self) -> Vector:
        """Where it will be in a moment, at its present height."""
        velocity, here = self._velocity.vector(), self._position.vector()
        north, east = velocity[0] * self._ahead_s, velocity[1] * self._ahead_s
        return here[0] + north, here[1] + east, here[2]

    def _is_past(self, start: Vector, end: Vector) -> bool:
        """Beyond the end of a line that is the last one: its EndingVelocity is zero."""
        if float(self._path.fields["EndingVelocity"]) > 0.0:
            return False
        here = self._position.vector()
        way = (end[0] - start[0], end[1] - start[1])
        return (here[0] - end[0]) * way[0] + (here[1] - end[1]) * way[1] > 0.0

    def _fly_along(self, path: Path) -> None:
        command = self._command
        here = self._position.vector()
        progress = progress_on(path, self._ahead(), 0.0)
        speed = float(self._path.fields["StartingVelocity"]) or self._slowest
        along, across = progress.direction, progress.correction
        level = math.hypot(along[0], along[1])
        scale = speed / level if level > 1e-3 else 0.0
        north = along[0] * scale + across[0] * self._gain
        east = along[1] * scale + across[1] * self._gain
        whole = speed / max(math.hypot(north, east), 1e-3)
        command["velocity_north"], command["velocity_east"] = north * whole, east * whole
        now = progress_on(path, here, 0.0)
        command["velocity_down"] = along[2] * scale
        command["down_m"] = here[2] + now.correction[2]
