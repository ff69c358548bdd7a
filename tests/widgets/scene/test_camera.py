"""Projection: what lies where on the widget."""

import math

import numpy as np
import pytest

from widgets.scene.camera import Camera, body_to_ned

LEVEL = Camera((0.0, 0.0, -5.0), 0.0, 0.0, 10.0, 200, 100)


def test_the_point_looked_at_is_in_the_middle() -> None:
    for azimuth, elevation in ((0.0, 0.0), (123.0, 40.0), (270.0, 89.0)):
        camera = Camera((3.0, -4.0, -5.0), azimuth, elevation, 10.0, 200, 100)
        x, y, depth = camera.project(np.array([camera.target]))[0]
        assert (x, y, depth) == pytest.approx((100.0, 50.0, 10.0))


def test_looking_north_east_is_right_and_down_is_down() -> None:
    east, down = LEVEL.project(np.array([[0.0, 1.0, -5.0], [0.0, 0.0, -4.0]]))
    assert east[0] > 100.0
    assert east[1] == pytest.approx(50.0)
    assert down[0] == pytest.approx(100.0)
    assert down[1] > 50.0


def test_what_is_behind_the_eye_is_not_drawn() -> None:
    behind = LEVEL.project(np.array([[-11.0, 0.0, -5.0]]))[0]
    assert math.isnan(behind[0])
    starts, ends = LEVEL.clip(np.array([[-20.0, 0.0, 0.0]]), np.array([[20.0, 0.0, 0.0]]))
    assert starts[0][0] > -10.0
    assert ends[0][0] == 20.0
    starts, _ = LEVEL.clip(np.array([[-20.0, 0.0, 0.0]]), np.array([[-15.0, 0.0, 0.0]]))
    assert len(starts) == 0


def test_the_horizon_rises_when_one_looks_down() -> None:
    assert LEVEL.horizon_px() == pytest.approx(50.0)
    assert Camera(elevation_deg=30.0, width=200, height=100).horizon_px() < 50.0


@pytest.mark.parametrize(
    ("distance_m", "step_m"), [(1.0, 0.2), (12.0, 2.0), (60.0, 10.0), (500.0, 100.0)]
)
def test_the_grid_suits_the_distance(distance_m: float, step_m: float) -> None:
    assert Camera(distance_m=distance_m).grid_step_m() == pytest.approx(step_m)


def test_from_high_up_the_grid_reaches_farther() -> None:
    low, high = Camera((0.0, 0.0, -1.0)), Camera((0.0, 0.0, -150.0))
    assert low.grid_step_m() == pytest.approx(2.0)
    assert high.grid_step_m() == pytest.approx(50.0)
    assert high.grid_step_m(ground_down_m=-149.0) == pytest.approx(2.0), "above a hill"


def test_a_roll_to_the_right_lowers_the_right_wing() -> None:
    half = math.radians(30.0) / 2
    turn = body_to_ned((math.cos(half), math.sin(half), 0.0, 0.0))
    assert (turn @ [0.0, 1.0, 0.0])[2] == pytest.approx(0.5)
