"""Heights of cells by distances, with numbers that are reckoned by hand."""

import math

import numpy as np
import pytest

from telemetry.base.rotations import matrix_by_angles
from telemetry.review.mapping.grown_map import LONGEST_SIDE, MOST_CELLS, GrownMap, MapError
from telemetry.review.mapping.heights import add_points, add_range
from telemetry.review.mapping.space_pose import SpacePose

ABOVE = SpacePose(np.array([0.0, 0.0, -5.0]), np.eye(3))


def looking_down(
    north: float, east: float, height: float, roll: float = 0.0, pitch: float = 0.0
) -> SpacePose:
    return SpacePose(
        np.array([north, east, -height]),
        matrix_by_angles(roll, pitch, 0.0) @ matrix_by_angles(0.0, -90.0, 0.0),
    )


def point(north: float, east: float, height: float) -> np.ndarray:
    return np.array([[north, east, -height]])


def test_a_distance_straight_down_is_the_ground_below() -> None:
    grown = GrownMap(0.1)
    assert add_range(grown, 2.0, looking_down(3.02, -1.97, 2.5))
    assert grown.height_at(3.02, -1.97) == pytest.approx(0.5)
    assert grown.height_at(3.02, 1.97) is None, "east is not west"
    assert grown.is_known.sum() == 1


def test_a_ray_of_a_rolled_aircraft_meets_the_ground_beside_it() -> None:
    """Rolled to the right by 20 degrees, what is mounted downwards looks to the left."""
    grown = GrownMap(0.1)
    slant = 2.0 / math.cos(math.radians(20.0))
    add_range(grown, slant, looking_down(0.05, 0.05, 2.0, roll=20.0))
    aside = 2.0 * math.tan(math.radians(20.0))
    assert grown.height_at(0.05, 0.05 - aside) == pytest.approx(0.0, abs=1e-6)
    assert grown.height_at(0.05, 0.05 + aside) is None
    assert grown.height_at(0.05, 0.05) is None


def test_a_cone_hears_level_ground_straight_below_until_it_is_tilted_too_far() -> None:
    """The nearest echo of a cone of 15 degrees, tilted by 10 and by 40."""
    grown = GrownMap(0.1)
    add_range(grown, 2.0, looking_down(0.05, 0.05, 2.0, pitch=10.0), math.radians(15.0))
    assert grown.height_at(0.05, 0.05) == pytest.approx(0.0, abs=1e-6)
    tilted = GrownMap(0.1)
    slant = 2.0 / math.cos(math.radians(25.0))
    add_range(tilted, slant, looking_down(0.05, 0.05, 2.0, pitch=40.0), math.radians(15.0))
    ahead = 2.0 * math.tan(math.radians(25.0))
    assert tilted.height_at(0.05 + ahead, 0.05) == pytest.approx(0.0, abs=1e-6)
    assert not add_range(tilted, 2.0, looking_down(0, 0, 2, pitch=85.0), math.radians(15.0))


def test_readings_are_averaged_and_one_that_lies_is_not_believed() -> None:
    grown, random = GrownMap(0.1), np.random.default_rng(1)
    for _ in range(50):
        add_points(grown, point(0.0, 0.0, 1.0 + 0.03 * random.standard_normal()), ABOVE)
    assert grown.height_at(0.0, 0.0) == pytest.approx(1.0, abs=0.015)
    before = grown.height_at(0.0, 0.0)
    add_points(grown, point(0.0, 0.0, 3.0), ABOVE)
    assert grown.height_at(0.0, 0.0) == before
    for _ in range(3):
        add_points(grown, point(0.0, 0.0, 3.0), ABOVE)
    assert grown.height_at(0.0, 0.0) == pytest.approx(3.0, abs=0.01), "three agree"


def test_the_highest_surface_of_a_cell_counts() -> None:
    """A table over its floor, seen in one scan; the floor alone must be seen often."""
    grown = GrownMap(0.5)
    for _ in range(9):
        add_points(grown, np.concatenate([point(0.1, 0.1, 0.0), point(0.2, 0.2, 0.7)]), ABOVE)
        add_points(grown, point(0.1, 0.1, 0.0), ABOVE)
    assert grown.height_at(0.1, 0.1) == pytest.approx(0.7, abs=0.01)
    for _ in range(10):
        add_points(grown, point(0.1, 0.1, 0.0), ABOVE)
    assert grown.height_at(0.1, 0.1) == pytest.approx(0.0, abs=0.01), "it was taken away"


def test_what_cannot_be_the_ground_does_not_count() -> None:
    grown = GrownMap(0.1)
    nowhere = np.array([[np.nan, 0, 0], [0, np.inf, 0], [0, 0, -1e9], [1e7, 0, 0], [0, 0, -6.0]])
    assert add_points(grown, nowhere, ABOVE) == 0
    for range_m in (math.nan, math.inf, -1.0, 0.0, 1e6):
        assert not add_range(grown, range_m, looking_down(0.0, 0.0, 2.0))
    assert not grown.is_known.size
    assert add_points(grown, np.concatenate([nowhere, point(0.0, 0.0, 0.0)]), ABOVE) == 1


@pytest.mark.parametrize("cell_m", [0.0, -1.0, math.nan, math.inf, 1e-4, 1e3])
def test_cells_of_no_size_are_refused(cell_m: float) -> None:
    with pytest.raises(MapError, match="Cells have"):
        GrownMap(cell_m)


def test_it_keeps_what_it_has_while_it_grows_and_its_memory_is_bounded() -> None:
    grown = GrownMap(0.1)
    for north in (0.0, 50.0, -50.0, 90.0):
        assert add_range(grown, 2.0, looking_down(north, 0.0, 2.0 + north / 100.0))
    far = [1e4, -1e4, 300.0]
    assert not any(add_range(grown, 2.0, looking_down(north, 0.0, 2.0)) for north in far)
    assert grown.beyond == 3
    assert grown.heights_m.size <= MOST_CELLS
    assert max(grown.window.shape) <= LONGEST_SIDE
    for north in (0.0, 50.0, -50.0, 90.0):
        assert grown.height_at(north, 0.0) == pytest.approx(north / 100.0, abs=1e-6)
