"""Slip ball: the sideways force, averaged, and withheld where it is only shaking.

Firmware sends single samples of the accelerometer, often one a second. On a shaking multirotor
one sample says nothing (4 m/s² of scatter in the OpenPilot log of 2014), so the ball would jump.
"""

import math
from statistics import fmean

from plugins.api import object_names
from telemetry.recording.recording import Recording

WINDOW_S = 2.0
SCATTER_SAMPLES = 12
LARGEST_ERROR_MPS2 = 1.0


def steady_lateral_mps2(recording: Recording, t: float) -> float | None:
    """Mean sideways specific force of the last two seconds before `t`, right positive.

    None without samples, or where the mean is uncertain by more than 1 m/s².
    """
    for name in object_names("AccelState"):
        track = recording.track(name)
        if track is None:
            continue
        stop = track.index_at(t) + 1
        if stop == 0:
            continue
        start = max(0, stop - SCATTER_SAMPLES)
        around = track.values("y", None, start, stop).tolist()
        times_s = track.times[start:stop].tolist()
        recent = [y for y, at_s in zip(around, times_s, strict=True) if at_s >= t - WINDOW_S]
        if not recent:
            return None
        error = _scatter(around) / math.sqrt(len(recent))
        return fmean(recent) if error <= LARGEST_ERROR_MPS2 else None
    return None


def _scatter(values: list[float]) -> float:
    """Their standard deviation, of a few faster than by an array."""
    mean = fmean(values)
    return math.sqrt(fmean([(value - mean) ** 2 for value in values]))
