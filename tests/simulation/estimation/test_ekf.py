"""The extended Kalman filter: consistent, converging, and robust where sensors fail."""

import math

import numpy as np
import pytest

from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import rotation_between, turn
from simulation.records.flight import WHITE
from simulation.records.interface import (
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13,
    FUSION_INS13_INDOOR,
)
from simulation.records.sensor_table import ACCEL, GYRO
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.experiments.estimation import chi_square_band
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.estimation.circling import Circling
from tests.simulation.flights import parked_with_own_filter, take_off


def _away_m(simulator: Simulator) -> float:
    output = simulator.output
    return float(np.linalg.norm(output["position"][:2] - output["true_position"][:2]))


@pytest.mark.slow
def test_hovering_it_is_honest_about_its_errors(catalogue: Catalogue) -> None:
    """Twelve flights at one place, where the compass's offset stays unknown: NEES in the band of
    as many, as it has to be for forty in motion in the shipped scenario."""
    scenario = load_scenario("estimation", {"aggressive": 0, "runs": 12})
    report = run_scenario(Experiment(scenario, 1, scenario.aircraft, catalogue, without_link=True))
    metrics = report.outcome.metrics
    low, high = chi_square_band(36)
    for name in ("attitude", "position", "velocity"):
        assert low < metrics[f"nees_{name}"] < high, metrics
    # The accelerometer's crooked axes and offset tilt it by 0.43 deg, which hovering does not show.
    assert metrics["attitude_rms_deg"] < 1.2
    assert metrics["position_rms_m"] < 1.3


@pytest.mark.slow
def test_shaken_five_times_as_much_it_is_no_surer_than_it_may_be(catalogue: Catalogue) -> None:
    """It sees how noisy its samples are; NEES was 3 to 4 while it believed EKFConfiguration.Q."""
    scenario = load_scenario("estimation", {"vibration": 5, "runs": 16})
    report = run_scenario(Experiment(scenario, 1, scenario.aircraft, catalogue, without_link=True))
    low, high = chi_square_band(48)
    for name in ("attitude", "position", "velocity"):
        assert low < report.outcome.metrics[f"nees_{name}"] < high, report.outcome.metrics


def test_it_sees_how_noisy_its_samples_are() -> None:
    """White noise of 1 m/s2 and 1 deg/s in the place of what the aircraft has."""
    simulator = parked_with_own_filter(2)
    parameters = simulator.record["parameters"]
    parameters["sensor_error"][[GYRO, ACCEL], WHITE] = math.sqrt(0.002)
    simulator.advance(15_000)
    seen = simulator.filter["ekf"]["imu_noise"]
    assert seen[0] == pytest.approx(math.radians(1.0) ** 2, rel=0.1)
    assert seen[1] == pytest.approx(1.0, rel=0.1)


def test_the_band_of_chi_square_is_that_of_tables() -> None:
    """40.482 and 83.298 for sixty degrees of freedom."""
    assert np.multiply(chi_square_band(60), 60) == pytest.approx([40.482, 83.298], abs=0.01)


@pytest.mark.slow
def test_it_begins_in_motion_and_finds_its_way() -> None:
    circling = Circling(parked_with_own_filter())
    circling.run(2.0)
    assert circling.simulator.output["attitude_valid"] == 0  # it moves: no average yet
    circling.run(28.0)
    assert circling.simulator.output["position_valid"] == 1
    assert circling.tilt_error_deg() < 1.0
    assert circling.position_error_m() < 1.0
    assert circling.velocity_error_mps() < 0.2


@pytest.mark.slow
def test_with_a_flipped_accelerometer_it_does_not() -> None:
    circling = Circling(parked_with_own_filter(), accel_sign=-1.0)
    circling.run(30.0)
    assert circling.tilt_error_deg() > 10.0


@pytest.mark.slow
def test_a_delay_it_does_not_know_of_costs_velocity() -> None:
    circling = Circling(parked_with_own_filter(), delay_s=0.0)
    circling.run(30.0)
    assert circling.velocity_error_mps() > 0.25


