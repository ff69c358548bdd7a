"""What the estimators are told about their sensors: the numbers of the aircraft's file."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.sensor_knowledge import know_sensors
from simulation.environment.earth import GRAVITY
from simulation.records.interface import SETTINGS


def known(aircraft: str) -> Any:
    settings = np.zeros(1, SETTINGS)[0]
    know_sensors(settings, load_aircraft(aircraft).parameters)
    return settings["sensors"]


def test_delays_and_periods_are_those_of_the_aircraft() -> None:
    assert known("ar100b")["gps_delay"] == 150
    assert known("hector")["gps_delay"] == 0
    assert known("ar100b")["baro_period_s"] == pytest.approx(0.02)


@pytest.mark.parametrize("aircraft", ["ar100b", "hector", "sea-vixen", "crazyflie"])
@pytest.mark.slow
def test_the_receivers_errors_are_stationary_as_a_long_run_shows(aircraft: str) -> None:
    """e_p' = -e_p / T_p + e_v with a Gauss-Markov e_v, summed up over many seconds."""
    k = known(aircraft)
    rng = np.random.default_rng(1)
    dt, runs = 0.5, 4000
    keep = math.exp(-dt / k["gps_speed_tau"])
    speed = k["gps_speed_sigma"] * rng.standard_normal(runs)
    place = np.zeros(runs)
    for _ in range(int(6.0 * (k["gps_place_tau"] + k["gps_speed_tau"]) / dt)):
        place += dt * (speed - place / k["gps_place_tau"])
        noise = k["gps_speed_sigma"] * math.sqrt(1.0 - keep * keep)
        speed = keep * speed + noise * rng.standard_normal(runs)
    assert place.std() == pytest.approx(k["gps_place_sigma"], rel=0.06)
    assert np.mean(speed * place) == pytest.approx(k["gps_speed_place"], rel=0.12)


def test_crooked_axes_of_an_accelerometer_count_as_an_offset() -> None:
    """0.1 deg and half a per cent of g, beside 0.05 and 0.02 m/s2; the seed's hector has none."""
    crooked = math.hypot(math.radians(0.1), 0.005)
    assert known("ar100b")["accel_crooked"] == pytest.approx(crooked)
    assert known("ar100b")["accel_bias_sigma"] == pytest.approx(
        math.hypot(0.05, 0.02, GRAVITY * crooked)
    )
    assert known("hector")["gyro_crooked"] == 0.0
