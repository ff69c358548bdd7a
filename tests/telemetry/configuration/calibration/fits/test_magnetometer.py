"""The ellipsoid: hard and soft iron that are known."""

import numpy as np
import pytest

from telemetry.configuration.calibration.fits.correction import MAG_ELEMENTS, correction_from
from telemetry.configuration.calibration.fits.magnetometer import MagnetometerFit, fit_magnetometer
from telemetry.configuration.calibration.fits.result import AXES, Array, CalibrationError
from tests.telemetry.configuration.calibration.fits.sensors import (
    BARE,
    BE,
    published_mag,
    raw_field,
    with_settings,
)

LENGTH = float(np.linalg.norm(BE))
SCALED = np.diag([1.01, 0.99, 1.02])
IRON = np.array([[1.08, 0.03, -0.02], [0.03, 0.95, 0.04], [-0.02, 0.04, 1.02]])
BIAS = np.array([60.0, -45.0, 110.0])
RNG = np.random.default_rng


def _found(fit: MagnetometerFit, name: str = "RevoCalibration") -> tuple[Array, Array]:
    values = fit.calibration.values[name]
    transform = np.array([values[f"mag_transform.{x}"] for x in MAG_ELEMENTS]).reshape(3, 3)
    return np.array([values[f"mag_bias.{axis}"] for axis in AXES]), transform


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("distortion", [SCALED, IRON])
@pytest.mark.parametrize("outliers", [0.0, 0.05])
def test_known_errors_are_recovered_to_a_tenth_of_a_percent(
    seed: int, distortion: Array, outliers: float
) -> None:
    raw = raw_field(1500, distortion, BIAS, RNG(seed), noise=2.0, outliers=outliers)
    fit = fit_magnetometer(raw, BARE, BE)
    bias, transform = _found(fit)
    assert bias == pytest.approx(BIAS, abs=0.001 * LENGTH)
    assert transform @ distortion == pytest.approx(np.eye(3), abs=0.0015)
    length, coverage = fit.calibration.quality
    assert length.before > 10.0
    assert length.after == pytest.approx(100.0 * 2.0 / LENGTH, rel=0.15)
    assert coverage.after > 95.0
    assert fit.calibration.is_good
    assert (~fit.is_used).mean() == pytest.approx(outliers, abs=0.02)
    assert np.abs(bias - BIAS).max() < 5.0 * fit.errors_mgauss.max()


def test_a_plain_fit_fails_where_outliers_are() -> None:
    """Negative control for the robust loss."""
    from scipy.optimize import least_squares

    raw = raw_field(1500, SCALED, BIAS, RNG(1), noise=2.0, outliers=0.05)

    def deviation(p: Array) -> Array:
        return np.linalg.norm((raw / LENGTH - p[:3]) * p[3:], axis=1) - 1.0

    plain = least_squares(deviation, [0, 0, 0, 1, 1, 1]).x
    assert np.abs(plain[:3] * LENGTH - BIAS).max() > 0.01 * LENGTH


@pytest.mark.slow
def test_without_soft_iron_in_the_model_its_error_stays() -> None:
    """Negative control: a bias alone leaves the ellipsoid."""
    raw = raw_field(1500, IRON, BIAS, RNG(1), noise=2.0)
    left = np.linalg.norm(raw - BIAS, axis=1) / LENGTH - 1.0
    assert 100.0 * np.sqrt(np.mean(left**2)) > 3.0
    assert fit_magnetometer(raw, BARE, BE).calibration.quality[0].after < 0.6


@pytest.mark.slow
def test_it_is_found_through_a_turned_and_calibrated_board() -> None:
    settings = {
        "AttitudeSettings": {"BoardRotation.Roll": 180.0, "BoardRotation.Yaw": 45.0},
        "RevoCalibration": {"mag_bias.X": -80.0, "mag_transform.r0c0": 0.8}
        | {"mag_transform.r1c1": 1.1, "mag_transform.r2c2": 1.0, "mag_transform.r1c2": 0.1},
    }
    board = correction_from(settings)
    raw = raw_field(1500, IRON, BIAS, RNG(2))
    fit = fit_magnetometer(published_mag(board, raw), board, BE)
    assert _found(fit)[0] == pytest.approx(BIAS, abs=0.001 * LENGTH)
    published = published_mag(with_settings(settings, fit.calibration.values), raw)
    assert published / LENGTH == pytest.approx(fit.points)
    assert np.linalg.norm(fit.points, axis=1) == pytest.approx(1.0, abs=0.03)


def test_the_external_one_is_written_to_its_own_object() -> None:
    settings = {"AuxMagSettings": {"BoardRotation.Yaw": 90.0}}
    board = correction_from(settings, "AuxMagSettings")
    raw = raw_field(800, SCALED, BIAS, RNG(2))
    fit = fit_magnetometer(published_mag(board, raw), board, BE, "AuxMagSettings")
    assert _found(fit, "AuxMagSettings")[0] == pytest.approx(BIAS, abs=1.0)


def test_turning_in_a_plane_is_refused_and_names_what_is_missing() -> None:
    around = np.linspace(0.0, 2.0 * np.pi, 400)
    flat = 480.0 * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
    noisy = flat + RNG(1).normal(size=flat.shape) * 3.0
    with pytest.raises(CalibrationError, match=r"(top|belly)"):
        fit_magnetometer(noisy, BARE, BE)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (np.full((100, 3), np.nan), "not numbers"),
        (np.zeros((10, 3)), "Only 10 readings"),
        (np.ones((200, 3)) * 300.0, "of all directions"),
        (RNG(1).normal(size=(600, 3)) * 300.0, "fit no ellipsoid|many shapes|distorted"),
        (raw_field(600, SCALED, BIAS * 30.0, RNG(1)), "distorted"),
    ],
)
def test_impossible_readings_are_refused(raw: Array, message: str) -> None:
    with pytest.raises(CalibrationError, match=message):
        fit_magnetometer(raw, BARE, BE)


def test_a_home_without_a_field_is_refused() -> None:
    with pytest.raises(CalibrationError, match="home location"):
        fit_magnetometer(raw_field(600, SCALED, BIAS, RNG(1)), BARE, (0.0, 0.0, 0.0))


@pytest.mark.slow
def test_noise_is_called_poor() -> None:
    raw = raw_field(1500, SCALED, BIAS, RNG(1), noise=35.0)
    calibration = fit_magnetometer(raw, BARE, BE).calibration
    assert not calibration.is_good
    assert calibration.verdict.startswith("Poor")
