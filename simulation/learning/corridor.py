"""Corridor: fly 20 m north between two walls by distances, and touch nothing.

It is covered, so that there is no GPS: what the board estimates of its velocity is reckoned from
the accelerometer alone.
"""

import math
from typing import Final

import numpy as np

from simulation.learning.columns import Array, SpaceColumn
from simulation.learning.episode_start import Numbered, StartMotion
from simulation.learning.flight_task import FlightTask, StepVerdict, spread
from simulation.learning.readings import (
    ATTITUDE_COLUMNS,
    RATE_COLUMNS,
    VELOCITY_COLUMNS,
    FleetMoment,
    FleetReadings,
)
from simulation.simulator.flown_world import FlownWorld

_AROUND: Final = 8
_RANGE_M: Final = 10.0
_GOAL_M: Final = 20.0
_HEIGHT_M: Final = 1.2
_BESIDE_M: Final = np.array([0.2, 0.4, 0.2])
_SPEED_MPS: Final = 0.2
_ANGLES_RAD: Final = np.radians([5.0, 5.0, 10.0])
_PRIZE: Final = 10.0
_DISTANCES: Final = (
    *(f"distance_{360 * i // _AROUND}_deg" for i in range(_AROUND)),
    "distance_up",
    "distance_down",
)
"""Around, clockwise from ahead."""


class CorridorTask(FlightTask):
    """Rewarded by the metres it has come north; touching anything, or to break, ends it with -10,
    to be 20 m north with 10. Its distances are exact, up to 10 m, and turn with the body (FRD)."""

    longest_steps = 400
    longest_action_ms = 50  # what it touches is looked at after each
    start_numbers = 9
    world = "corridor:width_m=4"

    def __init__(self, count: int, world: FlownWorld | None) -> None:
        if world is None:
            raise ValueError("A corridor needs a world; leave `world` out for the usual one.")
        self._grid = world.grid
        self._north_m = np.zeros(count)
        self.columns = (
            *(SpaceColumn(name, "m", "FRD", 0.0, _RANGE_M) for name in _DISTANCES),
            *VELOCITY_COLUMNS,
            *ATTITUDE_COLUMNS,
            *RATE_COLUMNS,
        )

    def start(self, which: Numbered, numbers: Array) -> StartMotion:
        place = np.array([0.0, 0.0, -_HEIGHT_M]) + spread(_BESIDE_M, numbers[:, :3])
        self._north_m[which] = place[:, 0]
        return StartMotion(
            place, spread(_SPEED_MPS, numbers[:, 3:6]), spread(_ANGLES_RAD, numbers[:, 6:9])
        )

    def observe(self, seen: FleetReadings, moment: FleetMoment) -> tuple[Array, ...]:
        return self._distances(moment.truth), *seen[1:]

    def judge(self, moment: FleetMoment) -> StepVerdict:
        north = moment.truth.position_m[:, 0].copy()
        lost, arrived = moment.touches | moment.broken, north > _GOAL_M
        prize = np.where(lost, -_PRIZE, np.where(arrived, _PRIZE, 0.0))
        further = north - self._north_m
        self._north_m = north
        return StepVerdict(further + prize, lost | arrived)

    def _distances(self, truth: FleetReadings) -> Array:
        """(n, rays): to the first surface, or as far as can be seen."""
        ways = _in_ned(truth.q_wxyz)
        origins = np.repeat(truth.position_m, len(_RAYS), axis=0)
        met = self._grid.cast(origins, ways.reshape(-1, 3), _RANGE_M).range_m
        return np.minimum(met, _RANGE_M).reshape(len(ways), len(_RAYS))


def _rays() -> Array:
    """(rays, 3): directions of length 1, FRD."""
    angles = 2.0 * math.pi * np.arange(_AROUND) / _AROUND
    around = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(_AROUND)])
    return np.vstack([around, [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]])


_RAYS: Final = _rays()


def _in_ned(q_wxyz: Array) -> Array:
    """(n, rays, 3): the rays of n aircraft with these attitudes (n, 4)."""
    w, vector = q_wxyz[:, None, :1], q_wxyz[:, None, 1:]
    turned = 2.0 * np.cross(vector, _RAYS[None])
    return np.asarray(_RAYS + w * turned + np.cross(vector, turned))
