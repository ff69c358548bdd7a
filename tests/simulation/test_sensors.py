"""What the sensors of a parked aircraft deliver, and the battery."""

import numpy as np
import pytest

from simulation.interface import GPS_FIX_3D, GPS_NO_FIX
from simulation.physics.battery import open_circuit_voltage
from simulation.rotation import to_body
from simulation.sensors.sensors import quantise
from tests.simulation.flights import parked, record, take_off, thrown, track


def test_rates_and_counters() -> None:
    simulator = parked()
    simulator.advance(10_000)
    output = simulator.output
    assert output["imu_count"] == 5000
    assert output["mag_count"] == 1000
    assert output["baro_count"] == 500
    assert output["gps_count"] == 50  # taken at 0, 200, ...; delivered 150 ms later
    assert output["battery_count"] == 200
    assert simulator.time_us == 10_000_000


def test_imu_at_rest_feels_gravity_upwards_with_its_noise() -> None:
    simulator = parked()
    simulator.advance(1000)
    accel = track(simulator, 10.0, "accel", every=2)
    assert accel.mean(axis=0) == pytest.approx([0.0, 0.0, -9.81], abs=0.25)
    expected = 0.004 / np.sqrt(0.002)
    assert accel.std(axis=0) == pytest.approx([expected] * 3, rel=0.05)


def test_gyro_offset_differs_from_run_to_run_but_not_within() -> None:
    offsets = []
    for seed in (1, 2, 3):
        simulator = parked(seed)
        simulator.advance(500)
        gyro = track(simulator, 4.0, "gyro", every=2)
        assert np.abs(gyro[:1000].mean(axis=0) - gyro[1000:].mean(axis=0)).max() < 0.03
        offsets.append(gyro.mean(axis=0))
    assert np.std(offsets) > 0.1


def test_gyro_measures_turning_in_deg_per_s_and_saturates() -> None:
    simulator = thrown(parked(), 100.0, rates=(1.0, 0.0, 60.0))
    simulator.advance(1)
    assert simulator.output["gyro"][0] == pytest.approx(57.3, abs=3.0)
    assert simulator.output["gyro"][2] == pytest.approx(2000.0, abs=0.1)


def test_values_are_steps_of_the_resolution() -> None:
    assert quantise(1.234, 10.0, 0.5) == 1.0
    assert quantise(-1.26, 10.0, 0.5) == -1.5
    assert quantise(99.0, 10.0, 0.5) == 10.0


def test_compass_points_along_the_field() -> None:
    simulator = parked()
    mag = track(simulator, 5.0, "mag", every=10).mean(axis=0)
    field = simulator.place.field_mgauss()
    expected = to_body(simulator.output["true_quaternion"], *field)
    assert mag == pytest.approx(expected, abs=15.0)


def test_barometer_reads_the_standard_atmosphere() -> None:
    simulator = parked()
    altitude = track(simulator, 20.0, "baro_altitude_m")
    assert altitude.mean() == pytest.approx(270.155, abs=5.0)
    assert np.diff(altitude).std() == pytest.approx(0.12 * np.sqrt(2), rel=0.1)
    assert simulator.output["baro_pressure_kpa"] == pytest.approx(98.12, abs=0.1)


def test_gps_has_no_fix_at_first_and_then_knows_the_field() -> None:
    simulator = parked()
    simulator.advance(2000)
    assert simulator.output["gps_status"] == GPS_NO_FIX
    simulator.advance(4000)
    output = simulator.output
    assert output["gps_status"] == GPS_FIX_3D
    assert output["gps_satellites"] >= 8
    assert output["gps_latitude_deg"] == pytest.approx(48.946, abs=5e-5)
    assert output["gps_longitude_deg"] == pytest.approx(9.43, abs=5e-5)
    simulator.set_gps_lost(True)
    simulator.advance(1000)
    assert simulator.output["gps_status"] == GPS_NO_FIX


def test_gps_velocity_error_integrates_to_its_position_error() -> None:
    """Correlation of the drift's slope with the velocity error above 0.95."""
    simulator = parked(5)
    record(simulator)["parameters"]["gps_velocity_error"][0] = 0.0
    record(simulator)["parameters"]["gps_position_white"] = 0.0
    simulator.advance(5000)
    scale = float(record(simulator)["world"]["metres_per_degree"][0])
    rows = []
    for _ in range(1500):
        simulator.advance(200)
        output = simulator.output
        north = (output["gps_latitude_deg"] - simulator.place.latitude_deg) * scale
        rows.append((float(north), float(output["gps_velocity"][0])))
    position, velocity = np.array(rows).T
    forgotten = position / 60.0
    slope = np.diff(position) / 0.2 + forgotten[1:]
    # Positions come in steps of 1e-7 degrees, 11 mm: compare over seconds.
    smooth = np.ones(15) / 15.0
    slope, error = np.convolve(slope, smooth, "valid"), np.convolve(velocity[1:], smooth, "valid")
    assert np.corrcoef(slope, error)[0, 1] > 0.95


def test_battery_sags_under_load_and_recovers() -> None:
    simulator = parked()
    simulator.advance(1000)
    idle = float(simulator.output["battery_voltage"])
    take_off(simulator, 5.0)
    simulator.advance(2000)
    flying = float(simulator.output["battery_voltage"])
    assert 4.0 < simulator.output["battery_current"] < 8.0
    assert flying < idle - 0.1
    simulator.command["armed"] = 0
    simulator.advance(3000)
    assert simulator.output["battery_voltage"] > flying + 0.05
    assert simulator.output["battery_consumed_mah"] > 5.0


def test_open_circuit_voltage_follows_the_table() -> None:
    parameters = parked().aircraft.parameters
    assert open_circuit_voltage(parameters, 1.0) == pytest.approx(4.20)
    assert open_circuit_voltage(parameters, 0.5) == pytest.approx(3.74)
    assert open_circuit_voltage(parameters, 0.08) == pytest.approx(3.17, abs=0.01)
    assert open_circuit_voltage(parameters, -1.0) == pytest.approx(3.0)


def test_an_empty_battery_brings_it_down() -> None:
    simulator = parked()
    take_off(simulator, 10.0)
    simulator.set_charge(0.02)
    simulator.advance(15_000)
    assert simulator.output["true_position"][2] > -1.0
