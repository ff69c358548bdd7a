"""Map heights from distances: a Kalman filter a cell, which doubts what does not fit.

The surface that is seen is the highest of its cell, as a grid of heights can have no other: what
lies above the one known replaces it after a few readings, what lies below only after many.
"""

import math
from typing import Final

import numpy as np

from telemetry.review.mapping.grown_map import (
    CellWindow,
    Flags,
    Floats,
    Floats32,
    GrownMap,
    Numbers,
)
from telemetry.review.mapping.space_pose import SpacePose

CEILING_M: Final = 0.3
"""What is so much higher than the sensor is no ground under the aircraft."""
FARTHEST_M: Final = 60.0
"""Beyond, a degree of attitude is a metre of height."""
DEVIATION_M: Final = 0.03
_LEAST_DEVIATION_M: Final = 0.01
"""However many readings agree: they have the pose's error in common."""
_GATE: Final = 3.0
_ONE_SURFACE: Final = 6.0
"""Deviations; points of one scan in one cell that are further apart are of two surfaces."""
_UP_AFTER, _DOWN_AFTER = 3, 10
_BESIDE: Final = 0.3
"""How far a surface may be off, per metre beside where it was measured: a slope of 17 degrees."""
_STEEPEST: Final = math.cos(math.radians(60.0))


def add_range(
    grown: GrownMap,
    range_m: float,
    sensor: SpacePose,
    half_angle_rad: float = 0.0,
    deviation_m: float = DEVIATION_M,
) -> bool:
    """Take one distance along a sensor's line of sight; False if it says nothing of the ground.

    Of a cone of that half angle the nearest echo counts: over ground that is about level
    it comes from the direction nearest to straight down. All of the ground in the cone is taken to
    be about as high.
    """
    if not 0.0 < range_m <= FARTHEST_M:
        return False
    if half_angle_rad <= 0.0:
        return add_points(grown, sensor.points(np.array([[range_m, 0.0, 0.0]])), sensor) > 0
    sight = _towards_down(sensor.rotation[:, 0], half_angle_rad)
    if sight[2] < _STEEPEST:
        return False
    met = sensor.position_m + range_m * sight
    points, beside_m = _disc(grown, met, range_m * math.tan(half_angle_rad))
    return add_points(grown, points, sensor, np.hypot(deviation_m, _BESIDE * beside_m)) > 0


def add_points(
    grown: GrownMap, points: Floats, sensor: SpacePose, deviations_m: Floats | None = None
) -> int:
    """Take points (n, 3), NED, that a sensor there met, each with its standard deviation (n,),
    DEVIATION_M by default. Returns how many of them count: not those that are no numbers, too far
    away, or above the sensor."""
    if deviations_m is None:
        deviations_m = np.full(len(points), DEVIATION_M)
    use = _usable(points, sensor) & (deviations_m > 0.0)
    points, deviations_m = points[use], deviations_m[use]
    if not len(points):
        return 0
    window = grown.window_of(points[:, :2].min(axis=0), points[:, :2].max(axis=0))
    if window is None or not grown.reach(window):
        inside = _inside(grown, grown.cells_of(points[:, :2]))
        points, deviations_m = points[inside], deviations_m[inside]
    if not len(points):
        return 0
    _fuse(grown, *_by_cell(grown, points, deviations_m))
    return len(points)


def ground_height_m(grown: GrownMap, place: Floats, around_m: float) -> float:
    """The middle one of the heights known around a place (north, east), then of all, then 0."""
    near = grown.window_of(place - around_m, place + around_m)
    heights = grown.heights_m
    if near is not None:
        near_heights = heights[grown.window.slices(near.inside(grown.window))]
        heights = near_heights if np.isfinite(near_heights).any() else heights
    known = heights[np.isfinite(heights)]
    return float(np.median(known)) if len(known) else 0.0


