"""Sky meshes: a dome of colours, and the sun's glow on it.

A colour at every corner costs a fraction of one at every pixel where no graphics card draws.
"""

import numpy as np

from widgets.scene3d.scene import Floats32, Triangles

_ELEVATIONS_DEG = (
    *(-90.0, -0.573, 0.0, 1.0, 2.0, 3.5, 5.0, 7.0, 9.0, 12.0),
    *(15.0, 19.0, 24.0, 30.0, 38.0, 48.0, 60.0, 75.0, 90.0),
)
"""Close to each other where the colour changes fast: the ground's takes over in the third ring."""
_FROM_SUN_DEG = (0.0, 0.81, 1.985, 4.0, 6.0, 8.0, 10.0, 12.5, 15.0, 17.5, 20.37)
"""The disc's edge, where it ends, and the glow to where that ends."""
_SECTORS = 32


def dome() -> tuple[Floats32, Triangles]:
    """Directions (n, 3), NED, and their triangles."""
    elevation, azimuth = _rings(_ELEVATIONS_DEG)
    level = np.cos(elevation)
    ways = (level * np.cos(azimuth), level * np.sin(azimuth), -np.sin(elevation))
    return np.stack(ways, axis=-1).astype(np.float32), _triangles(len(_ELEVATIONS_DEG))


def glow() -> tuple[Floats32, Triangles]:
    """Angles from the sun and around it (n, 2), in radians, and their triangles."""
    return np.stack(_rings(_FROM_SUN_DEG), axis=-1), _triangles(len(_FROM_SUN_DEG))


def _rings(angles_deg: tuple[float, ...]) -> list[Floats32]:
    """For each corner of each ring the ring's angle and that around."""
    around = np.linspace(0.0, 2.0 * np.pi, _SECTORS, endpoint=False)
    both = np.meshgrid(np.radians(angles_deg), around, indexing="ij")
    return [angle.ravel().astype(np.float32) for angle in both]


def _triangles(rings: int) -> Triangles:
    number = np.arange(rings * _SECTORS, dtype=np.int32).reshape(rings, _SECTORS)
    here, on = number, np.roll(number, -1, axis=1)
    sides = ((here[:-1], here[1:], on[1:]), (here[:-1], on[1:], on[:-1]))
    return np.concatenate([np.stack(side, axis=-1).reshape(-1, 3) for side in sides])
