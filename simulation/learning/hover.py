"""Hover: stay at a point 10 m above home, from about 2 m beside it."""

import math
from typing import Final

import numpy as np

from simulation.learning.columns import Array
from simulation.learning.episode_start import Numbered, StartMotion
from simulation.learning.flight_task import (
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

_TARGET_M: Final = np.array([0.0, 0.0, -10.0])
_LIMIT_M: Final = 5.0
_BESIDE_M: Final = 1.2
_SPEED_MPS: Final = 0.5
_TILT_RAD: Final = math.radians(10.0)


class HoverTask(FlightTask):
    """Rewarded by 1 - distance / 5 m each step; ends 5 m away, or broken."""

    longest_steps = 200
    start_numbers = 9

    def __init__(self, count: int, world: FlownWorld | None) -> None:
        self.columns = (
            *error_columns(_LIMIT_M),
            *VELOCITY_COLUMNS,
            *ATTITUDE_COLUMNS,
            *RATE_COLUMNS,
        )

    def start(self, which: Numbered, numbers: Array) -> StartMotion:
        place, speed, angles = numbers[:, :3], numbers[:, 3:6], numbers[:, 6:9]
        return StartMotion(
            _TARGET_M + spread(_BESIDE_M, place),
            spread(_SPEED_MPS, speed),
            spread(_TILT_RAD, angles),
        )

    def observe(self, seen: FleetReadings, moment: FleetMoment) -> tuple[Array, ...]:
        way = _TARGET_M - seen.position_m
        return way, seen.velocity_mps, seen.q_wxyz, seen.rates_radps

    def judge(self, moment: FleetMoment) -> StepVerdict:
        away = distances(_TARGET_M - moment.truth.position_m)
        ended = moment.broken | (away > _LIMIT_M)
        return StepVerdict(1.0 - np.minimum(away / _LIMIT_M, 1.0), ended)
