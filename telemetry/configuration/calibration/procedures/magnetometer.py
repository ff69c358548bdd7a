"""Magnetometer calibration, on board and external, while the aircraft is turned."""

from collections.abc import Collection

import numpy as np

from telemetry.configuration.calibration.fits.board_settings import field_at_home
from telemetry.configuration.calibration.fits.capture import CaptureProgress
from telemetry.configuration.calibration.fits.correction import Correction, correction_from
from telemetry.configuration.calibration.fits.coverage import sphere_centre
from telemetry.configuration.calibration.fits.magnetometer import fit_magnetometer
from telemetry.configuration.calibration.fits.magnetometer_capture import (
    MagnetometerCapture,
    field_length,
)
from telemetry.configuration.calibration.fits.result import Array, CalibrationError, Values
from telemetry.configuration.calibration.procedures.recipe import CalibrationChange, xyz
from telemetry.recording.sample import Sample

MAGNETOMETERS = {"MagSensor": "RevoCalibration", "AuxMagSensor": "AuxMagSettings"}
"""Sensor -> the settings that correct it."""

_TITLES = {"MagSensor": "Magnetometer on board", "AuxMagSensor": "External magnetometer"}
_PERIOD_MS = 50
_COVERED = 0.5


class MagnetometerRecipe:
    """The ellipsoid of each magnetometer. Raises CalibrationError without a field at home."""

    pose = None
    steps = 0
    optional = frozenset[str]()
    hold_s = 0.0

    def __init__(self, settings: Values, sensors: Collection[str]) -> None:
        self._be = field_at_home(settings)
        self.length = field_length(self._be)
        self._on_board: dict[str, Correction] = {
            name: correction_from(settings, MAGNETOMETERS[name]) for name in sensors
        }
        self.captures = {name: MagnetometerCapture(self._be) for name in sensors}

    @property
    def sources(self) -> dict[str, int]:
        """The magnetometers."""
        return dict.fromkeys(self.captures, _PERIOD_MS)

    @property
    def can_finish(self) -> bool:
        """Half of all directions is the least a fit takes."""
        return all(capture.coverage.share >= _COVERED for capture in self.captures.values())

    @property
    def shown(self) -> MagnetometerCapture:
        """The magnetometer that lacks most."""
        return min(self.captures.values(), key=lambda capture: capture.coverage.share)

    def directions(self) -> Array:
        """Where the readings so far lie around their own centre, (n, 3), in field lengths."""
        rows = self.shown.rows
        if not len(rows):
            return np.empty((0, 3))
        return (rows - sphere_centre(rows, self.length)) / self.length

    def take(self, sample: Sample) -> None:
        """A reading of a magnetometer."""
        capture = self.captures.get(sample.definition.name)
        if capture is not None:
            capture.add(sample.t, xyz(sample))

    def progress(self, now: float) -> CaptureProgress:
        """Where the one that lacks most stands at `now`."""
        return self.shown.progress(now)

    def fit(self) -> tuple[CalibrationChange, ...]:
        """An ellipsoid for each magnetometer; raise CalibrationError if there is none at all."""
        parts, failed = [], None
        for name, capture in self.captures.items():
            try:
                parts.append(self._fit_one(name, capture))
            except CalibrationError as error:
                failed = error
                parts.append(CalibrationChange(_TITLES[name], None, str(error)))
        if failed is not None and all(part.calibration is None for part in parts):
            raise failed
        return tuple(parts)

    def _fit_one(self, name: str, capture: MagnetometerCapture) -> CalibrationChange:
        fit = fit_magnetometer(capture.rows, self._on_board[name], self._be, MAGNETOMETERS[name])
        return CalibrationChange(
            _TITLES[name], fit.calibration, field=fit, before=capture.rows / self.length
        )
