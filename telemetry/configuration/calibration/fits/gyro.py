"""Gyro bias fit: what the gyro reads at rest (AccelGyroSettings.gyro_bias)."""

import numpy as np

from telemetry.configuration.calibration.fits.correction import Correction
from telemetry.configuration.calibration.fits.result import (
    Array,
    Calibration,
    CalibrationError,
    Quality,
    axis_values,
    checked_rows,
)
from telemetry.configuration.calibration.fits.robust import robust_mean

_LEAST = 20
_MOVING_DEG_S = 2.0
_LARGEST_DEG_S = 20.0
_GOOD_DEG_S = 0.05


def fit_gyro_bias(readings: Array, on_board: Correction) -> Calibration:
    """The bias from GyroSensor at rest, rows (n, 4) as published: rates in deg/s, temperature.

    Raise CalibrationError if it moved or the bias cannot be so.
    """
    rows = checked_rows(readings, 4, _LEAST, "gyro")
    published = rows[:, :3]
    spread = 1.4826 * np.median(np.abs(published - np.median(published, axis=0)), axis=0)
    drift = np.median(published[len(rows) // 2 :], axis=0) - np.median(
        published[: len(rows) // 2], axis=0
    )
    if max(spread.max(), np.abs(drift).max()) > _MOVING_DEG_S:
        raise CalibrationError(
            "The aircraft moved while the gyro was read.", "Put it down, leave it and repeat."
        )
    scaled = on_board.scaled_gyro(published, rows[:, 3]) - on_board.gyro_drift(rows[:, 3])
    bias = robust_mean(scaled)
    if np.abs(bias).max() > _LARGEST_DEG_S:
        raise CalibrationError(
            f"At rest the gyro reads {np.abs(bias).max():.0f} deg/s, more than a healthy one does.",
            "Restart the board on firm ground; if it goes on, the sensor is broken.",
        )
    left = scaled - bias
    known = float(spread.max() / np.sqrt(len(rows)))
    quality = Quality(
        "Turning seen at rest",
        float(np.linalg.norm(robust_mean(published))),
        float(np.linalg.norm(robust_mean(left))),
        "deg/s",
    )
    is_good = known < _GOOD_DEG_S
    verdict = f"The bias is known to {known:.3f} deg/s." + (
        "" if is_good else " That is coarse: repeat it on firmer ground."
    )
    values = {"AccelGyroSettings": axis_values("gyro_bias", bias)}
    return Calibration(values, (quality,), verdict, is_good)
