"""Nose: where an aircraft looks while it flies something else, and the yaw stick that turns it.

Firmware's path follower leaves the nose to the yaw stick where a path has no speed of its own
(UpdateStabilizationDesired of vtolflycontroller.cpp and vtolvelocitycontroller.cpp): it asks for a
rate of turn, up to MaximumRate, and in the middle the nose stays (AxisLock).
"""

import math
from dataclasses import dataclass
from typing import Final

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.recording.flight_state import FlightState

TURNED_DEG: Final = 3.0
"""A nose so near to where it shall look is there."""
_TURN_PER_S: Final = 2.0
"""deg/s a degree of what is left: four times slower than firmware's own loop of the rate, which
takes 0.12 to 0.2 s, so that telemetry 20 times a second does not make it swing."""
_NEAREST_M: Final = 0.5
"""Nearer than this a place has no direction that an estimate would tell."""


@dataclass(frozen=True, slots=True)
class TurnRate:
    """It turns by `degps`, to the right positive; 0 keeps it."""

    degps: float = 0.0


@dataclass(frozen=True, slots=True)
class Heading:
    """It looks to `deg`, clockwise from north."""

    deg: float


@dataclass(frozen=True, slots=True)
class Facing:
    """It looks at a place, metres north and east of home, wherever the aircraft flies."""

    north_m: float
    east_m: float


Nose = TurnRate | Heading | Facing
KEPT: Final = TurnRate()


def off_deg(nose: Nose, flight: FlightState) -> float:
    """By how much it has to turn to the right, -180 to 180; 0 where that is not known."""
    wanted = _wanted_deg(nose, flight)
    if wanted is None or flight.yaw_deg is None:
        return 0.0
    return (wanted - flight.yaw_deg + 180.0) % 360.0 - 180.0


def yaw_stick(nose: Nose, aircraft: AircraftView, flight: FlightState) -> float:
    """The yaw stick, -1 to 1, that turns it: applyDeadband of receiver.c, backwards."""
    if isinstance(nose, TurnRate):
        rate_degps = nose.degps
    else:
        rate_degps = _TURN_PER_S * off_deg(nose, flight) + _passing_degps(nose, flight)
    share = min(max(rate_degps / fastest_turn_degps(aircraft), -1.0), 1.0)
    deadband = aircraft.number("ManualControlSettings", "Deadband", 0.0) / 100.0
    return math.copysign(deadband + (1.0 - deadband) * abs(share), share) if share else 0.0


def fastest_turn_degps(aircraft: AircraftView) -> float:
    """What a full yaw stick asks for: MaximumRate of the bank in use."""
    return aircraft.number("StabilizationBank", "MaximumRate.Yaw", 0.0) or (
        aircraft.number("StabilizationSettingsBank1", "MaximumRate.Yaw", 100.0)
    )


def _wanted_deg(nose: Nose, flight: FlightState) -> float | None:
    if isinstance(nose, Heading):
        return nose.deg
    offset = _offset_m(nose, flight)
    return None if offset is None else math.degrees(math.atan2(offset[1], offset[0]))


def _passing_degps(nose: Heading | Facing, flight: FlightState) -> float:
    """How fast the direction of what it faces turns, as it flies past."""
    offset = _offset_m(nose, flight)
    if offset is None or flight.velocity_north_mps is None or flight.velocity_east_mps is None:
        return 0.0
    across = offset[1] * flight.velocity_north_mps - offset[0] * flight.velocity_east_mps
    return math.degrees(across / (offset[0] ** 2 + offset[1] ** 2))


def _offset_m(nose: Nose, flight: FlightState) -> tuple[float, float] | None:
    if not isinstance(nose, Facing) or flight.north_m is None or flight.east_m is None:
        return None
    offset = nose.north_m - flight.north_m, nose.east_m - flight.east_m
    return offset if math.hypot(*offset) >= _NEAREST_M else None