def without_holes(heights_m: Floats32, known: Flags) -> Floats32:
    """Each cell as high as the nearest one that was measured; some must be."""
    import cv2

    _, nearest = cv2.distanceTransformWithLabels(
        (~known).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    by_label = np.zeros(int(nearest.max()) + 1, np.float32)
    by_label[nearest[known]] = heights_m[known]
    return np.asarray(by_label[nearest])


def _usable(points: Floats, sensor: SpacePose) -> Flags:
    away = points - sensor.position_m
    is_near = np.einsum("ij,ij->i", away, away) <= FARTHEST_M * FARTHEST_M  # False for NaN
    return np.asarray(is_near & (away[:, 2] >= -CEILING_M))


def _inside(grown: GrownMap, cells: Numbers) -> Flags:
    window = grown.window
    rows, columns = cells.T
    is_row = (rows >= window.south) & (rows < window.north)
    return np.asarray(is_row & (columns >= window.west) & (columns < window.east))


def _by_cell(
    grown: GrownMap, points: Floats, deviations_m: Floats
) -> tuple[Numbers, Floats, Floats]:
    """Cells (n,) as numbers in the flat arrays, and height and variance of the highest surface met
    in each."""
    rows, columns = grown.cells_of(points[:, :2]).T
    flat = (rows - grown.window.south) * grown.window.shape[1] + columns - grown.window.west
    cells, which = np.unique(flat, return_inverse=True)
    heights = -points[:, 2]
    top = np.full(len(cells), -np.inf)
    np.maximum.at(top, which, heights)
    weights = np.where(heights >= top[which] - _ONE_SURFACE * deviations_m, deviations_m**-2, 0.0)
    sums = np.bincount(which, weights)
    found = np.bincount(which, weights * heights) / sums
    return cells, found, np.maximum(1.0 / sums, _LEAST_DEVIATION_M**2)


def _fuse(grown: GrownMap, cells: Numbers, heights: Floats, variances: Floats) -> None:
    """One step of the filter of each cell."""
    known, spread = grown.heights_m.reshape(-1), grown.variances_m2.reshape(-1)
    doubts = grown.doubts.reshape(-1)
    present, present_variance = known[cells].astype(np.float64), spread[cells].astype(np.float64)
    is_new = np.isnan(present)
    off = np.where(is_new, 0.0, heights - present)
    slope = 0.5 * grown.cell_m  # between the sides of a cell on a slope of 45 degrees
    fits = off * off <= _GATE**2 * (present_variance + variances) + slope * slope
    doubted = np.sign(off).astype(np.int8)
    before = doubts[cells]
    count = np.where(fits, 0, np.where(before * doubted > 0, before, 0) + doubted)
    is_taken = is_new | (count >= _UP_AFTER) | (count <= -_DOWN_AFTER)
    finite = np.where(is_new, 1.0, present_variance)
    gain = np.where(is_taken, 1.0, np.where(fits, finite / (finite + variances), 0.0))
    left = np.where(is_taken, variances, (1.0 - gain) * finite)
    known[cells] = np.where(is_new, heights, present + gain * off)
    spread[cells] = np.maximum(left, _LEAST_DEVIATION_M**2)
    doubts[cells] = np.where(is_taken, 0, count)


def _towards_down(sight: Floats, angle: float) -> Floats:
    """A direction turned towards straight down by an angle at most."""
    tilt = math.acos(max(-1.0, min(1.0, float(sight[2]))))
    if tilt <= angle:
        return np.array([0.0, 0.0, 1.0])
    level = sight[:2] / max(math.hypot(*sight[:2].tolist()), 1e-12)
    return np.array([*(math.sin(tilt - angle) * level), math.cos(tilt - angle)])


def _disc(grown: GrownMap, met: Floats, radius_m: float) -> tuple[Floats, Floats]:
    """The middles of the cells around a point, as high as it, and how far beside it they are; the
    point itself at least."""
    window = grown.window_of(met[:2] - radius_m, met[:2] + radius_m) or CellWindow()
    north, east = np.meshgrid(*grown.centres_m(window), indexing="ij")
    places = np.column_stack([north.ravel(), east.ravel(), np.full(north.size, met[2])])
    beside_m = np.hypot(*(places[:, :2] - met[:2]).T)
    is_in = (beside_m <= radius_m) & (beside_m > 0.5 * grown.cell_m)
    points = np.concatenate([met[None], places[is_in]])
    return points, np.concatenate([[0.0], beside_m[is_in]])
