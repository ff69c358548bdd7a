"""Accelerometer fit from six sides: AccelGyroSettings.accel_bias and accel_scale.

At rest the corrected reading must be as long as gravity however the aircraft lies, so the sides
need not be square to each other. Errors of the axes' angles to each other cannot be corrected by
these settings; where the sides are within some degrees they do not disturb them either.
"""

from collections.abc import Mapping

import numpy as np

from telemetry.configuration.calibration.fits.correction import Correction
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import (
    Array,
    Calibration,
    CalibrationError,
    Quality,
    axis_values,
    checked_rows,
)
from telemetry.configuration.calibration.fits.robust import RobustFit, robust_fit, robust_mean

GRAVITY = 9.81
_LEAST = 5
_LARGEST_BIAS, _LARGEST_SCALE_ERROR = 3.0, 0.2
_VAGUE_M_S2, _VAGUE_SCALE = 0.1, 0.01
_GOOD_M_S2, _GOOD_SCALE = 0.03, 0.003


def fit_accelerometer(
    sides: Mapping[RestPose, Array], on_board: Correction, gravity: float = GRAVITY
) -> Calibration:
    """The bias and scale from readings of six sides.

    `sides` are rows (n, 4) as published: x, y, z in m/s2 and temperature in deg C. `gravity` is
    HomeLocation.g_e. Raise CalibrationError if a side is missing or the readings cannot be so.
    """
    missing = [pose.value for pose in RestPose if pose not in sides]
    if missing:
        raise CalibrationError(
            f"Not all sides were taken: {', '.join(missing)}.", "Lay it on these sides, too."
        )
    rows = [checked_rows(sides[pose], 4, _LEAST, "accelerometer") for pose in RestPose]
    published = np.concatenate(rows)
    temperature = published[:, 3]
    raw = on_board.raw_accel(published[:, :3], temperature)
    drift = on_board.accel_drift(temperature)
    fit = _fit(raw, drift, gravity)
    bias, scale = fit.parameters[:3] * gravity, 1.0 + fit.parameters[3:]
    _check(bias, scale, fit, gravity)
    before = [np.linalg.norm(robust_mean(side[:, :3])) for side in rows]
    side_of = np.repeat(np.arange(len(rows)), [len(side) for side in rows])
    after = [
        np.linalg.norm(robust_mean(((raw - bias) * scale - drift)[side_of == i]))
        for i in range(len(rows))
    ]
    quality = Quality(
        "Gravity measured on the six sides is wrong by",
        _percent(np.array(before), gravity),
        _percent(np.array(after), gravity),
        "%",
    )
    values = axis_values("accel_bias", bias) | axis_values("accel_scale", scale)
    known = float(fit.errors[:3].max()) * gravity
    known_scale = float(fit.errors[3:].max())
    is_good = known < _GOOD_M_S2 and known_scale < _GOOD_SCALE
    verdict = (
        f"The bias is known to {known:.3f} m/s² and the scale to {100.0 * known_scale:.2f} %."
        + ("" if is_good else " That is coarse: repeat it on firmer ground, held longer.")
    )
    return Calibration({"AccelGyroSettings": values}, (quality,), verdict, is_good)


def _fit(raw: Array, drift: Array, gravity: float) -> RobustFit:
    """Parameters: bias in units of gravity, scale - 1."""

    def deviation(p: Array) -> Array:
        corrected = (raw - p[:3] * gravity) * (1.0 + p[3:]) - drift
        return np.asarray(np.linalg.norm(corrected, axis=1) / gravity - 1.0)

    return robust_fit(deviation, np.zeros(6))


def _check(bias: Array, scale: Array, fit: RobustFit, gravity: float) -> None:
    is_known = fit.errors[:3].max() * gravity < _VAGUE_M_S2 and fit.errors[3:].max() < _VAGUE_SCALE
    if not is_known:
        raise CalibrationError(
            "The six readings are too much alike to tell bias from scale.",
            "Lay it on six different sides, each within 20 degrees.",
        )
    if np.abs(bias).max() > _LARGEST_BIAS or np.abs(scale - 1.0).max() > _LARGEST_SCALE_ERROR:
        raise CalibrationError(
            f"The fit asks for a bias of {np.abs(bias).max():.1f} m/s² and a scale off by "
            f"{100.0 * np.abs(scale - 1.0).max():.0f} %, more than any healthy sensor has.",
            "Repeat it without moving the aircraft while it is taken; then suspect the sensor.",
        )


def _percent(lengths: Array, gravity: float) -> float:
    return float(100.0 * np.sqrt(np.mean((lengths / gravity - 1.0) ** 2)))
