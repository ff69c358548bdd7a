"""Lens fit: how a camera turned in each of many steps, and how that depends on its lens.

Each step is fitted as in `rotation_fit`, all at once. What depends on the lens are focal length,
k1, and the rolling shutter: a point that has moved down by a share of the picture was exposed
later by that share of the shutter, and seems to have moved faster by it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from telemetry.review.cameras.lens import Lens
from telemetry.review.flights.synchronisation.kept_points import PointSteps

_Array = npt.NDArray[np.float64]

FOCAL, BEND, SHUTTER = range(3)
"""Of a lens vector (3,): the logarithm of the focal length's factor, what is added to k1, and the
rolling shutter in s."""
_ROUNDS = 3
_LEAST_SCALE, _MOST_SCALE = 1e-4, 2e-3
_MEDIAN_TO_SIGMA = 1.0 / 1.1774
_TRANSLATION_SIGMA = 0.05
"""As in `rotation_fit`: so well points are found, and heights flown in 1/30 s."""
_FLOWN_COUNTS = 10.0
_AT_ONCE = 1000
_NUDGE = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class StepTurns:
    """`turn_rad` (n, 3) is the camera's rotation of each step, as in `PictureMotion`, `slopes`
    (n, 3, 3) its derivatives by the lens vector, the last axis. `bend_slopes` (n, 3) and
    `bend_score` (n,) are the row of k1 of the normal equations by which the points in the pictures
    tell it alone."""

    turn_rad: _Array
    slopes: _Array
    bend_slopes: _Array
    bend_score: _Array


def lens_with(base: Lens, vector: _Array) -> Lens:
    """The lens of a lens vector."""
    factor = float(np.exp(vector[FOCAL]))
    focal_px = (base.focal_px[0] * factor, base.focal_px[1] * factor)
    distortion = base.distortion
    if vector[BEND]:
        first, *others = distortion or (0.0,) * 4
        distortion = (first + float(vector[BEND]), *others)
    return replace(base, focal_px=focal_px, distortion=distortion)


def fit_steps(
    steps: PointSteps, base: Lens, vector: _Array, down: _Array | None, start_rad: _Array
) -> StepTurns:
    """The turns at a lens vector, from a first guess (n, 3). `down` (n, 3) is the unit vector
    towards the ground in the camera frame of each step's first picture, None if unknown."""
    parts = [
        _Part(steps, part, base, None if down is None else down[part]).fit(vector, start_rad[part])
        for part in _parts(len(steps))
    ]
    return StepTurns(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("turn_rad", "slopes", "bend_slopes", "bend_score")
        )
    )


def _parts(count: int) -> Iterator[slice]:
    for first in range(0, count, _AT_ONCE):
        yield slice(first, first + _AT_ONCE)


