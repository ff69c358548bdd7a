"""Outlines of rooms whose walls are known."""

import numpy as np
import pytest

from simulation.perception.floor_plan import (
    distances,
    floor_plan,
    nearest_distances,
    points_along,
)
from tests.simulation.perception.rooms import rectangle, room, scene_of


def test_a_room_is_cut_into_its_four_walls() -> None:
    lines = floor_plan(room(4.0, 3.0), -1.0)
    along = points_along(lines, 0.1)
    off = np.minimum(np.abs(np.abs(along[:, 0]) - 4.0), np.abs(np.abs(along[:, 1]) - 3.0))
    assert off.max() < 1e-6
    assert np.hypot(*(lines[:, 1] - lines[:, 0]).T).sum() == pytest.approx(28.0)
    assert distances(np.array([[0.0, 0.0], [4.5, 0.0], [3.0, 2.9]]), lines) == pytest.approx(
        [3.0, 0.5, 0.1]
    )


def test_what_ends_below_is_not_in_the_plan() -> None:
    table = rectangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, -0.7))
    assert len(floor_plan(scene_of([table]), -0.5)) == 2  # of its two triangles
    assert len(floor_plan(scene_of([table]), -0.8)) == 0


def test_nearest_points() -> None:
    others = np.array([[0.0, 0.0], [2.0, 0.0]])
    assert nearest_distances(np.array([[0.5, 0.0], [2.0, 3.0]]), others) == pytest.approx([0.5, 3])
