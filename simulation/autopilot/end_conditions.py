"""PathAction.EndCondition: when a leg of the flight plan is over.

Each condition is a function of the leg and of the situation, in the table CONDITIONS; its
parameters are PathAction.ConditionParameters, in the firmware's order. They are those of
flight/modules/PathPlanner/pathplanner.c with all that is odd in them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from simulation.autopilot.path_geometry import Vector


@dataclass(frozen=True, slots=True)
class ConditionInputs:
    """What the conditions look at, all estimated on board.

    `elapsed_s` counts a `TimeOutClock`. `fraction` and `error_m` as in `PathLegProgress`;
    `next_leg` points from the present waypoint to the next one, metres.
    """

    elapsed_s: float
    position: Vector
    velocity: Vector
    airspeed_mps: float
    target: Vector
    next_leg: Vector
    fraction: float
    error_m: float


_TIMER_US: Final = 2**32 // 168
Condition = Callable[[ConditionInputs, tuple[float, ...]], bool]


def _never(_: ConditionInputs, __: tuple[float, ...]) -> bool:
    return False


def _time_out(now: ConditionInputs, parameters: tuple[float, ...]) -> bool:
    """[seconds]"""
    return now.elapsed_s >= parameters[0]


def _distance_to_target(now: ConditionInputs, parameters: tuple[float, ...]) -> bool:
    """[metres, above 0.5: in space, else over ground]"""
    north, east, down = (t - p for t, p in zip(now.target, now.position, strict=True))
    if parameters[1] <= 0.5:
        down = 0.0
    return math.sqrt(north * north + east * east + down * down) <= parameters[0]


def _leg_remaining(now: ConditionInputs, parameters: tuple[float, ...]) -> bool:
    """[share of the leg that may be left, 0..1]"""
    return now.fraction >= 1.0 - parameters[0]


def _below_error(now: ConditionInputs, parameters: tuple[float, ...]) -> bool:
    """[metres beside the path]"""
    return now.error_m <= parameters[0]


def _above_altitude(now: ConditionInputs, parameters: tuple[float, ...]) -> bool:
    """[metres above home; downwards in firmware from before LP-601, 2018]"""
    return -now.position[2] >= parameters[0]


def _above_speed(now: ConditionInputs, parameters: tuple[float, ...]) -> bool:
    """[m/s, above 0.5: airspeed, else speed over ground]"""
    speed = math.sqrt(sum(v * v for v in now.velocity))
    return (now.airspeed_mps if parameters[1] > 0.5 else speed) >= parameters[0]


def _pointing_towards_next(now: ConditionInputs, parameters: tuple[float, ...]) -> bool:
    """[degrees between the course flown and the next leg] Angles are not wrapped: either side of
    west they are nearly 360 degrees apart."""
    leg = math.atan2(now.next_leg[0], now.next_leg[1])
    course = math.atan2(now.velocity[0], now.velocity[1])
    return abs(math.degrees(leg - course)) <= parameters[0]


def _always(_: ConditionInputs, __: tuple[float, ...]) -> bool:
    return True


CONDITIONS: Final[dict[str, Condition]] = {
    "None": _never,
    "TimeOut": _time_out,
    "DistanceToTarget": _distance_to_target,
    "LegRemaining": _leg_remaining,
    "BelowError": _below_error,
    "AboveAltitude": _above_altitude,
    "AboveSpeed": _above_speed,
    "PointingTowardsNext": _pointing_towards_next,
    "PythonScript": _always,  # no firmware runs scripts
    "Immediate": _always,
}


class TimeOutClock:
    """What `TimeOut` counts with: 32 bits of the processor's 168 MHz (PIOS_DELAY_DiffuS of
    flight/pios/stm32f4xx/pios_delay.c), which begin anew every 25.6 s. It starts when it is first
    read for another waypoint than before; at power-up that is waypoint 0."""

    def __init__(self) -> None:
        self._waypoint: int | None = 0
        self._since_us = 0

    def read_s(self, waypoint: int, now_us: int) -> float:
        """How long the waypoint has been active."""
        if waypoint != self._waypoint:
            self._waypoint, self._since_us = waypoint, now_us
        return (now_us - self._since_us) % _TIMER_US / 1e6

    def expire(self) -> None:
        """It is over; the same waypoint again starts again."""
        self._waypoint = None
