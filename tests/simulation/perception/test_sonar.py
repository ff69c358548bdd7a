"""Sonar and range finder over surfaces whose distance is told by hand."""

import math

import numpy as np
import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.given_path import GivenPath
from simulation.perception.suite import PerceptionSuite
from simulation.worlds.scene import WorldScene
from telemetry.protocol.streams.samples import ValueSample
from tests.simulation.perception.rooms import rectangle, scene_of

DOWN = (0.0, -90.0, 0.0)
EXACT = {"noise_m": 0.0, "resolution_m": 1e-6}
WIDE = 100.0
FLOOR = rectangle((-WIDE, -WIDE, 0.0), (WIDE, -WIDE, 0.0), (WIDE, WIDE, 0.0))


def _reading(scene: WorldScene, tilt_deg: float, height: float = 2.0, **changes: float) -> float:
    half = math.radians(tilt_deg) / 2
    path = GivenPath(lambda _: ((0.0, 0.0, -height), (math.cos(half), math.sin(half), 0.0, 0.0)))
    mount = SensorMount("sonar", "hector-sonar", attitude_deg=DOWN, changes={**EXACT, **changes})
    suite = PerceptionSuite(path, scene, [mount])
    found: list[float] = []

    def note(each: object) -> None:
        sample = each.sample
        assert isinstance(sample, ValueSample)
        found.append(float(sample.values[0]))

    suite.subscribe(note)
    path.advance(100)
    assert not suite.failures
    return found[0]


def _nearest(tilt_deg: float, height: float, incidence_deg: float = 50.0) -> float:
    """Shortest of nine rays (centre, two cones of four) whose echo comes back, by spherical
    trigonometry; with the sonar's longest."""
    tilt, best = math.radians(tilt_deg), 3.0
    for cone in range(3):
        angle = math.radians(20.0) * cone / 2
        for turn in (0.0, 0.5 * math.pi, math.pi, 1.5 * math.pi):
            steep = math.cos(tilt) * math.cos(angle)
            steep += math.sin(tilt) * math.sin(angle) * math.cos(turn)
            if steep >= math.cos(math.radians(incidence_deg)):
                best = min(best, height / steep)
    return best


@pytest.mark.parametrize("tilt", [0.0, 10.0, 20.0, 35.0, 55.0, 69.0, 75.0])
def test_tilted_it_reads_the_slant_minimum(tilt: float) -> None:
    """Design B6: the minimum of the rays, not the one in the centre."""
    assert _reading(scene_of([FLOOR]), tilt, 1.0) == pytest.approx(_nearest(tilt, 1.0), abs=1e-5)


def test_echoes_that_come_too_slantingly_are_lost_on_the_right_side() -> None:
    """Design 5.1, 5.9: lost is what is above the limit, the ray in the centre too. As seed 002
    prints it, level over a floor there would be no echo at all."""
    assert _reading(scene_of([FLOOR]), 0.0) == pytest.approx(2.0, abs=1e-5)
    assert _reading(scene_of([FLOOR]), 60.0, 1.0, cones=0) == 3.0
    assert _reading(scene_of([FLOOR]), 60.0, 1.0, cones=0, incidence_deg=61.0) == pytest.approx(2.0)


def test_a_box_beside_the_centre_is_heard() -> None:
    """A table of 40 cm, 50 cm to the right of the point below: only the cone meets it."""
    table = rectangle((-1.0, 0.5, -0.4), (1.0, 0.5, -0.4), (1.0, 2.0, -0.4))
    near = (2.0 - 0.4) / math.cos(math.radians(20.0))
    assert _reading(scene_of([FLOOR, table]), 0.0) == pytest.approx(near, abs=1e-5)
    assert _reading(scene_of([FLOOR, table]), 0.0, cones=0) == pytest.approx(2.0, abs=1e-5)


def test_without_an_echo_it_says_its_longest() -> None:
    """Without noise, too: there is nothing that it would be the noise of."""
    assert _reading(scene_of([FLOOR]), 0.0, 10.0, noise_m=0.5) == 3.0
    assert _reading(scene_of([FLOOR]), 0.0, 2.0, noise_m=0.5) != pytest.approx(2.0, abs=1e-3)


def test_a_range_finder_says_nothing_where_there_is_nothing() -> None:
    """Unlike a sonar: NaN, and the truth is inf."""
    path = GivenPath(lambda _: ((0.0, 0.0, -2.0), (1.0, 0.0, 0.0, 0.0)))
    mounts = [
        SensorMount("ahead", "lidar-lite-v3"),
        SensorMount("down", "lidar-lite-v3", attitude_deg=DOWN),
    ]
    suite = PerceptionSuite(path, scene_of([FLOOR]), mounts)
    found: dict[str, tuple[float, float]] = {}

    def note(each: object) -> None:
        sample = each.sample
        name = each.description.name
        found[name] = (sample.values[0], each.truth.values["range_m"][0])

    suite.subscribe(note)
    path.advance(20)
    assert np.isnan(found["ahead"][0])
    assert math.isinf(found["ahead"][1])
    assert found["down"] == pytest.approx((2.0, 2.0), abs=0.1)
