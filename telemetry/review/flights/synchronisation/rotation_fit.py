"""Camera rotation between two pictures, fitted to the same points seen in both.

A point in the direction b = (x, y, 1) of the first picture is seen in the direction of
exp(-rotation) (b - depth^-1 t) in the second, if the camera moved by t meanwhile. To first order
its (x, y) moves by

    dx = x y wx - (1 + x^2) wy + y wz - depth^-1 (tx - x tz)
    dy = (1 + y^2) wx - x y wy - x wz - depth^-1 (ty - y tz)

(Longuet-Higgins and Prazdny, The interpretation of a moving retinal image, 1980; signs by the
frames of `signals`). This is linear in w and t once the depth is known, and over flat ground it
is: depth^-1 is the share of b that points down, per height. Where down is unknown, all points are
taken to be equally far and only tz is fitted: it tells flying ahead from turning, while sideways
motion remains mixed with yaw and pitch, never with roll. The fit is repeated around what it has
found, so that it is exact for large angles, with weights that take outliers out.

Optical flow against a gyro is Gyroflow's way of synchronising, too; this derivation is our own.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.synchronisation.rotations import rotation_matrix

_Array = npt.NDArray[np.float64]

LEAST_POINTS = 10
_ROUNDS = 8
LEAST_SCALE = 1e-4
"""Points are not found better than to 0.03 pixels, of a picture 300 pixels deep."""
MOST_SCALE = 2e-3
"""Half a pixel. What scatters more follows no rotation."""
_INLIER_SCALES = 3.0
_MEDIAN_TO_SIGMA = 1.0 / 1.1774
"""Of a distance in a plane whose two parts are normally distributed (Rayleigh)."""
_CONVERGED_RAD = 2e-5
TRANSLATION_SIGMA = 0.1
"""Heights flown in 1/15 s: 15 m/s at 10 m."""


@dataclass(frozen=True, slots=True, eq=False)
class RotationFit:
    """A rotation, as in `PictureMotion`, with its standard error, and which points (n,) it
    explains."""

    rotation_rad: _Array
    sigma_rad: float
    is_inlier: npt.NDArray[np.bool_]


def fit_rotation(before: _Array, after: _Array, down: _Array | None) -> RotationFit | None:
    """The rotation between two pictures from the directions (n, 2) of the same points in each.

    `down` is the unit vector towards the ground in the camera frame of the first, None if unknown.
    None if there are fewer than `LEAST_POINTS` points, or they lie so that nothing follows.
    """
    count = len(before)
    if count < LEAST_POINTS:
        return None
    design = np.concatenate([np.array(moved).T for moved in moved_by(before, down)])
    by_point = np.ascontiguousarray(design.T).reshape(-1, 2, count)
    prior = np.zeros(len(by_point))
    prior[3:] = TRANSLATION_SIGMA**-2
    seen, rays = before.T, np.stack([*after.T, np.ones(count)])
    turned = np.eye(3)
    weight, scale = np.ones(count), LEAST_SCALE
    for _ in range(_ROUNDS):
        back = turned @ rays
        flow = (back[:2] / back[2] - seen).reshape(-1)
        weighted = (by_point * weight).reshape(len(prior), -1)
        normal = weighted @ design
        normal.flat[:: len(prior) + 1] += prior * scale**2
        try:
            solved = np.linalg.solve(normal, weighted @ flow)
        except np.linalg.LinAlgError:
            return None
        rest = (flow - design @ solved).reshape(2, count)
        error = np.sqrt(rest[0] * rest[0] + rest[1] * rest[1])
        turned = rotation_matrix(solved[:3]) @ turned
        median = float(np.partition(error, count // 2)[count // 2])
        scale = min(max(_MEDIAN_TO_SIGMA * median, LEAST_SCALE), MOST_SCALE)
        weight = weight_of(error, scale)
        if float(solved[:3] @ solved[:3]) < _CONVERGED_RAD**2:
            break
    is_inlier = error < _INLIER_SCALES * scale
    return RotationFit(_rotation_rad(turned), _sigma(normal, weight, error), is_inlier)


def moved_by(points: _Array, down: _Array | None) -> tuple[list[_Array], list[_Array]]:
    """What each unknown, rotation, then translation, moves points (..., n, 2) by, across and along:
    (..., n) each. `down` (..., 3) as in `fit_rotation`."""
    x, y = points[..., 0], points[..., 1]
    across, along = [x * y, -(1.0 + x * x), y], [1.0 + y * y, -x * y, -x]
    if down is None:
        return [*across, x], [*along, y]
    near = np.maximum(0.0, x * down[..., :1] + y * down[..., 1:2] + down[..., 2:])
    none = np.zeros_like(x)
    return [*across, -near, none, near * x], [*along, none, -near, near * y]


def flow_of(before: _Array, turned_back: _Array) -> _Array:
    """How far points (..., n, 2) have moved to rays (..., n, 3): (..., 2 n), first all x, then all
    y."""
    moved = turned_back[..., :2] / turned_back[..., 2:] - before
    return np.concatenate([moved[..., 0], moved[..., 1]], axis=-1)


def scale_of(median: _Array | float) -> _Array:
    """The standard error of points whose distances from where they ought to be have that median,
    as far as it is credible."""
    return np.asarray(np.clip(_MEDIAN_TO_SIGMA * median, LEAST_SCALE, MOST_SCALE))


def weight_of(error: _Array, scale: _Array | float) -> _Array:
    """How much points count that are so far from where they ought to be."""
    weight: _Array = 1.0 / (1.0 + (error / (2.0 * scale)) ** 2) ** 2
    return weight


def _sigma(normal: _Array, weight: _Array, error: _Array) -> float:
    """The root mean square of the standard errors of the three axes."""
    freedom = max(1.0, 2.0 * float(weight.sum()) - len(normal))
    variance = max(float(weight @ error**2) / freedom, LEAST_SCALE**2)
    covariance = np.linalg.inv(normal) * variance
    return float(np.sqrt(np.trace(covariance[:3, :3]) / 3.0))


def _rotation_rad(turned: _Array) -> _Array:
    """The rotation vector of a matrix (3, 3), of less than half a turn."""
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = turned.tolist()
    axis = np.array([zy - yz, xz - zx, yx - xy])
    sine_2 = math.sqrt(float(axis @ axis))
    angle = math.atan2(sine_2, float(np.trace(turned)) - 1.0)
    return axis * (angle / sine_2 if sine_2 > 1e-12 else 0.5)
