"""Six sides: bias and scale of an accelerometer whose errors are known."""

import numpy as np
import pytest

from telemetry.configuration.calibration.fits.accelerometer import fit_accelerometer
from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import (
    AXES,
    Array,
    Calibration,
    CalibrationError,
)
from tests.telemetry.configuration.calibration.fits.sensors import (
    BARE,
    G,
    published_accel,
    six_sides,
    with_settings,
)

BIAS = np.array([0.098, -0.12, 0.2])  # 1 to 2 % of gravity
SCALE = np.array([1.01, 0.99, 1.015])
RNG = np.random.default_rng


def _found(calibration: Calibration) -> tuple[Array, Array]:
    values = calibration.values["AccelGyroSettings"]
    bias, scale = (
        np.array([values[f"{field}.{axis}"] for axis in AXES])
        for field in ("accel_bias", "accel_scale")
    )
    return bias, scale


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_one_percent_of_bias_and_scale_are_recovered_to_a_tenth_of_a_percent(seed: int) -> None:
    calibration = fit_accelerometer(six_sides(BIAS, SCALE, RNG(seed)), BARE)
    bias, scale = _found(calibration)
    assert bias == pytest.approx(BIAS, abs=0.001 * G)
    assert scale == pytest.approx(SCALE, abs=0.001)
    (quality,) = calibration.quality
    assert 1.0 < quality.before < 4.0
    assert quality.after < 0.05
    assert calibration.is_good


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.slow
def test_five_percent_outliers_do_not_bend_it(seed: int) -> None:
    sides = six_sides(BIAS, SCALE, RNG(seed), outliers=0.05)
    bias, scale = _found(fit_accelerometer(sides, BARE))
    assert bias == pytest.approx(BIAS, abs=0.001 * G)
    assert scale == pytest.approx(SCALE, abs=0.001)
    # Negative control: the textbook solution from the means of opposite sides is bent by them.
    means = {pose: rows[:, :3].mean(axis=0) for pose, rows in sides.items()}
    plain = (means[RestPose.LEVEL][2] + means[RestPose.UPSIDE_DOWN][2]) / 2.0
    assert abs(plain - BIAS[2]) > 0.003 * G


@pytest.mark.slow
def test_it_is_found_through_a_turned_board_that_already_corrects_something() -> None:
    settings = {
        "AttitudeSettings": {"BoardRotation.Yaw": 90.0, "BoardRotation.Roll": 180.0},
        "AccelGyroSettings": {
            "accel_bias.X": -0.5,
            "accel_scale.Y": 1.1,
            "accel_temp_coeff.Z": 0.01,
            "temp_calibrated_extent.min": 0.0,
            "temp_calibrated_extent.max": 60.0,
        },
    }
    board = correction_from(settings)
    calibration = fit_accelerometer(six_sides(BIAS, SCALE, RNG(3), board=board), board)
    new = with_settings(settings, calibration.values)
    raw = np.array([[1.0, 2.0, -9.0]])
    drift = np.array([0.0, 0.0, 0.3])  # 0.01 at 30 deg C is on board, so it is in the bias
    expected = (raw - BIAS) * SCALE
    assert published_accel(new, raw, 30.0) @ new.to_airframe == pytest.approx(expected, abs=0.02)
    assert _found(calibration)[0] == pytest.approx(BIAS - drift, abs=0.015)


def test_tilted_sides_do_as_well_as_square_ones() -> None:
    sides = six_sides(BIAS, SCALE, RNG(7), tilt_deg=12.0)
    bias, scale = _found(fit_accelerometer(sides, BARE))
    assert bias == pytest.approx(BIAS, abs=0.0015 * G)
    assert scale == pytest.approx(SCALE, abs=0.0015)


def test_a_missing_side_is_named() -> None:
    sides = six_sides(BIAS, SCALE, RNG(1))
    del sides[RestPose.NOSE_UP]
    with pytest.raises(CalibrationError, match="nose up"):
        fit_accelerometer(sides, BARE)


def test_readings_that_are_no_numbers_are_refused() -> None:
    sides = six_sides(BIAS, SCALE, RNG(1))
    sides[RestPose.LEVEL][3, 1] = np.nan
    with pytest.raises(CalibrationError, match="not numbers"):
        fit_accelerometer(sides, BARE)


def test_the_same_side_six_times_is_refused() -> None:
    sides = six_sides(BIAS, SCALE, RNG(1))
    with pytest.raises(CalibrationError, match="too much alike"):
        fit_accelerometer(dict.fromkeys(RestPose, sides[RestPose.LEVEL]), BARE)


def test_errors_no_sensor_has_are_refused() -> None:
    with pytest.raises(CalibrationError, match="healthy"):
        fit_accelerometer(six_sides(BIAS + 5.0, SCALE, RNG(1)), BARE)
