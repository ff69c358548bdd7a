"""Firmware's INS13: its equations against a second writing of them, and its rules one by one."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulation.estimation.flat_earth import place_from_home, set_home_frame
from simulation.estimation.ins13_motion import predict_covariance, predict_state
from simulation.estimation.ins13_sensors import FULL_BARO_SAMPLES, QUICK_BARO_SAMPLES
from simulation.estimation.ins13_state import (
    HAS_BARO,
    HAS_MAG,
    HAS_PLACE,
    HAS_SPEED,
)
from simulation.estimation.ins13_update import correct_state, lay_field_level
from simulation.mathematics.rotation import set_euler, to_ned
from simulation.mathematics.single_precision import to_single
from simulation.records.filters import INS
from simulation.records.flight import DRIFT, TURN_ON
from simulation.records.interface import FUSION_INS13_INDOOR, MAG_CRITICAL, SETTINGS
from simulation.records.sensor_table import GYRO
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from telemetry.base.earth.wgs84 import metres_per_degree
from tests.simulation.estimation.ins13_reference import (
    Array,
    corrected,
    expected,
    predicted_covariance,
    predicted_state,
)
from tests.simulation.flights import parked, take_off

DT = 0.002
FIELD = np.array([206.39, 13.99, 443.02])
SETS = {
    "place": (HAS_PLACE, [0, 1, 2]),
    "speed": (HAS_SPEED, [3, 4, 5]),
    "field": (HAS_MAG, [6, 7, 8]),
    "height": (HAS_BARO, [9]),
}


class Filter:
    """An INS record somewhere in flight, and the same as plain arrays."""

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.record: Any = np.zeros(1, INS)[0]
        attitude = chance.normal(size=4)
        self.x = np.concatenate(
            (
                chance.normal(size=6) * 5.0,
                attitude / np.linalg.norm(attitude),
                chance.normal(size=3) * 0.02,
            )
        )
        root = chance.normal(size=(13, 13)) * 0.1
        self.p: Array = root @ root.T + 1e-3 * np.eye(13)
        self.u = np.concatenate((chance.normal(size=3), chance.normal(size=3) - (0.0, 0.0, 9.81)))
        self.q, self.r = chance.uniform(0.1, 1.0, 9), chance.uniform(0.01, 1.0, 10)
        self.field = FIELD / np.linalg.norm(FIELD)
        self.z = expected(self.x, self.field) + chance.normal(size=10) * 0.2
        self.z[6:9] /= np.linalg.norm(self.z[6:9])
        self.known = (self.x, self.p, self.field)
        self._fill()

    def _fill(self) -> None:
        n = self.record
        n["x"], n["p"], n["q"], n["r"], n["variance"] = self.x, self.p, self.q, self.r, self.r
        n["rate"], n["force"], n["field"] = self.u[:3], self.u[3:], self.field
        n["place"], n["speed"], n["height"] = self.z[:3], self.z[3:6], self.z[9]
        n["mag"] = 480.0 * self.z[6:9]


@pytest.mark.parametrize("seed", range(5))
def test_a_step_is_that_of_the_dense_equations(seed: int) -> None:
    ours = Filter(seed)
    predict_state(ours.record, DT)
    predict_covariance(ours.record, DT)
    np.testing.assert_allclose(ours.record["x"], predicted_state(ours.x, ours.u, DT), rtol=1e-12)
    wanted = predicted_covariance(ours.p, ours.x, ours.u, ours.q, DT)
    np.testing.assert_allclose(ours.record["p"], wanted, rtol=1e-7, atol=1e-10)
    assert (ours.record["p"] == ours.record["p"].T).all()


def test_the_dense_equations_see_a_rate_of_the_wrong_sign() -> None:
    ours = Filter(1)
    ours.record["rate"] *= -1.0
    predict_state(ours.record, DT)
    assert not np.allclose(ours.record["x"], predicted_state(ours.x, ours.u, DT), rtol=1e-6)


def test_the_noise_of_a_step_goes_with_its_square() -> None:
    """Half of the steps in a second, twice as much noise in it: what the filter is told by
    EKFConfiguration.Q counts by the sample."""
    grown = []
    for dt in (DT, 2.0 * DT):
        ours = Filter(2)
        ours.record["p"] = 0.0
        predict_state(ours.record, dt)
        predict_covariance(ours.record, dt)
        grown.append(ours.record["p"][3, 3] / dt)
    assert grown[1] / grown[0] == pytest.approx(2.0)


@pytest.mark.parametrize("names", [["place"], ["speed"], ["field"], ["height"], list(SETS)])
def test_a_correction_is_josephs_with_what_was_expected_before_it(names: list[str]) -> None:
    ours = Filter(3)
    rows = [row for name in names for row in SETS[name][1]]
    for name in names:
        ours.record["has"][SETS[name][0]] = 1
    correct_state(ours.record, True)
    x, p = corrected(ours.known, ours.z, ours.r, rows)
    np.testing.assert_allclose(ours.record["x"], x, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.record["p"], p, rtol=1e-6, atol=1e-9)
    assert not ours.record["has"].any()


def test_that_is_not_the_correction_of_the_books() -> None:
    """The three axes of a field, or three of a place with a covariance between them, would each be
    compared with what those before have left."""
    ours = Filter(3)
    ours.record["has"][HAS_PLACE] = ours.record["has"][HAS_SPEED] = 1
    correct_state(ours.record, True)
    x, _ = corrected(ours.known, ours.z, ours.r, list(range(6)), anew=True)
    assert np.abs(ours.record["x"] - x).max() > 1e-3


def test_without_gps_the_variances_are_the_fake_ones() -> None:
    ours, same = Filter(4), Filter(4)
    for n, uses_gps in ((ours.record, False), (same.record, True)):
        n["fake_r"] = (7.0, 3.0, 1000.0)
        if uses_gps:
            n["r"][:3], n["r"][3:6] = 7.0, 3.0
        n["has"][HAS_PLACE] = n["has"][HAS_SPEED] = 1
        correct_state(n, uses_gps)
    assert ours.record["x"].tolist() == same.record["x"].tolist()


def test_a_field_laid_level_says_nothing_of_roll_and_pitch() -> None:
    """It keeps the plane it was measured in, and takes the angle to down that it has at home."""
    ours = Filter(5)
    n = ours.record
    n["dip"] = math.atan2(math.hypot(FIELD[0], FIELD[1]), FIELD[2])
    q = np.zeros(4)
    set_euler(q, 0.3, -0.2, 1.0)
    n["x"][6:10], n["mag"] = q, (300.0, -50.0, 250.0)
    before = np.array(to_ned(q, *n["mag"]))
    lay_field_level(n)
    level = np.array(to_ned(q, *n["mag"]))
    assert np.linalg.norm(level) == pytest.approx(1.0)
    assert math.atan2(level[1], level[0]) == pytest.approx(math.atan2(before[1], before[0]))
    assert math.acos(level[2]) == pytest.approx(n["dip"])


def test_single_precision_is_that_of_the_machine() -> None:
    values = np.random.default_rng(1).normal(size=2000) * 10.0 ** np.arange(-6, 14).repeat(100)
    assert [to_single(float(v)) for v in values] == [float(np.float32(v)) for v in values]


def _home(altitude_m: float = 270.0) -> Any:
    settings, record = np.zeros(1, SETTINGS)[0], np.zeros(1, INS)[0]
    settings["home_latitude_deg"], settings["home_longitude_deg"] = 48.946, 9.43
    settings["home_altitude_m"] = altitude_m
    set_home_frame(settings, record)
    return record


def test_a_place_is_flat_and_comes_in_steps_of_a_quarter_metre() -> None:
    home, north, east = _home(), *metres_per_degree(48.946)
    errors = []
    for metres in np.linspace(-80.0, 80.0, 201):
        place = place_from_home(home, 48.946 + metres / north, 9.43 - metres / east, 280.0)
        errors.append(np.array(place) - (metres, -metres, -10.0))
    off = np.array(errors)
    assert 0.05 < np.abs(off).max() < 0.5
    assert 0.02 < off.std(axis=0).max() < 0.3
    # The earth's curve and the height above the ellipsoid are far below that.
    assert np.abs(off.mean(axis=0)).max() < 0.3


def test_home_itself_is_exactly_nowhere() -> None:
    assert place_from_home(_home(), 48.946, 9.43, 270.0) == (0.0, 0.0, 0.0)


def test_it_begins_at_the_first_height_of_gps_and_believes_it() -> None:
    simulator = parked(1)
    simulator.advance(6000)
    output = simulator.output
    off_m = float(output["position"][2] - output["true_position"][2])
    assert off_m == pytest.approx(-2.95, abs=0.15)
    simulator.advance(60_000)
    assert output["position"][2] - output["true_position"][2] == pytest.approx(off_m, abs=0.8)


def test_it_is_ready_after_ten_seconds_of_the_barometer_where_that_is_asked_for() -> None:
    """GPS has its fix after 4.15 s; 499 samples of the barometer, and eleven steps of the IMU."""
    ready = {}
    for wanted in (QUICK_BARO_SAMPLES, FULL_BARO_SAMPLES):
        simulator = parked(1)
        simulator.settings["baro_samples"] = wanted
        while simulator.output["attitude_valid"] == 0:
            simulator.advance(2)
        ready[wanted] = simulator.time_us / 1e6
        assert ready[wanted] == pytest.approx(4.15 + (wanted - 1) * 0.02 + 0.022, abs=0.03)


def test_no_fix_no_estimate() -> None:
    simulator = parked(1)
    apply(simulator, "gps_lost", 1.0)
    simulator.advance(20_000)
    assert simulator.output["attitude_valid"] == 0
    assert simulator.output["position_valid"] == 0


def test_without_gps_in_flight_it_goes_on_and_says_nothing_of_it() -> None:
    """The filter of firmware knows no time since its last fix."""
    simulator = parked(2)
    take_off(simulator)
    apply(simulator, "gps_lost", 1.0)
    simulator.advance(5000)
    assert simulator.output["position_valid"] == 1
    assert simulator.output["estimate_resets"] == 0


@pytest.mark.parametrize(("member", "index"), [("ekf_p", 12), ("ekf_q", 0), ("ekf_r", 9)])
def test_it_does_not_begin_with_a_variance_of_nothing(member: str, index: int) -> None:
    simulator = parked(1)
    sound = float(simulator.settings[member][index])
    simulator.settings[member][index] = 0.0
    simulator.advance(8000)
    assert simulator.output["attitude_valid"] == 0
    simulator.settings[member][index] = sound
    simulator.advance(8000)
    assert simulator.output["attitude_valid"] == 1


def test_settings_count_from_the_next_beginning() -> None:
    def flown(change: Callable[[Simulator], None]) -> list[float]:
        simulator = parked(3)
        simulator.advance(7000)
        change(simulator)
        simulator.advance(6000)
        return [float(v) for v in simulator.output["position"]]

    def scale(simulator: Simulator) -> None:
        simulator.settings["ekf_r"] *= 100.0

    def begin(simulator: Simulator) -> None:
        scale(simulator)
        simulator.filter["fusion"] = 0

    unchanged = flown(lambda simulator: None)
    assert flown(scale) == unchanged
    assert flown(begin) != unchanged


def test_a_lost_covariance_begins_again_and_leaves_a_warning() -> None:
    simulator = parked(2)
    simulator.advance(8000)
    before = np.array(simulator.output["position"])
    simulator.filter["ins"]["p"][4, 4] = -1.0
    simulator.advance(2)
    assert simulator.output["estimate_warning"] == 1
    assert simulator.output["estimate_resets"] == 1
    assert simulator.output["ekf_variance"][0] == simulator.settings["ekf_p"][0]
    assert np.linalg.norm(simulator.output["position"] - before) < 0.5
    simulator.advance(2000)
    assert simulator.output["estimate_warning"] == 1
    assert simulator.output["estimate_resets"] == 1


def test_a_state_that_is_no_number_is_shown_to_nobody() -> None:
    simulator = parked(2)
    take_off(simulator)
    simulator.filter["ins"]["x"][7] = math.nan
    simulator.advance(2)
    assert np.isfinite(simulator.output["quaternion"]).all()
    assert simulator.output["attitude_valid"] == 0
    simulator.advance(3000)
    assert simulator.output["attitude_valid"] == 1


def test_a_wrong_field_at_power_up_is_waited_for() -> None:
    """filterekf.c takes no magnetometer whose alarm is raised until it has begun."""
    simulator = parked(2)
    for axis in "xyz":
        apply(simulator, f"mag_{axis}_scale", 0.2)
    simulator.advance(10_000)
    assert simulator.output["attitude_valid"] == 0
    for axis in "xyz":
        apply(simulator, f"mag_{axis}_scale", 0.0)
    simulator.advance(1000)
    assert simulator.output["attitude_valid"] == 1
    for axis in "xyz":
        apply(simulator, f"mag_{axis}_scale", 0.2)
    simulator.advance(2000)
    assert simulator.output["mag_alarm"] == MAG_CRITICAL
    assert simulator.output["attitude_valid"] == 1


def _indoors(offset_dps: float) -> Simulator:
    """At rest for half a minute with sensors that have noise only, but for this bias of the gyro
    about the nose."""
    simulator = parked(2)
    parameters = simulator.record["parameters"]
    parameters["sensor_error"][:, TURN_ON] = parameters["sensor_error"][:, DRIFT] = 0.0
    for crooked in ("misalignment_deg", "cross_axis", "g_sensitivity", "flicker"):
        parameters[crooked] = 0.0
    apply(simulator, "gyro_x_bias", offset_dps)
    apply(simulator, "gps_lost", 1.0)
    simulator.settings["fusion_algorithm"] = FUSION_INS13_INDOOR
    simulator.advance(30_000)
    assert simulator.output["attitude_valid"] == 1
    assert simulator.output["position_valid"] == 0
    return simulator


def test_indoors_it_believes_to_stand_still_and_learns_little_by_that() -> None:
    """Position and velocity of nothing, ten times a second, hold what drifts slowly; a gyro half a
    degree per second off leads it away, because the filter takes it for a better one."""
    still, led_away = _indoors(0.0).output, _indoors(0.5).output
    assert np.abs(still["position"]).max() < 1.0
    assert np.abs(still["attitude_deg"][:2]).max() < 1.0
    assert np.linalg.norm(led_away["position"][:2]) > 5.0


@pytest.mark.parametrize(("averaged", "share"), [(FULL_BARO_SAMPLES, 1e-3), (50, 0.02)])
def test_its_step_is_the_mean_interval_of_the_samples(averaged: int, share: float) -> None:
    """It begins with that of 500 Hz and follows in thousands of samples (pios_deltatime.c), unless
    it starts quickly."""
    simulator = parked(2)
    simulator.settings["baro_samples"] = averaged
    simulator.record["parameters"]["sensor_period"][GYRO] = 10
    simulator.advance(1000)
    interval_s = simulator.filter["ins"]["interval_s"]
    assert interval_s == pytest.approx(0.01 - 0.008 * (1.0 - share) ** 100, rel=0.03)
