"""Pictures of a chessboard as a known lens takes them: every pixel's ray, cut with the board."""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from telemetry.review.cameras.chessboard import Chessboard
from telemetry.review.cameras.lens import Lens

BOARD = Chessboard(7, 5)
SIZE = (320, 240)
LENS = Lens((260.0, 256.0), (165.0, 117.0), (-0.22, 0.06, 0.0008, -0.0012, 0.0))

Pixels = npt.NDArray[np.uint8]


def filmed(count: int = 16, tilt: float = 0.5, roam: float = 1.0, seed: int = 1) -> list[Pixels]:
    """Pictures (BGR) of the board turned by up to `tilt` radians about each axis, and moved
    through the picture (`roam` 0 keeps it in the middle)."""
    random = np.random.default_rng(seed)
    pictures = []
    for _ in range(count):
        turn = random.uniform(-tilt, tilt, 3) * (1.0, 1.0, 0.4)
        far = random.uniform(10.0, 15.0)
        room = roam * (far - 4.8)
        aside = random.uniform(-1.0, 1.0, 2) * (0.55 * room, 0.4 * room)
        pictures.append(picture(turn, np.array([aside[0], aside[1], far])))
    return pictures


def picture(turn: npt.NDArray[np.float64], middle: npt.NDArray[np.float64]) -> Pixels:
    """The board with its middle there (right, down, ahead, in squares), turned by a rotation
    vector."""
    width, height = SIZE
    axes = np.asarray(cv2.Rodrigues(turn)[0])
    half = np.array([(BOARD.columns - 1) / 2, (BOARD.rows - 1) / 2, 0.0])
    from_board = np.column_stack([axes[:, 0], axes[:, 1], middle - axes @ half])
    hit = _rays() @ np.linalg.inv(from_board).T
    x, y = (hit[:, axis] / hit[:, 2] + 1.0 for axis in (0, 1))  # squares from the board's corner
    is_board = (x > 0) & (x < BOARD.columns + 1) & (y > 0) & (y < BOARD.rows + 1)
    soft = (np.clip(6.0 * np.sin(np.pi * side), -1.0, 1.0) for side in (x, y))
    grey = np.where(is_board, 130.0 + 100.0 * next(soft) * next(soft), 235.0)
    return np.repeat(grey.reshape(height, width, 1), 3, axis=2).astype(np.uint8)


@cache
def _rays() -> npt.NDArray[np.float64]:
    """Where every pixel looks (n, 3)."""
    width, height = SIZE
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    straight = LENS.directions(np.column_stack([across.ravel(), down.ravel()]).astype(float))
    return np.column_stack([straight, np.ones(len(straight))])
