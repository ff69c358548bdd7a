"""The throttle that asks AltitudeVario for a climb rate: altitudeloop.cpp of LibrePilot, inverted.

Outside a band in the middle the stick x, 0 to 1 of what is left on its side, asks for
ThrustRate (k x^3 + (255 - k) x) / 255 with k = ThrustExp.
"""

from typing import Final

import numpy as np

_MIDDLE: Final = 0.5
_HALF_BAND: Final = 0.1


def climb_throttle(climb_mps: float, fastest_mps: float, exponential: float) -> float:
    """The throttle, 0 to 1, for a climb of `climb_mps` (up positive), at most `fastest_mps`
    (AltitudeHoldSettings.ThrustRate), with `exponential` (ThrustExp, 0 to 255)."""
    if climb_mps == 0.0 or fastest_mps <= 0.0:
        return _MIDDLE
    share = min(abs(climb_mps) / fastest_mps, 1.0)
    k = exponential / 255.0
    roots = np.roots([k, 0.0, 1.0 - k, -share]) if k > 0.0 else np.array([share])
    real = [float(root.real) for root in np.atleast_1d(roots) if abs(root.imag) < 1e-9]
    x = min(max(min(real, key=lambda root: abs(root - 0.5)), 0.0), 1.0)
    away = _HALF_BAND + x * (_MIDDLE - _HALF_BAND)
    return _MIDDLE + away if climb_mps > 0.0 else _MIDDLE - away
