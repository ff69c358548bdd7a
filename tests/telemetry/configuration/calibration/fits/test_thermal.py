"""Drift with temperature that is known, and the collecting of it while a board warms up."""

import numpy as np
import pytest

from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.configuration.calibration.fits.result import Array, CalibrationError
from telemetry.configuration.calibration.fits.thermal import (
    fit_accel_temperature,
    fit_baro_temperature,
    fit_gyro_temperature,
)
from telemetry.configuration.calibration.fits.thermal_capture import ThermalCapture
from tests.telemetry.configuration.calibration.fits.sensors import (
    BARE,
    G,
    published_accel,
    published_gyro,
    with_outliers,
    with_settings,
)

RNG = np.random.default_rng
T = 45.0 - 35.0 * np.exp(-np.arange(1500) / 400.0)  # from 10 to 44 deg C
GYRO = np.array([[0.8, -0.05, 0.001], [-1.5, 0.03, -0.0005], [0.3, 0.02, 0.0008]])
BARO = np.array([-30.0, 2.0, -0.08, 0.001])


def _gyro(outliers: float = 0.0) -> Array:
    raw = np.stack([np.polynomial.Polynomial(row)(T) for row in GYRO], axis=1)
    noisy = raw + RNG(1).normal(size=raw.shape) * 0.1
    return np.column_stack([with_outliers(noisy, outliers, 10.0, RNG(2)), T])


@pytest.mark.parametrize("outliers", [0.0, 0.05])
def test_the_gyro_s_polynomial_and_bias_are_recovered(outliers: float) -> None:
    calibration = fit_gyro_temperature(_gyro(outliers), BARE)
    new = with_settings({}, calibration.values)
    at = np.array([10.0, 20.0, 30.0, 44.0])
    truth = np.stack([np.polynomial.Polynomial(row)(at) for row in GYRO], axis=1)
    assert published_gyro(new, truth, at) == pytest.approx(np.zeros((4, 3)), abs=0.05)
    (quality,) = calibration.quality
    assert quality.before > 0.5
    assert quality.after < 0.1
    assert calibration.is_good
    extent = calibration.values["AccelGyroSettings"]
    assert extent["temp_calibrated_extent.min"] == pytest.approx(10.0, abs=0.1)
    assert extent["temp_calibrated_extent.max"] == pytest.approx(44.2, abs=0.1)


def test_the_gyro_s_fit_takes_back_what_is_on_board() -> None:
    settings = {
        "AttitudeSettings": {"BoardRotation.Yaw": 90.0},
        "AccelGyroSettings": {"gyro_temp_coeff.X": 0.1, "temp_calibrated_extent.min": 0.0}
        | {"temp_calibrated_extent.max": 60.0, "gyro_bias.Y": 2.0},
    }
    board = correction_from(settings)
    rows = _gyro()
    published = np.column_stack([published_gyro(board, rows[:, :3], T), T])
    new = with_settings(settings, fit_gyro_temperature(published, board).values)
    truth = np.stack([np.polynomial.Polynomial(row)(T) for row in GYRO], axis=1)
    assert np.abs(published_gyro(new, truth, T)).max() < 0.05


def test_the_accelerometer_s_slope_is_recovered_and_its_middle_stays() -> None:
    slope = np.array([0.004, -0.006, 0.01])
    scale = np.array([1.02, 1.0, 0.98])
    settings = {"AccelGyroSettings": {"accel_scale.X": 1.02, "accel_scale.Z": 0.98}}
    board = correction_from(settings)
    rest = np.array([0.1, -0.2, -G])
    raw = (rest + T[:, None] * slope) / scale + RNG(1).normal(size=(len(T), 3)) * 0.05
    published = np.column_stack([published_accel(board, raw, T), T])
    calibration = fit_accel_temperature(published, board)
    values = calibration.values["AccelGyroSettings"]
    found = [values[f"accel_temp_coeff.{axis}"] for axis in "XYZ"]
    assert found == pytest.approx(slope, abs=0.0004)
    new = with_settings(settings, calibration.values)
    middle = (T.min() + T.max()) / 2.0
    clean = (rest + middle * slope)[None] / scale
    assert published_accel(new, clean, middle) == pytest.approx(
        published_accel(board, clean, middle), abs=1e-9
    )
    ends = (rest + T[[0, -1], None] * slope) / scale
    assert np.ptp(published_accel(new, ends, T[[0, -1]]), axis=0).max() < 0.02
    assert np.ptp(published_accel(board, ends, T[[0, -1]]), axis=0).max() > 0.2  # as it was without


