"""Track: follow a point that moves along a figure of eight 10 m above home.

It is at 5 m sin(a) north and 2.5 m sin(2 a) east, a = a_0 + 2 pi t / 12 s, a Lissajous curve.
"""

import math
from typing import Final

import numpy as np

from simulation.learning.columns import Array, columns_of
from simulation.learning.episode_start import Numbered, StartMotion
from simulation.learning.flight_task import (
    POSITION_NAMES,
    FlightTask,
    StepVerdict,
    distances,
    error_columns,
    spread,
)
from simulation.learning.readings import (
    ATTITUDE_COLUMNS,
    RATE_COLUMNS,
    VELOCITY_COLUMNS,
    FleetMoment,
    FleetReadings,
)
from simulation.simulator.flown_world import FlownWorld

_SIZE_M: Final = np.array([5.0, 2.5, 0.0])
_TURNS: Final = np.array([1.0, 2.0, 0.0])
_CENTRE_M: Final = np.array([0.0, 0.0, -10.0])
_PACE_RADPS: Final = 2.0 * math.pi / 12.0
_LIMIT_M: Final = 5.0
_FASTEST_MPS: Final = 5.0
_BESIDE_M: Final = 0.5
_TILT_RAD: Final = math.radians(10.0)


class TrackTask(FlightTask):
    """Rewarded by 1 - distance / 5 m each step; ends 5 m away from the point, or broken."""

    longest_steps = 400
    start_numbers = 7

    def __init__(self, count: int, world: FlownWorld | None) -> None:
        self._began_rad = np.zeros(count)
        moving = [f"target_velocity_{name}" for name in POSITION_NAMES]
        self.columns = (
            *error_columns(_LIMIT_M),
            *columns_of(moving, "m/s", "NED", _FASTEST_MPS),
            *VELOCITY_COLUMNS,
            *ATTITUDE_COLUMNS,
            *RATE_COLUMNS,
        )

    def start(self, which: Numbered, numbers: Array) -> StartMotion:
        self._began_rad[which] = 2.0 * math.pi * numbers[:, 0]
        place, velocity = _target(self._began_rad[which])
        return StartMotion(
            place + spread(_BESIDE_M, numbers[:, 1:4]),
            velocity,
            spread(_TILT_RAD, numbers[:, 4:7]),
        )

    def observe(self, seen: FleetReadings, moment: FleetMoment) -> tuple[Array, ...]:
        place, velocity = self._now(moment)
        return place - seen.position_m, velocity, *seen[1:]

    def judge(self, moment: FleetMoment) -> StepVerdict:
        place, _ = self._now(moment)
        away = distances(place - moment.truth.position_m)
        ended = moment.broken | (away > _LIMIT_M)
        return StepVerdict(1.0 - np.minimum(away / _LIMIT_M, 1.0), ended)

    def _now(self, moment: FleetMoment) -> tuple[Array, Array]:
        return _target(self._began_rad + _PACE_RADPS * moment.time_s)


def _target(angle_rad: Array) -> tuple[Array, Array]:
    """Where it is and how it moves, (n, 3) both, NED."""
    angles = angle_rad[:, None] * _TURNS
    place = _CENTRE_M + _SIZE_M * np.sin(angles)
    return place, _PACE_RADPS * _TURNS * _SIZE_M * np.cos(angles)
