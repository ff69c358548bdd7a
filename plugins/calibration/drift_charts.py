"""Temperature drift charts: the readings, and the polynomials fitted to them."""

from collections.abc import Sequence

import numpy as np
from numpy.polynomial import Polynomial

from telemetry.configuration.calibration.fits.result import AXES, Array
from telemetry.configuration.calibration.procedures.recipe import CalibrationChange
from telemetry.configuration.calibration.procedures.thermal import ThermalRecipe
from widgets.xy_chart import ChartSeries, XyChart

_ABSCISSA = "°C"


def drift_charts(recipe: ThermalRecipe, parts: Sequence[CalibrationChange]) -> list[XyChart]:
    """A chart per part that has a fit. Readings are shown from their own middle."""
    charts = []
    for part in parts:
        if part.calibration is None:
            continue
        if part.title == "Barometer":
            chart = XyChart("Pressure, Pa", _ABSCISSA)
            rows = recipe.capture.rows("baro")
            fitted = [_baro(dict(part.calibration.values["RevoSettings"]), rows[:, 1])]
            pascals = 1000.0 if recipe.pressure_unit == "kPa" else 1.0
            _plot(chart, rows[:, 1], pascals * rows[:, :1], [pascals * fitted[0]])
        else:
            is_gyro = part.title == "Gyro"
            rows = recipe.capture.rows("gyro" if is_gyro else "accel")
            chart = XyChart("Gyro, deg/s" if is_gyro else "Accelerometer, m/s²", _ABSCISSA)
            values = dict(part.calibration.values["AccelGyroSettings"])
            fitted = [_axis(values, axis, rows[:, 3]) for axis in AXES]
            _plot(chart, rows[:, 3], rows[:, :3], fitted)
        charts.append(chart)
    return charts


def _plot(chart: XyChart, t: Array, rows: Array, fitted: Sequence[Array]) -> None:
    order = np.argsort(t)
    series = []
    for index, (column, line) in enumerate(zip(rows.T, fitted, strict=True)):
        label = AXES[index] if len(fitted) > 1 else ""
        series.append(ChartSeries(label, t, column - np.median(column), index))
        series.append(
            ChartSeries("", t[order], (line - np.median(line))[order], index, is_line=True)
        )
    chart.set_series(series)


def _axis(values: dict[str, float], axis: str, t: Array) -> Array:
    if f"gyro_temp_coeff.{axis}" in values:
        slope, square = (values[f"gyro_temp_coeff.{axis}{power}"] for power in ("", "2"))
        return np.asarray((slope + square * t) * t)
    return np.asarray(values[f"accel_temp_coeff.{axis}"] * t)


def _baro(values: dict[str, float], t: Array) -> Array:
    terms = [values[f"BaroTempCorrectionPolynomial.{name}"] for name in "abcd"]
    return np.asarray(Polynomial(terms)(t))
