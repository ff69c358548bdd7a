"""What the sensors deliver: inertial, magnetic, pressure, rotors, battery; GPS and sonar apart."""

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.mathematics.random_numbers import Whole
from simulation.mathematics.rotation import to_body
from simulation.records.flight import RESOLUTION, ROTOR
from simulation.records.sensor_table import (
    ACCEL,
    AIRSPEED,
    BARO,
    BATTERY,
    GYRO,
    IMU_KEYS,
    MAG,
    ROTOR_SPEED,
)
from simulation.sensors.error_model import quantise
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked, take_off, thrown, track


def test_rates_and_counters() -> None:
    simulator = parked()
    simulator.advance(10_000)
    output = simulator.output
    assert output["imu_count"] == 5000
    assert output["mag_count"] == 1000
    assert output["baro_count"] == 500
    assert output["gps_count"] == 50  # taken at 0, 200, ...; delivered 150 ms later
    assert output["battery_count"] == 200
    assert output["sonar_count"] == 200
    assert output["rotor_speed_count"] == 200
    assert output["airspeed_count"] == 0  # has none
    assert simulator.time_us == 10_000_000


def test_imu_at_rest_feels_gravity_upwards_with_its_noise() -> None:
    simulator = parked()
    simulator.advance(1000)
    accel = track(simulator, 10.0, "accel", every=2)
    assert accel.mean(axis=0) == pytest.approx([0.0, 0.0, -9.81], abs=0.25)
    expected = 0.004 / np.sqrt(0.002)
    assert accel.std(axis=0) == pytest.approx([expected] * 3, rel=0.05)


@pytest.mark.parametrize("name", ["ar100b", "sea-vixen"])
def test_the_very_first_sample_feels_gravity_too(name: str) -> None:
    simulator = Simulator(load_aircraft(name))
    simulator.advance(1)
    pitch = float(simulator.aircraft.parameters["launch_pitch"])
    expected = [9.81 * np.sin(pitch), 0.0, -9.81 * np.cos(pitch)]
    assert simulator.output["accel"] == pytest.approx(expected, abs=0.6)


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
    for key in IMU_KEYS:
        simulator.record["parameters"][key] = 0.0  # axes that feel each other, too
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


def test_accelerometer_away_from_the_centre_feels_the_turning() -> None:
    """10 rad/s about z at 0.1 m ahead: 10 m/s2 inwards; and none in the centre."""
    for ahead_m, expected in ((0.1, -10.0), (0.0, 0.0)):
        simulator = thrown(_exact(parked(), ACCEL), 100.0, rates=(0.0, 0.0, 10.0))
        simulator.record["parameters"]["imu_position"] = (ahead_m, 0.0, 0.0)
        simulator.record["parameters"]["drag_moment"] = 0.0
        simulator.advance(4)
        assert simulator.output["accel"][0] == pytest.approx(expected, abs=0.05)


def test_rotors_shake_the_accelerometer() -> None:
    """White vibration comes with rotor speed (PX4 issue 11912: as noisy at rest as in flight)."""
    simulator = parked()
    simulator.record["parameters"]["harmonics"] = 0.0  # lines: test_imu.py
    quiet = track(simulator, 3.0, "accel", every=2)[500:].std(axis=0)
    take_off(simulator, 5.0)
    simulator.advance(3000)
    speed = simulator.output["rotor_speed"][:4].mean()
    shaken = track(simulator, 2.0, "accel", every=2)
    found = np.diff(shaken, axis=0).std(axis=0) / np.sqrt(2.0)
    expected = np.hypot(quiet, 0.0004 * speed)
    assert found == pytest.approx(expected, rel=0.1)
    assert found.min() > 1.5 * quiet.max()


def test_compass_feels_the_iron_and_the_currents_of_the_aircraft() -> None:
    found = []
    for iron, ampere in ((0.0, 0.0), (50.0, 0.0), (0.0, 10.0)):
        simulator = _exact(parked(), MAG)
        p = simulator.record["parameters"]
        p["hard_iron"] = (0.0, iron, 0.0)
        p["field_per_ampere"] = (0.0, ampere, 0.0)
        p["avionics_power"] = 25.0
        simulator.advance(400)
        found.append(float(simulator.output["mag"][1]))
    current = float(simulator.output["true_battery_current"])
    assert found[1] - found[0] == pytest.approx(50.0, abs=1e-3)
    assert found[2] - found[0] == pytest.approx(10.0 * current, rel=0.01)


def test_barometer_reads_the_standard_atmosphere_and_its_noise() -> None:
    simulator = parked()
    simulator.record["parameters"]["sensor_error"][BARO][1] = 0.0  # no weather
    altitude = track(simulator, 20.0, "baro_altitude_m")
    assert altitude.mean() == pytest.approx(270.155, abs=0.02)
    assert np.diff(altitude).std() == pytest.approx(0.1 * np.sqrt(2), rel=0.1)
    assert simulator.output["baro_pressure_kpa"] == pytest.approx(98.12, abs=0.01)


def test_barometer_is_off_by_the_weather_and_steady_within_a_flight() -> None:
    """About 15 m from day to day (seed 004)."""
    offsets = []
    for seed in range(1, 101):
        simulator = parked(seed)
        simulator.advance(1)
        offsets.append(float(simulator.output["baro_altitude_m"]) - 270.155)
    assert np.std(offsets) == pytest.approx(15.0, rel=0.15)
    altitude = track(parked(), 60.0, "baro_altitude_m", every=1000)
    assert np.abs(altitude - altitude[0]).max() < 2.0


