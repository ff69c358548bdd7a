"""Triangle tree (bounding boxes) of a scene: which triangles a pyramid may meet.

A complete binary tree without pointers: node k has the nodes 2 k and 2 k + 1 in it, 1 is the whole.
The lowest nodes hold two triangles each, in the order of a curve through space (Morton's), so that
neighbours in the tree are neighbours in space.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import reals_at
from simulation.compiler.program_record import ProgramTables

Floats = npt.NDArray[np.float64]
Wholes = npt.NDArray[np.int64]

TREE: Final = np.dtype(
    [
        ("leaves", np.int64),  # lowest nodes; the first has this number, too
        # --- where these are in memory ---
        ("boxes", np.int64),  # six numbers of each node: the middle, and half the size
        ("items", np.int64),  # PER_LEAF triangles of each leaf, -1: none
    ],
    align=True,
)
PER_LEAF: Final = 2
_GROWN: Final = 1e-6
"""By this share of itself, and so many metres, a box is larger than what is in it."""
_NOTHING: Final = -1e300
_CURVE_BITS: Final = 20


def triangle_tree(vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> ProgramTables:
    """TREE of triangles (m, 3) of `vertices` (n, 3), NED metres."""
    corners = np.asarray(vertices, np.float64)[np.asarray(triangles, np.int64)]
    low, high = corners.min(axis=1), corners.max(axis=1)
    leaves = 1 << max(int(np.ceil(len(corners) / PER_LEAF)) - 1, 0).bit_length()
    items = np.full(leaves * PER_LEAF, -1)
    items[: len(corners)] = np.argsort(_along_curve(low + high), kind="stable")
    arrays = {"boxes": _boxes(low, high, items).ravel(), "items": items}
    return ProgramTables(TREE, arrays, leaves=leaves)


def _along_curve(places: Floats) -> Wholes:
    """Numbers that ascend along Morton's curve through places (n, 3)."""
    low = places.min(axis=0, initial=np.inf)
    span = max(float((places.max(axis=0, initial=-np.inf) - low).max()), 1e-9)
    steps = ((places - low) * ((1 << _CURVE_BITS) - 1) / span).astype(np.int64)
    found = np.zeros(len(places), np.int64)
    for bit in range(_CURVE_BITS):
        for axis in range(3):
            found |= (steps[:, axis] >> bit & 1) << (3 * bit + axis)
    return found


def _boxes(low: Floats, high: Floats, items: Wholes) -> Floats:
    """(2 leaves, 6): the boxes of all nodes; that of none is smaller than nothing."""
    ends = np.full((2, len(items), 3), np.inf)
    is_any = items >= 0
    ends[0, is_any], ends[1, is_any] = low[items[is_any]], -high[items[is_any]]
    levels = []
    while ends.shape[1] > 1:
        ends = ends.reshape(2, -1, 2, 3).min(axis=2)
        levels.append(ends)
    nodes = np.concatenate([np.zeros((2, 1, 3)), *levels[::-1]], axis=1)
    is_any = np.isfinite(nodes).all(axis=(0, 2))
    low, high = np.where(is_any[:, None], nodes * [[[1.0]], [[-1.0]]], 0.0)
    half = (0.5 * (high - low)) * (1.0 + _GROWN) + _GROWN
    return np.concatenate([0.5 * (low + high), np.where(is_any[:, None], half, _NOTHING)], axis=1)


@njit_part
def next_node(node: int) -> int:
    """The node to look at after one that is done with; 0 at the end."""
    while node & 1:
        node >>= 1
    return node + 1 if node > 0 else 0


@njit_part
def is_outside(tree: Any, node: int, sides: Any) -> bool:
    """Whether a node's box is beyond one of planes (n, 4), whose a x + b y + c z + d is above 0 on
    the other side of it."""
    boxes, k = reals_at(tree["boxes"]), 6 * node
    x, y, z = boxes[k], boxes[k + 1], boxes[k + 2]
    a, b, c = boxes[k + 3], boxes[k + 4], boxes[k + 5]
    for i in range(len(sides)):
        side = sides[i]
        middle = side[0] * x + side[1] * y + side[2] * z + side[3]
        if middle + abs(side[0]) * a + abs(side[1]) * b + abs(side[2]) * c < 0.0:
            return True
    return False
