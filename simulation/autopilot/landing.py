"""Landing of rotorcraft: the states from holding the height to the motors being off.

The rules are those of LibrePilot's vtollandcontroller.cpp and vtollandfsm.cpp. It holds the height
for three seconds and looks for the ground only once it has seen itself sink steadily: selected on
the ground it never does, and the motors go on turning until the pilot disarms. It sinks with
LandingVelocity, at least 0.1 and at most 0.6 m/s, and below 5 m with 0.7 of that. Being down makes
the alarm Guidance Critical, which disarms (armhandler.c), but in a plan: there it stays armed with
its motors off.
"""

import math
from typing import Any, Final

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.flight_states import FlightStates
from simulation.autopilot.path_geometry import NOWHERE, PathLegProgress, Vector, vector_of
from simulation.mathematics.vectors import between

_HOLD_US: Final = 3_000_000
_SINK_PATIENCE_US: Final = 10_000_000
_PERIOD_US: Final = 20_000
"""VtolPathFollowerSettings.UpdatePeriod unless set, in which the firmware counts."""
_STEADY_COUNT: Final = 11
_AVERAGED_US: Final = 10 * _PERIOD_US
_SLOW_COUNT: Final = 4
_BOUNCE_MPS: Final = -0.3
_JOLT_MPS2: Final = -9.0
"""BOUNCE_ACCELERATION_TRIGGER_LIMIT, which is told and decides nothing."""
_BOUNCE_COUNT: Final = 4
_GROUND_EFFECT_US: Final = 1_000_000
_THRUST_DOWN_US: Final = 2_000_000
_LEAST_SHARE, _MOST_SHARE = 0.5, 1.5
_SLOW_SHARE: Final = 0.3
_LEAST_MPS, _MOST_MPS = 0.1, 0.6
_LOW_SHARE: Final = 0.7
_DRIFTED_M: Final = 1.5
_HOLDS_PLACE: Final = 1
"""LAND_OPTION_HORIZONTAL_PH of plans.h, in the last of PathDesired.ModeParameters."""
_OFF: Final = -0.1