def test_barometer_can_feel_the_wind() -> None:
    simulator = _exact(parked(), BARO)
    simulator.record["parameters"]["ram_share"] = 0.5
    simulator.set_wind(0.0, 5.0)
    simulator.world["roughness"] = 0.0
    simulator.advance(40)
    pressure = 0.5 * 0.5 * 25.0 * SEA_LEVEL_DENSITY * _density_ratio(simulator)
    lower = pressure / (SEA_LEVEL_DENSITY * _density_ratio(simulator) * 9.81)
    assert simulator.output["baro_altitude_m"] == pytest.approx(270.155 - lower, abs=0.01)


def test_airspeed_is_the_dynamic_pressure_of_the_air_ahead() -> None:
    simulator = _exact(Simulator(load_aircraft("sea-vixen")), AIRSPEED)
    simulator.set_wind(-15.0, 0.0)
    simulator.world["roughness"] = 0.0
    simulator.advance(40)
    ahead = 15.0 * np.cos(float(simulator.aircraft.parameters["launch_pitch"]))
    expected = 0.5 * SEA_LEVEL_DENSITY * _density_ratio(simulator) * ahead**2
    assert simulator.output["airspeed_pressure_pa"] == pytest.approx(expected, rel=1e-3)
    simulator.world["sensor_lost"][AIRSPEED] = 1.0
    before = int(simulator.output["airspeed_count"])
    simulator.advance(200)
    assert simulator.output["airspeed_count"] == before


def test_rotor_speeds_are_measured() -> None:
    simulator = parked()
    motion = simulator.record["state"]["motion"]
    motion[ROTOR : ROTOR + 4] = (100.0, 200.0, 300.0, 400.0)
    simulator.advance(1)
    found = simulator.output["rotor_speed_measured"][:4]
    assert found == pytest.approx((100.0, 200.0, 300.0, 400.0), abs=10.0)
    assert found.tolist() == [round(x) for x in found]
    resolution = simulator.record["parameters"]["sensor_error"][ROTOR_SPEED][RESOLUTION]
    assert resolution == 1.0


def test_battery_monitor_counts_charge_in_coarse_steps() -> None:
    simulator = parked()
    simulator.record["parameters"]["avionics_power"] = 60.0
    simulator.advance(60_000)
    used = (1.0 - float(simulator.output["true_charge"])) * simulator.aircraft.capacity_mah
    assert simulator.output["battery_consumed_mah"] == pytest.approx(used, rel=0.02)
    steps = simulator.output["battery_current"] / 0.05
    assert steps == pytest.approx(round(float(steps)))


# Faults -----------------------------------------------------------------------------------


def test_samples_drop_out_as_often_as_told() -> None:
    simulator = parked()
    simulator.world["sensor_lost"][GYRO] = 0.3
    simulator.advance(10_000)
    assert simulator.output["imu_count"] == pytest.approx(3500, abs=100)
    assert simulator.output["mag_count"] == 1000


def test_a_frozen_sensor_repeats_itself_and_comes_back() -> None:
    simulator = parked()
    simulator.advance(100)
    simulator.world["sensor_frozen"][GYRO] = 1
    simulator.advance(2)
    frozen = track(simulator, 0.1, "gyro", every=2)
    assert np.ptp(frozen, axis=0).max() == 0.0
    simulator.world["sensor_frozen"][GYRO] = 0
    assert np.ptp(track(simulator, 0.1, "gyro", every=2), axis=0).max() > 0.0
    assert simulator.output["imu_count"] == int(simulator.output["step"]) // 2


def test_noise_grows_by_the_factor_asked_for() -> None:
    noisy = parked()
    noisy.world["sensor_noise"][GYRO] = 5.0
    plain = np.diff(track(parked(), 4.0, "gyro", every=2), axis=0).std()
    loud = np.diff(track(noisy, 4.0, "gyro", every=2), axis=0).std()
    assert loud / plain == pytest.approx(5.0, rel=0.05)


def test_values_arrive_after_the_sensor_s_delay() -> None:
    simulator = _exact(parked(), GYRO)
    simulator.record["parameters"]["sensor_delay"][GYRO] = 10
    simulator.advance(100)
    thrown(simulator, 50.0, rates=(0.0, 0.0, 1.0))
    seen = []
    for _ in range(20):
        simulator.advance(1)
        seen.append(abs(float(simulator.output["gyro"][2])) > 50.0)
    assert seen.index(True) == 10


@pytest.mark.parametrize("seed", [1, 2])
def test_no_sensor_disturbs_another(seed: int) -> None:
    """Each has its own numbers: without sonar and battery monitor all others stay the same."""
    whole, bare = parked(seed), parked(seed)
    bare.record["parameters"]["sensor_period"][[5, BATTERY]] = 0
    for simulator in (whole, bare):
        simulator.advance(500)
    for member in ("gyro", "accel", "mag", "baro_altitude_m", "gps_velocity"):
        assert np.array_equal(whole.output[member], bare.output[member])
    assert bare.output["sonar_count"] == bare.output["battery_count"] == 0


def test_a_second_value_is_sampled_with_its_sensor_whatever_periods_say() -> None:
    """GPS velocity and battery current have rows of their own, for their error models."""
    simulator = parked()
    simulator.record["parameters"]["sensor_period"] = 10
    simulator.advance(1000)
    assert simulator.output["battery_count"] == simulator.output["mag_count"]


def _exact(simulator: Simulator, *models: Whole) -> Simulator:
    """Without errors and of fine resolution."""
    for model in models:
        simulator.record["parameters"]["sensor_error"][model] = (0.0, 0.0, 1.0, 0.0, 1e9, 1e-6)
    for key in (*IMU_KEYS, "g_sensitivity"):
        simulator.record["parameters"][key] = 0.0
    return simulator


def _density_ratio(simulator: Simulator) -> float:
    return float(simulator.record["state"]["air_density_ratio"])
