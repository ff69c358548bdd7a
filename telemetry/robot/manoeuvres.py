"""What a robot can be asked to do, each as a state machine that says where the sticks have to be.

They fly an aircraft as a pilot at the station does, by the rules of the firmware that
`telemetry.missions.guided_actions` names: modes by the flight mode switch, places and velocities by
PathDesired while PositionHold is selected, arming and take-off by `ArmingProcedure`. `update` is
called with the sticks until `is_done` or there is a `problem`; the sticks are held afterwards.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from telemetry.configuration.arming.by_sticks import (
    AUTO_TAKEOFF,
    gesture_on_board,
    gesture_sticks,
    values_of,
)
from telemetry.configuration.arming.procedure import ArmingProcedure, ArmingStage
from telemetry.missions.guided_actions import GuidedPath, why_not_height, why_not_place
from telemetry.missions.verified_write import VerifiedWrite
from telemetry.recording.sample import Sample
from telemetry.robot.aircraft_view import AircraftView
from telemetry.robot.climb_stick import climb_throttle
from telemetry.vehicle.sticks import Sticks

SELECTED_WITHIN_S: Final = 3.0
READY_WITHIN_S: Final = 60.0
"""So long it may take until nothing forbids arming: a GPS receiver finds its place by then."""
ARRIVED_M: Final = 0.8
"""A place counts as reached so near to it: GPS is no better."""
_HOLD: Final = "PositionHold"
_ALREADY: Final = "It is armed already, and may be flying. Land it or disarm it first."
_GIVEN_UP: Final = (
    "It disarmed before it was up: AutoTakeoff gives up 3 m away from where it began, and an "
    "aircraft that topples is disarmed."
)
_MIDDLE: Final = 0.5
_NEAR_MPS: Final = 0.01


class Manoeuvre(Protocol):
    """One thing that is flown."""

    title: str
    is_done: bool
    problem: str

    @property
    def sticks(self) -> Sticks | None:
        """Where the sticks have to be now; None: where they are."""

    def update(self, aircraft: AircraftView) -> None:
        """Go on, by what the aircraft has told up to now."""


class Arm:
    """Arms, for a take-off where the switch has AutoTakeoff, else for flying by hand."""

    title = "Arm"

    def __init__(self) -> None:
        self.sticks = Sticks()
        self.is_done = False
        self.problem = ""
        self.procedure: ArmingProcedure | None = None
        self._since_s = 0.0

    def update(self, aircraft: AircraftView) -> None:
        if self.procedure is None:
            if aircraft.state.is_armed:
                self.problem = _ALREADY
                return
            has_mode = aircraft.position_of(AUTO_TAKEOFF) is not None
            mode = AUTO_TAKEOFF if has_mode else ""
            self.procedure = ArmingProcedure(mode, past=aircraft.read_past)
            self._since_s = aircraft.now_s
        procedure = self.procedure
        procedure.update(aircraft.now_s, aircraft.read)
        self.sticks = procedure.sticks
        self.is_done = procedure.is_armed
        self.problem = _why_not_armed(procedure, aircraft.now_s - self._since_s)


class TakeOff:
    """Arms if it is not, climbs to the board's AutoTakeOffHeight, then to `height_m` above home."""

    title = "Take off"

    def __init__(self, height_m: float | None, armed_by: Arm | None = None) -> None:
        self.sticks = Sticks()
        self.is_done = False
        self.problem = (why_not_height(height_m) or "") if height_m is not None else ""
        self._height_m = height_m
        procedure = armed_by.procedure if armed_by is not None else None
        self._procedure = procedure
        self._raises = procedure is not None
        self._since_s = 0.0
        self._to_height: GoTo | None = None

    def update(self, aircraft: AircraftView) -> None:
        procedure = self._procedure
        if procedure is None:
            self.problem = self.problem or (_ALREADY if aircraft.state.is_armed else "")
            procedure = ArmingProcedure(takes_off=True, past=aircraft.read_past)
            self._procedure = procedure
            self._since_s = aircraft.now_s
        if self.problem:
            return
        if self._to_height is not None:
            self._climb_on(self._to_height, aircraft)
            return
        now_s = aircraft.now_s
        if self._raises and procedure.stage is ArmingStage.ARMED:
            self._raises = False
            procedure.take_off(now_s, aircraft.read)
        procedure.update(now_s, aircraft.read)
        self.sticks = procedure.sticks
        self.problem = _why_not_armed(procedure, now_s - self._since_s)
        if procedure.stage is ArmingStage.CLIMBING:
            if self._holds(aircraft):
                self._arrived(aircraft)
            elif aircraft.state.armed == "Disarmed":
                self.problem = _GIVEN_UP

    @staticmethod
    def _holds(aircraft: AircraftView) -> bool:
        status = aircraft.values("StatusVtolAutoTakeoff")
        return status.get("State") == "Hold"

    def _arrived(self, aircraft: AircraftView) -> None:
        here = aircraft.here()
        if self._height_m is None or here is None:
            self.is_done = True
        else:
            self._to_height = GoTo(here.at_height(self._height_m))

    def _climb_on(self, to_height: "GoTo", aircraft: AircraftView) -> None:
        to_height.update(aircraft)
        self.sticks = to_height.sticks or self.sticks
        self.is_done, self.problem = to_height.is_done, to_height.problem


