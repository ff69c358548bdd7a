"""The sonar's cone over flat ground."""

import math

import pytest

from simulation.records.sensor_table import SONAR
from tests.simulation.flights import parked, thrown


@pytest.mark.parametrize("height", [0.5, 2.0, 5.0])
def test_level_it_reads_the_height_of_the_sensor(height: float) -> None:
    assert _range(height, 0.0) == pytest.approx(height - 0.1, abs=0.01)


def test_tilted_it_reads_the_nearest_ray() -> None:
    """The ray at the edge of the cone stands upright at 20 degrees, the centre's is longer."""
    height = 2.0 - 0.1 * math.cos(math.radians(20.0))
    assert _range(2.0, 20.0) == pytest.approx(height, abs=0.01)
    only_centre = _range(2.0, 20.0, rays=1)
    assert only_centre == pytest.approx(height / math.cos(math.radians(20.0)), abs=0.01)


def test_an_echo_too_slanting_is_lost() -> None:
    """At 75 degrees even the nearest ray meets the ground at 55; the limit is 50."""
    assert _range(2.0, 65.0) < 6.0
    assert _range(2.0, 75.0) == 6.0
    assert _range(2.0, 45.0, rays=1) < 6.0
    assert _range(2.0, 55.0, rays=1) == 6.0


def test_what_is_too_far_or_too_near_is_shown_as_the_limit() -> None:
    assert _range(8.0, 0.0) == 6.0
    assert _range(0.11, 0.0) == pytest.approx(0.03)


def test_its_noise_is_2_cm() -> None:
    found = []
    simulator = parked()
    for _ in range(300):
        thrown(simulator, 2.0)
        simulator.advance(50)
        found.append(float(simulator.output["sonar_range_m"]))
    mean = sum(found) / 300
    spread = math.sqrt(sum((x - mean) ** 2 for x in found) / 300)
    assert spread == pytest.approx(0.02, rel=0.2)


def _range(height_m: float, roll_deg: float, rays: int = 9) -> float:
    simulator = parked()
    parameters = simulator.record["parameters"]
    parameters["sensor_error"][SONAR] = (0.0, 0.0, 1.0, 0.0, 6.0, 1e-3)
    parameters["sonar_rays"] = rays
    thrown(simulator, height_m, roll_deg=roll_deg)
    simulator.advance(1)
    return float(simulator.output["sonar_range_m"])
