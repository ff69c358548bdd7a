"""The board's correction as the firmware computes it, there and back."""

import numpy as np
import pytest

from telemetry.configuration.calibration.fits.correction import Correction, correction_from
from telemetry.configuration.calibration.fits.rotation import (
    aligned_rotations,
    angles_of,
    rotation_of,
)
from tests.telemetry.configuration.calibration.fits.sensors import (
    published_accel,
    published_gyro,
    published_mag,
)

SETTINGS = {
    "AttitudeSettings": {
        "BoardRotation.Roll": 180.0,
        "BoardRotation.Yaw": 45.0,
        "BoardLevelTrim.Pitch": -2.0,
    },
    "AccelGyroSettings": {
        "accel_bias.X": 0.1,
        "accel_bias.Y": -0.2,
        "accel_scale.Z": 1.02,
        "accel_temp_coeff.X": 0.01,
        "gyro_bias.Z": 3.0,
        "gyro_scale.X": 1.01,
        "gyro_temp_coeff.Y": 0.02,
        "gyro_temp_coeff.Y2": 0.001,
        "temp_calibrated_extent.min": 10.0,
        "temp_calibrated_extent.max": 40.0,
    },
    "RevoCalibration": {"mag_bias.Y": 40.0, "mag_transform.r0c0": 1.1, "mag_transform.r1c1": 1.0}
    | {"mag_transform.r2c2": 0.9, "mag_transform.r0c1": 0.05},
}


def test_yaw_90_means_the_airframe_points_to_the_board_s_right() -> None:
    board = correction_from({"AttitudeSettings": {"BoardRotation.Yaw": 90.0}})
    assert published_accel(board, np.array([[0.0, 1.0, 0.0]]), 20.0)[0] == pytest.approx(
        [1.0, 0.0, 0.0]
    )


def test_scale_multiplies_and_bias_comes_before_it_but_after_it_for_the_gyro() -> None:
    board = correction_from(
        {
            "AccelGyroSettings": {
                "accel_bias.X": 1.0,
                "accel_scale.X": 2.0,
                "gyro_bias.X": 1.0,
                "gyro_scale.X": 2.0,
            }
        }
    )
    row = np.array([[10.0, 0.0, 0.0]])
    assert published_accel(board, row, 20.0)[0, 0] == pytest.approx(18.0)
    assert published_gyro(board, row, 20.0)[0, 0] == pytest.approx(19.0)


def test_temperature_is_held_within_the_extent() -> None:
    board = correction_from(SETTINGS)
    assert board.gyro_drift(25.0)[0, 1] == pytest.approx(0.02 * 25 + 0.001 * 625)
    assert board.gyro_drift(90.0)[0, 1] == pytest.approx(0.02 * 40 + 0.001 * 1600)
    bare = correction_from({"AccelGyroSettings": {"gyro_temp_coeff.Y": 0.02}})
    assert not bare.gyro_drift(25.0).any()  # without an extent there is no correction


@pytest.mark.parametrize("board", [correction_from({}), correction_from(SETTINGS)])
def test_what_was_published_gives_the_raw_reading_back(board: Correction) -> None:
    raw = np.random.default_rng(1).normal(size=(5, 3)) * 10.0
    t = np.linspace(0.0, 50.0, 5)
    assert board.raw_accel(published_accel(board, raw, t), t) == pytest.approx(raw)
    assert board.scaled_gyro(published_gyro(board, raw, t), t) == pytest.approx(
        raw * board.gyro_scale
    )
    assert board.raw_mag(published_mag(board, raw)) == pytest.approx(raw)


def test_an_external_magnetometer_has_its_own_rotation() -> None:
    settings = {
        "AttitudeSettings": {"BoardRotation.Yaw": 90.0},
        "AuxMagSettings": {"BoardRotation.Roll": 180.0, "mag_bias.X": 5.0},
    }
    board = correction_from(settings, "AuxMagSettings")
    assert published_mag(board, np.array([[5.0, 1.0, 1.0]]))[0] == pytest.approx([0.0, -1.0, -1.0])


@pytest.mark.parametrize("angles", [(10.0, -20.0, 30.0), (-170.0, 80.0, -135.0), (0, 90, 40)])
def test_angles_come_back_from_their_rotation(angles: tuple[float, float, float]) -> None:
    assert angles_of(rotation_of(*angles)) == pytest.approx(angles)


def test_there_are_24_aligned_rotations_and_all_can_be_written_as_angles() -> None:
    found = aligned_rotations()
    assert len({tuple(r.ravel()) for r in found}) == 24
    assert np.array_equal(found[0], np.eye(3))
    for rotation in found:
        assert rotation_of(*angles_of(rotation)) == pytest.approx(rotation, abs=1e-9)
