"""Sampling of an object: how often it is recorded, and for how long a value of it counts."""

import numpy as np
import numpy.typing as npt

from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode
from telemetry.recording.track import Track

Floats = npt.NDArray[np.float64]

_LEAST_S = 2.0
_PERIODS = 5.0
_PROBES = 1024
_SENT_ON_CHANGE = (UpdateMode.ONCHANGE, UpdateMode.MANUAL)


def is_sent_on_change(definition: ObjectDefinition) -> bool:
    """Whether a value holds until another one comes, however long that takes."""
    return definition.settings or definition.flight_policy.mode in _SENT_ON_CHANGE


def usual_period_s(track: Track) -> float:
    """The time between two samples, in the middle of all; while there are hardly any, what the
    definition says; 0 for what is sent on change."""
    if is_sent_on_change(track.definition):
        return 0.0
    times = track.times[: track.count]
    if len(times) <= 3:
        return track.definition.flight_policy.period_ms / 1000.0
    at = np.unique(np.linspace(0, len(times) - 2, _PROBES).astype(np.int64))
    return float(np.median(times[at + 1] - times[at]))


def silence_limit_s(track: Track) -> float:
    """Two samples further apart than this have a silence between them, which ends what the first
    said; infinite for what is sent on change."""
    if is_sent_on_change(track.definition):
        return np.inf
    return max(_LEAST_S, _PERIODS * usual_period_s(track))


def held_values(track: Track, column: npt.NDArray[np.generic], at: Floats) -> Floats:
    """The values (n,) that held at instants (n,): NaN before the first sample and where the last
    one is older than the silence limit. `column` has one value for each sample."""
    times = track.times[: len(column)]
    if not len(times):
        return np.full(len(at), np.nan)
    index = times.searchsorted(at, "right") - 1
    sampled = np.maximum(index, 0)
    is_known = (index >= 0) & (at - times[sampled] <= silence_limit_s(track))
    values: Floats = np.where(is_known, column[sampled].astype(np.float64), np.nan)
    return values
