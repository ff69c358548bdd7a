"""Magnetometer capture: readings while the aircraft is turned in all directions."""

import math

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.capture import CaptureProgress
from telemetry.configuration.calibration.fits.coverage import (
    Coverage,
    coverage_of,
    side_words,
    sphere_centre,
)
from telemetry.configuration.calibration.fits.result import Array, CalibrationError

_ENOUGH = 0.85
_LEAST_STEP = 0.03
"""A reading closer than this share of the field to the last one adds nothing."""
_MOST = 4000
_SILENT_AFTER_S = 2.0
WEAKEST_MGAUSS, STRONGEST_MGAUSS = 180.0, 720.0
"""Anywhere near the ground the field is between 220 and 670 mGauss."""


def field_length(be: npt.ArrayLike) -> float:
    """The length of HomeLocation.Be (3,) in mGauss; raise CalibrationError if it is no field."""
    length = float(np.linalg.norm(np.asarray(be, dtype=np.float64)))
    if WEAKEST_MGAUSS <= length <= STRONGEST_MGAUSS:
        return length
    raise CalibrationError(
        f"The magnetic field at home is set to {length:.0f} mGauss, which is found nowhere.",
        "Set the home location first; the field follows from it.",
    )


class MagnetometerCapture:
    """Takes readings (3,) in mGauss as published, and knows which directions are missing.

    `be` is HomeLocation.Be: its length scales the sphere, its dip says how to hold the aircraft.
    """

    def __init__(self, be: npt.ArrayLike) -> None:
        self._length = field_length(be)
        north, east, down = (float(x) for x in np.asarray(be, dtype=np.float64))
        self._dip_deg = math.degrees(math.atan2(down, math.hypot(north, east)))
        self._rows: list[Array] = []
        self._last_s = -math.inf
        self._coverage = coverage_of(np.empty((0, 3)))
        self._centre = np.zeros(3)
        self._covered_rows = 0

    def add(self, t: float, field: npt.ArrayLike) -> None:
        """A reading at time `t` in seconds."""
        row = np.asarray(field, dtype=np.float64)
        if not np.isfinite(row).all():
            return
        self._last_s = t
        if len(self._rows) >= _MOST:
            return
        moved = np.linalg.norm(row - self._rows[-1]) if self._rows else math.inf
        if moved >= _LEAST_STEP * self._length:
            self._rows.append(row)

    @property
    def rows(self) -> Array:
        """The readings taken, (n, 3), mGauss."""
        return np.array(self._rows).reshape(-1, 3)

    @property
    def coverage(self) -> Coverage:
        """How much of the sphere was seen, as far as its centre is known by now."""
        if self._covered_rows != len(self._rows):
            self._covered_rows = len(self._rows)
            self._centre = sphere_centre(self.rows, self._length)
            self._coverage = coverage_of(self.rows - self._centre)
        return self._coverage

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        seen = self.coverage
        share = min(seen.share / _ENOUGH, 1.0)
        if seen.share >= _ENOUGH:
            return CaptureProgress(1.0, 1.0, "All directions are taken.", "", True)
        is_silent = now - self._last_s > _SILENT_AFTER_S
        trouble = "Waiting for readings of the magnetometer." if is_silent else ""
        return CaptureProgress(share, share, self._wanted(seen), trouble, False)

    def _wanted(self, seen: Coverage) -> str:
        """The missing direction that is the shortest turn away."""
        direction = np.zeros(3)
        if self._rows:
            direction = self._rows[-1] - self._centre
        nearest = seen.missing[int(np.argmax(seen.missing @ direction))]
        way = "down" if self._dip_deg >= 0.0 else "up"
        sides = side_words(nearest)
        verb = "point" if " and " in sides else "points"
        return (
            f"Turn it slowly until the {sides} {verb} along the field: "
            f"north and {abs(self._dip_deg):.0f} degrees {way}."
        )
