"""Thermal fit: gyro_temp_coeff, accel_temp_coeff and BaroTempCorrectionPolynomial.

    gyro     bias + (X + X2 T) T    per axis
    accel    accel_temp_coeff T     per axis
    baro     a + b T + c T^2 + d T^3, zero at 20 deg C or the nearest temperature seen

All are subtracted by the board, T held within the extent they were seen in. The gyro's bias comes
out of the same fit. An accelerometer at rest shows only what changes, so its bias is moved to leave
what it reads at the middle temperature as it was. The air's own pressure must not change meanwhile.
"""

import numpy as np
from numpy.polynomial import Polynomial

from telemetry.base.number_text import significant
from telemetry.configuration.calibration.fits.correction import Correction
from telemetry.configuration.calibration.fits.result import (
    AXES,
    Array,
    Calibration,
    CalibrationError,
    Quality,
    Values,
    axis_values,
    checked_rows,
)
from telemetry.configuration.calibration.fits.robust import robust_fit
from telemetry.configuration.calibration.fits.thermal_capture import LEAST_SPAN_DEG_C

_LEAST = 50
_GYRO_DEGREE, _ACCEL_DEGREE, _BARO_DEGREE = 2, 1, 3
_REFERENCE_DEG_C = 20.0


def fit_gyro_temperature(readings: Array, on_board: Correction) -> Calibration:
    """From rows (n, 4) of GyroSensor as published: rates in deg/s, temperature in deg C."""
    rows, low, high = _warmed(readings, 4, "gyro")
    t = rows[:, 3]
    scaled = on_board.scaled_gyro(rows[:, :3], t)
    fits = [_polynomial(t, column, _GYRO_DEGREE) for column in scaled.T]
    coefficients = np.array([fit.coef for fit in fits])
    values = {}
    for axis, row in zip(AXES, coefficients, strict=True):
        values[f"gyro_temp_coeff.{axis}"] = float(row[1])
        values[f"gyro_temp_coeff.{axis}2"] = float(row[2])
    values |= axis_values("gyro_bias", coefficients[:, 0]) | _extent(low, high)
    corrected = scaled - np.stack([fit(t) for fit in fits], axis=1)
    return _judged({"AccelGyroSettings": values}, "gyro", t, rows[:, :3], corrected, "deg/s")


def fit_accel_temperature(readings: Array, on_board: Correction) -> Calibration:
    """From rows (n, 4) of AccelSensor as published, at rest: m/s2, temperature in deg C."""
    rows, low, high = _warmed(readings, 4, "accelerometer")
    t = rows[:, 3]
    raw = on_board.raw_accel(rows[:, :3], t)
    scaled = (raw - on_board.accel_bias) * on_board.accel_scale
    fits = [_polynomial(t, column, _ACCEL_DEGREE) for column in scaled.T]
    slope = np.array([fit.coef[1] for fit in fits])
    middle = (low + high) / 2.0
    shift = slope * middle - on_board.accel_drift(middle)[0]
    bias = on_board.accel_bias - shift / on_board.accel_scale
    values = axis_values("accel_temp_coeff", slope) | axis_values("accel_bias", bias)
    values |= _extent(low, high)
    corrected = scaled - slope * t[:, None]
    return _judged(
        {"AccelGyroSettings": values}, "accelerometer", t, rows[:, :3], corrected, "m/s²"
    )


def fit_baro_temperature(readings: Array, on_board: Values) -> Calibration:
    """From rows (n, 2) of BaroSensor as published: pressure in any unit, temperature in deg C.

    `on_board` are the settings, of which RevoSettings is read.
    """
    rows, low, high = _warmed(readings, 2, "barometer")
    t = rows[:, 1]
    raw = rows[:, 0] + _baro_drift(on_board, t)
    fit = _polynomial(t, raw, _BARO_DEGREE)
    terms = fit.coef.copy()
    terms[0] -= float(fit(np.clip(_REFERENCE_DEG_C, low, high)))
    drift = Polynomial(terms)  # subtraction of polynomials would drop terms that are zero
    values = {
        f"BaroTempCorrectionPolynomial.{name}": float(x)
        for name, x in zip("abcd", terms, strict=True)
    }
    values |= {"BaroTempCorrectionExtent.min": low, "BaroTempCorrectionExtent.max": high}
    corrected = (raw - drift(t))[:, None]
    return _judged({"RevoSettings": values}, "barometer", t, rows[:, :1], corrected, "of pressure")


def _warmed(readings: Array, columns: int, what: str) -> tuple[Array, float, float]:
    rows = checked_rows(readings, columns, _LEAST, what)
    low, high = float(rows[:, -1].min()), float(rows[:, -1].max())
    if high - low <= LEAST_SPAN_DEG_C:
        raise CalibrationError(
            f"The temperature of the {what} rose by only {high - low:.1f} degrees.",
            f"Cool the board well below room temperature first; more than {LEAST_SPAN_DEG_C:.0f} "
            "degrees are needed.",
        )
    return rows, low, high


def _polynomial(t: Array, y: Array, degree: int) -> Polynomial:
    """A robust polynomial in deg C, fitted where powers do not resemble each other."""
    middle, half = (t.max() + t.min()) / 2.0, (t.max() - t.min()) / 2.0
    powers = np.vander((t - middle) / half, degree + 1, increasing=True)
    level = float(np.median(y))
    size = max(float(np.std(y)), 1e-9)
    fit = robust_fit(lambda p: powers @ p - (y - level) / size, np.zeros(degree + 1))
    if not np.isfinite(fit.errors).all():
        raise CalibrationError(
            "There are readings at too few temperatures.", "Let it warm up slowly, and repeat."
        )
    scaled = Polynomial(fit.parameters * size, domain=[t.min(), t.max()])
    found = scaled.convert(domain=[-1.0, 1.0]) + level
    return Polynomial(np.pad(found.coef, (0, degree + 1 - len(found.coef))))


def _baro_drift(settings: Values, t: Array) -> Array:
    values = settings.get("RevoSettings", {})
    low = values.get("BaroTempCorrectionExtent.min", 0.0)
    high = values.get("BaroTempCorrectionExtent.max", 0.0)
    if high - low <= 0.1:
        return np.zeros_like(t)
    terms = [values.get(f"BaroTempCorrectionPolynomial.{name}", 0.0) for name in "abcd"]
    return np.asarray(Polynomial(terms)(np.clip(t, low, high)))


def _extent(low: float, high: float) -> dict[str, float]:
    return {"temp_calibrated_extent.min": low, "temp_calibrated_extent.max": high}


def _judged(
    values: Values, what: str, t: Array, before: Array, after: Array, unit: str
) -> Calibration:
    """Quality is how far readings wander with temperature, noise averaged out: the largest
    difference between the means of eight ranges of temperature."""
    wandered, left = _wandering(t, before), _wandering(t, after)
    is_good = left < 0.5 * wandered
    verdict = (
        f"Between {t.min():.0f} and {t.max():.0f} deg C the {what} wanders by "
        f"{significant(left, 3)} {unit} instead of {significant(wandered, 3)}."
        + ("" if is_good else " It hardly depends on temperature: keep what is on board.")
    )
    quality = Quality(f"The {what} wanders with temperature by", wandered, left, unit)
    return Calibration(values, (quality,), verdict, is_good)


def _wandering(t: Array, rows: Array) -> float:
    edges = np.linspace(t.min(), t.max(), 9)
    bins = np.clip(np.digitize(t, edges) - 1, 0, 7)
    means = np.array([np.median(rows[bins == i], axis=0) for i in range(8) if (bins == i).any()])
    return float(np.ptp(means, axis=0).max())
