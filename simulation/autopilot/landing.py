"""Landing of rotorcraft: the states from holding the height to being disarmed.

The rules are those of LibrePilot's vtollandfsm.cpp. It holds the height for three seconds and looks
for the ground only once it has seen itself sink steadily: selected on the ground it never does, and
the motors go on turning until the pilot disarms. Being down makes the alarm Guidance Critical,
which disarms (armhandler.c).
"""

import math
from typing import Final

from simulation.autopilot.board import SimulatedBoard

_HOLD_US: Final = 3_000_000
_SINK_PATIENCE_US: Final = 10_000_000
_PERIOD_US: Final = 50_000
"""VtolPathFollowerSettings.UpdatePeriod, in which the firmware counts."""
_STEADY_US: Final = 11 * _PERIOD_US
_AVERAGED_US: Final = 10 * _PERIOD_US
_SLOW_US: Final = 5 * _PERIOD_US
_GROUND_EFFECT_US: Final = 1_000_000
_THRUST_DOWN_US: Final = 2_000_000
_LEAST_SHARE, _MOST_SHARE = 0.5, 1.5
_SLOW_SHARE: Final = 0.3
_LEAST_RATE, _MOST_RATE = 0.05, 0.9
_LOW_M: Final = 5.0
_DRIFTED_M: Final = 1.5

_LOOKING: Final = ("WtgForGroundEffect", "GroundEffect")
"""The states in which touching the ground is noticed."""


class Landing:
    """The state machine: `state` is an option of StatusVtolLand. `thrust` counts while it
    `is_level`; it sinks unless it `holds_height` or the `is_motor_off`."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._desired = board["StabilizationDesired"]
        self._takeoff = board["TakeOffLocation"]
        self._status = board["StatusVtolLand"]
        self.state = "Inactive"
        self.thrust = 0.0
        self._since_us = self._steady_since_us = 0
        self._thrust_from = self._rate = self._sum = 0.0
        self._count = 0
        self._touched_at = (0.0, 0.0)

    @property
    def holds_height(self) -> bool:
        """Whether it does not sink yet."""
        return self.state == "InitAltHold"

    @property
    def looks_for_ground(self) -> bool:
        """Whether standing still with little thrust is being down."""
        return self.state in _LOOKING

    @property
    def is_level(self) -> bool:
        """Whether it looks at neither place nor height."""
        return self.state == "ThrustDown"

    @property
    def is_motor_off(self) -> bool:
        """Whether it is down."""
        return self.state in ("ThrustOff", "Disarmed")

    def leave(self) -> None:
        """Another mode was selected, or it is disarmed."""
        self.state = "Inactive"

    def update(self, now_us: int, rate: float) -> None:
        """One step; `rate` is how fast it is to sink, m/s."""
        elapsed_us = now_us - self._since_us
        down = float(self._velocity.fields["Down"])
        if self.state == "Inactive":
            self._go(now_us, "InitAltHold")
        elif self.state == "InitAltHold":
            if elapsed_us > _HOLD_US:
                self._go(now_us, "WtgForDescentRate", "Timeout")
        elif self.state == "WtgForDescentRate":
            self._wait_for_sinking(now_us, down, rate)
        elif self.state == "AtDescentRate":
            self._sum, self._count = self._sum + down, self._count + 1
            if elapsed_us > _AVERAGED_US:
                average = self._sum / self._count
                self._rate = min(max(average, _LEAST_RATE), _MOST_RATE)
                self._go(now_us, "WtgForGroundEffect", "DescentRateOk")
        elif self.state == "WtgForGroundEffect":
            if self._has_lasted(now_us, down < _SLOW_SHARE * self._rate, _SLOW_US):
                self._touched_at = self._here()[:2]
                self._go(now_us, "GroundEffect", "LowDescentRate")
        else:
            self._end(now_us, elapsed_us)

    def _wait_for_sinking(self, now_us: int, down: float, rate: float) -> None:
        is_steady = _LEAST_SHARE * rate < down < _MOST_SHARE * rate
        if self._has_lasted(now_us, is_steady, _STEADY_US):
            self._sum, self._count = 0.0, 0
            self._go(now_us, "AtDescentRate", "DescentRateOk")
        elif now_us - self._since_us > _SINK_PATIENCE_US:
            self._go(now_us, "InitAltHold", "Timeout")

    def _end(self, now_us: int, elapsed_us: int) -> None:
        thrust = float(self._desired.newest()["Thrust"])
        if self.state == "GroundEffect":
            if thrust < 0.0:
                self._go(now_us, "ThrustOff", "ZeroThrust")
            elif self._height_above_takeoff() <= _LOW_M and self._is_done(elapsed_us):
                self._thrust_from = thrust
                self._go(now_us, "ThrustDown", "Timeout")
        elif self.state == "ThrustDown":
            self.thrust = self._thrust_from * max(1.0 - elapsed_us / _THRUST_DOWN_US, 0.0)
            if thrust < 0.0 or elapsed_us > _THRUST_DOWN_US:
                self._go(now_us, "ThrustOff", "Timeout")
        elif self.state == "ThrustOff":
            self._go(now_us, "Disarmed")

    def _is_done(self, elapsed_us: int) -> bool:
        """Whether it has stood long enough, or slides away."""
        north, east = self._here()[:2]
        drifted_m = math.hypot(north - self._touched_at[0], east - self._touched_at[1])
        return elapsed_us > _GROUND_EFFECT_US or drifted_m > _DRIFTED_M

    def _has_lasted(self, now_us: int, holds: bool, least_us: int) -> bool:
        """Whether something has held for so long in this state, without a break."""
        if not holds:
            self._steady_since_us = now_us
        return now_us - self._steady_since_us >= least_us

    def _go(self, now_us: int, state: str, reason: str = "None") -> None:
        """Change the state, and say so; `reason` is why the one before ended."""
        status = self._status
        height_m = self._height_above_takeoff()
        reasons = status.row["StateExitReason"].copy()
        heights = status.row["AltitudeAtState"].copy()
        reasons[status.number("State", self.state)] = status.number("StateExitReason", reason)
        heights[status.number("State", state)] = height_m
        self.state = state
        self._since_us = self._steady_since_us = now_us
        status.set(
            State=status.number("State", state),
            AltitudeState=status.number("AltitudeState", "High" if height_m > _LOW_M else "Low"),
            StateExitReason=reasons,
            AltitudeAtState=heights,
        )

    def _height_above_takeoff(self) -> float:
        takeoff = self._takeoff
        is_known = takeoff.option("Status") == "Valid"
        ground = float(takeoff.fields["Down"]) if is_known else 0.0
        return ground - self._here()[2]

    def _here(self) -> tuple[float, float, float]:
        return self._position.vector()
