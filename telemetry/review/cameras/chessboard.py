"""Chessboard in front of a camera: its corners in a picture, and which views of it tell most."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEAST_CORNERS, MOST_CORNERS = 3, 30

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Chessboard:
    """A board by its inner corners, where four squares meet: 9 x 6 on one of 10 x 7 squares.

    Raises ValueError for a board that cannot be.
    """

    columns: int
    rows: int

    def __post_init__(self) -> None:
        if not all(LEAST_CORNERS <= side <= MOST_CORNERS for side in (self.columns, self.rows)):
            raise ValueError(
                f"a chessboard has {LEAST_CORNERS} to {MOST_CORNERS} inner corners a side, "
                f"not {self.columns}x{self.rows}; count where four squares meet"
            )

    def points(self) -> npt.NDArray[np.float32]:
        """Its corners (n, 3) in squares, row by row, z = 0."""
        grid = np.zeros((self.columns * self.rows, 3), np.float32)
        grid[:, :2] = np.mgrid[: self.columns, : self.rows].T.reshape(-1, 2)
        return grid


@dataclass(frozen=True, slots=True, eq=False)
class ChessboardView:
    """The corners (n, 2) of a board in one picture, in pixels, in the order of its points."""

    corners: npt.NDArray[np.float32]


def parse_board(text: str) -> Chessboard:
    """A board written as 9x6. Raises ValueError."""
    columns, _, rows = text.strip().lower().partition("x")
    if not (columns.isdecimal() and rows.isdecimal() and max(len(columns), len(rows)) < 4):
        raise ValueError(f"'{text}' is not a chessboard; write its inner corners like 9x6")
    return Chessboard(int(columns), int(rows))


def find_board(pixels: Pixels, board: Chessboard) -> ChessboardView | None:
    """The board in a picture, BGR, if all of its corners are seen."""
    import cv2

    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    shape = (board.columns, board.rows)
    quick = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
    is_found, corners = cv2.findChessboardCorners(grey, shape, flags=quick)
    if is_found:
        window = _window(np.asarray(corners, np.float32).reshape(board.rows, board.columns, 2))
        end = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.005)
        corners = cv2.cornerSubPix(grey, corners, (window, window), (-1, -1), end)
    else:  # slower, and finds it in worse light
        is_found, corners = cv2.findChessboardCornersSB(grey, shape, flags=0)
    if not is_found:
        return None
    return ChessboardView(np.asarray(corners, np.float32).reshape(-1, 2))


def _window(grid: npt.NDArray[np.float32]) -> int:
    """Half the side, in pixels, of what is looked at around a corner: no other one is in it."""
    steps = [np.linalg.norm(np.diff(grid, axis=axis), axis=2).min() for axis in (0, 1)]
    return int(np.clip(0.4 * float(min(steps)), 2, 11))


def well_spread(
    views: Sequence[ChessboardView], board: Chessboard, size: tuple[int, int], most: int
) -> list[ChessboardView]:
    """At most so many views that differ as much as they can in place, size and tilt; of views
    that are all but the same one is taken."""
    if not views:
        return []
    looks = np.array([_look(view, board, size) for view in views])
    chosen = [int(np.argmax(np.linalg.norm(looks - looks.mean(axis=0), axis=1)))]
    nearest = np.linalg.norm(looks - looks[chosen[0]], axis=1)
    while len(chosen) < most and nearest.max() > _SAME_LOOK:
        chosen.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, np.linalg.norm(looks - looks[chosen[-1]], axis=1))
    return [views[index] for index in sorted(chosen)]


def coverage(views: Sequence[ChessboardView], size: tuple[int, int]) -> float:
    """The share of the picture, in cells of an eighth of its width and a sixth of its height, in
    which corners were seen."""
    if not views:
        return 0.0
    corners = np.concatenate([view.corners for view in views])
    cells = np.floor(corners / np.array(size) * np.array(_CELLS)).astype(int)
    inside = ((cells >= 0) & (cells < np.array(_CELLS))).all(axis=1)
    return len({tuple(cell) for cell in cells[inside].tolist()}) / (_CELLS[0] * _CELLS[1])


_CELLS = (8, 6)
_SAME_LOOK = 0.03


def _look(view: ChessboardView, board: Chessboard, size: tuple[int, int]) -> Floats:
    """Where the board stands in the picture, how large, and how much opposite sides differ, all
    as shares: (8,)."""
    grid = view.corners.astype(np.float64).reshape(board.rows, board.columns, 2)
    a, b, c, d = grid[0, 0], grid[0, -1], grid[-1, -1], grid[-1, 0]
    top, right, bottom, left = (
        float(np.linalg.norm(p - q)) for p, q in ((a, b), (b, c), (c, d), (d, a))
    )
    middle = view.corners.mean(axis=0) / np.array(size)
    extent = [top / size[0], left / size[1]]
    narrowing = [2.0 * (top - bottom) / (top + bottom), 2.0 * (left - right) / (left + right)]
    skew = (a + c - b - d) / np.array(size)
    return np.concatenate([middle, extent, narrowing, skew])
