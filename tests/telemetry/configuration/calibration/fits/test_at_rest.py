"""Gyro bias, level and mounting: what is read from an aircraft at rest."""

import math

import numpy as np
import pytest

from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.configuration.calibration.fits.gyro import fit_gyro_bias
from telemetry.configuration.calibration.fits.level import fit_level
from telemetry.configuration.calibration.fits.mounting import fit_mounting
from telemetry.configuration.calibration.fits.result import AXES, Array, CalibrationError
from telemetry.configuration.calibration.fits.rotation import (
    aligned_rotations,
    angle_between,
    angles_of,
    rotation_of,
)
from tests.telemetry.configuration.calibration.fits.sensors import (
    BARE,
    G,
    published_accel,
    published_gyro,
    with_outliers,
    with_settings,
)

RNG = np.random.default_rng
TURNED = {
    "AttitudeSettings": {"BoardRotation.Roll": 180.0, "BoardRotation.Yaw": 90.0},
    "AccelGyroSettings": {"gyro_bias.X": 1.0, "gyro_scale.Y": 1.05},
}
UP = np.array([0.0, 0.0, -G])
TAIL = np.array([G, 0.0, 0.0])


# Gyro -------------------------------------------------------------------------------------


def _resting(bias: Array, board_settings: dict[str, dict[str, float]], outliers: float) -> Array:
    rng = RNG(4)
    raw = with_outliers(bias + rng.normal(size=(200, 3)) * 0.1, outliers, 30.0, rng)
    board = correction_from(board_settings)
    return np.column_stack([published_gyro(board, raw, 30.0), np.full(200, 30.0)])


@pytest.mark.parametrize("settings", [{}, TURNED])
@pytest.mark.parametrize("outliers", [0.0, 0.05])
def test_gyro_bias_is_what_it_reads_at_rest(
    settings: dict[str, dict[str, float]], outliers: float
) -> None:
    board = correction_from(settings)
    bias = np.array([1.5, -0.7, 0.3])
    calibration = fit_gyro_bias(_resting(bias, settings, outliers), board)
    found = [calibration.values["AccelGyroSettings"][f"gyro_bias.{axis}"] for axis in AXES]
    assert found == pytest.approx(bias * board.gyro_scale, abs=0.03)
    (quality,) = calibration.quality
    assert quality.before > 0.9
    assert quality.after < 0.05
    new = with_settings(settings, calibration.values)
    assert published_gyro(new, bias[None], 30.0)[0] == pytest.approx([0, 0, 0], abs=0.03)


def test_a_gyro_that_turns_is_refused() -> None:
    rows = _resting(np.zeros(3), {}, 0.0)
    rows[:, 2] += np.linspace(0.0, 30.0, len(rows))
    with pytest.raises(CalibrationError, match="moved"):
        fit_gyro_bias(rows, BARE)
    with pytest.raises(CalibrationError, match="healthy"):
        fit_gyro_bias(_resting(np.array([80.0, 0.0, 0.0]), {}, 0.0), BARE)
    with pytest.raises(CalibrationError, match="Only 3"):
        fit_gyro_bias(rows[:3], BARE)


# Level ------------------------------------------------------------------------------------


def _attitudes(tilt: Array, slope: tuple[float, float], trim: Array) -> tuple[Array, Array]:
    """Rows before and after half a turn on a slope; the board's own tilt is `tilt`."""
    seen = []
    for yaw in (20.0, 200.0):
        table = rotation_of(*slope)  # the plane of the table against the horizon
        body = rotation_of(float(trim[0]), float(trim[1])) @ rotation_of(*tilt).T
        roll, pitch, _ = angles_of(body @ rotation_of(0.0, 0.0, yaw) @ table)
        rows = np.tile([roll, pitch, yaw], (40, 1)) + RNG(1).normal(size=(40, 3)) * 0.05
        seen.append(rows)
    return seen[0], seen[1]


@pytest.mark.parametrize("trim", [(0.0, 0.0), (1.0, -2.0)])
def test_level_is_found_on_a_sloping_table(trim: tuple[float, float]) -> None:
    tilt = np.array([2.5, -1.5])
    first, second = _attitudes(tilt, (1.5, 1.0), np.array(trim))
    board = correction_from(
        {
            "AttitudeSettings": {
                "BoardLevelTrim.Roll": trim[0],
                "BoardLevelTrim.Pitch": trim[1],
            }
        }
    )
    calibration = fit_level(first, second, board)
    values = calibration.values["AttitudeSettings"]
    assert values["BoardLevelTrim.Roll"] == pytest.approx(2.5, abs=0.05)
    assert values["BoardLevelTrim.Pitch"] == pytest.approx(-1.5, abs=0.05)
    assert "1.8 degrees" in calibration.verdict
    # Negative control: one reading alone takes the table's slope for the board's.
    alone = -first.mean(axis=0)[:2] + trim
    assert np.abs(alone - [2.5, -1.5]).max() > 0.8


def test_level_needs_half_a_turn_and_a_level_aircraft() -> None:
    first, second = _attitudes(np.array([1.0, 1.0]), (0.0, 0.0), np.zeros(2))
    with pytest.raises(CalibrationError, match="turned by 0 degrees"):
        fit_level(first, first, BARE)
    steep = np.array([40.0, 0.0, 0.0])
    with pytest.raises(CalibrationError, match="40 degrees"):
        fit_level(first * 0 + steep, second * 0 + steep + [0, 0, 180], BARE)


# Mounting ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rotation", aligned_rotations())
def test_each_of_the_24_mountings_is_told_from_two_poses(rotation: Array) -> None:
    askew = rotation_of(4.0, -6.0, 3.0)
    level, tail = (np.tile(rotation.T @ askew @ row, (20, 1)) for row in (UP, TAIL))
    level += RNG(2).normal(size=level.shape) * 0.1
    found = fit_mounting(level, tail, BARE)
    new = with_settings({}, found.calibration.values)
    assert new.to_airframe == pytest.approx(rotation, abs=1e-9)
    (quality,) = found.calibration.quality
    assert quality.after < 10.0
    if not np.array_equal(rotation, np.eye(3)):
        assert quality.before > 80.0
    assert angle_between(rotation_of(*found.measured_deg) @ level.mean(axis=0), UP) < 1.0


def test_a_mounting_is_found_whatever_is_on_board() -> None:
    settings = {"AttitudeSettings": {"BoardRotation.Roll": 90.0, "BoardLevelTrim.Roll": 3.0}}
    board = correction_from(settings)
    truth = rotation_of(180.0, 0.0, 90.0)
    rows = [published_accel(board, np.tile(truth.T @ row, (20, 1)), 20.0) for row in (UP, TAIL)]
    found = fit_mounting(rows[0], rows[1], board).calibration
    assert with_settings(settings, found.values).to_airframe == pytest.approx(truth, abs=1e-9)


def test_an_odd_mounting_is_refused_with_its_angles() -> None:
    truth = rotation_of(0.0, 0.0, 45.0)
    rows = [np.tile(truth.T @ row, (20, 1)) for row in (UP, TAIL)]
    with pytest.raises(CalibrationError, match="yaw 45"):
        fit_mounting(rows[0], rows[1], BARE)
    with pytest.raises(CalibrationError, match="apart"):
        fit_mounting(rows[0], rows[0], BARE)
    assert math.isclose(angle_between(UP, TAIL), 90.0)
