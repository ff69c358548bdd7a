"""Triangle cells: triangles sorted into a grid, and crowded cells into grids of their own.

What comes of it is walked through by `simulation.worlds.ray_casting`, which says how cells and
lists are written down.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.worlds.ray_casting import LIST_BITS, PLANE_NUMBERS

Floats = npt.NDArray[np.float64]
Wholes = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

_CELLS_PER_TRIANGLE: Final = 8
_FEWEST_CELLS: Final = 1 << 11
_MOST_CELLS: Final = 1 << 19
_MOST_LISTED: Final = 12
"""More triangles than that make a cell a grid of its own."""
_MOST_ALONG: Final = 16
"""Most cells of an inner grid along an axis."""
_GROWN: Final = 1e-6
"""By this share of itself a cell is larger, so that no rounding loses a triangle on its border."""
_CHUNK: Final = 1 << 15
_FLAT: Final = 1e-12
"""A triangle whose area is a smaller share of its longest side's square is met by no ray."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """n boxes: their corners and the sizes of their cells (n, 3) in metres, and how many cells they
    have along each axis (n, 3)."""

    low: Floats
    size: Floats
    count: Wholes

    def chosen(self, rows: npt.NDArray[np.intp]) -> "Boxes":
        """Some of them."""
        return Boxes(self.low[rows], self.size[rows], self.count[rows])


def planes_of(corners: Floats) -> tuple[Floats, Truths]:
    """PLANE_NUMBERS of each triangle (m, 3, 3), and whether it has an area at all."""
    first = corners[:, 0]
    u, v = corners[:, 1] - first, corners[:, 2] - first
    normal = np.cross(u, v)
    area = np.linalg.norm(normal, axis=1)
    side = np.maximum(np.square(u).sum(axis=1), np.square(v).sum(axis=1))
    is_met = np.isfinite(area) & (area > _FLAT * np.maximum(side, 1e-12))
    safe = np.where(is_met, area, 1.0)[:, None]
    axes = (normal / safe, np.cross(v, normal) / safe**2, np.cross(normal, u) / safe**2)
    planes = np.zeros((len(corners), 3, 4))
    planes[:, :, :3] = np.stack(axes, axis=1)
    planes[:, :, 3] = -np.einsum("mij,mj->mi", planes[:, :, :3], first)
    planes[~is_met] = 0.0
    return planes.reshape(len(corners), PLANE_NUMBERS), is_met


def whole_of(corners: Floats) -> Boxes:
    """The one box around all triangles, in cells as near to cubes as whole numbers allow."""
    points = corners.reshape(-1, 3) if len(corners) else np.zeros((1, 3))
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 1e-3 * max(float((high - low).max()), 1e-3)
    span = (high - low + 2.0 * margin)[None]
    wanted = np.clip(_CELLS_PER_TRIANGLE * len(corners), _FEWEST_CELLS, _MOST_CELLS)
    count = _counts(span, np.array([float(wanted)]), most=1 << 12)
    return Boxes((low - margin)[None], span / count, count)


def cell_table(corners: Floats, numbers: Wholes, whole: Boxes) -> dict[str, Wholes]:
    """The members of GRID that say which of the triangles with these `numbers` are in which cells
    of `whole`. `corners` (m, 3, 3) are those of all."""
    everywhere = whole.chosen(np.zeros(len(numbers), np.intp))
    which, place = _overlaps(corners[numbers], everywhere)
    cell = np.ravel_multi_index(tuple(place.T), tuple(whole.count[0]))
    items, cells = _lists(numbers[which], cell, int(whole.count.prod()), first=1)
    lengths = np.bincount(cell, minlength=len(cells))
    crowded = np.flatnonzero(lengths > _MOST_LISTED)
    boxes = _inner_boxes(whole, crowded, lengths[crowded])
    # --- the same once more for what lies in these ---
    box_of_cell = np.full(len(cells), -1)
    box_of_cell[crowded] = np.arange(len(crowded))
    row, box = which[box_of_cell[cell] >= 0], box_of_cell[cell][box_of_cell[cell] >= 0]
    which, place = _overlaps(corners[numbers[row]], boxes.chosen(box))
    size = boxes.count.prod(axis=1)
    start = np.cumsum(size) - size
    within = boxes.count[box[which]]
    cell = (
        start[box[which]] + (place[:, 0] * within[:, 1] + place[:, 1]) * within[:, 2] + place[:, 2]
    )
    more, inner_cells = _lists(numbers[row[which]], cell, int(size.sum()), first=1 + len(items))
    cells[crowded] = -1 - np.arange(len(crowded))
    return {
        "cells": np.concatenate((cells, inner_cells)),
        "inner": np.column_stack((len(cells) + start, boxes.count)).ravel(),
        "items": np.concatenate(([0], items, more)),
    }


def _inner_boxes(whole: Boxes, crowded: npt.NDArray[np.intp], lengths: Wholes) -> Boxes:
    """Those cells as boxes of their own."""
    place = np.stack(np.unravel_index(crowded, tuple(whole.count[0])), axis=1)
    span = np.broadcast_to(whole.size, place.shape)
    count = _counts(span, 2.0 * lengths.astype(np.float64), most=_MOST_ALONG)
    return Boxes(whole.low + place * whole.size, span / count, count)


def _counts(span: Floats, wanted: Floats, most: int) -> Wholes:
    """How many cells along each axis make about so many cubes of boxes (n, 3)."""
    edge = np.cbrt(span.prod(axis=1) / wanted)
    for _ in range(2):  # boxes thinner than such a cube are divided along the other axes
        edge = np.cbrt(np.maximum(span, edge[:, None]).prod(axis=1) / wanted)
    counts: Wholes = np.clip(np.rint(span / edge[:, None]), 1, most).astype(np.int64)
    return counts


def _lists(numbers: Wholes, cell: Wholes, cell_count: int, first: int) -> tuple[Wholes, Wholes]:
    """Triangles sorted by cell, and the cells: lists that begin with number `first`."""
    order = np.argsort(cell, kind="stable")
    lengths = np.bincount(cell, minlength=cell_count)
    starts = np.cumsum(lengths) - lengths + first
    cells = np.where(lengths > 0, (starts << LIST_BITS) | lengths, 0)
    return numbers[order], cells.astype(np.int64)


def _overlaps(corners: Floats, boxes: Boxes) -> tuple[npt.NDArray[np.intp], Wholes]:
    """All pairs of a triangle (n, 3, 3) and a cell of its box that it lies in: the triangle's row,
    and the cell's place (k, 3)."""
    grown = _GROWN * boxes.size
    low = (corners.min(axis=1) - grown - boxes.low) / boxes.size
    high = (corners.max(axis=1) + grown - boxes.low) / boxes.size
    first = np.clip(np.floor(low), 0, boxes.count - 1).astype(np.int64)
    span = np.clip(np.floor(high), 0, boxes.count - 1).astype(np.int64) - first + 1
    total = span.prod(axis=1)
    ends = np.cumsum(total)
    rows, places = [np.zeros(0, np.intp)], [np.zeros((0, 3), np.int64)]
    for start in range(0, int(ends[-1]) if len(ends) else 0, _CHUNK):
        pair = np.arange(start, min(start + _CHUNK, int(ends[-1])))
        which = np.searchsorted(ends, pair, side="right")
        left = pair - (ends - total)[which]
        deep, wide = span[which, 2], span[which, 1]
        place = first[which] + np.stack(
            (left // (deep * wide), left // deep % wide, left % deep), 1
        )
        meets = total[which] == 1  # as most do
        doubt = np.flatnonzero(~meets)
        meets[doubt] = _meets(corners[which[doubt]], boxes.chosen(which[doubt]), place[doubt])
        rows.append(which[meets])
        places.append(place[meets])
    return np.concatenate(rows), np.concatenate(places)


def _meets(corners: Floats, boxes: Boxes, place: Wholes) -> Truths:
    """Whether the planes of triangles pass through cells whose place overlaps theirs along the
    axes: what is long and slanted is not in all cells around it."""
    half = (0.5 + _GROWN) * boxes.size
    middle = boxes.low + (place + 0.5) * boxes.size
    a, b, c = (corners[:, i] for i in range(3))
    normal = np.cross(b - a, c - a)
    before = np.abs(np.einsum("ij,ij->i", normal, a - middle))
    return np.asarray(before <= np.einsum("ij,ij->i", np.abs(normal), half))
