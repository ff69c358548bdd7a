"""Calibrations of the simulator's own sensors, from collecting to what the board then shows."""

from typing import Any

import numpy as np
import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Preset
from simulation.autopilot.sensor_calibration import take_calibration
from simulation.estimation.calibration import calibrate
from simulation.records.flight import FLIGHT
from simulation.records.sensor_table import ACCEL
from simulation.simulator.controls import apply
from telemetry.configuration.calibration.fits.accelerometer import fit_accelerometer
from telemetry.configuration.calibration.fits.capture import SixPoseCapture
from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.configuration.calibration.fits.gyro import fit_gyro_bias
from telemetry.configuration.calibration.fits.magnetometer import fit_magnetometer
from telemetry.configuration.calibration.fits.magnetometer_capture import MagnetometerCapture
from telemetry.configuration.calibration.fits.result import AXES, Array, Values
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata, metaobject
from telemetry.protocol.objects.values import read_path, row_of
from tests.simulation.bench import Bench
from tests.telemetry.configuration.calibration.fits.sensors import (
    BARE,
    published_accel,
    published_gyro,
    published_mag,
    with_settings,
)

SETTINGS = {
    "AttitudeSettings": {
        "BoardRotation.Roll": 30.0,
        "BoardRotation.Pitch": -40.0,
        "BoardRotation.Yaw": 120.0,
        "BoardLevelTrim.Roll": 3.0,
        "BoardLevelTrim.Pitch": -2.0,
    },
    "AccelGyroSettings": {
        "accel_bias.X": 0.5,
        "accel_scale.Y": 1.1,
        "accel_temp_coeff.Z": 0.02,
        "gyro_bias.Z": 2.0,
        "gyro_scale.X": 0.9,
        "gyro_temp_coeff.X": 0.05,
        "gyro_temp_coeff.X2": 0.001,
        "gyro_temp_coeff.Z2": -0.002,
        "temp_calibrated_extent.min": 5.0,
        "temp_calibrated_extent.max": 40.0,
    },
    "RevoCalibration": {"mag_bias.Y": 60.0, "mag_transform.r0c0": 1.1, "mag_transform.r1c1": 0.9}
    | {"mag_transform.r2c2": 1.0, "mag_transform.r0c2": 0.1, "mag_transform.r2c1": -0.05},
}
POSES = ((0, 0), (180, 0), (90, 0), (-90, 0), (0, 85), (0, -85))


@pytest.mark.parametrize("temperature", [-10.0, 25.0, 60.0])
def test_the_simulated_board_corrects_as_the_fits_believe(
    board: SimulatedBoard, temperature: float
) -> None:
    """Two accounts of the firmware, written apart from each other."""
    for name, values in SETTINGS.items():
        definition, row = board[name].definition, board[name].row
        for path, value in values.items():
            field, element = path.split(".")
            row[field][definition.field_named(field).element_index(element)] = value
    flight: Any = np.zeros(1, FLIGHT)[0]
    record, output = flight["settings"]["calibration"], flight["output"]
    take_calibration(board, record)
    raw = np.array([[3.0, -4.0, -8.0]])
    for name in ("raw_gyro", "raw_accel", "raw_mag"):
        output[name][:3] = raw[0]
    output["board_temperature_c"] = temperature
    calibrate(record, output)
    believed = correction_from(SETTINGS)
    assert output["accel"] == pytest.approx(
        published_accel(believed, raw, temperature)[0], abs=1e-5
    )
    assert output["gyro"] == pytest.approx(published_gyro(believed, raw, temperature)[0], abs=1e-5)
    assert output["mag"] == pytest.approx(published_mag(believed, raw)[0], abs=1e-4)


