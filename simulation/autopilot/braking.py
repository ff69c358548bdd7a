"""Braking of rotorcraft: from a velocity to holding the place where it has stopped.

The rules are those of LibrePilot's vtolbrakecontroller.cpp and vtolbrakefsm.cpp. The velocity asked
for sinks evenly by BrakeRate from that which ModeParameters tell, and is never more than what is
flown. It holds once it is slower than 0.15 m/s to the north and to the east and has lost 95 % of
StartingVelocity, or when the time of ModeParameters is up.
"""

import math
from typing import Final

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_geometry import NOWHERE, PathLegProgress, Vector

_LEAST_RATE: Final = 0.2
_SLOW_MPS: Final = 0.15
_MOSTLY: Final = 0.95
_LOOP_S: Final = 0.02


class Braking:
    """The state machine: `velocity` is what to fly, NED in m/s, with `down_m` the height to hold,
    which moves along until it `is_holding`."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._path = board["PathDesired"]
        self._settings = board["VtolPathFollowerSettings"]
        self.asks_to_disarm = False
        self.is_holding = False
        self.velocity: Vector = NOWHERE
        self.down_m = 0.0
        self.time_s = 0.0
        self._began_us = 0
        self._place: Vector = NOWHERE
        self._first: Vector = NOWHERE
        self._limit_s = 0.0

    def activate(self, now_us: int) -> None:
        """It is flown now."""
        self.is_holding = False
        self.time_s = 0.0
        self._began_us = now_us
        self.take_objective()

    def leave(self) -> None:
        """Something else is flown."""

    def take_objective(self) -> None:
        """PathDesired was written."""
        *first, limit_s = self._path.fields["ModeParameters"].tolist()
        self._first = (first[0], first[1], first[2])
        self._limit_s = limit_s
        if limit_s > 0.0:
            self.time_s = 0.0

    def update(self, now_us: int) -> None:
        """One step."""
        if self._limit_s > 0.0:
            self.time_s += _LOOP_S
        if not self.is_holding and self._has_stopped(now_us):
            self.is_holding = True
            self._place = self._position.vector()
        here = self._position.vector()
        if self.is_holding:
            gain = float(self._settings.fields["HorizontalPosP"])
            north, east = (gain * (self._place[i] - here[i]) for i in range(2))
            self.velocity, self.down_m = (north, east, 0.0), self._place[2]
            return
        lost = self.time_s * max(float(self._settings.fields["BrakeRate"]), _LEAST_RATE)
        flown = self._velocity.vector()
        north, east, down = (_slowed(f, lost, v) for f, v in zip(self._first, flown, strict=True))
        self.velocity, self.down_m = (north, east, down), here[2]

    def progress(self) -> PathLegProgress:
        """UpdateVelocityDesired: the share of the velocity that is gone."""
        flown = self._velocity.vector()
        speed = math.hypot(*flown)
        first = float(self._path.fields["StartingVelocity"])
        fraction = max((first - speed) / first, 0.0) if first > 0.0 else 1.0
        correction = (self.velocity[0] - flown[0], self.velocity[1] - flown[1], 0.0)
        return PathLegProgress(
            fraction, speed - math.hypot(*self.velocity), self.velocity, correction
        )

    def _has_stopped(self, now_us: int) -> bool:
        if 0.0 < self._limit_s < (now_us - self._began_us) / 1e6:
            return True
        north, east, _ = self._velocity.vector()
        is_slow = abs(north) < _SLOW_MPS and abs(east) < _SLOW_MPS
        return is_slow and self.progress().fraction > _MOSTLY


def _slowed(first: float, lost: float, flown: float) -> float:
    """UpdateBrakeVelocity: towards zero, and never faster than it flies."""
    sign = 1.0 if first >= 0.0 else -1.0
    return sign * max(min(abs(first) - lost, sign * flown), 0.0)