class Landing(FlightStates):
    """The state machine. It sinks with `sink_mps`, and goes to `place` or flies `drift`, north and
    east, unless it `is_level`."""

    def __init__(self, board: SimulatedBoard) -> None:
        super().__init__(board, "StatusVtolLand")
        self.drift = (0.0, 0.0)
        self._limits = board["VtolPathFollowerSettings"]
        self._accel, self._home = board["AccelState"], board["HomeLocation"]
        self._bounce = (0.0, 0.0)
        self._asked_mps = self._rate = self._sum = self._thrust_sum = self._thrust_from = 0.0
        self._most_thrust = self._hovering_thrust = self._thrust = 0.0
        self._count = self._bounces = 0
        self._touched_at: Vector = NOWHERE

    @property
    def thrust_bounds(self) -> tuple[float, float]:
        """BoundThrust."""
        if self.state in ("ThrustOff", "Disarmed"):
            return _OFF, _OFF
        if self.state == "ThrustDown":
            return _OFF, self.thrust
        if self.state == "GroundEffect":
            return _OFF, self._hovering_thrust
        return float(self._limits.fields["ThrustLimits"][0]), self._most_thrust

    @property
    def is_level(self) -> bool:
        """Whether what the controllers make of place and height is not flown: it is down."""
        return self.state in ("ThrustDown", "ThrustOff", "Disarmed")

    @property
    def holds_place(self) -> bool:
        """Whether it goes to `place` rather than flying `drift`."""
        option = int(self._path.fields["ModeParameters"][3])
        return option == _HOLDS_PLACE or self._is_planned()

    @property
    def sink_mps(self) -> float:
        """BoundVelocityDown."""
        return 0.0 if self.state == "InitAltHold" else self._target_mps()

    def activate(self, now_us: int) -> None:
        """It is flown now: it will sink where it is, whatever End says."""
        self.leave()
        self._is_own_place = True
        self.take_objective()
        _, self._hovering_thrust, self._most_thrust = self._limits.fields["ThrustLimits"].tolist()
        self._begin_average()
        self._bounce = (0.0, 0.0)
        self.go(now_us, "InitAltHold")

    def take_objective(self) -> None:
        """PathDesired was written: what was there first counts by LandingVelocity alone."""
        if self._is_own_place:
            self._is_own_place = False
            self.place, self.drift = self._position.vector(), (0.0, 0.0)
            self._asked_mps = float(self._settings.fields["LandingVelocity"])
            return
        north, east, down, _ = self._path.fields["ModeParameters"].tolist()
        self.place, self.drift = vector_of(self._path.fields["End"]), (north, east)
        self._asked_mps = down

    def update(self, now_us: int) -> None:
        """One step."""
        elapsed_us = self.elapsed_us(now_us)
        down = float(self._velocity.fields["Down"])
        if self.state == "InitAltHold":
            if elapsed_us > _HOLD_US:
                self._count = 0
                self.go(now_us, "WtgForDescentRate", "Timeout")
        elif self.state == "WtgForDescentRate":
            self._wait_for_sinking(now_us, down)
        elif self.state == "AtDescentRate":
            self._sum, self._count = self._sum + down, self._count + 1
            self._thrust_sum += float(self._desired.newest()["Thrust"])
            if elapsed_us > _AVERAGED_US:
                self._average()
                self._count = self._bounces = 0
                self.go(now_us, "WtgForGroundEffect", "DescentRateOk")
        elif self.state == "WtgForGroundEffect":
            self._wait_for_ground(now_us, down)
        else:
            self._end(now_us, elapsed_us)

    def progress(self) -> PathLegProgress:
        """UpdateVelocityDesired: how it flies rather than how far it has come."""
        desired = (*self.drift, self.sink_mps)
        correction = between(self._velocity.vector(), desired)
        return PathLegProgress(float(self.state == "Disarmed"), 0.0, desired, correction)

    def _target_mps(self) -> float:
        """How fast it is to sink once it does."""
        bounded = min(max(self._asked_mps, _LEAST_MPS), _MOST_MPS)
        return bounded * (_LOW_SHARE if self.is_low else 1.0)

    def _average(self) -> None:
        """How fast it sinks, and the thrust with which it would hover: of a battery that sags, more
        than the settings say."""
        least, neutral, most = self._limits.fields["ThrustLimits"].tolist()
        average = self._sum / self._count
        self._rate = min(max(average, 0.5 * _LEAST_MPS), 1.5 * _MOST_MPS)
        thrust = self._thrust = min(max(self._thrust_sum / self._count, least), most)
        self._hovering_thrust = min(max(self._rate / self._target_mps() * thrust, neutral), most)
        self._most_thrust = most

    def _begin_average(self) -> None:
        self._sum = self._thrust_sum = 0.0
        self._count = 0
        self._rate = _LEAST_MPS
        self._thrust = float(self._limits.fields["ThrustLimits"][1])

    def go(self, now_us: int, state: str, reason: str = "None", **also: Any) -> None:
        """Say with it how it sinks, and by what it would hover."""
        super().go(now_us, state, reason, **self._sinking(), **also)

    def _sinking(self) -> dict[str, Any]:
        return {
            "targetDescentRate": self._target_mps(),
            "averageDescentRate": self._rate,
            "averageDescentThrust": self._thrust,
            "calculatedNeutralThrust": self._hovering_thrust,
            "WtgForGroundEffect": self._bounce,
        }

    def _look_for_bounce(self, down: float) -> None:
        jolt = -float(self._accel.newest()["z"]) - float(self._home.fields["g_e"])
        self._bounce = (
            down if down < _BOUNCE_MPS else 0.0,
            jolt if jolt < _JOLT_MPS2 else 0.0,
        )

    def _tell_again(self) -> None:
        """In every step of looking for the ground, changed or not (the end of
        run_wtg_for_groundeffect)."""
        if not self._status.is_supplied:
            self._status.write(**self._sinking())
            self._status.announce(force=True)

    def _wait_for_sinking(self, now_us: int, down: float) -> None:
        """Enough of it, seen together or apart."""
        target = self._target_mps()
        if _LEAST_SHARE * target < down < _MOST_SHARE * target:
            self._count += 1
        if self._count > _STEADY_COUNT:
            self._begin_average()
            self.go(now_us, "AtDescentRate", "DescentRateOk")
        elif self.elapsed_us(now_us) > _SINK_PATIENCE_US:
            self.go(now_us, "InitAltHold", "Timeout")

    def _wait_for_ground(self, now_us: int, down: float) -> None:
        """Until it jumps up again, or hardly sinks."""
        self._look_for_bounce(down)
        self._bounces = self._bounces + 1 if down < _BOUNCE_MPS else 0
        is_slow = down < _SLOW_SHARE * self._rate
        self._count = self._count + 1 if is_slow else 0
        if is_slow:
            self._most_thrust = self._hovering_thrust
        reason = ""
        if self._bounces > _BOUNCE_COUNT:
            reason = "BounceVelocity"
        elif self._count > _SLOW_COUNT:
            reason = "LowDescentRate"
        if reason:
            self._touched_at = self._position.vector()
            self.go(now_us, "GroundEffect", reason)
        else:
            self._tell_again()

    def _end(self, now_us: int, elapsed_us: int) -> None:
        thrust = float(self._desired.newest()["Thrust"])
        if self.state == "GroundEffect":
            if thrust < 0.0:
                self.go(now_us, "ThrustOff", "ZeroThrust")
            elif self.is_low:
                self._thrust_from = self.thrust = thrust
                self._stand(now_us, elapsed_us)
        elif self.state == "ThrustDown":
            self.thrust = self._thrust_from * max(1.0 - elapsed_us / _THRUST_DOWN_US, 0.0)
            if thrust < 0.0 or elapsed_us > _THRUST_DOWN_US:
                self.go(now_us, "ThrustOff", "ZeroThrust" if thrust < 0.0 else "Timeout")
        elif self.state == "ThrustOff":
            self.go(now_us, "Disarmed")

    def _stand(self, now_us: int, elapsed_us: int) -> None:
        """Until it has stood long enough, or slides away."""
        if math.dist(self._touched_at[:2], self._position.vector()[:2]) > _DRIFTED_M:
            self.go(now_us, "ThrustDown", "PositionError")
        elif elapsed_us > _GROUND_EFFECT_US:
            self.go(now_us, "ThrustDown", "Timeout")