class _Part:
    """Some of the steps. Columns of points are (steps, 2 points): all x, then all y."""

    def __init__(self, steps: PointSteps, part: slice, base: Lens, down: _Array | None) -> None:
        self._before = steps.before[part].astype(np.float64)
        self._after = steps.after[part].astype(np.float64)
        self._is_seen = steps.is_seen[part]
        self._span_s = (steps.end_s - steps.start_s)[part]
        self._rows = steps.size[1]
        self._base, self._down = base, down

    def fit(self, vector: _Array, start_rad: _Array) -> StepTurns:
        turned = _matrices(start_rad)
        weight = self._is_seen.astype(np.float64)
        scale = np.full(len(weight), _MOST_SCALE)
        before, after = self._directions(vector)
        design = self._design(before)
        for _ in range(_ROUNDS):
            normal, weighted = self._normal(design, weight, scale)
            flow = _flow(before, after, turned)
            solved = _solution(normal, weighted @ flow[..., None])[..., 0]
            rest = flow - (design @ solved[..., None])[..., 0]
            scale, weight = self._weights(rest)
            last, turned = turned, _matrices(solved[:, :3]) @ turned
        slopes = np.stack(
            [self._slope(vector, number, last, solved, rest) for number in range(3)], axis=-1
        )
        normal, weighted = self._normal(design, weight, scale)
        answer = _solution(normal, weighted @ slopes)
        left = slopes - design @ answer  # what no rotation and translation can make up for
        told = (np.tile(weight, 2) / scale[:, None] ** 2) * left[..., BEND]
        told *= _turning_share(design, solved, turned, weight)[:, None]
        return StepTurns(
            Rotation.from_matrix(turned).as_rotvec(),
            answer[:, :3],
            np.einsum("np,npi->ni", told, left),
            -np.einsum("np,np->n", told, rest),
        )

    def _directions(self, vector: _Array) -> tuple[_Array, _Array]:
        lens = lens_with(self._base, vector)
        moved = self._after - self._before
        later = vector[SHUTTER] * moved[..., 1] / (self._rows * self._span_s[:, None])
        after = self._before + moved / (1.0 + later)[..., None]
        shape = self._before.shape
        first, second = (
            lens.directions(pixels.reshape(-1, 2)).reshape(shape)
            for pixels in (self._before, after)
        )
        return first, second

    def _design(self, points: _Array) -> _Array:
        """What each unknown (rotation, then translation) moves the points by: (steps, 2 points,
        unknowns); the derivation is in `rotation_fit`."""
        x, y = points[..., 0], points[..., 1]
        none = np.zeros_like(x)
        across, along = [x * y, -(1 + x * x), y], [1 + y * y, -x * y, -x]
        if self._down is None:
            across.append(x)
            along.append(y)
        else:
            down = self._down[:, :, None]
            near = np.maximum(0.0, x * down[:, 0] + y * down[:, 1] + down[:, 2])
            across += [-near, none, near * x]
            along += [none, -near, near * y]
        return np.concatenate([np.stack(across, axis=-1), np.stack(along, axis=-1)], axis=1)

    def _normal(self, design: _Array, weight: _Array, scale: _Array) -> tuple[_Array, _Array]:
        weighted = np.swapaxes(design * np.tile(weight, 2)[..., None], 1, 2)
        normal = weighted @ design
        unknowns = np.arange(design.shape[2])
        normal[:, unknowns, unknowns] += 1e-9
        normal[:, unknowns[3:], unknowns[3:]] += (scale[:, None] / _TRANSLATION_SIGMA) ** 2
        return normal, weighted

    def _weights(self, rest: _Array) -> tuple[_Array, _Array]:
        count = self._is_seen.shape[1]
        error = np.hypot(rest[:, :count], rest[:, count:])
        ordered = np.sort(np.where(self._is_seen, error, np.inf), axis=1)
        median = ordered[np.arange(len(ordered)), self._is_seen.sum(axis=1) // 2]
        scale = np.clip(_MEDIAN_TO_SIGMA * median, _LEAST_SCALE, _MOST_SCALE)
        weight = 1.0 / (1.0 + (error / (2.0 * scale[:, None])) ** 2) ** 2
        return scale, np.where(self._is_seen, weight, 0.0)

    def _slope(
        self, vector: _Array, number: int, turned: _Array, solved: _Array, rest: _Array
    ) -> _Array:
        """How the rest changes with one of the lens, the motion being the same."""
        moved = vector.copy()
        moved[number] += _NUDGE
        before, after = self._directions(moved)
        explained = (self._design(before) @ solved[..., None])[..., 0]
        slope: _Array = (_flow(before, after, turned) - explained - rest) / _NUDGE
        return slope


def _turning_share(design: _Array, solved: _Array, turned: _Array, weight: _Array) -> _Array:
    """How much of the points' motion (steps,) is turning, 0 to 1. Flying on bends paths too, over
    ground that is not as flat as supposed: such steps say less of the lens."""
    flown = (design[..., 3:] @ solved[:, 3:, None])[..., 0] ** 2
    flown_2 = np.einsum("np,np->n", flown, np.tile(weight, 2)) / np.maximum(weight.sum(axis=1), 1.0)
    turned_2 = Rotation.from_matrix(turned).magnitude() ** 2
    share: _Array = turned_2 / (turned_2 + _FLOWN_COUNTS * flown_2 + _LEAST_SCALE**2)
    return share**2


def _matrices(turns_rad: _Array) -> _Array:
    matrices: _Array = Rotation.from_rotvec(turns_rad).as_matrix()
    return matrices


def _solution(matrices: _Array, right: _Array) -> _Array:
    return np.asarray(np.linalg.solve(matrices, right), np.float64)


def _flow(before: _Array, after: _Array, turned: _Array) -> _Array:
    back = after @ np.swapaxes(turned[:, :, :2], 1, 2) + turned[:, None, :, 2]
    moved = back[..., :2] / back[..., 2:] - before
    return np.concatenate([moved[..., 0], moved[..., 1]], axis=1)
