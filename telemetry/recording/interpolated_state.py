"""Interpolated state: what an aircraft did between its samples, for films of recorded flights.

A film has more pictures than a log has samples. What changes steadily is taken on the way from one
sample to the next; what is switched (modes, alarms) holds until it is told anew. Over a gap nothing
is made up: the sample before it holds as long as views take it for true, and is not known after.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from telemetry.base.rotations import angles_deg_of, quaternion_by_angles, turned_part_way
from telemetry.recording.flight_state import (
    ATTITUDE,
    POSITION,
    VELOCITY,
    FlightState,
    read_flight_state,
)
from telemetry.recording.freshness import age_if_old
from telemetry.recording.gps_fix import GPS
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track

Angles = tuple[float, float, float]
"""Roll, pitch and yaw in degrees."""


@dataclass(frozen=True, slots=True)
class _Limits:
    """Nothing is interpolated between samples further apart than `gap_s`; a value is not known once
    it is older than `stale_s`, None where `freshness` decides that."""

    gap_s: float
    stale_s: float | None


_QUICK, _HANDS, _STEADY = _Limits(0.5, 1.0), _Limits(0.5, 3.0), _Limits(3.0, 3.0)
_WATCHED = _Limits(3.0, None)
"""Attitude; sticks; place and velocity; the battery."""

_PLACE = ("north_m", "east_m", "height_m", "altitude_m")
_MOTION = ("velocity_north_mps", "velocity_east_mps", "groundspeed_mps", "climb_mps")
_BATTERY = ("battery_v", "battery_a", "battery_percent", "consumed_mah")
_STICKS = ("Roll", "Pitch", "Yaw", "Throttle")
_KEPT = 16


@dataclass(frozen=True, slots=True)
class SticksState:
    """Where the pilot's sticks are, as the aircraft takes them: -1 to 1, to the right, back and
    nose right positive; throttle 0 to 1, and below 0 where it is cut."""

    roll: float
    pitch: float
    yaw: float
    throttle: float


@dataclass(frozen=True, slots=True)
class _Around:
    """The samples around an instant; the same one twice where that one holds."""

    before: int
    after: int
    share: float

    def between(self, first: float, second: float) -> float:
        return first + self.share * (second - first)


class InterpolatedFlight:
    """The states of one recorded flight at any time."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._state = lru_cache(_KEPT)(partial(read_flight_state, recording))
        self._latest = lru_cache(1)(self._interpolated)

    def at(self, t: float) -> FlightState:
        """As `read_flight_state`, with attitude, place, velocity and battery between samples, and
        None for all that is too old to be true."""
        return self._latest(t)

    def _interpolated(self, t: float) -> FlightState:
        held = read_flight_state(self._recording, t)
        roll_deg, pitch_deg, yaw_deg = attitude_at(self._recording, t) or (None, None, None)
        return replace(
            held,
            roll_deg=roll_deg,
            pitch_deg=pitch_deg,
            yaw_deg=yaw_deg,
            **self._between(self._place_track(held), t, _PLACE, _STEADY),
            **self._between(_first(self._recording, VELOCITY, t), t, _MOTION, _STEADY),
            **self._between(_first(self._recording, ("FlightBatteryState",), t), t, _BATTERY),
            flight_mode=held.flight_mode if self._holds("FlightStatus", t) else None,
        )

    def sticks_at(self, t: float) -> SticksState | None:
        """The pilot's sticks between two samples; None where they are not known."""
        track = _first(self._recording, ("ManualControlCommand",), t)
        around = _around(self._recording, track, t, _HANDS)
        if track is None or around is None or not all(map(track.definition.has_field, _STICKS)):
            return None
        first, second = track.sample(around.before), track.sample(around.after)
        values = [around.between(float(first.raw(n)), float(second.raw(n))) for n in _STICKS]
        return SticksState(*values) if all(map(math.isfinite, values)) else None

    def _between(
        self, track: Track | None, t: float, names: Iterable[str], limits: _Limits = _WATCHED
    ) -> dict[str, Any]:
        """What `names` of a state are that depend on a track."""
        around = _around(self._recording, track, t, limits)
        if track is None or around is None:
            return dict.fromkeys(names)
        first, second = (
            self._state(float(track.times[index])) for index in (around.before, around.after)
        )
        found: dict[str, Any] = {}
        for name in names:
            a, b = getattr(first, name), getattr(second, name)
            found[name] = a if a is None or b is None else around.between(a, b)
        return found

    def _place_track(self, held: FlightState) -> Track | None:
        """The object that tells the place: the one as old as the state says."""
        age_s = held.gps_age_s if held.position_age_s is None else held.position_age_s
        if age_s is None:
            return None
        for track in _all_of(self._recording, (*POSITION, *GPS)):
            at = track.index_at(held.t)
            if at >= 0 and math.isclose(held.t - float(track.times[at]), age_s, abs_tol=1e-6):
                return track
        return None

    def _holds(self, name: str, t: float) -> bool:
        return age_if_old(self._recording, self._recording.latest(name, t), t) is None


def attitude_at(recording: Recording, t: float) -> Angles | None:
    """The attitude, on the shortest way from one sample to the next; None where it is not known."""
    track = _first(recording, ATTITUDE, t)
    around = _around(recording, track, t, _QUICK)
    if track is None or around is None:
        return None
    first, second = _angles(track, around.before), _angles(track, around.after)
    if not all(map(math.isfinite, (*first, *second))):
        return None
    if around.before == around.after:
        return first
    turns = quaternion_by_angles(*first), quaternion_by_angles(*second)
    return angles_deg_of(turned_part_way(*turns, around.share))


def _angles(track: Track, index: int) -> Angles:
    sample = track.sample(index)
    return float(sample["Roll"]), float(sample["Pitch"]), float(sample["Yaw"])


def _around(recording: Recording, track: Track | None, t: float, limits: _Limits) -> _Around | None:
    """None before the first sample, and where the last one is too old."""
    before = -1 if track is None else track.index_at(t)
    if track is None or before < 0:
        return None
    begin_s = float(track.times[before])
    if before + 1 < track.count:
        apart_s = float(track.times[before + 1]) - begin_s
        if 0.0 < apart_s <= limits.gap_s:
            return _Around(before, before + 1, (t - begin_s) / apart_s)
    if limits.stale_s is None:
        is_known = age_if_old(recording, track.sample(before), t) is None
    else:
        is_known = t - begin_s <= limits.stale_s
    return _Around(before, before, 0.0) if is_known else None


def _first(recording: Recording, names: tuple[str, ...], t: float) -> Track | None:
    """The track of the first of these objects that the aircraft has sent by then."""
    found = (track for track in _all_of(recording, names) if track.index_at(t) >= 0)
    return next(found, None)


def _all_of(recording: Recording, names: tuple[str, ...]) -> Iterable[Track]:
    found = (recording.track(name) for name in names)
    return (track for track in found if track is not None)