@pytest.mark.parametrize("unit", [1.0, 0.001])
def test_the_barometer_s_polynomial_is_recovered_in_any_unit(unit: float) -> None:
    drift = np.polynomial.Polynomial(BARO)
    raw = (98_000.0 + drift(T) - drift(20.0) + RNG(1).normal(size=len(T)) * 2.0) * unit
    calibration = fit_baro_temperature(np.column_stack([raw, T]), {})
    values = calibration.values["RevoSettings"]
    found = np.polynomial.Polynomial(
        [values[f"BaroTempCorrectionPolynomial.{name}"] for name in "abcd"]
    )
    at = np.linspace(11.0, 44.0, 12)
    assert found(at) == pytest.approx((drift(at) - drift(20.0)) * unit, abs=0.6 * unit)
    assert found(20.0) == pytest.approx(0.0, abs=1e-6)
    assert values["BaroTempCorrectionExtent.max"] == pytest.approx(T.max())
    again = fit_baro_temperature(np.column_stack([raw - found(T), T]), calibration_on(values))
    assert again.values["RevoSettings"] == pytest.approx(values, rel=0.02, abs=1e-4 * unit)


def calibration_on(values: dict[str, float]) -> dict[str, dict[str, float]]:
    return {"RevoSettings": dict(values)}


def test_too_small_a_span_is_refused_and_no_drift_is_said() -> None:
    rows = _gyro()
    with pytest.raises(CalibrationError, match="Cool the board"):
        fit_gyro_temperature(rows[rows[:, 3] > 36.0], BARE)
    flat = np.column_stack([RNG(1).normal(size=(len(T), 3)) * 0.1, T])
    calibration = fit_gyro_temperature(flat, BARE)
    assert not calibration.is_good
    assert "keep what is on board" in calibration.verdict


# Collecting -------------------------------------------------------------------------------


def _warm_up(capture: ThermalCapture, minutes: float, rise: float = 30.0) -> list[str]:
    wanted = []
    for k in range(int(minutes * 600)):
        t = 0.1 * k
        temperature = 10.0 + rise * (1.0 - np.exp(-t / 180.0))
        capture.add_gyro(t, (0.5, 0.0, 0.0), temperature)
        capture.add_accel(t, (0.0, 0.0, -G), temperature)
        capture.add_baro(t, 98.0, temperature)
        if k % 100 == 99:
            wanted.append(capture.progress(t).wanted)
    return wanted


@pytest.mark.slow
def test_it_ends_when_it_is_warm_and_steady() -> None:
    capture = ThermalCapture()
    wanted = _warm_up(capture, 18.0)
    assert "of more than 10 degrees" in wanted[0]
    assert "degrees a minute" in wanted[20]
    progress = capture.progress(18.0 * 60.0 - 0.1)
    assert progress.is_complete
    # 30 / 3 exp(-t / 3 min) falls below 0.2 deg C per minute after 11.7 minutes.
    first = next(k for k, text in enumerate(wanted) if "can be ended" in text)
    assert 11.7 < first / 6.0 < 12.7
    assert capture.rows("gyro").shape[1] == capture.rows("accel").shape[1] == 4
    assert len(capture.rows("baro")) == pytest.approx(18 * 300, rel=0.02)
    assert capture.span == pytest.approx(30.0, abs=0.5)


@pytest.mark.slow
def test_a_board_that_starts_warm_is_told_so() -> None:
    capture = ThermalCapture()
    assert "Cool it" in _warm_up(capture, 12.0, rise=6.0)[-1]
    assert not capture.progress(12.0 * 60.0 - 0.1).is_complete


def test_a_board_that_is_leaned_another_way_has_to_begin_again() -> None:
    capture = ThermalCapture()
    _warm_up(capture, 0.2)
    for k in range(40):
        t = 12.0 + 0.1 * k
        capture.add_gyro(t, (0.0, 0.0, 0.0), 12.0)
        capture.add_accel(t, (3.0, 0.0, -9.3), 12.0)
    assert capture.is_spoiled
    assert "begin again" in capture.progress(16.0).wanted


def test_a_barometer_that_does_not_drift_at_all_is_fitted() -> None:
    warm = np.linspace(10.0, 40.0, 200)
    rows = np.column_stack([np.full(200, 100.0), warm])
    values = fit_baro_temperature(rows, {}).values["RevoSettings"]
    assert values["BaroTempCorrectionPolynomial.d"] == pytest.approx(0.0, abs=1e-9)
