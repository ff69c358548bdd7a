"""Freshness: does what an aircraft last said still hold, and how old is it where it does not?

An object that comes regularly is old once it has stayed away for three of its usual periods, and
not before `OLD_S`. One that is sent only when it changes (the alarms of most releases) does not
grow old by itself; it does once most of what comes regularly has stayed away, because then nobody
would hear of a change.
"""

from dataclasses import dataclass

import numpy as np

from telemetry.protocol.objects.definition import UpdateMode
from telemetry.recording.flight_state import ATTITUDE, newest
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.recording.track import Track

OLD_S = 3.0
_PERIODS = 3.0
_LOOKED_AT = 9
"""Samples whose distances tell the usual period."""
_LEAST_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Freshness:
    """Seconds since alarms and attitude were known, each None while it still tells what is."""

    alarms_age_s: float | None = None
    attitude_age_s: float | None = None


def read_freshness(recording: Recording, t: float) -> Freshness:
    """How it stands at `t` with what the alarm strip vouches for."""
    return Freshness(
        age_if_old(recording, recording.latest("SystemAlarms", t), t),
        age_if_old(recording, newest(recording, ATTITUDE, t), t),
    )


def age_if_old(recording: Recording, sample: Sample | None, t: float) -> float | None:
    """Seconds since a sample was known to hold, where that is too long; None while it holds."""
    if sample is None or t - sample.t <= OLD_S:
        return None
    age_s = t - sample.t
    if sample.definition.flight_policy.mode is not UpdateMode.PERIODIC:
        rest_s = _silence_of_most(recording, t)
        return min(age_s, rest_s) if rest_s > OLD_S else None
    track = recording.track(sample.definition.object_id)
    return age_s if track is not None and _is_overdue(track, t) else None


def _silence_of_most(recording: Recording, t: float) -> float:
    """How long most of what comes regularly has stayed away; 0 while it comes."""
    regular = [track for track in recording.tracks() if _is_regular(track, t)]
    overdue = [track for track in regular if _is_overdue(track, t)]
    if 2 * len(overdue) <= len(regular):
        return 0.0
    return t - max(float(track.times[track.index_at(t)]) for track in overdue)


def _is_regular(track: Track, t: float) -> bool:
    """Whether an object is one that aircraft send in a fixed period, and was so up to `t`."""
    definition = track.definition
    is_periodic = definition.flight_policy.mode is UpdateMode.PERIODIC
    return is_periodic and not definition.settings and track.index_at(t) + 1 >= _LEAST_SAMPLES


def _is_overdue(track: Track, t: float) -> bool:
    stop = track.index_at(t) + 1
    times = track.times[max(0, stop - _LOOKED_AT) : stop]
    age_s = t - float(times[-1])
    if age_s <= OLD_S or len(times) < 2:
        return age_s > OLD_S
    return age_s > _PERIODS * float(np.median(np.diff(times)))
