"""Pictures against what geometry says of them by hand."""

import math

import numpy as np
import pytest

from simulation.worlds.camera import CarriedCamera, FilmCamera
from simulation.worlds.renderer import CameraView, SceneRenderer
from telemetry.review.cameras.camera_settings import CameraSettings
from tests.simulation.worlds.scenes import flown, horizon_deg, path_of, plain

SIZE = (96, 72)
CAMERA = FilmCamera(SIZE, settings=CameraSettings(60.0), position_m=(0.0, 0.0, 0.0))


def picture_of(
    camera: FilmCamera = CAMERA,
    attitude_deg: tuple[float, float, float] = (0.0, 0.0, 0.0),
    posts: tuple[tuple[float, float], ...] = (),
    height_m: float = 50.0,
) -> np.ndarray:
    roll, pitch, yaw = np.radians(attitude_deg).tolist()
    path = path_of(flown(0.1, lambda t: (roll, pitch, yaw), height_m=height_m))
    places, rotations = CarriedCamera(camera, path).poses(np.array([0.05]))
    renderer = SceneRenderer(plain(*posts), camera.size, camera.focal_px)
    picture = renderer.draw(CameraView(places[0], rotations[0]))
    renderer.close()
    return picture


def row_of_horizon(picture: np.ndarray) -> float:
    """In the middle column, from the top."""
    return float((picture[:, SIZE[0] // 2].astype(int).sum(axis=1) < 360).sum())


def red_columns(picture: np.ndarray) -> np.ndarray:
    blue, green, red = (picture[..., i].astype(int) for i in range(3))
    return np.flatnonzero(((red > 200) & (green < 60) & (blue < 60)).any(axis=0))


@pytest.mark.parametrize("roll", [-30.0, 0.0, 20.0])
def test_rolling_right_lifts_the_right_end_of_the_horizon(roll: float) -> None:
    # Down as the camera sees it is (0, sin roll, cos roll): the horizon's slope is tan(roll).
    picture = picture_of(attitude_deg=(roll, 0.0, 0.0))
    assert horizon_deg(picture) == pytest.approx(roll, abs=1.0)


@pytest.mark.parametrize("pitch", [-15.0, 0.0, 10.0])
def test_nose_up_lowers_the_horizon_by_focal_times_tangent(pitch: float) -> None:
    focal = SIZE[0] / 2 / math.tan(math.radians(30.0))
    wanted = SIZE[1] / 2 + focal * math.tan(math.radians(pitch))
    assert row_of_horizon(picture_of(attitude_deg=(0.0, pitch, 0.0))) == pytest.approx(
        wanted, abs=1
    )


def test_the_mount_adds_to_the_attitude() -> None:
    down = FilmCamera(
        SIZE, settings=CameraSettings(60.0, mount_pitch_deg=-10.0, mount_roll_deg=8.0)
    )
    picture = picture_of(down)
    assert row_of_horizon(picture) < SIZE[1] / 2 - 10
    assert horizon_deg(picture) == pytest.approx(8.0, abs=1.0)


@pytest.mark.parametrize("east", [-12.0, 0.0, 15.0])
def test_a_post_to_the_right_stands_on_the_right(east: float) -> None:
    columns = red_columns(picture_of(posts=((50.0, east),), height_m=10.0))
    focal = SIZE[0] / 2 / math.tan(math.radians(30.0))
    assert columns.mean() + 0.5 == pytest.approx(SIZE[0] / 2 + focal * east / 50.0, abs=1.0)


@pytest.mark.slow
def test_nothing_in_view_is_left_out_and_nothing_behind_is_shown() -> None:
    assert len(red_columns(picture_of(posts=((60.0, 0.0),), height_m=10.0)))
    assert not len(red_columns(picture_of(posts=((-60.0, 0.0),), height_m=10.0)))
    assert len(
        red_columns(picture_of(attitude_deg=(0, 0, 180), posts=((-60.0, 0.0),), height_m=10))
    )


@pytest.mark.slow
def test_what_is_near_hides_what_is_behind() -> None:
    near, far = (50.0, 0.0), (400.0, 0.0)
    both = picture_of(posts=(near, far), height_m=10.0)
    assert np.array_equal(both, picture_of(posts=(far, near), height_m=10.0))
    assert len(red_columns(both)) == len(red_columns(picture_of(posts=(near,), height_m=10.0)))


@pytest.mark.slow
def test_the_same_picture_twice() -> None:
    assert np.array_equal(picture_of(attitude_deg=(7, 3, 1)), picture_of(attitude_deg=(7, 3, 1)))


@pytest.mark.slow
def test_two_renderers_do_not_draw_into_each_other() -> None:
    view = CameraView(np.array([0.0, 0.0, -10.0]), np.eye(3))
    first = SceneRenderer(plain((50.0, 0.0)), SIZE, CAMERA.focal_px)
    alone = first.draw(view)
    second = SceneRenderer(plain(), (32, 32), CAMERA.focal_px)
    second.draw(view)
    assert np.array_equal(first.draw(view), alone)
    second.close()
    assert np.array_equal(first.draw(view), alone)
    first.close()
