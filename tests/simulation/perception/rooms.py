"""Scenes made of a few rectangles."""

from collections.abc import Sequence

import numpy as np

from simulation.worlds.scene import NO_MESH, GroundPicture, Light, Mesh, WorldScene, joined

GREY = 0.9
_LIGHT = Light((0.0, 0.0, -1.0), *((0.5, 0.5, 0.5),) * 4, 0.0)
_BLANK = np.full((2, 2, 3), 255, np.uint8)

Corner = tuple[float, float, float]


def rectangle(a: Corner, b: Corner, c: Corner, shade: float = GREY) -> Mesh:
    """With corners a, b, c and a + c - b; `shade` is its grey, 0 to 1."""
    first, second, third = (np.array(corner, np.float32) for corner in (a, b, c))
    vertices = np.stack([first, second, third, first + third - second])
    normal = np.cross(second - first, third - first)
    normals = np.tile(normal / np.linalg.norm(normal), (4, 1)).astype(np.float32)
    colours = np.full((4, 3), shade, np.float32)
    return Mesh(vertices, normals, colours, np.array([[0, 1, 2], [0, 2, 3]], np.int32))


def scene_of(meshes: Sequence[Mesh]) -> WorldScene:
    """Those, and no ground."""
    bodies = joined(meshes) if meshes else NO_MESH
    tile = _BLANK[..., 0]
    return WorldScene(NO_MESH, GroundPicture(_BLANK, 10.0), bodies, _LIGHT, tile, tile)


def room(half_north: float = 4.0, half_east: float = 3.0, high: float = 3.0) -> WorldScene:
    """Four walls, a floor at z 0 and a ceiling; north is the lighter wall."""
    n, e, h = half_north, half_east, -high
    return scene_of(
        [
            rectangle((n, -e, 0.0), (n, e, 0.0), (n, e, h)),
            rectangle((-n, -e, 0.0), (-n, e, 0.0), (-n, e, h)),
            rectangle((-n, e, 0.0), (n, e, 0.0), (n, e, h)),
            rectangle((-n, -e, 0.0), (n, -e, 0.0), (n, -e, h)),
            rectangle((-n, -e, 0.0), (n, -e, 0.0), (n, e, 0.0)),
            rectangle((-n, -e, h), (n, -e, h), (n, e, h)),
        ]
    )
