"""Desired paths: the PathDesired that each mode which flies by itself asks the path follower for.

The rules are those of LibrePilot's pathfollowerhandler.c and flight/libraries/plans.c. Most modes
write once, when they are selected; in those with sticks the sticks write anew. So what a station
writes into PathDesired is flown until a mode is selected or, in those, a stick is moved.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import Vector, vector_of
from simulation.mathematics.vectors import between, dot, moved

_PERIOD_S: Final = 0.02
_STICK_DEADBAND: Final = 0.1
_EXPO_BASE: Final = 1.00695
_LAND_HOLDS_PLACE: Final = 1.0
_LEAST_BRAKE_RATE: Final = 0.2
_BRAKE_DELAY_S: Final = 1.0
_SHORTEST_BRAKE_S, _LONGEST_BRAKE_S = 0.2, 9.0
_BRAKE_PATIENCE: Final = 4.0
_CRUISE_TURN_DEG: Final = 10.0
_VARIO: Final = ("CourseLock", "HomeLeash", "AbsolutePosition")


class Plans:
    """Writes PathDesired; `enter` when a mode is selected, then `run` in every loop."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._attitude = board["AttitudeState"]
        self._path = board["PathDesired"]
        self._takeoff = board["TakeOffLocation"]
        self._flight = board["FlightStatus"]
        self._command = board["ManualControlCommand"]
        self._settings = board["FlightModeSettings"]
        self._bank = board["StabilizationBank"]
        self._limits = board["VtolPathFollowerSettings"]
        self._enters: dict[str, Callable[[], None]] = {
            "ReturnToBase": self._return_to_base,
            "Land": self._land_or_roam,
            "AutoTakeoff": self._take_off,
            "VelocityRoam": self._stop_roaming,
            "PositionHold": self._hold_or_brake,
            "AutoCruise": self._begin_cruise,
            **dict.fromkeys(_VARIO, self._begin_vario),
        }
        self._runs: dict[str, Callable[[], None]] = {
            "VelocityRoam": self._roam,
            "Land": self._roam_while_landing,
            "AutoCruise": self._cruise,
            **dict.fromkeys(_VARIO, self._vary),
        }
        self._mode = ""
        self._is_roaming = False
        self._course_deg = 0.0
        self._filtered = [0.0, 0.0, 0.0]
        self._is_still = True
        self._held: Vector = (0.0, 0.0, 0.0)

    def enter(self, mode: str) -> None:
        """A mode was selected."""
        self._mode = mode
        self._is_roaming = False
        self._enters.get(mode, self.hold)()

    def run(self) -> None:
        """A loop of the mode."""
        run = self._runs.get(self._mode)
        if run is not None:
            run()

    def hold(self) -> None:
        """plan_setup_positionHold: stay here, which a fast aircraft comes back to."""
        here = self._here()
        self._write("GoToEndpoint", self._beside(here), here)

    def land(self) -> None:
        """plan_setup_land: where it is."""
        here = self._here()
        sink = float(self._settings.fields["LandingVelocity"])
        self._write("Land", here, here, parameters=(0.0, 0.0, sink, _LAND_HOLDS_PLACE))

    # Modes that write once --------------------------------------------------------------

    def _hold_or_brake(self) -> None:
        if self._is_assisted():
            self._brake()
        else:
            self.hold()

    def _return_to_base(self) -> None:
        """plan_setup_returnToBase: straight to where it took off, by ReturnToBaseAltitudeOffset
        above the higher of that and of where it is, without climbing first."""
        base, settings = self._takeoff.row, self._settings
        offset = float(settings.fields["ReturnToBaseAltitudeOffset"])
        down = min(self._here()[2], float(base["Down"])) - offset
        end = float(base["North"]), float(base["East"]), down
        speed = float(settings.fields["ReturnToBaseVelocity"])
        following = float(settings.fields["ReturnToBaseNextCommand"])
        self._write(
            "GoToEndpoint", self._beside(end), end, (speed, speed), (following, 0.0, 0.0, 0.0)
        )

    def _take_off(self) -> None:
        here = self._here()
        height = abs(float(self._settings.fields["AutoTakeOffHeight"]))
        self._write("AutoTakeoff", here, (here[0], here[1], here[2] - height))

    def _brake(self) -> None:
        """plan_setup_assistedcontrol: to where it comes to rest."""
        here, velocity = self._here(), self._velocity.vector()
        speed = math.hypot(*velocity)
        rate = max(float(self._limits.fields["BrakeRate"]), _LEAST_BRAKE_RATE)
        seconds = min(max(_BRAKE_DELAY_S + speed / rate, _SHORTEST_BRAKE_S), _LONGEST_BRAKE_S)
        way_s = _BRAKE_DELAY_S + 0.5 * (seconds - _BRAKE_DELAY_S)
        end = moved(here, way_s, velocity)
        self._write("Brake", here, end, (speed, 0.0), (*velocity, seconds * _BRAKE_PATIENCE))

    # VelocityRoam -----------------------------------------------------------------------

    def _stop_roaming(self) -> None:
        self._is_roaming = True

    def _land_or_roam(self) -> None:
        if self._is_assisted():
            self._is_roaming = True
        else:
            self.land()

    def _roam_while_landing(self) -> None:
        if self._is_assisted():
            self._roam()

    def _roam(self) -> None:
        """plan_run_VelocityRoam: roll and pitch ask for a velocity, up to HorizontalVelMax; let go
        of, it brakes, or lands where it is. The height is that of the throttle."""
        right, back = (self._curved(i, axis) for i, axis in enumerate(("Roll", "Pitch")))
        is_landing = self._mode == "Land"
        if right == 0.0 and back == 0.0:
            if self._is_roaming:
                self._is_roaming = False
                (self.land if is_landing else self._brake)()
            return
        self._is_roaming = True
        fastest = float(self._limits.fields["HorizontalVelMax"])
        north, east = _turned(-back * fastest, right * fastest, self._yaw_deg())
        down = float(self._settings.fields["LandingVelocity"]) if is_landing else 0.0
        here, speed = self._here(), math.hypot(north, east)
        mode = "Land" if is_landing else "Velocity"
        self._write(mode, here, here, (speed, speed), (north, east, down, 0.0))

    def _curved(self, axis: int, name: str) -> float:
        """applyExpo of plans.c, which bends less than that of stabilizedhandler.c."""
        stick = float(self._command.fields[name])
        expo = int(self._bank.fields["StickExpo"][axis])
        return math.copysign(abs(stick) ** min(max(_EXPO_BASE**expo, 0.5), 2.0), stick)

    # CourseLock, HomeLeash and AbsolutePosition -----------------------------------------

    def _begin_vario(self) -> None:
        self._course_deg = self._yaw_deg()
        self._filtered = [0.0, 0.0, 0.0]
        self._is_still = True
        self.hold()

    def _vary(self) -> None:
        """plan_run_PositionVario: sticks move the place to go to, by at most PositionHoldOffset
        from the place that it holds, which moves along with the aircraft."""
        sticks, moves = self._stick_vector()
        if not moves:
            if not self._is_still:
                self._is_still = True
                self._write("GoToEndpoint", self._beside(self._held), self._held)
            return
        offset, slower = self._offsets()
        north, east = _turned(-sticks[1], sticks[0], self._vario_angle_deg())
        up = sticks[2] * slower / offset
        length = math.hypot(north, east, up)
        scale = 1.0 / length if length > 0.0 else 0.0  # yaw alone moves nothing
        way = (north * scale, east * scale, -up * scale)
        if self._is_still:
            self._is_still = False
            self._held = vector_of(self._path.fields["End"])
        else:
            self._advance(way)
        end = moved(self._held, length * offset, way)
        self._write("GoToEndpoint", self._beside(end), end)

    def _stick_vector(self) -> tuple[tuple[float, float, float], bool]:
        """Roll, pitch and thrust -1..1 beyond their dead band, and whether any stick, yaw too, is
        out of it. All but thrust go through VarioControlLowPassAlpha."""
        alpha = float(self._settings.fields["VarioControlLowPassAlpha"])
        for i, name in enumerate(("Roll", "Pitch", "Yaw")):
            stick = float(self._command.fields[name])
            self._filtered[i] = alpha * self._filtered[i] + (1.0 - alpha) * stick
        thrust = 2.0 * float(self._command.fields["Thrust"]) - 1.0
        roll, pitch, yaw, thrust = (_beyond_deadband(v) for v in (*self._filtered, thrust))
        return (roll, pitch, thrust), any((roll, pitch, yaw, thrust))

    def _vario_angle_deg(self) -> float:
        """Where away from the pilot is."""
        if self._mode == "AbsolutePosition":
            return 0.0
        if self._mode == "CourseLock":
            return self._course_deg
        here, base = self._here(), self._takeoff.row
        return math.degrees(
            math.atan2(here[1] - float(base["East"]), here[0] - float(base["North"]))
        )

    # AutoCruise -------------------------------------------------------------------------

    def _begin_cruise(self) -> None:
        here = self._here()
        self._held = here
        north, east = _turned(1.0, 0.0, self._yaw_deg())
        end = here[0] + north, here[1] + east, here[2]
        self._write("GoToEndpoint", self._beside(end), end)

    def _cruise(self) -> None:
        """plan_run_AutoCruise: ahead of the aircraft by the throttle's share of
        PositionHoldOffset; yaw turns its course, pitch lets it climb and sink."""
        offset, slower = self._offsets()
        end = vector_of(self._path.fields["End"])
        way = between(self._held, end)
        length = max(math.hypot(*way), 1e-9)
        self._advance((way[0] / length, way[1] / length, way[2] / length))
        turn = _beyond_deadband(float(self._command.fields["Yaw"])) * _CRUISE_TURN_DEG * _PERIOD_S
        course = math.degrees(math.atan2(way[1], way[0])) + turn
        share = min(max(float(self._command.fields["Thrust"]), 1e-6), 1.0)
        north, east = _turned(share * offset, 0.0, course)
        down = -_beyond_deadband(float(self._command.fields["Pitch"])) * slower * share
        end = self._held[0] + north, self._held[1] + east, self._held[2] + down
        self._write("GoToEndpoint", self._beside(end), end)

    # Reading and writing ----------------------------------------------------------------

    def _advance(self, way: Vector) -> None:
        """Let the place that is held follow the aircraft along `way`, never back."""
        along = dot(between(self._held, self._here()), way)
        if along > 0.0:
            self._held = moved(self._held, along, way)

    def _is_assisted(self) -> bool:
        return self._flight.option("FlightModeAssist") != "None"

    def _here(self) -> Vector:
        return self._position.vector()

    def _yaw_deg(self) -> float:
        return float(self._attitude.fields["Yaw"])

    def _offsets(self) -> tuple[float, float]:
        """PositionHoldOffset, horizontal and vertical, m."""
        horizontal, vertical = self._settings.fields["PositionHoldOffset"].tolist()
        return max(horizontal, 1e-3), vertical

    def _beside(self, end: Vector) -> Vector:
        """The start of a path that has only an end: by it PathStatus measures what is left."""
        return end[0] + self._offsets()[0], end[1], end[2]

    def _write(
        self,
        mode: str,
        start: Sequence[float],
        end: Sequence[float],
        speeds: tuple[float, float] = (0.0, 0.0),
        parameters: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    ) -> None:
        path = self._path
        path.set(
            Mode=path.number("Mode", mode),
            Start=start,
            End=end,
            StartingVelocity=np.float32(speeds[0]),
            EndingVelocity=np.float32(speeds[1]),
            ModeParameters=parameters,
            UID=0,
        )


def _beyond_deadband(stick: float) -> float:
    """normalizeDeadband: 0.1 cut out, the rest -1..1 again."""
    size = (abs(stick) - _STICK_DEADBAND) / (1.0 - _STICK_DEADBAND)
    return math.copysign(min(size, 1.0), stick) if size > 0.0 else 0.0


def _turned(ahead: float, right: float, angle_deg: float) -> tuple[float, float]:
    """North and east of a vector given ahead and to the right."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return ahead * c - right * s, ahead * s + right * c
