"""AutoTakeoff of rotorcraft: the states from being armed to holding the height.

The rules are those of LibrePilot's vtolautotakeoffcontroller.cpp and vtolautotakeofffsm.cpp. The
controller waits to be armed while its mode is selected, then for the throttle to be raised; the
states after that start the motors gently, climb and hold. Lowering the throttle gives up, with the
motors off, whatever the height.

In a plan it is armed already when it begins, believes to fly, and holds; but what bounds the thrust
is zero since it began (Activate), and only the states of a take-off raise it. So it takes off by no
plan, and one that flies falls. What has taken off in the mode AutoTakeoff before goes on holding,
where the waypoint is.
"""

import math
from typing import Final

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.flight_states import FlightStates
from simulation.autopilot.path_geometry import NOWHERE, PathLegProgress, Vector, vector_of
from simulation.mathematics.vectors import between

_LEAST_HEIGHT_M, _MOST_HEIGHT_M = 2.0, 50.0
_IN_FLIGHT_THRUST: Final = 0.2
_START_THROTTLE: Final = 0.3
_ABORT_THROTTLE: Final = 0.1
_SLOW_START_US: Final = 2_000_000
_THRUST_UP_US: Final = 1_000_000
_THRUST_DOWN_US: Final = 5_000_000
_FIRST_THRUST: Final = 0.05
_MOST_SHARE: Final = 0.8
_OFF: Final = -0.1
_ARRIVED_M: Final = 0.5
_DRIFTED_M: Final = 3.0
_WITH_THRUST: Final = frozenset({"SlowStart", "ThrustUp", "Takeoff"})


class AutoTakeoff(FlightStates):
    """The state machine: `control` and `state` are options of StatusVtolAutoTakeoff.

    It climbs with `climb_mps` over `place`, and holds the height of that.
    """

    def __init__(self, board: SimulatedBoard) -> None:
        super().__init__(board, "StatusVtolAutoTakeoff")
        self._command = board["ManualControlCommand"]
        self._limits = board["VtolPathFollowerSettings"]
        self.control = "WaitForArmed"
        self.climb_mps = self._down_from = 0.0
        self._has_thrust = False
        self._started_at: Vector = NOWHERE

    @property
    def thrust_bounds(self) -> tuple[float, float]:
        """BoundThrust: none while it waits, has given up or never was in a state with thrust."""
        if self.control not in ("Initiate", "PositionHold") or not self._has_thrust:
            return 0.0, 0.0
        least, _, most = self._thrust_limits()
        most *= _MOST_SHARE
        if self.state == "SlowStart":
            return self.thrust, self.thrust
        if self.state == "ThrustUp":
            return least, self.thrust
        if self.state == "ThrustDown":
            return _OFF, self.thrust
        return (_OFF, _OFF) if self.state in ("ThrustOff", "Disarmed") else (least, most)

    @property
    def is_level(self) -> bool:
        """Whether what makes of place and height is not flown: it waits, starts gently, or comes
        down. The controllers go on."""
        return self.state not in ("ThrustUp", "Takeoff", "Hold")

    @property
    def is_holding(self) -> bool:
        """Whether it has arrived."""
        return self.state == "Hold"

    def activate(self, now_us: int) -> None:
        """It is flown now: arming has to come after that. Armed already, it believes to fly if
        there is thrust, or a plan is flown, and else does nothing until it is disarmed."""
        self.leave()
        self.thrust = 0.0
        self._has_thrust = False
        self._is_own_place = True
        self.take_objective()
        if not self._is_armed():
            self.control = "WaitForArmed"
        elif float(self._desired.newest()["Thrust"]) > _IN_FLIGHT_THRUST or self._is_planned():
            self.control = "PositionHold"
            self._go(now_us, "Hold")
        else:
            self.control = "RequireUnarmedFirst"

    def take_objective(self) -> None:
        """PathDesired was written: what was there first counts by FlightModeSettings alone."""
        if not self._is_own_place:
            self.place = vector_of(self._path.fields["End"])
            self.climb_mps = -float(self._path.fields["ModeParameters"][2])
            return
        self._is_own_place = False
        north, east, down = self._position.vector()
        height = abs(float(self._settings.fields["AutoTakeOffHeight"]))
        self.place = north, east, down - min(max(height, _LEAST_HEIGHT_M), _MOST_HEIGHT_M)
        self.climb_mps = float(self._settings.fields["AutoTakeOffVelocity"])

    def update(self, now_us: int) -> None:
        """One step."""
        self._update_control(now_us)
        self._update_state(now_us)

    def progress(self) -> PathLegProgress:
        """UpdateVelocityDesired: done once it holds."""
        desired = (0.0, 0.0, 0.0 if self.is_holding else -self.climb_mps)
        correction = between(self._velocity.vector(), desired)
        return PathLegProgress(float(self.is_holding), 0.0, desired, correction)

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
                self._started_at = self._position.vector()
                self._go(now_us, "SlowStart", "Timeout")
        elif self.control == "Initiate" and throttle < _ABORT_THROTTLE and not self._is_planned():
            self.control = "Abort"
            self._go(now_us, "Hold")

    def _update_state(self, now_us: int) -> None:
        elapsed_us = self.elapsed_us(now_us)
        if self.state == "SlowStart":
            least = max(self._thrust_limits()[0], _FIRST_THRUST)
            share = min(elapsed_us / _SLOW_START_US, 1.0)
            self.thrust = _FIRST_THRUST + share * (least - _FIRST_THRUST)
            if elapsed_us > _SLOW_START_US:
                self._go(now_us, "ThrustUp", "Timeout")
        elif self.state == "ThrustUp":
            least, _, most = self._thrust_limits()
            least, share = max(least, _FIRST_THRUST), min(elapsed_us / _THRUST_UP_US, 1.0)
            self.thrust = least + share * (_MOST_SHARE * most - least)
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
        """Until it is where PathDesired ends, or has drifted away from where it started."""
        north, east, down = self._position.vector()
        thrust = float(self._desired.newest()["Thrust"])
        if thrust < 0.0:
            self._go(now_us, "ThrustOff", "ZeroThrust")
        elif math.hypot(north - self._started_at[0], east - self._started_at[1]) > _DRIFTED_M:
            self._down_from = thrust
            self._go(now_us, "ThrustDown", "PositionError")
        elif abs(float(self._path.fields["End"][2]) - down) < _ARRIVED_M:
            self._go(now_us, "Hold", "ArrivedAtAlt")

    def _go(self, now_us: int, state: str, reason: str = "None") -> None:
        self._has_thrust |= state in _WITH_THRUST
        control = self._status.number("ControlState", self.control)
        self.go(now_us, state, reason, ControlState=control)

    def _thrust_limits(self) -> tuple[float, float, float]:
        least, neutral, most = self._limits.fields["ThrustLimits"].tolist()
        return least, neutral, most

    def _is_armed(self) -> bool:
        """Arming counts as armed here, as in firmware."""
        return self._flight.option("Armed") != "Disarmed"
