"""IMU and poses of a data set: rate and noise as the log shows them, and where the sensor is."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import yaml

from plugins.testing import add
from telemetry.recording.export.rest_noise import RestNoise
from telemetry.recording.export.trajectory import export_euroc
from telemetry.recording.recording import RecordedColumns, Recording
from telemetry.recording.simulated_imu import SimulatedImu
from tests.telemetry.recording.logs.books import CATALOGUE

Values = npt.NDArray[np.float64]
STEP_S = 0.1
TIMES = np.arange(400) * STEP_S
DISARMED = [(0.0, 40.0)]
DENSITY = 0.02
"""Planted, in the unit of the value per root hertz: 0.0632 from sample to sample at 10 Hz."""


def white(seed: int = 1) -> Values:
    return np.random.default_rng(seed).normal(0.0, DENSITY / math.sqrt(STEP_S), (400, 3))


def test_the_planted_density_is_found_within_its_sigma() -> None:
    found = [RestNoise.of(TIMES, white(seed), DISARMED) for seed in range(20)]
    off = [(one.density / DENSITY - 1.0) / one.share for one in found if one is not None]
    assert len(off) == 20
    assert np.abs(np.mean(off)) < 0.8
    assert 0.5 < np.std(off) < 1.5


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(np.zeros((400, 3)), id="nothing"),
        pytest.param(np.cumsum(white(), axis=0), id="a walk"),
        pytest.param(white() + np.sin(2.0 * TIMES)[:, None] * 0.1, id="carried about"),
        pytest.param((white() + np.roll(white(), 1, axis=0)) / 2.0, id="filtered"),
    ],
)
def test_what_is_no_white_noise_at_rest_is_not_believed(values: Values) -> None:
    assert RestNoise.of(TIMES, values, DISARMED) is None


def test_armed_and_short_stretches_are_left_out() -> None:
    assert RestNoise.of(TIMES, white(), []) is None
    assert RestNoise.of(TIMES, white(), [(0.0, 15.0), (25.0, 40.0)]) is None


def flown(*, armed_s: float, tells_truth: bool = False) -> Recording:
    """40 s of gyro and accelerometer with white noise, poses of the board, and when it armed."""
    recording = Recording(source="a.opl")
    for name, scale, offset in (("GyroState", math.degrees(1.0), 0.0), ("AccelState", 1.0, -9.81)):
        definition = CATALOGUE.find(name)
        rows = np.zeros(len(TIMES), definition.dtype)
        for column, axis in zip(white(len(name)).T, "xyz", strict=True):
            rows[axis] = scale * column + (offset if axis == "z" else 0.0)
        recording.extend_all([RecordedColumns(definition, 0, TIMES, rows)])
    for t in (40.0, 40.1, 40.2):
        add(recording, t, "PositionState", North=t)
        add(recording, t, "AttitudeState", q1=1.0)
        if tells_truth:
            add(recording, t, "GroundTruth", **{"PositionNED.0": t})
    status = CATALOGUE.find("FlightStatus")
    rows = np.zeros(2, status.dtype)
    rows["Armed"] = [0, status.field_named("Armed").options.index("Armed")]
    times = np.array([0.0, armed_s])
    recording.extend_all([RecordedColumns(status, 0, times, rows)])
    return recording


def described(recording: Recording, folder: Path, sensor: str) -> dict[str, Any]:
    export_euroc(recording, folder)
    values: dict[str, Any] = yaml.safe_load((folder / "mav0" / sensor / "sensor.yaml").read_text())
    return values


def test_readers_of_euroc_find_rate_and_noise(tmp_path: Path) -> None:
    values = described(flown(armed_s=39.0), tmp_path, "imu0")
    assert values["sensor_type"] == "imu"
    assert values["rate_hz"] == 10
    for sensor in ("gyroscope", "accelerometer"):
        assert values[f"{sensor}_noise_density"] == pytest.approx(DENSITY, rel=0.1)
        assert values[f"{sensor}_random_walk"] == "unknown"
    np.testing.assert_array_equal(np.reshape(values["T_BS"]["data"], (4, 4)), np.eye(4))


def test_noise_in_flight_is_not_that_of_the_sensor(tmp_path: Path) -> None:
    values = described(flown(armed_s=0.5), tmp_path, "imu0")
    assert values["gyroscope_noise_density"] == "unknown"


def test_a_simulated_imu_is_as_its_aircraft_file_says(tmp_path: Path) -> None:
    """Here each value is one sample of 500 Hz with its noise, and 50 times fewer come: the density
    that a reader takes to be spread over a tenth of a second is root 50 higher."""
    recording = flown(armed_s=0.5, tells_truth=True)
    recording.imu = SimulatedImu(500.0, 1e-4, 2e-5, 4e-3, 1e-4, 0.01, 0.0, 0.005)
    values = described(recording, tmp_path, "imu0")
    assert values["gyroscope_noise_density"] == pytest.approx(1e-4 * math.sqrt(50), rel=0.01)
    assert values["accelerometer_noise_density"] == pytest.approx(4e-3 * math.sqrt(50), rel=0.01)
    assert (values["gyroscope_random_walk"], values["accelerometer_random_walk"]) == (2e-5, 1e-4)
    assert [values["T_BS"]["data"][4 * row + 3] for row in range(3)] == [0.01, 0.0, 0.005]


def test_beside_the_truth_the_place_of_the_imu_is_unknown(tmp_path: Path) -> None:
    """True poses are of the centre of mass, and the log does not tell where the IMU is."""
    recording = flown(armed_s=39.0, tells_truth=True)
    values = described(recording, tmp_path, "imu0")
    assert [values["T_BS"]["data"][4 * row + 3] for row in range(3)] == ["unknown"] * 3
    state = described(recording, tmp_path, "state_groundtruth_estimate0")
    np.testing.assert_array_equal(np.reshape(state["T_BS"]["data"], (4, 4)), np.eye(4))


def test_the_rotation_of_the_board_is_the_one_told_last(tmp_path: Path) -> None:
    recording = flown(armed_s=39.0)
    for t, roll in ((1.0, 10.0), (2.0, 20.0), (3.0, 30.0)):
        add(recording, t, "AttitudeSettings", **{"BoardRotation.Roll": roll})
    export_euroc(recording, tmp_path)
    text = (tmp_path / "mav0" / "imu0" / "sensor.yaml").read_text()
    _, _, said = text.partition("BoardRotation (roll, pitch, yaw in degrees) was ")
    assert "30" in said.splitlines()[0]
