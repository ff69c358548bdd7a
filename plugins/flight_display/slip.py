"""Slip ball: the sideways force, averaged, and withheld where it is only shaking.

Firmware sends single samples of the accelerometer, often one a second. On a shaking multirotor
one sample says nothing (4 m/s² of scatter in the OpenPilot log of 2014), so the ball would jump.
"""

import math

import numpy as np

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
        around = track.values("y", None, max(0, stop - SCATTER_SAMPLES), stop)
        first = int(np.searchsorted(track.times[:stop], t - WINDOW_S))
        recent = around[max(0, len(around) - (stop - first)) :]
        if len(recent) == 0:
            return None
        error = float(np.std(around)) / math.sqrt(len(recent))
        return float(np.mean(recent)) if error <= LARGEST_ERROR_MPS2 else None
    return None
