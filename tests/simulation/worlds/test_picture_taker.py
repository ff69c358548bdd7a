"""A lens and a shutter, against pictures that are drawn anew for every row and instant."""

from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from simulation.worlds.make_scene import make_scene
from simulation.worlds.picture_taker import PictureTaker, Shutter, TakenPicture
from simulation.worlds.renderer import CameraView, SceneRenderer
from simulation.worlds.scene import WorldScene
from simulation.worlds.shared_renderer import SharedRenderer
from simulation.worlds.world_file import load_world
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import Lens, lens_of
from tests.simulation.worlds.scenes import plain

SIZE = (160, 120)
PINHOLE = lens_of(CameraSettings(60.0), SIZE)
BENT = Lens((140.0, 138.0), (81.0, 58.0), (-0.25, 0.08, 0.002, -0.001))
FISHEYE = Lens((50.0, 50.0), (79.5, 59.5), (-0.01, 0.002), is_fisheye=True)
AT_ONCE = Shutter()
DOWN = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])

Array = npt.NDArray[np.float64]
Triple = tuple[float, float, float]


class Moving:
    """A camera with a speed and a yaw rate."""

    def __init__(
        self,
        at: Triple,
        speed: Triple = (0.0, 0.0, 0.0),
        yaw_radps: float = 0.0,
        looks: Array | None = None,
    ) -> None:
        self._at, self._speed, self._yaw_radps = np.array(at), np.array(speed), yaw_radps
        self._looks = np.eye(3) if looks is None else looks

    def poses(self, times_s: Array) -> tuple[Array, Array]:
        angle = self._yaw_radps * times_s
        c, s, zero = np.cos(angle), np.sin(angle), np.zeros_like(angle)
        turn = np.array([[c, s, zero], [-s, c, zero], [zero, zero, zero + 1.0]])
        return self._at + times_s[:, None] * self._speed, self._looks @ turn.transpose(2, 0, 1)

    def view(self, time_s: float) -> CameraView:
        position, to_camera = self.poses(np.array([time_s]))
        return CameraView(position[0], to_camera[0])


@cache
def corridor() -> WorldScene:
    return make_scene(load_world("corridor"))


@cache
def meadow(*posts: tuple[float, float]) -> WorldScene:
    return plain(*posts)


@cache
def renderer_of(scene: WorldScene) -> SharedRenderer:
    return SharedRenderer(scene)


def taken(scene: WorldScene, lens: Lens, path: Moving, shutter: Shutter) -> TakenPicture:
    return PictureTaker(renderer_of(scene), lens, SIZE, shutter).take(path, 0.0)


def difference(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> float:
    return float(np.abs(a.astype(float) - b).mean())


@pytest.mark.slow
def test_every_row_is_what_was_seen_when_it_was_exposed() -> None:
    path = Moving((0.0, 0.2, -1.2), (4.0, 1.0, 0.5), 1.5)
    turning = Moving((0.0, 0.2, -1.2), yaw_radps=1.5)
    shutter = Shutter(readout_s=0.04)
    right, turned = (taken(corridor(), PINHOLE, each, shutter) for each in (path, turning))
    depth = right.depth_m()
    renderer = SceneRenderer(corridor(), SIZE, PINHOLE.focal_px[0])
    middle = renderer.look(path.view(0.0))
    for row in (0, 10, 60, 110, 119):
        seen = renderer.look(path.view(((row + 0.5) / SIZE[1] - 0.5) * 0.04))
        away = difference(right.picture[row], seen.picture[row])
        assert away < 9.0  # of black and white squares, looked up between their pixels
        assert np.median(np.abs(depth[row] * seen.nearness[row] - 1.0)) < 3e-4
        if row in (0, 119):  # it would show: without the movement, and without the turn as well
            assert difference(turned.picture[row], seen.picture[row]) > 2.0 * away
            assert difference(middle.picture[row], seen.picture[row]) > 4.0 * away
    renderer.close()


@pytest.mark.parametrize("lens", [BENT, FISHEYE])
def test_the_depth_of_a_plane_10_m_away_is_right_to_a_millimetre(lens: Lens) -> None:
    path = Moving((3.0, 1.0, -10.0), (1.0, 0.0, 2.0), 0.5, looks=DOWN)
    depth = taken(meadow(), lens, path, Shutter(0.03)).depth_m()
    height = 10.0 - 2.0 * ((np.arange(SIZE[1]) + 0.5) / SIZE[1] - 0.5) * 0.03
    is_shown = ~np.isnan(depth)
    assert is_shown.mean() > 0.6
    assert np.abs(depth - height[:, None])[is_shown].max() < 1e-3


@pytest.mark.parametrize("lens", [BENT, FISHEYE])
def test_a_post_stands_where_the_lens_says(lens: Lens) -> None:
    picture = taken(meadow((40.0, 8.0)), lens, Moving((0.0, 0.0, -10.0)), AT_ONCE).picture
    red = (picture[..., 2] > 150) & (picture[..., 1] < 100)
    row = SIZE[1] // 2
    (wanted,) = lens.pixels(np.array([[8.0, 0.0, 40.0]]))
    assert np.flatnonzero(red[row]).mean() == pytest.approx(wanted[0], abs=0.6)


@pytest.mark.slow
def test_segments_are_those_of_the_scene_and_the_sky_is_none() -> None:
    scene = meadow((40.0, 0.0))
    found = taken(scene, PINHOLE, Moving((0.0, 0.0, -10.0)), AT_ONCE)
    names = scene.segments().names
    segments = found.segments()
    assert names[segments[60, 79]] == "bodies"
    assert names[segments[110, 20]] == "ground"
    assert segments[10, 20] == -1
    assert np.isinf(found.depth_m()[10, 20])
    rim = taken(scene, FISHEYE, Moving((0.0, 0.0, -10.0)), AT_ONCE)
    assert np.isnan(rim.depth_m()[0, 0])
    assert rim.segments()[0, 0] == -1
    assert not rim.picture[0, 0].any()


@pytest.mark.slow
def test_what_moves_while_it_is_exposed_is_smeared_as_far_as_it_moves() -> None:
    widths = []
    for exposure_s in (0.0, 0.02):
        path = Moving((0.0, 0.0, -10.0), yaw_radps=2.0)
        picture = taken(meadow((10.0, 0.0)), PINHOLE, path, Shutter(exposure_s=exposure_s)).picture
        redness = 1.0 - picture[60, :, 1] / 255.0  # of the post before white ground
        widths.append(float((redness > 0.02).sum()))
        assert redness.sum() == pytest.approx(PINHOLE.focal_px[0] / 10.0, abs=0.5)
    assert widths[1] - widths[0] == pytest.approx(2.0 * 0.02 * PINHOLE.focal_px[0], abs=2.0)


def test_a_lens_that_shows_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing in the middle"):
        PictureTaker(renderer_of(meadow()), Lens((5.0, 5.0), (900.0, 59.5), (-3.0,)), SIZE)
