"""Point tracks from picture to picture (corners, pyramidal Lucas-Kanade)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_Points = npt.NDArray[np.float64]
Gray = npt.NDArray[np.uint8]

MOST_POINTS = 96
_WINDOW, _LEVELS = 13, 3
_CELL_PX = 16
_BLOCK = 5
_LEAST_STRENGTH = 1e-4
_TILES = (4, 3)
_FRESH_SHARE = 0.6
"""Below this share of the points that were found once, new ones are looked for."""
_STILL_PX, _MOVING_PX = 0.4, 1.5
_STILL_TIMES = 5


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A gray picture (height, width) and the points (n, 2), pixels, that are to be found again."""

    picture: Gray
    points: _Points
    fresh: int
    """How many there were when they were looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackedPoints:
    """The points of a reference that were found in another picture, (n, 2) pixels in each, and
    where they were `expected` there."""

    before: _Points
    after: _Points
    expected: _Points
    picture: Gray
    fresh: int


class StaticCells:
    """Where a picture stands still while the rest of it moves: a time stamp, a frame, a logo."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._shape = (size[1] // _CELL_PX + 1, size[0] // _CELL_PX + 1)
        self._still = np.zeros(self._shape, np.int64)
        self._moving = np.zeros(self._shape, np.int64)

    def learn(self, before: _Points, after: _Points, expected: _Points) -> None:
        """Take what points did, and where they were `expected` instead; (n, 2) pixels each."""
        ought_to_move = np.hypot(*(expected - before).T) > _MOVING_PX
        if not ought_to_move.any():
            return
        moved = np.hypot(*(after - before).T)
        agrees = np.hypot(*(after - expected).T) < _STILL_PX
        self._count(self._still, before[ought_to_move & (moved < _STILL_PX)])
        self._count(self._moving, before[ought_to_move & agrees])

    def mask(self, size: tuple[int, int]) -> Gray:
        """255 where points may be looked for, 0 where the picture stands still."""
        still = (self._still >= _STILL_TIMES) & (self._still > self._moving)
        mask = np.repeat(np.repeat(~still, _CELL_PX, axis=0), _CELL_PX, axis=1)
        return (mask[: size[1], : size[0]] * 255).astype(np.uint8)

    def is_still(self, points: _Points) -> npt.NDArray[np.bool_]:
        """Which of the points (n, 2) stand on something that does."""
        rows, columns = self._cells(points)
        still = (self._still >= _STILL_TIMES) & (self._still > self._moving)
        found: npt.NDArray[np.bool_] = still[rows, columns]
        return found

    def _count(self, cells: npt.NDArray[np.int64], points: _Points) -> None:
        np.add.at(cells, self._cells(points), 1)

    def _cells(self, points: _Points) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        cells = (points / _CELL_PX).astype(np.int64)
        rows = np.clip(cells[:, 1], 0, self._shape[0] - 1)
        columns = np.clip(cells[:, 0], 0, self._shape[1] - 1)
        return rows, columns


class PointTracks:
    """Finds points and follows them, but for what stands `still` in all pictures of a video."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.still = StaticCells(size)
        self._size = size

    def reference(self, picture: Gray) -> Reference:
        """A picture with new points."""
        points = self._corners(picture)
        return Reference(picture, points, len(points))

    def follow(self, reference: Reference, picture: Gray, expected: _Points) -> TrackedPoints:
        """The reference's points in another picture; `expected` (n, 2) is where to begin."""
        import cv2

        if not len(reference.points):
            none = np.zeros((0, 2))
            return TrackedPoints(none, none, none, picture, 0)
        after, found, _ = cv2.calcOpticalFlowPyrLK(
            reference.picture,
            picture,
            reference.points.astype(np.float32).reshape(-1, 1, 2),
            expected.astype(np.float32).reshape(-1, 1, 2),
            winSize=(_WINDOW, _WINDOW),
            maxLevel=_LEVELS,
            criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 12, 0.02),
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        after = after.reshape(-1, 2).astype(np.float64)
        kept = (found.reshape(-1) == 1) & self._inside(after)
        return TrackedPoints(
            reference.points[kept], after[kept], expected[kept], picture, reference.fresh
        )

    def next_reference(self, tracked: TrackedPoints, is_good: npt.NDArray[np.bool_]) -> Reference:
        """The other picture with those of its points that are good, or new ones if too few are."""
        points = tracked.after[is_good & ~self.still.is_still(tracked.after)]
        if len(points) < max(_FRESH_SHARE * tracked.fresh, MOST_POINTS // 3):
            return self.reference(tracked.picture)
        return Reference(tracked.picture, points, tracked.fresh)

    def _inside(self, points: _Points) -> npt.NDArray[np.bool_]:
        inside: npt.NDArray[np.bool_] = np.all((points >= 0) & (points < self._size), axis=1)
        return inside

    def _corners(self, gray: Gray) -> _Points:
        """The best corners of each tile, so that a bright inscription does not outdo the ground."""
        import cv2

        strength = cv2.cornerMinEigenVal(gray, _BLOCK)
        strength[self.still.mask(self._size) == 0] = 0.0
        strength[:_BLOCK], strength[-_BLOCK:] = 0.0, 0.0
        strength[:, :_BLOCK], strength[:, -_BLOCK:] = 0.0, 0.0
        apart = 2 * (self._size[0] // 64) + 3
        highest = cv2.dilate(strength, np.ones((apart, apart), np.uint8))
        rows, columns = np.nonzero((strength == highest) & (strength > _LEAST_STRENGTH))
        order = np.argsort(-strength[rows, columns], kind="stable")
        rows, columns = rows[order], columns[order]
        across, down = _TILES
        tile = (rows * down // self._size[1]) * across + columns * across // self._size[0]
        chosen = np.concatenate(
            [
                np.flatnonzero(tile == one)[: MOST_POINTS // (across * down)]
                for one in range(across * down)
            ]
        )
        return np.column_stack([columns[chosen], rows[chosen]]).astype(np.float64)
