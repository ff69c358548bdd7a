"""Airborne spans: when an aircraft was in the air, from its thrust, height and speed.

No firmware of the family says so. In the air is an armed aircraft from when it leaves the height
it was armed at, or is carried off faster than somebody runs, until its thrust is gone and it rests;
where no thrust is recorded, until it rests at the height it was armed at.
"""

from collections.abc import Iterator

import numpy as np

from telemetry.recording.flight_state import BARO, POSITION, VELOCITY
from telemetry.recording.gps_fix import GPS
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.readings import Readings, read
from telemetry.review.analysis.findings.stretches import Flags, Floats, Span

THRUST = ("ActuatorDesired", "StabilizationDesired", "ManualControlCommand")
_GRID_S = 0.2
_RISE_M = 0.6
"""More than a barometer's noise and the ground effect on it."""
_LIFT_M = 0.4
"""So near to a level it stands on it."""
_RUNNING_MPS = 5.0
_RESTING_MPS = 1.0
_IDLE = 0.05
_REST_S = 1.0
_SHORTEST_S = 1.0


def airborne_spans(recording: Recording, armed: tuple[Span, ...]) -> Iterator[Span]:
    """The flights (start, end) within the spans in which the aircraft was armed, in order."""
    thrust = read(recording, THRUST, "Thrust")
    if not len(thrust.times):
        thrust = read(recording, THRUST, "Throttle")
    height, speed = read_height(recording), read_speed(recording)
    for start, end in armed:
        times = np.arange(start, end, _GRID_S)
        if not len(times):
            continue
        above = _above_ground(height, times, thrust)
        motion = _Motion(times, thrust.at(times), above, speed.at(times))
        yield from motion.flights(end)


def read_height(recording: Recording) -> Readings:
    """Height in metres over any level: the barometer's, else the estimate's."""
    baro = read(recording, BARO, "Altitude")
    if len(baro.times):
        return baro
    down = read(recording, POSITION, "Down")
    return Readings(down.times, -down.values)


def height_gained_m(recording: Recording, span: Span) -> float:
    """How much higher it is at the end of a span than at its start; 0 where nobody knows."""
    height = read_height(recording)
    if not len(height.times):
        return 0.0
    start_m, end_m = height.at(np.array(span), float(height.values[0]))
    return float(end_m - start_m)


def read_speed(recording: Recording) -> Readings:
    """Horizontal speed in m/s, estimated or the receiver's."""
    north, east = read(recording, VELOCITY, "North"), read(recording, VELOCITY, "East")
    if len(north.times) and len(north.times) == len(east.times):
        return Readings(north.times, np.hypot(north.values, east.values))
    return read(recording, GPS, "Groundspeed")


class _Motion:
    """Thrust, height above the place of arming and speed, NaN where unknown, on even times."""

    def __init__(self, times: Floats, thrust: Floats, above_m: Floats, speed: Floats) -> None:
        self._times = times
        self._above_m = above_m
        is_known = bool(np.isfinite(thrust).any())
        is_idle: Flags = ~(thrust > _IDLE) if is_known else ~(np.abs(above_m) > _RISE_M)
        self._has_left = (above_m > _RISE_M) | (speed > _RUNNING_MPS)
        is_still = ~(_change_around(above_m) > _LIFT_M)
        is_resting = is_idle & ~(speed > _RESTING_MPS) & is_still
        self._rests = _lasting(is_resting, round(_REST_S / _GRID_S))
        self._is_idle = is_idle

    def flights(self, end: float) -> Iterator[Span]:
        """Each from leaving to resting, the last at most to `end`."""
        position, count = 0, len(self._times)
        while position < count:
            left = np.flatnonzero(self._has_left[position:] & ~self._rests[position:])
            if not len(left):
                return
            first = position + int(left[0])
            rests = np.flatnonzero(self._rests[first:])
            stop = first + int(rests[0]) if len(rests) else count
            start = self._lift_off(position, first)
            until = float(self._times[self._touch_down(first, stop)]) if stop < count else end
            if until - self._times[start] >= _SHORTEST_S:
                yield float(self._times[start]), until
            position = stop + 1

    def _lift_off(self, earliest: int, first: int) -> int:
        """The last instant near the ground before it had left."""
        low = np.flatnonzero(~(self._above_m[earliest:first] > _LIFT_M))
        return earliest + int(low[-1]) if len(low) else first

    def _touch_down(self, first: int, stop: int) -> int:
        """From when on, up to its rest at `stop`, it was without thrust where it rests."""
        away_m = np.abs(self._above_m[first:stop] - self._above_m[stop])
        moving = np.flatnonzero(~self._is_idle[first:stop] | (away_m > _LIFT_M))
        return first + int(moving[-1]) + 1 if len(moving) else first


def _above_ground(height: Readings, times: Floats, thrust: Readings) -> Floats:
    """Height over where it stood when armed; NaN where none is recorded."""
    if len(height.times) < 2:
        return np.full(len(times), np.nan)
    ahead = thrust.times[(thrust.times >= times[0]) & (thrust.values > _IDLE)]
    begins = float(ahead[0]) if len(ahead) else float(times[0])
    resting = height.between(min(times[0], begins) - 5.0, begins)
    if not len(resting.times):
        resting = height.between(times[0] - 5.0, times[0] + 2.0)
    ground = float(np.median(resting.values)) if len(resting.times) else float(height.values[0])
    above: Floats = np.interp(times, height.times, height.values) - ground
    return above


def _change_around(values: Floats) -> Floats:
    """How far apart the values a second before and after each are."""
    count = round(1.0 / _GRID_S)
    padded = np.pad(values, count, mode="edge")
    change: Floats = np.abs(padded[2 * count :] - padded[: -2 * count])
    return change


def _lasting(flags: Flags, count: int) -> Flags:
    """Where `flags` stay true for `count` samples from there on; the end counts as true."""
    padded = np.concatenate((flags, np.ones(count, np.bool_)))
    sums = np.concatenate(([0], np.cumsum(padded)))
    lasting: Flags = (sums[count : count + len(flags)] - sums[: len(flags)]) == count
    return lasting
