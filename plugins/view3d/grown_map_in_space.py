"""Ground map of what the aircraft sees, as another view builds it, as ground of the scene."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from plugins.api import GROWN_MAP
from plugins.view3d.layers import SceneParts, SpaceInstant
from plugins.view3d.poses import switched_on_down_m
from widgets.scene3d.scene import PlacedMesh, SolidMesh

if TYPE_CHECKING:
    from telemetry.review.mapping.picture import MapPicture

_ABOVE_M = 0.04
"""Over the ground of a world, so that one of the two is seen and not both in stripes."""


class GrownMapInSpace:
    """Keeps the mesh of the map that was shared last."""

    def __init__(self, shared: Mapping[str, Any]) -> None:
        """`shared` is that of the panels of one workspace."""
        self._shared = shared
        self._made: tuple[MapPicture, SolidMesh] | None = None

    def add(self, parts: SceneParts, now: SpaceInstant) -> None:
        """See SpaceLayer."""
        shown = self._shared.get(GROWN_MAP)
        recording = now.vehicle.recording
        if not now.options.has_map or shown is None:
            return
        from telemetry.review.mapping.picture import ShownMap
        from telemetry.review.mapping.recorded_poses import PoseSource

        assert isinstance(shown, ShownMap)
        if shown.recording is not recording:
            return
        if self._made is None or self._made[0] is not shown.picture:
            self._made = shown.picture, _mesh(shown.picture)
        is_truth = shown.source is PoseSource.TRUTH
        down = 0.0 if is_truth else switched_on_down_m(recording)
        if len(self._made[1].triangles):
            parts.meshes.append(PlacedMesh(self._made[1], (0.0, 0.0, down - _ABOVE_M)))


def _mesh(picture: "MapPicture") -> SolidMesh:
    """In NED. It has the camera's light already."""
    surface, cell_m = picture.surface, picture.cell_m
    heights = surface.heights_m
    north, east = np.meshgrid(surface.north_m, surface.east_m, indexing="ij")
    rows, columns = picture.window.shape
    across = (east / cell_m - picture.window.west) / columns
    down = (picture.window.north - north / cell_m) / rows
    vertices = np.stack([north, east, -np.nan_to_num(heights)], axis=-1).reshape(-1, 3)
    return SolidMesh(
        vertices.astype(np.float32),
        np.tile(np.array([0.0, 0.0, -1.0], np.float32), (heights.size, 1)),
        np.ones((heights.size, 3), np.float32),
        _triangles(np.isfinite(heights)),
        uv=np.stack([across, down], axis=-1).reshape(-1, 2).astype(np.float32),
        picture=np.ascontiguousarray(picture.in_colour[..., :3]),
        is_lit=False,
    )


def _triangles(there: np.ndarray) -> np.ndarray:
    """Two for each square all of whose corners are there."""
    numbers = np.arange(there.size, dtype=np.int32).reshape(there.shape)
    corners = [(slice(0, -1), slice(0, -1)), (slice(0, -1), slice(1, None))]
    corners += [(slice(1, None), slice(0, -1)), (slice(1, None), slice(1, None))]
    whole = np.logical_and.reduce([there[at] for at in corners])
    a, b, c, d = (numbers[at][whole] for at in corners)
    return np.concatenate([np.stack([a, b, c], -1), np.stack([b, d, c], -1)])
