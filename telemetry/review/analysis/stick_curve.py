"""Stick curve: expo, full deflection and limit over a stick's travel, as firmware applies them.

    power = 4 ** (expo / 100)
    asked = sign(stick) * |stick| ** power * full, and no more than the limit

A positive expo softens the middle; at 100 the stick counts with its fourth power.
"""

import numpy as np

from telemetry.review.analysis.series import Array

_FULL_EXPO = 4.0


def stick_response(
    stick: Array, full: float, expo_percent: float = 0.0, limit: float | None = None
) -> Array:
    """What stick positions (n,), -1 to 1, ask for: `full` at the end (n,), held within `limit`."""
    power = _FULL_EXPO ** (expo_percent / 100.0)
    asked = np.sign(stick) * np.abs(stick) ** power * full
    return np.asarray(asked if limit is None else np.clip(asked, -limit, limit))


def scaled_gain_percent(curve_percent: Array, thrust: Array) -> Array:
    """By how many percent gains are changed at thrusts (n,), 0 to 1, by a curve of points (m,) at
    even distances: straight lines between them, held beyond the ends."""
    places = np.linspace(0.0, 1.0, len(curve_percent))
    return np.asarray(np.interp(thrust, places, curve_percent))
