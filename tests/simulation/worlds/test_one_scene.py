"""Pictures and rays show one scene: the same bodies at the same depth with the same pictures."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import SceneRays
from simulation.worlds.renderer import CameraView, SceneRenderer, SeenView
from simulation.worlds.scene import WorldScene
from simulation.worlds.world_file import load_world
from telemetry.base.rotations import matrix_by_angles

Array = npt.NDArray[np.float64]
Vector = tuple[float, float, float]

SIZE, FOCAL = (120, 90), 80.0
PICTURED = """
title = "Bodies with a picture"
[ground]
reach_m = 100.0
[light]
sun = [0.0, 0.0, 0.0]
ambient = [1.0, 1.0, 1.0]
haze_per_m = 0.0
[boxes.box]
position_m = [0.0, 0.0, 0.0]
size_m = [2.0, 2.0, 2.0]
picture = "quarters.png"
[cylinders.column]
position_m = [0.0, 50.0, 0.0]
radius_m = 1.0
height_m = 2.0
picture = "quarters.png"
[starts.here]
position_m = [-9.0, 0.0, 0.0]
"""
RED, GREEN, BLUE, WHITE = (0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255)


@dataclass(frozen=True)
class RayView:
    """What rays through the middles of pixels meet, (rows, columns)."""

    segments: npt.NDArray[np.int32]
    ahead_m: Array
    colours: Array


class BothWays:
    """One scene, for the renderer and for rays."""

    def __init__(self, scene: WorldScene) -> None:
        self._scene = scene
        self.renderer, self._rays = SceneRenderer(scene, SIZE, FOCAL), SceneRays(scene)

    def drawn(self, place: Array, attitude_deg: Vector) -> SeenView:
        return self.renderer.look(CameraView(place, matrix_by_angles(*attitude_deg).T))

    def cast(self, place: Array, attitude_deg: Vector) -> RayView:
        row, column = np.mgrid[: SIZE[1], : SIZE[0]]
        across, down = column + 0.5 - SIZE[0] / 2, row + 0.5 - SIZE[1] / 2
        ways = np.stack([np.full(row.shape, FOCAL), across, down], -1).reshape(-1, 3)
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        turned = ways @ matrix_by_angles(*attitude_deg).T
        hits = self._rays.cast(np.tile(place, (len(ways), 1)), turned, 1e4)
        numbers = self._scene.segments().numbers
        segments = np.where(hits.triangle >= 0, numbers[hits.triangle], -1)
        ahead_m, colours = hits.range_m * ways[:, 0], self._rays.colours(hits)
        return RayView(
            segments.reshape(row.shape), ahead_m.reshape(row.shape), colours.reshape(*row.shape, 3)
        )


def share_elsewhere(drawn: SeenView, cast: RayView) -> float:
    """Of pixels whose segment by rays the picture has not even beside it."""
    padded = np.pad(drawn.segments, 1, mode="edge")
    around = [
        padded[i : i + SIZE[1], j : j + SIZE[0]] == cast.segments
        for i in range(3)
        for j in range(3)
    ]
    return float(1.0 - np.any(around, axis=0).mean())


@pytest.mark.parametrize(
    ("name", "place", "attitude"),
    [
        ("arena", (-6.0, 8.0, -5.0), (5.0, -20.0, 20.0)),
        ("office", (-8.0, 0.0, -1.2), (0.0, 0.0, 15.0)),
    ],
)
@pytest.mark.slow
def test_rays_and_picture_see_the_same_bodies_at_the_same_depth(
    name: str, place: Vector, attitude: Vector
) -> None:
    both, camera = BothWays(make_scene(load_world(name))), np.array(place)
    drawn, cast = both.drawn(camera, attitude), both.cast(camera, attitude)
    aside = both.cast(camera + matrix_by_angles(*attitude)[:, 1] * 0.2, attitude)
    both.renderer.close()
    assert len(np.unique(cast.segments)) > 6
    assert share_elsewhere(drawn, cast) == 0.0
    same = (cast.segments == drawn.segments) & (cast.segments >= 0)
    off = np.abs(drawn.nearness[same] * cast.ahead_m[same] - 1.0)
    assert np.quantile(off, 0.98) < 1e-3
    assert share_elsewhere(drawn, aside) > 0.005, "a camera 20 cm aside is found out"


@pytest.fixture(scope="module")
def quarters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BothWays]:
    """A box and a cylinder with a picture: red and green above, blue and white below."""
    folder = tmp_path_factory.mktemp("quarters")
    picture = np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8).repeat(32, 0).repeat(32, 1)
    cv2.imwrite(str(folder / "quarters.png"), picture)
    (folder / "world.toml").write_text(PICTURED, encoding="utf-8")
    both = BothWays(make_scene(load_world(folder)))
    yield both
    both.renderer.close()


def quarter_colours(picture: npt.NDArray[np.uint8] | Array, most: float) -> list[tuple[int, ...]]:
    """Above left, above right, below left and below right of the middle."""
    row, column = SIZE[1] // 2, SIZE[0] // 2
    places = [(row + i, column + j) for i in (-6, 6) for j in (-6, 6)]
    return [tuple((picture[place] > 0.4 * most).astype(int) * 255) for place in places]


@pytest.mark.parametrize(
    ("place", "attitude"),
    [
        ((-6.0, 0.0, -1.0), (0.0, 0.0, 0.0)),
        ((0.0, -6.0, -1.0), (0.0, 0.0, 90.0)),
        ((6.0, 0.0, -1.0), (0.0, 0.0, 180.0)),
        ((0.0, 6.0, -1.0), (0.0, 0.0, 270.0)),
        # From above, with north at the top.
        ((0.0, 0.0, -8.0), (0.0, -90.0, 0.0)),
        # The cylinder's picture begins in its north, so that its middle is in the south.
        ((-6.0, 50.0, -1.0), (0.0, 0.0, 0.0)),
    ],
)
def test_a_picture_is_upright_and_not_mirrored_from_every_side(
    quarters: BothWays, place: Vector, attitude: Vector
) -> None:
    picture = quarters.drawn(np.array(place), attitude).picture
    colours = quarters.cast(np.array(place), attitude).colours[..., ::-1]
    assert quarter_colours(picture, 255.0) == [RED, GREEN, BLUE, WHITE]
    assert quarter_colours(colours, 1.0) == [RED, GREEN, BLUE, WHITE]