class _Station:
    """Reads the sensors of an aircraft on the bench as telemetry brings them."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        bench.run(2.0)
        for name in ("AccelSensor", "GyroSensor", "MagSensor"):
            fast = Metadata(flight=UpdatePolicy(UpdateMode.PERIODIC, 50))
            bench.station.write(metaobject(bench.definition(name)), 0, fast.pack(8))
        bench.run(0.5)

    def set(self, **values: float) -> None:
        for name, value in values.items():
            apply(self.bench.autopilot.simulator, name, value)

    def readings(self, name: str, seconds: float) -> Array:
        """x, y, z, temperature: (n, 4)."""
        definition = self.bench.definition(name)
        self.bench.received.clear()
        self.bench.run(seconds)
        rows = [
            row_of(event.definition, event.payload)
            for event in self.bench.received
            if event.definition.object_id == definition.object_id
        ]
        paths = ("x", "y", "z", "temperature")
        return np.array([[float(read_path(definition, row, p)) for p in paths] for row in rows])

    def write(self, values: Values) -> None:
        for name, elements in values.items():
            fields: dict[str, list[float]] = {}
            for path, value in elements.items():
                fields.setdefault(path.split(".")[0], []).append(value)
            self.bench.write(name, fields)


@pytest.fixture
def station(catalogue: Catalogue, preset: Preset) -> _Station:
    return _Station(Bench(AutopilotConfig(preset), catalogue))


@pytest.mark.slow
def test_six_sides_on_the_bench_correct_the_accelerometer(station: _Station) -> None:
    station.set(accel_x_bias=0.098, accel_y_bias=-0.12, accel_z_bias=0.15, bench_hold=1.0)
    station.set(accel_x_scale=0.01, accel_y_scale=-0.01, accel_z_scale=0.015)
    # What wanders from minute to minute cannot be calibrated.
    station.bench.autopilot.simulator.record["state"]["drift_kick"][ACCEL] = 0.0
    capture, t = SixPoseCapture(hold_s=6.0, least=120), 0.0
    for roll, pitch in POSES:
        station.set(bench_roll_deg=float(roll), bench_pitch_deg=float(pitch))
        station.bench.run(5.0)
        for row in station.readings("AccelSensor", 8.0):
            t += 0.05
            capture.add_gyro(t, (0.0, 0.0, 0.0))
            capture.add_accel(t, row[:3], row[3])
    assert capture.progress(t).is_complete
    calibration = fit_accelerometer(capture.taken, BARE)
    found = calibration.values["AccelGyroSettings"]
    scale = [found[f"accel_scale.{axis}"] for axis in AXES]
    assert scale == pytest.approx([1.0 / 1.01, 1.0 / 0.99, 1.0 / 1.015], abs=0.002)
    assert calibration.quality[0].before > 1.0
    station.write(calibration.values)
    for roll, pitch in POSES:
        station.set(bench_roll_deg=float(roll), bench_pitch_deg=float(pitch))
        station.bench.run(5.0)
        mean = station.readings("AccelSensor", 6.0)[:, :3].mean(axis=0)
        assert np.linalg.norm(mean) == pytest.approx(9.81, rel=0.003)


@pytest.mark.slow
def test_a_gyro_at_rest_shows_no_turning_after_calibration(station: _Station) -> None:
    station.set(gyro_x_bias=4.0, gyro_z_bias=-3.0)
    calibration = fit_gyro_bias(station.readings("GyroSensor", 6.0), BARE)
    assert calibration.quality[0].before > 4.5
    station.write(calibration.values)
    left = station.readings("GyroSensor", 4.0)[:, :3].mean(axis=0)
    assert left == pytest.approx([0.0, 0.0, 0.0], abs=0.1)


@pytest.mark.slow
def test_tumbling_on_the_bench_corrects_the_magnetometer(station: _Station) -> None:
    station.set(mag_x_bias=150.0, mag_y_bias=-80.0, mag_z_scale=0.1)
    station.set(bench_hold=1.0, bench_tumble_dps=60.0)
    be = station.bench.autopilot.simulator.place.field_mgauss()
    capture, t = MagnetometerCapture(be), 0.0
    while not capture.progress(t).is_complete and t < 240.0:
        for row in station.readings("MagSensor", 5.0):
            t += 0.05
            capture.add(t, row[:3])
    assert capture.progress(t).is_complete
    fit = fit_magnetometer(capture.rows, BARE, be)
    length = fit.calibration.quality[0]
    assert length.before > 15.0
    assert length.after < 2.0
    new = with_settings({}, fit.calibration.values)
    assert new.mag_bias == pytest.approx([150.0, -80.0, 0.0], abs=12.0)
    assert new.mag_transform == pytest.approx(np.diag([1.0, 1.0, 1.0 / 1.1]), abs=0.01)
    station.write(fit.calibration.values)
    field = np.linalg.norm(station.readings("MagSensor", 20.0)[:, :3], axis=1)
    assert field == pytest.approx(np.linalg.norm(be), rel=0.04)
