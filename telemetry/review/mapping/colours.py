"""Map colours: from pictures of a camera that looks down, laid onto the heights that are known.

A cell has the colours of the picture that shows it best: squarely and from near by. Of pictures
about as good the newest counts. The motion of the camera between the rows of a rolling shutter is
not taken into account, nor what stands in front of what.
"""

import math
from typing import Final

import numpy as np

from telemetry.protocol.streams.samples import StreamDescription
from telemetry.review.cameras.lens import Lens
from telemetry.review.mapping.grown_map import TEXELS, CellWindow, Flags, Floats, GrownMap, Pixels
from telemetry.review.mapping.heights import FARTHEST_M, ground_height_m
from telemetry.review.mapping.space_pose import SpacePose

_MOST_ASIDE: Final = math.radians(60.0)
"""From straight down: what is seen more from the side hides what is behind it."""
_LEAST_HEIGHT_M: Final = 0.1
_AS_GOOD: Final = 0.8
_UNMEASURED: Final = 0.25
"""How much less a cell counts whose height is only taken to be that of others."""
_AROUND_M: Final = 2.0
"""So far around the camera the ground is taken to be level where it was not measured."""
_CLOSE_BY: Final = (7, 7)
"""Cells."""
_PER_SIDE: Final = 12


def looks_down(description: StreamDescription) -> bool:
    """Whether a camera sees the ground below a level aircraft squarely enough."""
    w, x, y, z = description.attitude_q_wxyz
    return math.acos(max(-1.0, min(1.0, 2.0 * (x * z - w * y)))) < _MOST_ASIDE


def add_picture(grown: GrownMap, pixels: Pixels, lens: Lens, camera: SpacePose) -> int:
    """Lay a picture, BGR or grey, onto the map; returns how many cells have its colours now."""
    import cv2

    size = pixels.shape[1], pixels.shape[0]
    level_m = ground_height_m(grown, camera.position_m[:2], _AROUND_M)
    window = _footprint(grown, lens, size, camera, level_m)
    if window is None or not grown.reach(window):
        return 0
    at = grown.window.slices(window)
    places, clarity = _places_in_picture(grown, window, lens, camera, level_m)
    shown = _shown(places, size) & (clarity > 0.0)
    better = shown & (clarity >= _AS_GOOD * grown.clarity[at])
    if not better.any():
        return 0
    rows, columns = window.shape
    fine = cv2.resize(
        np.nan_to_num(places).astype(np.float32),
        (columns * TEXELS, rows * TEXELS),
        interpolation=cv2.INTER_LINEAR,
    )
    seen = cv2.remap(pixels, fine, None, cv2.INTER_LINEAR)
    colour = seen if seen.ndim == 3 else seen[..., None]
    texels = better.repeat(TEXELS, axis=0).repeat(TEXELS, axis=1)
    part = grown.colours[grown.window.slices(window, TEXELS)]
    np.copyto(part, colour, where=texels[..., None])
    grown.clarity[at][better] = clarity[better]
    return int(better.sum())


def _footprint(
    grown: GrownMap, lens: Lens, size: tuple[int, int], camera: SpacePose, level_m: float
) -> CellWindow | None:
    """The cells that a picture may show; None if there are none."""
    height_m = -float(camera.position_m[2]) - level_m
    if not _LEAST_HEIGHT_M <= height_m <= FARTHEST_M:
        return None
    rays = _directions(lens, _border(size)) @ camera.rotation.T
    rays = rays[np.isfinite(rays).all(axis=1)]
    if not len(rays):
        return None
    farthest_m = height_m * math.tan(_MOST_ASIDE)
    level = np.hypot(rays[:, 0], rays[:, 1])
    is_below = rays[:, 2] * math.tan(_MOST_ASIDE) > level
    share = np.where(is_below, height_m / np.where(is_below, rays[:, 2], 1.0), 0.0)
    share = np.where(is_below, share, farthest_m / np.maximum(level, 1e-9))
    met = camera.position_m[:2] + rays[:, :2] * share[:, None]
    return grown.window_of(met.min(axis=0), met.max(axis=0))


def _places_in_picture(
    grown: GrownMap, window: CellWindow, lens: Lens, camera: SpacePose, level_m: float
) -> tuple[Floats, Floats]:
    """Of the cells of a window: the pixels (rows, columns, 2) where their middles are seen, NaN if
    nowhere, and how clearly, (rows, columns)."""
    heights, is_known = _heights(grown, window, level_m)
    north, east = np.meshgrid(*grown.centres_m(window), indexing="ij")
    points = np.stack([north, east, -heights], axis=-1)
    away = points - camera.position_m
    distance = np.linalg.norm(away, axis=-1)
    squarely = np.clip(away[..., 2] / np.maximum(distance, 1e-6), 0.0, 1.0)
    clear = squarely / np.maximum(distance, _LEAST_HEIGHT_M) ** 2
    clear *= np.where(is_known, 1.0, _UNMEASURED)
    clear[squarely < math.cos(_MOST_ASIDE)] = 0.0
    own = away.reshape(-1, 3) @ camera.rotation
    places = lens.pixels(own[:, [1, 2, 0]]).reshape(*window.shape, 2)
    return places, clear


def _heights(grown: GrownMap, window: CellWindow, level_m: float) -> tuple[Floats, Flags]:
    """Of the cells of a window; of those that were not measured the mean of what is known close by,
    or `level_m`. And which were measured."""
    import cv2

    heights = grown.heights_m[grown.window.slices(window)].astype(np.float64)
    is_known = np.isfinite(heights)
    near = cv2.blur(np.where(is_known, heights, 0.0), _CLOSE_BY)
    share = cv2.blur(is_known.astype(np.float64), _CLOSE_BY)
    has_near = share > 1e-6
    between = np.where(has_near, near / np.where(has_near, share, 1.0), level_m)
    return np.where(is_known, heights, between), is_known


def _shown(places: Floats, size: tuple[int, int]) -> Flags:
    """Which cells lie in the picture with all those beside them, so that colours between their
    middles are of this picture."""
    import cv2

    inside = ((places >= 0.0) & (places <= np.array(size) - 1.0)).all(axis=-1)
    kernel = np.ones((3, 3), np.uint8)
    whole = cv2.erode(inside.astype(np.uint8), kernel, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(whole > 0)


def _border(size: tuple[int, int]) -> Floats:
    """Pixels (n, 2) along the border of a picture, and its middle."""
    width, height = size[0] - 1.0, size[1] - 1.0
    share = np.linspace(0.0, 1.0, _PER_SIDE)
    low, high = np.zeros(_PER_SIDE), np.ones(_PER_SIDE)
    across = np.concatenate((share, share, low, high, [0.5]))
    down = np.concatenate((low, high, share, share, [0.5]))
    return np.column_stack((across * width, down * height))


def _directions(lens: Lens, pixels: Floats) -> Floats:
    """Where pixels look, in the camera's axes: ahead, right, down."""
    seen = lens.directions(pixels)
    return np.column_stack((np.ones(len(seen)), seen))