def _why_not_armed(procedure: ArmingProcedure, waited_s: float) -> str:
    """Why it will not arm, as a sentence; "" while it may."""
    if procedure.stage is ArmingStage.REFUSED:
        return procedure.reason
    if procedure.has_armed or waited_s < READY_WITHIN_S:
        return ""
    return f"Not armed within {READY_WITHIN_S:.0f} s. {procedure.reason}"


class SelectMode:
    """Selects a flight mode and stays in it; done as soon as the board says that it is selected."""

    def __init__(self, title: str, mode: str) -> None:
        self.title = title
        self.sticks: Sticks | None = None
        self.is_done = False
        self.problem = ""
        self._mode = mode
        self._position: int | None = None
        self._since_s: float | None = None

    def update(self, aircraft: AircraftView) -> None:
        if self._position is None:  # looked up once: that reads the whole switch's set-up
            self._position = aircraft.position_of(self._mode)
        position = self._position
        if position is None:
            self.problem = (
                f"No position of the flight mode switch selects {self._mode}. Give it one in "
                "FlightModeSettings.FlightModePosition."
            )
            return
        if not aircraft.state.is_armed and not self.is_done:
            self.problem = "It is not armed. Take off first."
            return
        self._since_s = aircraft.now_s if self._since_s is None else self._since_s
        self.sticks = Sticks(throttle=_MIDDLE, flight_mode_position=position, arm=True)
        present = aircraft.state.flight_mode
        if present == self._mode:
            self.is_done = True
        elif aircraft.now_s - self._since_s > SELECTED_WITHIN_S and not self.is_done:
            self.problem = (
                f"The flight mode is {present}, not {self._mode}. Something else moves the "
                "switch: a failsafe, the battery or another transmitter."
            )


