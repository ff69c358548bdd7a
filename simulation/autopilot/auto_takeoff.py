"""AutoTakeoff of rotorcraft: the states from being armed to holding the height.

The rules are those of LibrePilot's vtolautotakeoffcontroller.cpp and vtolautotakeofffsm.cpp. The
controller waits to be armed while its mode is selected, then for the throttle to be raised; the
states after that start the motors gently, climb and hold. Lowering the throttle gives up, with the
motors off, whatever the height.
"""

import math
from typing import Final

from simulation.autopilot.board import SimulatedBoard

_LEAST_HEIGHT_M, _MOST_HEIGHT_M = 2.0, 50.0
_IN_FLIGHT_THRUST: Final = 0.2
_START_THROTTLE: Final = 0.3
_ABORT_THROTTLE: Final = 0.1
_SLOW_START_US: Final = 2_000_000
_THRUST_UP_US: Final = 1_000_000
_THRUST_DOWN_US: Final = 5_000_000
_FIRST_THRUST: Final = 0.05
_ARRIVED_M: Final = 0.5
_DRIFTED_M: Final = 3.0
_LOW_M: Final = 5.0

Place = tuple[float, float, float]


class AutoTakeoff:
    """The state machine: `control` and `state` are options of StatusVtolAutoTakeoff.

    `thrust` is 0 to 1 and counts while it `is_level`; `place` is where the mode was selected.
    StatusVtolAutoTakeoff is written when `state` changes and not before: on the wire waiting looks
    like nothing, and the last state stays after the mode was left.
    """

    def __init__(self, board: SimulatedBoard) -> None:
        self._command = board["ManualControlCommand"]
        self._flight = board["FlightStatus"]
        self._position = board["PositionState"]
        self._desired = board["StabilizationDesired"]
        self._settings = board["FlightModeSettings"]
        self._limits = board["VtolPathFollowerSettings"]
        self._takeoff = board["TakeOffLocation"]
        self._status = board["StatusVtolAutoTakeoff"]
        self.control = "WaitForArmed"
        self.state = "Inactive"
        self.thrust = 0.0
        self.place: Place = (0.0, 0.0, 0.0)
        self._since_us = 0
        self._down_from = 0.0
        self._started_at: Place = (0.0, 0.0, 0.0)

    @property
    def is_motor_off(self) -> bool:
        """Whether it waits or has given up."""
        waits = self.control not in ("Initiate", "PositionHold")
        return waits or self.state in ("ThrustOff", "Disarmed")

    @property
    def is_level(self) -> bool:
        """Whether it neither looks at place nor height: it starts gently, or comes down."""
        return self.state in ("SlowStart", "ThrustDown")

    @property
    def is_holding(self) -> bool:
        """Whether it has arrived."""
        return self.state == "Hold"

    @property
    def height_m(self) -> float:
        """How far above `place` it goes: climbing to what the settings say, and holding that
        within the limits of the controller."""
        height = abs(float(self._settings.fields["AutoTakeOffHeight"]))
        if not self.is_holding:
            return height
        return min(max(height, _LEAST_HEIGHT_M), _MOST_HEIGHT_M)

    def enter(self, now_us: int) -> None:
        """The mode was selected: arming has to come after that. Armed already, it believes to fly
        if there is thrust, and else does nothing until it is disarmed."""
        self.place = self._here()
        self.thrust = 0.0
        self.state = "Inactive"
        if not self._is_armed():
            self.control = "WaitForArmed"
        elif float(self._desired.newest()["Thrust"]) > _IN_FLIGHT_THRUST:
            self.control = "PositionHold"
            self._go(now_us, "Hold")
        else:
            self.control = "RequireUnarmedFirst"

    def update(self, now_us: int) -> None:
        """One step."""
        self._update_control(now_us)
        self._update_state(now_us)

    def _update_control(self, now_us: int) -> None:
        throttle = float(self._command.fields["Throttle"])
        if self.control in ("RequireUnarmedFirst", "Abort"):
            if not self._is_armed():
                self.control = "WaitForArmed"
                self._go(now_us, "Inactive")
        elif self.control == "WaitForArmed":
            if self._is_armed():
                self.control = "WaitForMidThrottle"
        elif self.control == "WaitForMidThrottle":
            if throttle > _START_THROTTLE:
                self.control = "Initiate"
                self._started_at = self._here()
                self._go(now_us, "SlowStart", "Timeout")
        elif self.control == "Initiate" and throttle < _ABORT_THROTTLE:
            self.control = "Abort"
            self._go(now_us, "Hold")

    def _update_state(self, now_us: int) -> None:
        elapsed_us = now_us - self._since_us
        if self.state == "SlowStart":
            least = max(float(self._limits.fields["ThrustLimits"][0]), _FIRST_THRUST)
            share = min(elapsed_us / _SLOW_START_US, 1.0)
            self.thrust = _FIRST_THRUST + share * (least - _FIRST_THRUST)
            if elapsed_us > _SLOW_START_US:
                self._go(now_us, "ThrustUp", "Timeout")
        elif self.state == "ThrustUp":
            if elapsed_us > _THRUST_UP_US:
                self._go(now_us, "Takeoff", "Timeout")
        elif self.state == "Takeoff":
            self._climb(now_us)
        elif self.state == "ThrustDown":
            self.thrust = self._down_from * max(1.0 - elapsed_us / _THRUST_DOWN_US, 0.0)
            if elapsed_us > _THRUST_DOWN_US:
                self._go(now_us, "ThrustOff", "Timeout")
        elif self.state == "ThrustOff":
            self._go(now_us, "Disarmed")

    def _climb(self, now_us: int) -> None:
        """Until it is there, or has drifted away from where it started."""
        north, east, down = self._here()
        thrust = float(self._desired.newest()["Thrust"])
        if thrust < 0.0:
            self._go(now_us, "ThrustOff", "ZeroThrust")
        elif math.hypot(north - self._started_at[0], east - self._started_at[1]) > _DRIFTED_M:
            self._down_from = thrust
            self._go(now_us, "ThrustDown", "PositionError")
        elif abs(self.place[2] - self.height_m - down) < _ARRIVED_M:
            self._go(now_us, "Hold", "ArrivedAtAlt")

    def _go(self, now_us: int, state: str, reason: str = "None") -> None:
        """Change the state, and say so; `reason` is why the one before ended."""
        if state == self.state:
            return
        status = self._status
        height_m = self._height_above_takeoff()
        reasons, heights = (
            status.row["StateExitReason"].copy(),
            status.row["AltitudeAtState"].copy(),
        )
        reasons[status.number("State", self.state)] = status.number("StateExitReason", reason)
        heights[status.number("State", state)] = height_m
        self.state = state
        self._since_us = now_us
        status.set(
            State=status.number("State", state),
            ControlState=status.number("ControlState", self.control),
            AltitudeState=status.number("AltitudeState", "High" if height_m > _LOW_M else "Low"),
            StateExitReason=reasons,
            AltitudeAtState=heights,
        )

    def _height_above_takeoff(self) -> float:
        takeoff = self._takeoff
        is_known = takeoff.option("Status") == "Valid"
        ground = float(takeoff.fields["Down"]) if is_known else 0.0
        return ground - self._here()[2]

    def _is_armed(self) -> bool:
        """Arming counts as armed here, as in firmware."""
        return self._flight.option("Armed") != "Disarmed"

    def _here(self) -> Place:
        return self._position.vector()
