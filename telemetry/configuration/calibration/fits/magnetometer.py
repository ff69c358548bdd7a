"""Magnetometer ellipsoid fit: mag_bias and mag_transform of RevoCalibration or AuxMagSettings.

    |transform (raw - bias)| = |HomeLocation.Be|

However the aircraft is turned, the corrected field must be as long as the Earth's. Length alone
says nothing about a rotation, so the transform is the symmetric one, which turns the field least.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.correction import MAG_ELEMENTS, Correction
from telemetry.configuration.calibration.fits.coverage import coverage_of, side_words, sphere_centre
from telemetry.configuration.calibration.fits.magnetometer_capture import field_length
from telemetry.configuration.calibration.fits.result import (
    Array,
    Calibration,
    CalibrationError,
    Quality,
    axis_values,
    checked_rows,
)
from telemetry.configuration.calibration.fits.robust import RobustFit, robust_fit

_LEAST = 60
_LEAST_COVERAGE = 0.5
_GOOD_COVERAGE = 0.8
_VAGUE = 0.02
_GOOD_PERCENT, _POOR_PERCENT = 2.0, 5.0
_STRONGEST_BIAS, _STRONGEST_SOFT_IRON = 3.0, 0.6
_MOST_OUTLIERS = 0.3
_UPPER = np.triu_indices(3)


@dataclass(frozen=True, slots=True, eq=False)
class MagnetometerFit:
    """A calibration with what a drawing of it needs.

    `points` (n, 3) are the corrected readings in the airframe's axes in units of the field's
    length, on a sphere of radius 1 where all is well; `is_used` (n,) is False for readings that fit
    nothing and were left out.
    """

    calibration: Calibration
    points: Array
    is_used: npt.NDArray[np.bool_]
    errors_mgauss: Array


def fit_magnetometer(
    readings: Array,
    on_board: Correction,
    be: npt.ArrayLike,
    mag_object: str = "RevoCalibration",
) -> MagnetometerFit:
    """The ellipsoid through readings (n, 3) in mGauss as published, to the length of `be`.

    `on_board` is correction_from(settings, mag_object). Raise CalibrationError if directions are
    missing, or if the readings cannot come from a field of this length.
    """
    length = field_length(be)
    published = checked_rows(readings, 3, _LEAST, "magnetometer")
    raw = on_board.raw_mag(published)
    _require_coverage(published - sphere_centre(published, length))
    fit = _fit(raw, length)
    bias, transform = fit.parameters[:3] * length, _symmetric(fit.parameters[3:])
    board = (raw - bias) @ transform.T
    points = board @ on_board.to_airframe.T / length
    coverage = coverage_of(points[fit.inliers]).share
    _check(fit, bias, transform, length)
    before = _rms_percent(np.linalg.norm(published[fit.inliers], axis=1) / length)
    after = _rms_percent(np.linalg.norm(points[fit.inliers], axis=1))
    values = axis_values("mag_bias", bias) | {
        f"mag_transform.{name}": float(x)
        for name, x in zip(MAG_ELEMENTS, transform.ravel(), strict=True)
    }
    quality = (
        Quality("The field's length deviates by", before, after, "%"),
        Quality("Directions seen", 100.0 * coverage, 100.0 * coverage, "%"),
    )
    verdict, is_good = _verdict(after, coverage, 1.0 - float(fit.inliers.mean()))
    calibration = Calibration({mag_object: values}, quality, verdict, is_good)
    errors = fit.errors[:3] * length
    return MagnetometerFit(calibration, points, fit.inliers, errors)


def _fit(raw: Array, length: float) -> RobustFit:
    """Parameters: bias in units of the length, and the upper half of transform - 1."""
    unit = raw / length

    def deviation(p: Array) -> Array:
        corrected = (unit - p[:3]) @ _symmetric(p[3:])
        return np.asarray(np.linalg.norm(corrected, axis=1) - 1.0)

    centre = sphere_centre(unit, 1.0)
    size = float(np.median(np.linalg.norm(unit - centre, axis=1)))
    start = (np.eye(3) / size - np.eye(3))[_UPPER]
    return robust_fit(deviation, np.concatenate([centre, start]))


def _symmetric(upper: Array) -> Array:
    matrix = np.zeros((3, 3))
    matrix[_UPPER] = upper
    return np.eye(3) + matrix + matrix.T - np.diag(np.diag(matrix))


def _require_coverage(vectors: Array) -> None:
    seen = coverage_of(vectors)
    if seen.share >= _LEAST_COVERAGE:
        return
    sides = dict.fromkeys(side_words(direction) for direction in seen.missing)
    raise CalibrationError(
        f"Only {100.0 * seen.share:.0f} % of all directions were seen.",
        "Turn the aircraft about all its axes; missing is, for one, the field along the "
        f"{next(iter(sides))}.",
    )


def _check(fit: RobustFit, bias: Array, transform: Array, length: float) -> None:
    if not fit.errors.max() < _VAGUE:
        raise CalibrationError(
            "The readings fit ellipsoids of many shapes.",
            "Turn the aircraft about all its axes, away from steel and cables, and repeat.",
        )
    if fit.inliers.mean() < 1.0 - _MOST_OUTLIERS:
        raise CalibrationError(
            f"{100.0 * (1.0 - fit.inliers.mean()):.0f} % of the readings fit no ellipsoid.",
            "Something magnetic moved near by: go outdoors, switch motors off, and repeat.",
        )
    stretch = np.abs(np.linalg.eigvalsh(transform) - 1.0).max()
    if np.abs(bias).max() > _STRONGEST_BIAS * length or stretch > _STRONGEST_SOFT_IRON:
        raise CalibrationError(
            "The field is distorted more than can be corrected.",
            "Move the magnetometer away from steel, motors and power leads, and repeat.",
        )


def _verdict(after: float, coverage: float, outliers: float) -> tuple[str, bool]:
    left_out = f" {100.0 * outliers:.0f} % of the readings were left out." if outliers > 0.0 else ""
    if after > _POOR_PERCENT:
        return f"Poor: the length still deviates by {after:.1f} %.{left_out}", False
    if coverage < _GOOD_COVERAGE:
        return f"Some directions were not seen; there it may be wrong.{left_out}", False
    word = "Good" if after <= _GOOD_PERCENT else "Usable"
    return f"{word}: the length deviates by {after:.1f} %.{left_out}", True


def _rms_percent(lengths: Array) -> float:
    return float(100.0 * np.sqrt(np.mean((lengths - 1.0) ** 2)))