def test_biases_converge_to_those_of_the_sensors() -> None:
    simulator = parked_with_own_filter(3)
    for key in ("misalignment_deg", "cross_axis"):  # errors that turning makes are no biases
        simulator.record["parameters"][key] = 0.0
    for key in ("gyro_crooked", "accel_crooked"):
        simulator.settings["sensors"][key] = 0.0
    take_off(simulator)
    for yaw in (60.0, -60.0):
        simulator.command["axis_setpoint"][2] = yaw
        simulator.advance(12_000)
    state, output = simulator.record["state"], simulator.output
    gyro, accel = (state["offset"][m][:3] + state["drift"][m][:3] for m in (GYRO, ACCEL))
    gyro += state["imu_wander"][GYRO] - GRAVITY * state["imu_g"][:, 2]
    assert min(np.abs(gyro).max(), np.abs(accel).max()) > 0.1  # there was something to find
    deviation = np.degrees(np.sqrt(output["estimate_variance"][3]))
    assert (deviation < 0.02).all()
    assert (np.abs(output["gyro_bias"] - gyro) < 4.0 * deviation).all()
    assert np.abs(output["accel_bias"] - accel).max() < 0.03


def test_without_gps_it_dead_reckons_and_says_when_it_is_lost() -> None:
    simulator = parked_with_own_filter(2)
    take_off(simulator)
    apply(simulator, "gps_lost", 1.0)
    simulator.advance(10_000)
    assert simulator.output["position_valid"] == 1
    assert _away_m(simulator) < 3.0
    simulator.advance(50_000)
    assert simulator.output["position_valid"] == 0
    apply(simulator, "gps_lost", 0.0)
    simulator.advance(10_000)
    assert simulator.output["position_valid"] == 1
    assert _away_m(simulator) < 3.0
    assert simulator.output["crashed"] == 0
    assert simulator.output["estimate_resets"] == 0


def test_the_algorithm_changes_on_the_ground_and_waits_in_flight() -> None:
    simulator = parked_with_own_filter()
    settings, output = simulator.settings, simulator.output
    simulator.advance(6000)
    assert output["fusion"] == FUSION_INS13
    assert output["estimate_variance"].any()
    settings["fusion_algorithm"] = FUSION_COMPLEMENTARY_MAG_GPS
    simulator.advance(20)
    assert output["fusion"] == FUSION_COMPLEMENTARY_MAG_GPS
    assert output["attitude_valid"] == 0
    simulator.advance(3000)
    assert output["attitude_valid"] == output["position_valid"] == 1
    assert not output["estimate_variance"].any()
    simulator.command["armed"] = 1
    settings["fusion_algorithm"] = FUSION_INS13
    simulator.advance(100)
    assert output["fusion"] == FUSION_COMPLEMENTARY_MAG_GPS
    simulator.command["armed"] = 0
    simulator.advance(100)
    assert output["fusion"] == FUSION_INS13


def test_indoors_it_has_no_position_but_height_and_attitude() -> None:
    simulator = parked_with_own_filter()
    simulator.settings["fusion_algorithm"] = FUSION_INS13_INDOOR
    simulator.advance(10_000)
    assert simulator.output["position_valid"] == 0
    assert simulator.output["position"][2] == pytest.approx(0.0, abs=0.5)
    assert np.abs(simulator.output["attitude_deg"][:2]).max() < 1.5


def test_a_covariance_that_is_no_number_starts_anew() -> None:
    simulator = parked_with_own_filter()
    simulator.advance(6000)
    simulator.record["filter"]["ekf"]["p"][4, 4] = math.nan
    simulator.advance(5000)
    assert simulator.output["estimate_resets"] >= 1
    assert np.isfinite(simulator.output["position"]).all()
    assert simulator.output["position_valid"] == 1
    assert np.abs(simulator.output["attitude_deg"][:2]).max() < 2.0


def test_an_attitude_gone_astray_is_found_again() -> None:
    simulator = parked_with_own_filter(2)
    take_off(simulator, 30.0)
    turn(simulator.record["filter"]["ekf"]["q"], math.radians(10.0), 0.0, 0.0)
    simulator.advance(20)
    assert _attitude_error_deg(simulator) > 8.0
    simulator.advance(10_000)
    assert _attitude_error_deg(simulator) < 2.0
    assert simulator.output["crashed"] == 0


def _attitude_error_deg(simulator: Simulator) -> float:
    output = simulator.output
    turned = rotation_between(output["quaternion"], output["true_quaternion"])
    return math.degrees(math.hypot(*turned))
