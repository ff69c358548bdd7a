"""Bilinear interpolation of heights between the points of a grid."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def between(heights: NDArray[Any], row: float, column: float, void: float | None) -> float | None:
    """Bilinear between the four points around; None outside, and where one that counts is a void
    or not finite."""
    rows, columns = heights.shape
    if not (0.0 <= row <= rows - 1 and 0.0 <= column <= columns - 1):
        return None
    top, left = min(int(row), max(rows - 2, 0)), min(int(column), max(columns - 2, 0))
    down, right = row - top, column - left
    total = 0.0
    for i, share_i in ((top, 1.0 - down), (top + 1, down)):
        for j, share_j in ((left, 1.0 - right), (left + 1, right)):
            share = share_i * share_j
            if share == 0.0:
                continue
            value = float(np.asarray(heights[i, j]))
            if not math.isfinite(value) or value == void:
                return None
            total += share * value
    return total
