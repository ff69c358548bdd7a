"""The landing pad of the yard: its picture, and where its markers are.

.venv/bin/python -m examples.robot.markers    # draws yard/pad.png
"""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

SIDE_M = 2.0
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
MARKERS = {  # by number: metres ahead and to the right of the pad's middle, and its side
    0: (0.0, 0.0, 0.2),
    1: (0.6, -0.6, 0.7),
    2: (0.6, 0.6, 0.7),
    3: (-0.6, 0.6, 0.7),
    4: (-0.6, -0.6, 0.7),
    5: (0.4, 0.0, 0.2),
    6: (0.0, 0.4, 0.2),
    7: (-0.4, 0.0, 0.2),
    8: (0.0, -0.4, 0.2),
}
_PIXELS_PER_M = 120
_FILE = Path(__file__).parent / "yard" / "pad.png"


def corners_m(number: int) -> Array:
    """The corners of a marker as `detectMarkers` has them, clockwise from the upper left one:
    metres to the right of the pad's middle, behind it, and 0."""
    ahead_m, right_m, side_m = MARKERS[number]
    shape = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * side_m / 2.0
    return np.column_stack([shape + np.array([right_m, -ahead_m]), np.zeros(4)])


def draw() -> npt.NDArray[np.uint8]:
    """The pad from above, its top being ahead."""
    picture = np.full((round(SIDE_M * _PIXELS_PER_M),) * 2, 255, np.uint8)
    for number, (ahead_m, right_m, side_m) in MARKERS.items():
        side = round(side_m * _PIXELS_PER_M)
        row = round((SIDE_M / 2.0 - ahead_m - side_m / 2.0) * _PIXELS_PER_M)
        column = round((SIDE_M / 2.0 + right_m - side_m / 2.0) * _PIXELS_PER_M)
        marker = cv2.aruco.generateImageMarker(DICTIONARY, number, side)
        picture[row : row + side, column : column + side] = marker
    return picture


if __name__ == "__main__":
    cv2.imwrite(str(_FILE), draw())
