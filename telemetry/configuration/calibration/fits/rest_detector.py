"""Rest detector: is an aircraft at rest, by what its gyro and accelerometer read?"""

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.result import Array

_LOOK_EVERY_S = 0.05
_FEWEST = 4


@dataclass(frozen=True, slots=True)
class RestLimits:
    """What counts as still: deviations within the last `window_s` seconds, and a turn rate no
    gyro reads at rest. Readings further apart than `gap_s` mean that the link failed."""

    window_s: float = 1.0
    gyro_deg_s: float = 1.0
    accel_m_s2: float = 0.3
    rate_deg_s: float = 25.0
    gap_s: float = 0.6


class RestDetector:
    """Fed with readings as they arrive; says why the aircraft is not still, or nothing."""

    def __init__(self, limits: RestLimits | None = None) -> None:
        self._limits = limits or RestLimits()
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
        if window and not 0.0 <= t - window[-1][0] <= self._limits.gap_s:
            window.clear()
        window.append((t, reading))
        while window[0][0] < t - self._limits.window_s:
            window.popleft()

    def _look(self, now: float) -> str:
        limits = self._limits
        for name, window in (("gyro", self._gyro), ("accelerometer", self._accel)):
            if not window or now - window[-1][0] > limits.gap_s:
                return f"Waiting for readings of the {name}."
        gyro = np.array([value for _, value in self._gyro])
        accel = np.array([value for _, value in self._accel])
        if np.abs(gyro.mean(axis=0)).max() > limits.rate_deg_s:
            return "Still moving: it turns."
        if gyro.std(axis=0).max() > limits.gyro_deg_s:
            return "Still moving: it turns."
        if accel.std(axis=0).max() > limits.accel_m_s2:
            return "Still moving: it shakes."
        seen_s = min(window[-1][0] - window[0][0] for window in (self._gyro, self._accel))
        is_short = seen_s < 0.5 * limits.window_s or min(len(gyro), len(accel)) < _FEWEST
        return "Hold still." if is_short else ""
