"""Horizon detection in a picture: how the camera stands, without a gyro.

First the straight line is looked for that tells most about the picture's blue: of all lines the
one that leaves least variance on its two sides (Otsu's criterion, for lines instead of thresholds;
after Ettinger et al., Vision-guided flight stability and control for micro air vehicles, 2002, who
compare covariances of all colours). Grass, fields and trees swallow blue, a sky never does. Then
the edge is found along that line to a fraction of a pixel, and a line fitted through it without
what stands out of it (trees, the time stamp, a wing). What lies on the bright side has to look
like a sky: as blue as green, and smooth.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from telemetry.review.cameras.lens import Lens

_Array = npt.NDArray[np.float64]
_Picture = npt.NDArray[np.uint8]

_COARSE_WIDTH = 24
_DIRECTIONS, _OFFSETS = 36, 13
_LEAST_SHARE = 0.06
"""Of the picture, on either side of the line."""
_LEAST_EXPLAINED = 0.45
_LEAST_CONTRAST = 20.0
_LEAST_SKY_BLUE = 0.88
"""Of a sky's green or red; grass has half of it."""
_GOOD_EXPLAINED = 0.8
_PROBES = 64
_REACH_SHARES = (0.1, 0.03)
_INLIER_PX = 1.5
_LEAST_INLIERS = 0.4


