"""Sensors built with errors, held on the bench, and the settings objects that correct them."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.simulator.controls import apply
from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata, metaobject
from telemetry.protocol.objects.values import read_path, row_of
from tests.simulation.bench import Bench
from tests.telemetry.configuration.calibration.fits.sensors import (
    published_accel,
    published_gyro,
    published_mag,
)

GRAVITY = 9.81
POSES = ((0, 0), (180, 0), (90, 0), (-90, 0), (0, 90), (0, -90))
IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
Vector = npt.NDArray[np.float64]


@pytest.fixture
def bench(catalogue: Catalogue, preset: Preset) -> Bench:
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.run(2.0)
    for name in ("AccelSensor", "GyroSensor", "MagSensor"):
        fast = Metadata(flight=UpdatePolicy(UpdateMode.PERIODIC, 20))
        bench.station.write(metaobject(bench.definition(name)), 0, fast.pack(8))
    bench.run(0.5)
    return bench


def put(bench: Bench, **values: float) -> None:
    for name, value in values.items():
        apply(bench.autopilot.simulator, name, value)


def samples(bench: Bench, name: str, seconds: float = 1.0) -> Vector:
    """(n, 3): what the station receives of a sensor object in that time."""
    bench.received.clear()
    bench.run(seconds)
    definition = bench.definition(name)
    rows: list[Any] = [row_of(e.definition, e.payload) for e in bench.received]
    own = [
        [float(read_path(definition, row, axis)) for axis in "xyz"]
        for event, row in zip(bench.received, rows, strict=True)
        if event.definition.object_id == definition.object_id
    ]
    return np.array(own)


def mean(bench: Bench, name: str) -> Vector:
    result: Vector = samples(bench, name).mean(axis=0)
    return result


def pose(bench: Bench, roll: float, pitch: float) -> None:
    put(bench, bench_hold=1.0, bench_roll_deg=roll, bench_pitch_deg=pitch)
    bench.run(6.0)


@pytest.mark.parametrize(("roll", "pitch"), POSES)
@pytest.mark.slow
def test_a_pose_on_the_bench_is_what_the_sensors_feel(
    bench: Bench, roll: float, pitch: float
) -> None:
    pose(bench, roll, pitch)
    r, p = np.radians([roll, pitch])
    down = np.array([-np.sin(p), np.sin(r) * np.cos(p), np.cos(r) * np.cos(p)])
    assert mean(bench, "AccelSensor") == pytest.approx(-GRAVITY * down, abs=0.4)
    assert np.abs(mean(bench, "GyroSensor")).max() < 2.0
    assert not bench.autopilot.simulator.output["crashed"]


def test_put_down_it_stands_as_before(bench: Bench) -> None:
    height = float(bench.autopilot.simulator.output["true_position"][2])
    pose(bench, 180, 0)
    put(bench, bench_hold=0.0)
    bench.run(3.0)
    output = bench.autopilot.simulator.output
    assert output["touches_ground"]
    assert not output["crashed"]
    assert output["true_position"][2] == pytest.approx(height, abs=0.01)


@pytest.mark.slow
def test_six_poses_give_the_errors_and_the_board_corrects_them(bench: Bench) -> None:
    put(bench, accel_x_bias=0.6, accel_y_bias=-0.4, accel_z_bias=0.9)
    put(bench, accel_x_scale=0.05, accel_y_scale=-0.03, accel_z_scale=0.02)
    means = []
    for roll, pitch in POSES:
        pose(bench, roll, pitch)
        means.append(mean(bench, "AccelSensor"))
    high, low = np.max(means, axis=0), np.min(means, axis=0)
    bias, scale = (high + low) / 2.0, 2.0 * GRAVITY / (high - low)
    assert np.abs(np.linalg.norm(means, axis=1) - GRAVITY).max() > 0.3
    bench.write("AccelGyroSettings", {"accel_bias": bias.tolist(), "accel_scale": scale.tolist()})
    for roll, pitch in POSES:
        pose(bench, roll, pitch)
        length = float(np.linalg.norm(mean(bench, "AccelSensor")))
        assert length == pytest.approx(GRAVITY, rel=0.01)


def test_a_gyro_bias_is_taken_off_after_scaling(bench: Bench) -> None:
    before = mean(bench, "GyroSensor")
    put(bench, gyro_x_bias=4.0, gyro_z_bias=-3.0)
    assert mean(bench, "GyroSensor") - before == pytest.approx([4.0, 0.0, -3.0], abs=0.2)
    bench.write("AccelGyroSettings", {"gyro_scale": [0.5, 1.0, 1.0], "gyro_bias": [2.0, 0.0, -3.0]})
    assert mean(bench, "GyroSensor") == pytest.approx(before * [0.5, 1.0, 1.0], abs=0.2)


@pytest.mark.slow
def test_tumbled_the_field_is_seen_from_all_sides_and_its_errors_are_corrected(
    bench: Bench,
) -> None:
    put(bench, mag_x_bias=150.0, mag_y_bias=-80.0, mag_z_scale=0.1)
    put(bench, bench_hold=1.0, bench_tumble_dps=60.0)
    field = samples(bench, "MagSensor", 60.0)
    octants = {tuple(row) for row in field - (field.max(axis=0) + field.min(axis=0)) / 2.0 > 0.0}
    assert len(octants) == 8
    spread = np.linalg.norm(field, axis=1).std()
    bias, transform = [150.0, -80.0, 0.0], [*IDENTITY[:8], 1.0 / 1.1]
    bench.write("RevoCalibration", {"mag_bias": bias, "mag_transform": transform})
    corrected = samples(bench, "MagSensor", 20.0)
    assert np.linalg.norm(corrected, axis=1).std() < 0.2 * spread


@pytest.mark.slow
def test_a_crooked_board_is_straightened_by_rotation_and_trim(bench: Bench) -> None:
    put(bench, board_roll_deg=4.0, board_yaw_deg=90.0, bench_hold=1.0, bench_pitch_deg=20.0)
    bench.run(6.0)
    crooked = {name: mean(bench, name) for name in ("AccelSensor", "MagSensor")}
    bench.write("AttitudeSettings", {"BoardRotation": [0, 0, -90], "BoardLevelTrim": [0, -4]})
    corrected = {name: mean(bench, name) for name in crooked}
    put(bench, board_roll_deg=0.0, board_yaw_deg=0.0)
    bench.write("AttitudeSettings", {"BoardRotation": [0, 0, 0], "BoardLevelTrim": [0, 0]})
    for name, limit in (("AccelSensor", 0.15), ("MagSensor", 5.0)):
        straight = mean(bench, name)
        assert np.abs(crooked[name] - straight).max() > 4.0 * limit
        assert corrected[name] == pytest.approx(straight, abs=limit)


@pytest.mark.slow
def test_level_trim_levels_what_a_station_sees(bench: Bench) -> None:
    put(bench, board_roll_deg=5.0)
    bench.run(20.0)
    assert bench.value("AttitudeState", "Roll") == pytest.approx(5.0, abs=1.5)
    bench.write("AttitudeSettings", {"BoardLevelTrim": [-5, 0]})
    bench.run(20.0)
    assert bench.value("AttitudeState", "Roll") == pytest.approx(0.0, abs=1.5)


def test_warmth_shifts_the_gyro_until_its_coefficients_are_known(bench: Bench) -> None:
    put(bench, board_warmer_k=40.0, gyro_warming_dps_per_k=0.1)
    bench.run(0.5)
    temperature_c = bench.value("GyroSensor", "temperature")
    assert temperature_c > 45.0
    warm = mean(bench, "GyroSensor")
    per_k = [0.1, 0.0, 0.1, 0.0, 0.1, 0.0]
    coefficients = {"gyro_temp_coeff": per_k, "temp_calibrated_extent": [10, 80]}
    bench.write("AccelGyroSettings", coefficients)
    assert warm - mean(bench, "GyroSensor") == pytest.approx([0.1 * temperature_c] * 3, abs=0.2)


def test_board_and_station_agree_on_what_a_calibration_does(bench: Bench) -> None:
    put(bench, bench_hold=1.0, bench_roll_deg=40.0, bench_tumble_dps=30.0, board_warmer_k=30.0)
    settings: dict[str, dict[str, Any]] = {
        "AttitudeSettings": {"BoardRotation": [20, -35, 130], "BoardLevelTrim": [3, -2]},
        "AccelGyroSettings": {
            "accel_bias": [0.3, -0.2, 0.5],
            "accel_scale": [1.02, 0.97, 1.05],
            "accel_temp_coeff": [0.01, 0.0, -0.02],
            "gyro_bias": [1.0, -2.0, 3.0],
            "gyro_scale": [0.98, 1.03, 1.01],
            "gyro_temp_coeff": [0.02, 0.0001, 0.0, 0.0, -0.03, 0.0002],
            "temp_calibrated_extent": [10, 35],
        },
        "RevoCalibration": {
            "mag_bias": [40.0, -20.0, 60.0],
            "mag_transform": [1.1, 0.02, 0.0, 0.02, 0.95, -0.01, 0.0, -0.01, 1.03],
        },
    }
    for name, values in settings.items():
        bench.write(name, values)
    bench.run(2.0)
    flat: dict[str, dict[str, float]] = {name: {} for name in settings}
    for name, values in settings.items():
        for field, numbers in values.items():
            labels = bench.definition(name).field_named(field).element_names
            flat[name] |= {f"{field}.{label}": v for label, v in zip(labels, numbers, strict=True)}
    station, output = correction_from(flat), bench.autopilot.simulator.output
    warmth = float(output["board_temperature_c"])
    assert warmth > 35.0
    raw = {name: np.array(output[f"raw_{name}"])[np.newaxis] for name in ("accel", "gyro", "mag")}
    assert output["accel"] == pytest.approx(
        published_accel(station, raw["accel"], warmth)[0], abs=1e-4
    )
    assert output["gyro"] == pytest.approx(
        published_gyro(station, raw["gyro"], warmth)[0], abs=1e-4
    )
    assert output["mag"] == pytest.approx(published_mag(station, raw["mag"])[0], abs=1e-3)
