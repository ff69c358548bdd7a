"""Land: come down to home from 5 to 8 m above it, and touch the ground softly and upright."""

import math
from typing import Final

import numpy as np

from simulation.learning.columns import Array
from simulation.learning.episode_start import Numbered, StartMotion
from simulation.learning.flight_task import (
    FlightTask,
    StepVerdict,
    between,
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

_LIMIT_M: Final = 15.0
_LOWEST_M, _HIGHEST_M = 5.0, 8.0
_BESIDE_M: Final = 3.0
_SPEED_MPS: Final = 0.5
_TILT_RAD: Final = math.radians(10.0)
_PLACE_M: Final = 1.0
_SOFT_MPS: Final = 1.0
_UPRIGHT: Final = math.cos(math.radians(15.0))
_PRIZE: Final = 10.0


class LandTask(FlightTask):
    """Rewarded by the metres it has come nearer to home; touching the ground ends it, with 10 if it
    was within 1 m of home, slower than 1 m/s the step before and tilted by less than 15 degrees,
    else with -10, as does to break or to be 15 m away."""

    longest_steps = 400
    longest_action_ms = 50  # what it touches is looked at after each
    start_numbers = 9

    def __init__(self, count: int, world: FlownWorld | None) -> None:
        self._away_m, self._speed_mps = np.zeros(count), np.zeros(count)
        self.columns = (
            *error_columns(_LIMIT_M),
            *VELOCITY_COLUMNS,
            *ATTITUDE_COLUMNS,
            *RATE_COLUMNS,
        )

    def start(self, which: Numbered, numbers: Array) -> StartMotion:
        beside = spread(_BESIDE_M, numbers[:, :2])
        down = -between(_LOWEST_M, _HIGHEST_M, numbers[:, 2:3])
        place = np.hstack([beside, down])
        velocity = spread(_SPEED_MPS, numbers[:, 3:6])
        self._away_m[which] = distances(place)
        self._speed_mps[which] = distances(velocity)
        return StartMotion(place, velocity, spread(_TILT_RAD, numbers[:, 6:9]))

    def observe(self, seen: FleetReadings, moment: FleetMoment) -> tuple[Array, ...]:
        return -seen.position_m, *seen[1:]

    def judge(self, moment: FleetMoment) -> StepVerdict:
        truth = moment.truth
        away, speed = distances(truth.position_m), distances(truth.velocity_mps)
        beside = np.hypot(truth.position_m[:, 0], truth.position_m[:, 1])
        upright = 1.0 - 2.0 * (truth.q_wxyz[:, 1] ** 2 + truth.q_wxyz[:, 2] ** 2) > _UPRIGHT
        well = moment.touches & ~moment.broken & upright
        well &= (self._speed_mps < _SOFT_MPS) & (beside < _PLACE_M)
        ended = moment.touches | moment.broken | (away > _LIMIT_M)
        prize = np.where(ended, np.where(well, _PRIZE, -_PRIZE), 0.0)
        nearer = self._away_m - away
        self._away_m, self._speed_mps = away, speed
        return StepVerdict(nearer + prize, ended)