@dataclass(frozen=True, slots=True)
class Horizon:
    """Where a horizon was found; angles as in `PictureMotion`.

    `down` is the unit vector to the ground in the camera frame.
    """

    roll_rad: float
    pitch_rad: float
    quality: float
    down: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Through a point, in pixels, with the unit vector across it towards the sky."""

    point: _Array
    direction: _Array


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """All lines that are tried: which coarse pixels lie on the sky's side, (lines, pixels), with
    their numbers; direction (x, y) to the sky and distance from the middle in coarse pixels."""

    is_sky: npt.NDArray[np.float32]
    count: npt.NDArray[np.float32]
    direction: _Array
    distance: _Array


def find_horizon(picture: _Picture, lens: Lens) -> Horizon | None:
    """The horizon in a picture (height, width, 3), BGR; None if there is none to be seen."""
    import cv2

    height, width = picture.shape[:2]
    coarse_size = (_COARSE_WIDTH, max(4, round(_COARSE_WIDTH * height / width)))
    coarse = cv2.resize(picture, coarse_size, interpolation=cv2.INTER_AREA)
    found = _best_line(coarse)
    if found is None:
        return None
    direction, distance, explained = found
    middle = np.array([(width - 1) / 2.0, (height - 1) / 2.0])
    line = _Line(middle + width / coarse_size[0] * distance * direction, direction)
    blue = np.ascontiguousarray(picture[:, :, 0])
    for reach_share in _REACH_SHARES:
        edge = _edge(blue, line, max(4, round(reach_share * width)))
        if edge is None:
            return None
        line, points, share = edge
    return _stands(points, line, share * min(1.0, explained / _GOOD_EXPLAINED), lens)


@lru_cache(maxsize=4)
def _lines(size: tuple[int, int]) -> _Lines:
    width, height = size
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2.0, np.arange(height) - (height - 1) / 2.0)
    angles = np.arange(_DIRECTIONS) * (2.0 * math.pi / _DIRECTIONS)
    towards = np.column_stack([np.cos(angles), np.sin(angles)])
    reach = 0.5 * (np.abs(towards[:, 0]) * width + np.abs(towards[:, 1]) * height)
    steps = np.linspace(-0.9, 0.9, _OFFSETS)
    distance = (reach[:, None] * steps).reshape(-1)
    direction = np.repeat(towards, _OFFSETS, axis=0)
    along = direction @ np.stack([x.reshape(-1), y.reshape(-1)])
    is_sky = (along > distance[:, None]).astype(np.float32)
    count = is_sky.sum(axis=1)
    good = np.minimum(count, width * height - count) >= _LEAST_SHARE * width * height
    return _Lines(is_sky[good], count[good], direction[good], distance[good])


def _best_line(coarse: _Picture) -> tuple[_Array, float, float] | None:
    """Direction to the sky, distance from the middle, and the share of the variance it explains."""
    height, width = coarse.shape[:2]
    lines = _lines((width, height))
    colours = coarse.reshape(-1, 3).astype(np.float32)
    blue = colours[:, 0]
    variance = float(blue.var())
    if variance < 1.0:
        return None
    total = float(len(blue))
    share = lines.count / total
    in_sky = lines.is_sky @ blue
    contrast = in_sky / lines.count - (blue.sum() - in_sky) / (total - lines.count)
    explained = np.where(contrast > 0, share * (1.0 - share) * contrast**2 / variance, 0.0)
    best = int(np.argmax(explained))
    if explained[best] < _LEAST_EXPLAINED or contrast[best] < _LEAST_CONTRAST:
        return None
    if not _looks_like_sky(colours, lines.is_sky[best] > 0):
        return None
    return lines.direction[best], float(lines.distance[best]), float(explained[best])


def _looks_like_sky(colours: npt.NDArray[np.float32], is_sky: npt.NDArray[np.bool_]) -> bool:
    blue, green, red = colours[is_sky].mean(axis=0)
    return bool(blue >= _LEAST_SKY_BLUE * max(green, red))


def _edge(blue: _Picture, line: _Line, reach: int) -> tuple[_Line, _Array, float] | None:
    """The line through the edge within `reach` pixels of one, the points of the edge that lie on
    it, (n, 2) pixels, and their share of all places that were tried."""
    height, width = blue.shape
    along = np.array([-line.direction[1], line.direction[0]])
    length = math.hypot(width, height)
    at = np.linspace(-0.5, 0.5, _PROBES) * length
    places = line.point + at[:, None] * along
    inside = np.all((places > reach) & (places < np.array([width, height]) - 1 - reach), axis=1)
    at, places = at[inside], places[inside]
    if len(at) < _PROBES // 4:
        return None
    off, is_clear = _steps(_profiles(blue, places, line.direction, reach))
    if is_clear.sum() < _PROBES // 6:
        return None
    slope, offset = _robust_line(at[is_clear], off[is_clear])
    is_near = is_clear & (np.abs(off - offset - slope * at) < _INLIER_PX)
    if is_near.sum() < max(_PROBES // 6, _LEAST_INLIERS * len(at)):
        return None
    slope, offset = _fitted_line(at[is_near], off[is_near])
    points = places[is_near] + off[is_near, None] * line.direction
    turned = line.direction - slope * along
    better = _Line(line.point + offset * line.direction, turned / np.hypot(*turned))
    return better, points, float(is_near.mean())


def _profiles(blue: _Picture, places: _Array, direction: _Array, reach: int) -> _Array:
    """Blue from the ground's side to the sky's, a row of 2 reach + 1 pixels for each place."""
    import cv2

    steps = np.arange(-reach, reach + 1, dtype=np.float64)
    at = (places[:, None, :] + steps[None, :, None] * direction).astype(np.float32)
    read = cv2.remap(blue, at[:, :, 0], at[:, :, 1], cv2.INTER_LINEAR)
    return np.asarray(read, np.float64)


def _steps(profiles: _Array) -> tuple[_Array, npt.NDArray[np.bool_]]:
    """Where each row steps from dark to bright, from its middle, and whether it clearly does.

    Split where the two sides differ most (Otsu); the edge then lies where a sharp step between
    the two levels would have the same sum, which needs no threshold and finds parts of pixels.
    """
    count = profiles.shape[1]
    left = np.arange(1, count, dtype=np.float64)
    cumulated = np.cumsum(profiles, axis=1)
    total = cumulated[:, -1:]
    dark = cumulated[:, :-1] / left
    bright = (total - cumulated[:, :-1]) / (count - left)
    between = np.where(bright > dark, left * (count - left) * (bright - dark) ** 2, 0.0)
    best = np.argmax(between, axis=1)
    rows = np.arange(len(profiles))
    low, high = dark[rows, best], bright[rows, best]
    height = np.maximum(high - low, 1e-6)
    darkness = np.clip((high[:, None] - profiles) / height[:, None], 0.0, 1.0).sum(axis=1)
    explained = between[rows, best] / (count**2 * np.maximum(profiles.var(axis=1), 1e-6))
    is_clear = (height > 0.5 * _LEAST_CONTRAST) & (explained > _LEAST_EXPLAINED)
    return darkness - 0.5 * count, is_clear


def _fitted_line(at: _Array, off: _Array) -> tuple[float, float]:
    """Slope and offset of the line with the least squares."""
    from_middle = at - at.mean()
    slope = float(from_middle @ off / (from_middle @ from_middle))
    return slope, float(off.mean() - slope * at.mean())


def _robust_line(at: _Array, off: _Array) -> tuple[float, float]:
    """Slope and offset of the line through two points that most points are near."""
    count = len(at)
    pairs = [(i, i + gap) for gap in (count // 2, count // 3) for i in range(count - gap)]
    first, second = np.array(pairs).T
    slope = (off[second] - off[first]) / (at[second] - at[first])
    offset = off[first] - slope * at[first]
    distance = np.abs(off - offset[:, None] - slope[:, None] * at)
    best = int(np.argmin(np.minimum(distance, 2.0 * _INLIER_PX).sum(axis=1)))
    return float(slope[best]), float(offset[best])


def _stands(points: _Array, line: _Line, quality: float, lens: Lens) -> Horizon:
    """All points of the horizon lie in one plane through the camera, and down is across it."""
    directions = lens.directions(points)
    rays = np.column_stack([directions, np.ones(len(directions))])
    down = np.linalg.svd(rays)[2][2]
    ground = lens.directions((line.point - 20.0 * line.direction)[None])[0]
    if down @ np.array([*ground, 1.0]) < 0:
        down = -down
    x, y, z = (float(value) for value in down)
    return Horizon(math.atan2(x, y), math.asin(max(-1.0, min(1.0, -z))), quality, (x, y, z))
