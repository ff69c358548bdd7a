"""Lens fit: how a camera turned in each of many steps, and how that depends on its lens.

Each step is fitted as in `rotation_fit`, all at once. What depends on the lens are focal length,
k1, and the rolling shutter: a point that has moved down by a share of the picture was exposed
later by that share of the shutter, and seems to have moved faster by it.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from telemetry.review.cameras.lens import Lens
from telemetry.review.flights.synchronisation.kept_points import PointSteps
from telemetry.review.flights.synchronisation.rotation_fit import (
    LEAST_SCALE,
    MOST_SCALE,
    TRANSLATION_SIGMA,
    flow_of,
    moved_by,
    scale_of,
    weight_of,
)
from telemetry.review.flights.synchronisation.rotations import rotation_matrix

_Array = npt.NDArray[np.float64]

FOCAL, BEND, SHUTTER = range(3)
"""Of a lens vector (3,): the logarithm of the focal length's factor, what is added to k1, and the
rolling shutter in s."""
_ROUNDS = 3
_FLOWN_COUNTS = 100.0
_AT_ONCE = 500
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

    def at(self, change: _Array) -> "StepTurns":
        """The same at a lens vector that differs by a little."""
        return replace(
            self,
            turn_rad=self.turn_rad + self.slopes @ change,
            bend_score=self.bend_score - self.bend_slopes @ change,
        )


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
        for part in (slice(at, at + _AT_ONCE) for at in range(0, len(steps), _AT_ONCE))
    ]
    names = (one.name for one in fields(StepTurns))
    return StepTurns(*(np.concatenate([getattr(part, n) for part in parts]) for n in names))


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
        turned = rotation_matrix(start_rad)
        weight = self._is_seen.astype(np.float64)
        scale = np.full(len(weight), MOST_SCALE)
        before, after = self._directions(vector)
        design = self._design(before)
        for _ in range(_ROUNDS):
            normal, weighted = self._normal(design, weight, scale)
            flow = _flow(before, after, turned)
            solved = _solution(normal, weighted @ flow[..., None])[..., 0]
            rest = flow - (design @ solved[..., None])[..., 0]
            scale, weight = self._weights(rest)
            last, turned = turned, rotation_matrix(solved[:, :3]) @ turned
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
        """What each unknown moves the points by: (steps, 2 points, unknowns)."""
        parts = [np.stack(moved, axis=-1) for moved in moved_by(points, self._down)]
        return np.concatenate(parts, axis=1)

    def _normal(self, design: _Array, weight: _Array, scale: _Array) -> tuple[_Array, _Array]:
        weighted = np.swapaxes(design * np.tile(weight, 2)[..., None], 1, 2)
        normal = weighted @ design
        unknowns = np.arange(design.shape[2])
        normal[:, unknowns, unknowns] += 1e-9
        normal[:, unknowns[3:], unknowns[3:]] += (scale[:, None] / TRANSLATION_SIGMA) ** 2
        return normal, weighted

    def _weights(self, rest: _Array) -> tuple[_Array, _Array]:
        count = self._is_seen.shape[1]
        error = np.hypot(rest[:, :count], rest[:, count:])
        ordered = np.sort(np.where(self._is_seen, error, np.inf), axis=1)
        median = ordered[np.arange(len(ordered)), self._is_seen.sum(axis=1) // 2]
        scale = scale_of(median)
        return scale, np.where(self._is_seen, weight_of(error, scale[:, None]), 0.0)

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
    share: _Array = turned_2 / (turned_2 + _FLOWN_COUNTS * flown_2 + LEAST_SCALE**2)
    return share**2


def _solution(matrices: _Array, right: _Array) -> _Array:
    return np.asarray(np.linalg.solve(matrices, right), np.float64)


def _flow(before: _Array, after: _Array, turned: _Array) -> _Array:
    back = after @ np.swapaxes(turned[:, :, :2], 1, 2) + turned[:, None, :, 2]
    return flow_of(before, back)