class _PathManoeuvre:
    """Selects PositionHold and has PathDesired say what is flown there."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.is_done = False
        self.problem = ""
        self._mode = SelectMode(title, _HOLD)
        self._write: VerifiedWrite | None = None

    @property
    def sticks(self) -> Sticks | None:
        """Those of the mode."""
        return self._mode.sticks

    def is_written(self, aircraft: AircraftView, values: dict[str, Any], holds: "_Holds") -> bool:
        """Whether the board holds it; goes on with that."""
        self._mode.update(aircraft)
        self.problem = self._mode.problem
        if self.problem or not self._mode.is_done:
            return False
        if self._write is None:
            commands = aircraft.vehicle.commands
            self._write = VerifiedWrite(
                commands, "PathDesired", values, lambda: holds(aircraft.read("PathDesired"))
            )
        if self._write.state == "waiting":
            self._write.poll()
        if self._write.state == "failed":
            self.problem = f"{self._write.text} It holds where it is."
        return self._write.state == "done"


class _Holds(Protocol):
    def __call__(self, path: Sample | None, /) -> bool:
        """Whether PathDesired is what was asked for."""


class GoTo(_PathManoeuvre):
    """Flies straight to a place and stays there. Done on arrival."""

    def __init__(self, path: GuidedPath, is_here: bool = False) -> None:
        """`is_here`: to stay where it is, which it may anywhere."""
        super().__init__("Go to")
        self._path = path
        self._is_checked = is_here

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if not self._is_checked:
            self.problem = self._why_not(aircraft)
            self._is_checked = True
        if self.problem or not self.is_written(
            aircraft, self._path.values(), self._path.is_on_board
        ):
            return
        self.is_done = self.is_done or aircraft.distance_m(self._path) < ARRIVED_M

    def _why_not(self, aircraft: AircraftView) -> str:
        here = aircraft.here()
        if here is None:
            return "It does not say where it is. Wait for GPS."
        place = (self._path.north_m, self._path.east_m)
        return (
            why_not_height(-self._path.down_m)
            or why_not_place((here.north_m, here.east_m), place)
            or ""
        )


@dataclass(frozen=True, slots=True)
class FlownVelocity:
    """m/s north, east and up; the nose turns by `yaw_degps`, to the right positive."""

    north_mps: float
    east_mps: float
    up_mps: float = 0.0
    yaw_degps: float = 0.0


class FlyVelocity(_PathManoeuvre):
    """Flies with a velocity for some seconds, then stays where it is.

    PathDesired has the horizontal part (vtolvelocitycontroller.cpp); the same controller takes
    climb rate and yaw rate from throttle and yaw stick (AltitudeVario, AxisLock).
    """

    def __init__(self, velocity: FlownVelocity, seconds: float) -> None:
        super().__init__("Fly with a velocity")
        self._velocity = velocity
        self._seconds = seconds
        self._since_s: float | None = None
        self._stay: GoTo | None = None
        numbers = (velocity.north_mps, velocity.east_mps, velocity.up_mps, velocity.yaw_degps)
        if not all(map(math.isfinite, (*numbers, seconds))) or seconds <= 0.0:
            self.problem = "A velocity and its seconds have to be numbers, the seconds above 0."
        self._sticks: Sticks | None = None

    @property
    def sticks(self) -> Sticks | None:
        """Those of the mode, with climb and yaw rate while it flies."""
        return self._stay.sticks if self._stay is not None else self._sticks

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if self._stay is not None:
            self._stay.update(aircraft)
            self.is_done, self.problem = self._stay.is_done, self._stay.problem
            return
        if self.problem:
            return
        is_written = self.is_written(aircraft, self._values(), self._is_on_board)
        self._sticks = super().sticks
        if not is_written:
            return
        self._since_s = aircraft.now_s if self._since_s is None else self._since_s
        here = aircraft.here()
        if aircraft.now_s - self._since_s >= self._seconds and here is not None:
            self._stay = GoTo(here, is_here=True)
            self._stay.update(aircraft)
        elif self._sticks is not None:
            self._sticks = self._moved(self._sticks, aircraft)

    def _values(self) -> dict[str, Any]:
        north, east = self._velocity.north_mps, self._velocity.east_mps
        return {"Mode": "Velocity", "ModeParameters": (north, east, 0.0, 0.0)}

    def _is_on_board(self, path: Sample | None) -> bool:
        if path is None or str(path["Mode"]) != "Velocity":
            return False
        north, east = (float(path.raw(f"ModeParameters.{i}")) for i in (0, 1))
        wanted = self._velocity
        return math.isclose(north, wanted.north_mps, abs_tol=_NEAR_MPS) and math.isclose(
            east, wanted.east_mps, abs_tol=_NEAR_MPS
        )

    def _moved(self, sticks: Sticks, aircraft: AircraftView) -> Sticks:
        wanted = self._velocity
        fastest_mps = aircraft.number("AltitudeHoldSettings", "ThrustRate", 5.0)
        bend = aircraft.number("AltitudeHoldSettings", "ThrustExp", 128.0)
        fastest_degps = aircraft.number("StabilizationBank", "MaximumRate.Yaw", 0.0) or (
            aircraft.number("StabilizationSettingsBank1", "MaximumRate.Yaw", 100.0)
        )
        yaw = min(max(wanted.yaw_degps / fastest_degps, -1.0), 1.0)
        throttle = climb_throttle(wanted.up_mps, fastest_mps, bend)
        return replace(sticks, throttle=throttle, yaw=yaw)


class Land:
    """Comes down where it is. Done once it has disarmed."""

    title = "Land"

    def __init__(self) -> None:
        self._mode = SelectMode(self.title, "Land")
        self.is_done = False
        self.problem = ""

    @property
    def sticks(self) -> Sticks | None:
        """Those of the mode; at rest once it has disarmed, so that it is not armed again."""
        sticks = self._mode.sticks
        if sticks is None or not self.is_done:
            return sticks
        return replace(sticks, throttle=0.0, arm=False)

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if self.is_done:
            return
        if self._mode.is_done and aircraft.state.armed == "Disarmed":
            self.is_done = True
            return
        self._mode.update(aircraft)
        self.problem = self._mode.problem


class Disarm:
    """Makes the gesture that disarms, with the throttle cut. Done once it is disarmed."""

    title = "Disarm"

    def __init__(self) -> None:
        self.sticks = Sticks()
        self.is_done = False
        self.problem = ""
        self._position: int | None = None

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if self._position is None:  # looked up once: that reads the whole switch's set-up
            self._position = aircraft.position_of(aircraft.state.flight_mode or "") or 0
        self.is_done = aircraft.state.armed == "Disarmed"
        resting = Sticks(flight_mode_position=self._position)
        gesture = None if self.is_done else gesture_on_board(values_of(aircraft.read))
        self.sticks = resting if gesture is None else gesture_sticks(gesture, resting, arms=False)


class Steer:
    """Holds sticks by hand for some seconds, in the flight mode `mode`."""

    title = "Steer"

    def __init__(self, sticks: Sticks, mode: str, seconds: float) -> None:
        self.is_done = False
        self.problem = ""
        self._mode = SelectMode(self.title, mode)
        self._wanted = sticks
        self._seconds = seconds
        self._since_s: float | None = None
        axes = (sticks.roll, sticks.pitch, sticks.yaw, sticks.throttle)
        if not all(map(math.isfinite, (*axes, seconds))):
            self.problem = "Sticks and seconds have to be numbers."

    @property
    def sticks(self) -> Sticks | None:
        """As they were given, in the mode."""
        selecting = self._mode.sticks
        if selecting is None:
            return None
        position = selecting.flight_mode_position
        return replace(self._wanted, flight_mode_position=position, arm=True)

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if self.problem:
            return
        self._mode.update(aircraft)
        self.problem = self._mode.problem
        if self._mode.is_done:
            self._since_s = aircraft.now_s if self._since_s is None else self._since_s
            self.is_done = aircraft.now_s - self._since_s >= self._seconds
