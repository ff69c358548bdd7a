"""Boxes as triangles, for worlds whose distances can be told by hand."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Triangles = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]
Corner = tuple[float, float, float]

_SIDES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))


def box(low: Corner, high: Corner) -> Triangles:
    """Twelve triangles between two corners, NED."""
    ends = np.array([low, high], np.float64)
    picks = np.stack(np.unravel_index(np.arange(8), (2, 2, 2)), axis=1)
    triangles = [half for a, b, c, d in _SIDES for half in ((a, b, c), (a, c, d))]
    return ends[picks, np.arange(3)], np.array(triangles)


def together(parts: Sequence[Triangles]) -> Triangles:
    """All of them as one."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
    return (
        np.concatenate([vertices for vertices, _ in parts]),
        np.concatenate([numbers + n for (_, numbers), n in zip(parts, starts, strict=True)]),
    )


def corridor(obstacles: int = 10) -> Triangles:
    """20 m long to the north, 2 m wide, 2.5 m high, with boxes left and right."""
    places = [(2.0 * i + 1.0, 0.6 * (-1) ** i) for i in range(obstacles)]
    boxes = [box((x, y - 0.2, -1.5), (x + 0.4, y + 0.2, 0.0)) for x, y in places]
    return together([box((0.0, -1.0, -2.5), (20.0, 1.0, 0.0)), *boxes])
