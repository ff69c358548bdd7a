"""Scan map: a grid of what lidar scans met, and where the next scan was taken, by matching it.

As Hector SLAM does, which flew seed 001's office (its reference 14: Kohlbrecher, Meyer, von Stryk,
Klingauf, SSRR 2011): cells hold the log of the odds that they are occupied, and the pose (north,
east, heading) is the one whose scan lies on the most occupied cells. With M the probability,
interpolated between the middles of cells, Gauss-Newton takes steps

    H = sum J^T J,  J = dM/d(point) d(point)/d(pose),  step = H^-1 sum J^T (1 - M)

first on a coarse grid, which is seen from farther away, then on the finest.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

CELL_M: Final = 0.025
_COARSER: Final = (8, 2, 1)
"""Cells of the grids, in finest cells along a side, in the order in which they are matched."""
_STEPS: Final = 5
"""Of Gauss-Newton, at each grid."""
_STRIDE_M: Final = 0.05
"""Along a ray, from one place that is free to the next."""
_FAR_M: Final = 12.0
"""What is farther away is matched and not drawn."""
_MET, _PASSED, _MOST = 0.85, -0.4, 4.0
"""What a scan adds to the log of the odds where it met something and where it passed; the limit."""
_LARGEST_STEP: Final = (0.2, 0.2, 0.1)


def turned(points: Array, heading_rad: float) -> Array:
    """What lies ahead and to the right (..., 2) of that heading, to the north and east (..., 2)."""
    cosine, sine = math.cos(heading_rad), math.sin(heading_rad)
    return np.asarray(points @ np.array([[cosine, sine], [-sine, cosine]]))


def placed(points: Array, pose: Array) -> Array:
    """Points (n, 2) in the axes of a pose (north, east, heading) as north and east (n, 2)."""
    return np.asarray(turned(points, pose[2]) + pose[:2])


class _Grid:
    """Cells of one size, the middle of the grid at the origin."""

    def __init__(self, reach_m: float, cell_m: float) -> None:
        self.cell_m = cell_m
        self._half = math.ceil(reach_m / cell_m)
        self.log_odds = np.zeros((2 * self._half, 2 * self._half), np.float32)

    def _cells(self, points: Array) -> npt.NDArray[np.int64]:
        """The numbers of the cells (n,) in which points (n, 2) are; those outside are left out."""
        cells = np.floor(points / self.cell_m).astype(np.int64) + self._half
        size = 2 * self._half
        inside = ((cells >= 0) & (cells < size)).all(axis=1)
        return np.asarray(cells[inside, 0] * size + cells[inside, 1])

    def add(self, met: Array, place: Array) -> None:
        """What was met from a place is occupied; what is before it is free."""
        way = met - place
        far_m = np.hypot(*way.T)
        passed_m = np.arange(0.0, float(far_m.max()), _STRIDE_M)
        before = passed_m[None, :] < far_m[:, None] - 1.5 * max(self.cell_m, _STRIDE_M)
        ray, stride = np.nonzero(before)
        passed = place + way[ray] * (passed_m[stride] / far_m[ray])[:, None]
        change = np.zeros(self.log_odds.size, np.float32)
        change[self._cells(passed)] = _PASSED
        change[self._cells(met)] = _MET
        flat = self.log_odds.reshape(-1)
        np.clip(flat + change, -_MOST, _MOST, out=flat)

    def look(self, points: Array) -> tuple[Array, Array]:
        """The probability that it is occupied at each point (n,), and how it grows to the north and
        east (n, 2), per metre."""
        at = points / self.cell_m - 0.5 + self._half
        low = np.floor(at).astype(np.int64)
        inside = ((low >= 0) & (low < 2 * self._half - 1)).all(axis=1)
        low[~inside] = 0
        north, east = (at - low).T
        row, column = low.T
        corners = [self.log_odds[row + i, column + j] for i in (0, 1) for j in (0, 1)]
        p00, p01, p10, p11 = (
            1.0 / (1.0 + np.exp(-corner.astype(np.float64))) for corner in corners
        )
        value = (1.0 - north) * ((1.0 - east) * p00 + east * p01) + north * (
            (1.0 - east) * p10 + east * p11
        )
        slope = np.stack(
            [
                (1.0 - east) * (p10 - p00) + east * (p11 - p01),
                (1.0 - north) * (p01 - p00) + north * (p11 - p10),
            ],
            axis=1,
        )
        slope[~inside] = 0.0
        return value, slope / self.cell_m


class ScanMap:
    """What scans met so far, within `reach_m` north, east, south and west of the origin."""

    def __init__(self, reach_m: float = 15.0) -> None:
        self._grids = [_Grid(reach_m, CELL_M * coarser) for coarser in _COARSER]

    def add(self, points: Array, pose: Array) -> None:
        """Draw a scan: points (n, 2) in the axes of the pose where it was taken."""
        met = placed(points[np.hypot(*points.T) < _FAR_M], pose)
        for grid in self._grids:
            grid.add(met, pose[:2])

    def match(self, points: Array, guess: Array) -> Array:
        """The pose (north, east, heading) at which a scan fits best, near the guess: by all grids,
        or by the finest alone, as coarse cells pull aside where little is seen."""
        *_, finest = self._grids
        found = [_descended(grids, points, guess) for grids in (self._grids, [finest])]
        return max(found, key=lambda pose: float(finest.look(placed(points, pose))[0].sum()))


def _descended(grids: Sequence[_Grid], points: Array, guess: Array) -> Array:
    pose = np.array(guess, np.float64)
    for grid in grids:
        for _ in range(_STEPS):
            pose += _step(grid, points, pose)
    return pose


def _step(grid: _Grid, points: Array, pose: Array) -> Array:
    value, slope = grid.look(placed(points, pose))
    moved = turned(points, pose[2] + 0.5 * math.pi)
    jacobian = np.column_stack([slope, (slope * moved).sum(axis=1)])
    hessian = jacobian.T @ jacobian + 1e-6 * np.eye(3)
    step = np.linalg.solve(hessian, jacobian.T @ (1.0 - value))
    return np.clip(step, *(np.array(_LARGEST_STEP) * sign for sign in (-1.0, 1.0)))
