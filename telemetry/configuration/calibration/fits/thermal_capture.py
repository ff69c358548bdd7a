"""Thermal capture: readings at rest while a cold board warms up."""

from collections import deque

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.capture import CaptureProgress
from telemetry.configuration.calibration.fits.rest_detector import RestDetector
from telemetry.configuration.calibration.fits.result import Array
from telemetry.configuration.calibration.fits.rotation import angle_between

STEADY_DEG_C_PER_MIN = 0.20
LEAST_SPAN_DEG_C = 10.0
_GRADIENT_WINDOW_S = 60.0
_FILTER_S = 5.0
_TAKE_EVERY_S = 0.2
_NOTE_EVERY_S = 0.5
_LEANED_DEG = 3.0
"""Slow changes of the sensor itself stay below this; a board that was touched does not."""


class ThermalCapture:
    """Rows (n, 4) of gyro and accelerometer (x, y, z, temperature) and (n, 2) of the barometer
    (pressure, temperature), five a second at most and only those taken at rest.

    It may end when the temperature rises by less than 0.20 deg C per minute and has risen by more
    than 10 deg C.
    """

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[float, ...]]] = {"gyro": [], "accel": [], "baro": []}
        self._taken_s: dict[str, float] = {}
        self._still = RestDetector()
        self._history: deque[tuple[float, float]] = deque()
        self._warmed_s = -np.inf
        self._range = (np.inf, -np.inf)
        self._began_s = np.inf
        self._first_accel: Array | None = None
        self.temperature = np.nan
        """The gyro's, filtered, deg C; NaN before any reading."""
        self.is_spoiled = False
        """Whether the board was leaned another way, which no later reading can make good."""

    def add_gyro(self, t: float, rates: npt.ArrayLike, temperature: float) -> None:
        """A reading of the gyro (3,), deg/s."""
        self._still.add_gyro(t, rates)
        self._warm(t, temperature)
        self._take("gyro", t, (*np.asarray(rates), temperature))

    def add_accel(self, t: float, accel: npt.ArrayLike, temperature: float) -> None:
        """A reading of the accelerometer (3,), m/s2."""
        self._still.add_accel(t, accel)
        self._take("accel", t, (*np.asarray(accel), temperature))
        if not self._still.trouble(t):
            self._watch_lean(self._still.mean_accel())

    def add_baro(self, t: float, pressure: float, temperature: float) -> None:
        """A reading of the barometer, in the unit it is published in."""
        self._take("baro", t, (pressure, temperature))

    def rows(self, sensor: str) -> Array:
        """What was taken of "gyro" or "accel", (n, 4): x, y, z, temperature; or of "baro", (n, 2):
        pressure, temperature."""
        return np.array(self._rows[sensor]).reshape(-1, 2 if sensor == "baro" else 4)

    @property
    def span(self) -> float:
        """How far the temperature has moved so far, deg C."""
        return max(self._range[1] - self._range[0], 0.0)

    @property
    def gradient(self) -> float | None:
        """Rise over the last minute in deg C per minute; None before a minute has passed."""
        if not self._history or self._warmed_s - self._began_s < _GRADIENT_WINDOW_S:
            return None
        times, values = np.array(self._history).T
        return float(np.polyfit(times - times[0], values, 1)[0] * 60.0)

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        if self.is_spoiled:
            return CaptureProgress(
                0.0, 0.0, "Let it cool down and begin again.", "It was moved.", False
            )
        gradient = self.gradient
        is_steady = gradient is not None and abs(gradient) < STEADY_DEG_C_PER_MIN
        if is_steady and self.span > LEAST_SPAN_DEG_C:
            return CaptureProgress(1.0, 1.0, "Warm and steady: it can be ended.", "", True)
        share = min(self.span / LEAST_SPAN_DEG_C, 1.0) * 0.9
        return CaptureProgress(
            share, share, self._wanted(gradient), self._still.trouble(now), False
        )

    def _wanted(self, gradient: float | None) -> str:
        span = f"{self.span:.1f} of more than {LEAST_SPAN_DEG_C:.0f} degrees"
        if gradient is None:
            return f"Leave it while it warms up: {span}."
        if abs(gradient) < STEADY_DEG_C_PER_MIN:
            return f"It stopped warming after {span}. Cool it well below room temperature first."
        return f"Leave it while it warms up: {span}, {gradient:.2f} degrees a minute."

    def _take(self, name: str, t: float, row: tuple[float, ...]) -> None:
        is_soon = t - self._taken_s.get(name, -np.inf) < 0.95 * _TAKE_EVERY_S
        if is_soon or self._still.trouble(t) or not np.isfinite(row).all():
            return
        self._taken_s[name] = t
        self._rows[name].append(row)

    def _warm(self, t: float, temperature: float) -> None:
        if not np.isfinite(temperature):
            return
        if np.isnan(self.temperature):
            self._began_s = t
            self.temperature = temperature
        keep = float(np.exp(-max(t - self._warmed_s, 0.0) / _FILTER_S))
        self._warmed_s = t
        self.temperature = keep * self.temperature + (1.0 - keep) * temperature
        self._range = min(self._range[0], self.temperature), max(self._range[1], self.temperature)
        if not self._history or t - self._history[-1][0] >= _NOTE_EVERY_S:
            self._history.append((t, self.temperature))
        while self._history[0][0] < t - _GRADIENT_WINDOW_S:
            self._history.popleft()

    def _watch_lean(self, accel: Array) -> None:
        if self._first_accel is None:
            self._first_accel = accel
        elif angle_between(accel, self._first_accel) > _LEANED_DEG:
            self.is_spoiled = True
