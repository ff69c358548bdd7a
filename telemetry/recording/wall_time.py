"""Wall time of a recording's beginning, as the aircraft's GPS receiver tells it.

A logger on board has no clock that goes on without power; the receiver does know the time, in whole
seconds, and says so with some delay.
"""

from datetime import UTC, datetime, timedelta

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample

_EARLIEST_YEAR = 2000
"""A receiver that has seen no satellite yet says 1980 or 0."""
_FIELDS = ("Year", "Month", "Day", "Hour", "Minute", "Second")
_SHARE = 90
"""Seconds are cut off and arrive late, so that nearly the largest difference is the truest."""


def began_at(recording: Recording) -> datetime | None:
    """The time (UTC) of second 0: by GPSTime, to about half a second; else what the recorder's
    computer said; None if neither is known.
    """
    return gps_began_at(recording) or recording.started_at


def gps_began_at(recording: Recording) -> datetime | None:
    """The same by GPSTime alone."""
    track = recording.track("GPSTime")
    if track is None:
        return None
    told = []
    for index in range(track.count):
        sample = track.sample(index)
        utc = _utc(sample)
        if utc is not None:
            told.append(utc.timestamp() - sample.t)
    if not told:
        return None
    near = np.median(told)
    plausible = [one for one in told if abs(one - near) < timedelta(hours=12).total_seconds()]
    return datetime.fromtimestamp(float(np.percentile(plausible, _SHARE)), UTC)


def _utc(sample: Sample) -> datetime | None:
    """What one GPSTime says; None before a receiver knows."""
    values = sample.as_dict()
    if values["Year"] < _EARLIEST_YEAR:
        return None
    try:
        year, month, day, hour, minute, second = (values[name] for name in _FIELDS)
        whole = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    return whole + timedelta(milliseconds=values.get("Millisecond", 0))
