"""Rest detector: is an aircraft at rest, by what its gyro and accelerometer read?"""

from collections import deque

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.result import Array

_LOOK_EVERY_S = 0.05
_FEWEST = 4
_WINDOW_S = 1.0
_GYRO_DEG_S, _ACCEL_M_S2 = 1.0, 0.3
"""Deviations within the window beyond these are a movement."""
_RATE_DEG_S = 25.0
"""No gyro reads so much at rest."""
_GAP_S = 0.6
"""Readings further apart mean that the link failed."""


class RestDetector:
    """Fed with readings as they arrive; says why the aircraft is not still, or nothing."""

    def __init__(self) -> None:
        self._gyro: deque[tuple[float, Array]] = deque()
        self._accel: deque[tuple[float, Array]] = deque()
        self._looked_s = -np.inf
        self._trouble = "Waiting for readings."

    def add_gyro(self, t: float, rates: npt.ArrayLike) -> None:
        """A reading of the gyro (3,), deg/s, at time `t` in seconds."""
        self._add(self._gyro, t, rates)

    def add_accel(self, t: float, accel: npt.ArrayLike) -> None:
        """A reading of the accelerometer (3,), m/s2, at time `t` in seconds."""
        self._add(self._accel, t, accel)

    def trouble(self, now: float) -> str:
        """Why it is not still at `now`; empty when it is."""
        if not 0.0 <= now - self._looked_s < _LOOK_EVERY_S:
            self._looked_s = now
            self._trouble = self._look(now)
        return self._trouble

    def mean_accel(self) -> Array:
        """The mean acceleration (3,) over the window."""
        return np.asarray(np.mean([value for _, value in self._accel], axis=0))

    def _add(self, window: deque[tuple[float, Array]], t: float, value: npt.ArrayLike) -> None:
        reading = np.asarray(value, dtype=np.float64)
        if not np.isfinite(reading).all():
            return
        if window and not 0.0 <= t - window[-1][0] <= _GAP_S:
            window.clear()
        window.append((t, reading))
        while window[0][0] < t - _WINDOW_S:
            window.popleft()

    def _look(self, now: float) -> str:
        for name, window in (("gyro", self._gyro), ("accelerometer", self._accel)):
            if not window or now - window[-1][0] > _GAP_S:
                return f"Waiting for readings of the {name}."
        gyro = np.array([value for _, value in self._gyro])
        accel = np.array([value for _, value in self._accel])
        if np.abs(gyro.mean(axis=0)).max() > _RATE_DEG_S or gyro.std(axis=0).max() > _GYRO_DEG_S:
            return "Still moving: it turns."
        if accel.std(axis=0).max() > _ACCEL_M_S2:
            return "Still moving: it shakes."
        seen_s = min(window[-1][0] - window[0][0] for window in (self._gyro, self._accel))
        is_short = seen_s < 0.5 * _WINDOW_S or min(len(gyro), len(accel)) < _FEWEST
        return "Hold still." if is_short else ""
