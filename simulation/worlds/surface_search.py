"""Surface search: what a pixel sees from another place than the one that a picture was drawn from.

The line of sight of a pixel that is exposed elsewhere is a line in the drawn picture too, from
where the nearest thing would stand on it to where the sky does. Where surfaces are smooth, two
steps along it find what is seen. Around edges it is looked for from near to far, pixel by pixel:
the first surface that lies on the line of sight. So edges stand where they were, whatever is behind
them. A line that ends behind something sees what the drawn picture does not show: it is looked for
in pictures that were drawn from elsewhere, and else given what stands beside that, farther away.

On a line of sight counts `near`, one over how far ahead of its own camera a point is, in metres.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Program, reals_at
from simulation.compiler.program_record import ProgramCall
from simulation.compiler.source_digest import sources_digest
from simulation.worlds.pixel_rays import PixelRays
from simulation.worlds.row_motion import Floats, Points, RowMotion

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

_NONE: Final = np.zeros(0, np.int64)

NOWHERE_PX: Final = -16.0
"""Column and row of a pixel that the lens shows nothing in."""
_TILE: Final = 4
_JUMP: Final = 3.0
"""As far as what is looked up, from four pixels, stays in the next tile."""
_EVEN_PX, _SETTLED_PX = 0.02, 0.25
"""By how much smooth surfaces may differ from planes, and two steps on them from each other, in
pixels that they move by."""
_LEAST_PX: Final = 1e-6
_BEHIND_PX, _BEHIND = 1.5, 0.01
_BESIDE_PX: Final = np.float32(2.0)
_FOUND_PX: Final = 0.05
_ROUNDS: Final = 8
SAME_SURFACE: Final = 0.02
_MOST_STEPS: Final = 20_000
_LEAST_AHEAD: Final = 0.01
_LEAST_LEFT: Final = 0.1
"""Of the way to the nearest thing, when the camera has moved towards it."""

_SEARCH: Final = np.dtype(
    [
        ("count", np.int64),  # of lines
        ("wide", np.int64),  # of the drawn picture
        ("high", np.int64),
        ("tiles", np.int64),  # across that
        ("focal", np.float64),
        # --- where these are in memory ---
        ("lines", np.int64),
        ("nearness", np.int64),
        ("tops", np.int64),  # of each tile and those around it, the largest nearness
        ("within", np.int64),  # of each tile, the largest that may move into it
        ("found", np.int64),  # of each line the members of SeenPlaces
    ],
    align=True,
)
_Line = tuple[float, float, float, float, float, float]
"""Ahead, right and down of a line of sight in the drawn picture's axes, as far as it is ahead in
its own camera's, and where that camera stands, in metres."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenPlaces:
    """Of each pixel (height, width): `columns` and `rows` are where in the drawn picture stands
    what it sees, `near` is one over how many metres ahead of its own camera that is, 0 for the sky,
    and `ahead` how far it is ahead in the drawn picture over how far in its own camera. `hidden`
    (n,) are the numbers of pixels that see what that does not show."""

    columns: Floats
    rows: Floats
    near: Floats
    ahead: Floats
    hidden: Numbers


class DrawnSurfaces:
    """A drawn picture's nearness, as SeenView has it, ready to be searched."""

    def __init__(self, nearness: Floats) -> None:
        self.nearness = nearness

    @cached_property
    def tops(self) -> Floats:
        """Of each tile and those around it the largest."""
        return _spread(_largest(self.nearness), np.float32(0.0))

    @cached_property
    def uneven(self) -> Floats:
        """Of each tile by how much a pixel differs from what its neighbours have it to be: planes
        are even, nearness changes evenly over them."""
        import cv2

        change = cv2.Laplacian(self.nearness, cv2.CV_32F, borderType=cv2.BORDER_REPLICATE)
        return _largest(np.abs(change))


class SurfaceSearch:
    """Looks up what all pixels of a camera see in drawn pictures of one focal length."""

    def __init__(self, rays: PixelRays, focal_px: float) -> None:
        self._rays, self._focal = rays, focal_px
        self._has_rim = bool(np.isnan(rays.right).any())
        self._steepest = math.hypot(*rays.tangents())
        self._call = ProgramCall(_search_lines, _SEARCH, {"focal": focal_px}, {})

    def of(self, drawn: DrawnSurfaces, motion: RowMotion) -> SeenPlaces:
        """What rows see that are exposed where `motion` says."""
        turned = motion.points(self._rays)
        columns, rows = self._places(turned, drawn)
        if not motion.shift.any():
            return SeenPlaces(columns, rows, np.zeros((1, 1), np.float32), turned[0], _NONE)
        first, found = self._followed(drawn, motion, turned, (columns, rows))
        per_near_px = self._most_px_per_near(motion)
        uneven = _spread(drawn.uneven, per_near_px.max() * drawn.tops)
        is_searched = _of_tiles(uneven, columns, rows) > _EVEN_PX / per_near_px
        is_searched |= np.abs(found.near - first.near) > _SETTLED_PX / per_near_px
        if self._has_rim:
            is_searched &= columns > NOWHERE_PX
        pixels = np.flatnonzero(is_searched)
        searched = self._searched(drawn, motion, turned, pixels)
        put(found, pixels, searched)
        return replace(found, hidden=pixels[searched[:, 4] > 0.0])

    def is_behind(
        self, drawn: DrawnSurfaces, motion: RowMotion, pixels: Numbers, near: Array
    ) -> npt.NDArray[np.bool_]:
        """Whether what is so near on the lines of sight of some pixels is behind what is drawn."""
        import cv2

        lines = self._lines(motion.points(self._rays), motion, pixels)
        ahead, right, down = lines[:, :3].T + lines[:, 3:].T * near
        rows, columns = (
            np.rint(0.5 * (side - 1.0) + self._focal * aside / ahead).astype(int).clip(0, side - 1)
            for side, aside in zip(drawn.nearness.shape, (down, right), strict=True)
        )
        before = cv2.dilate(drawn.nearness, np.ones((3, 3), np.uint8))[rows, columns]
        return np.asarray(before * ahead > near * (1.0 + _BEHIND))

    def searched(self, drawn: DrawnSurfaces, motion: RowMotion, pixels: Numbers) -> Array:
        """The members of SeenPlaces (n, 5) of some pixels, the last 1 for those that are hidden."""
        return self._searched(drawn, motion, motion.points(self._rays), pixels)

    def _searched(
        self, drawn: DrawnSurfaces, motion: RowMotion, turned: Points, pixels: Numbers
    ) -> Array:
        lines = self._lines(turned, motion, pixels)
        within = _spread(drawn.tops, self._most_px_per_near(motion).max() * drawn.tops)
        tables = {"nearness": drawn.nearness, "tops": drawn.tops, "within": within, "lines": lines}
        arrays = {name: np.ascontiguousarray(table, np.float64) for name, table in tables.items()}
        arrays["found"] = found = np.empty((len(pixels), 5))
        high, wide = drawn.nearness.shape
        numbers = {"count": len(pixels), "wide": wide, "high": high, "tiles": within.shape[1]}
        self._call.run(numbers, arrays)
        return found

    def _lines(self, turned: Points, motion: RowMotion, pixels: Numbers) -> Array:
        """The lines of sight (n, 6) of some pixels."""
        shifts = motion.shift[pixels // self._rays.size[0]]
        lines = np.column_stack([*(each.ravel()[pixels] for each in turned), shifts])
        return lines.astype(np.float64)

    def _followed(
        self, drawn: DrawnSurfaces, motion: RowMotion, turned: Points, sky: tuple[Floats, Floats]
    ) -> tuple[SeenPlaces, SeenPlaces]:
        """Two steps from where the sky stands to what is seen, right for smooth surfaces."""
        first = self._moved(drawn, motion, turned, nearest_of(drawn.nearness, *sky) * turned[0])
        nearness = smooth_of(drawn.nearness, first.columns, first.rows)
        return first, self._moved(drawn, motion, turned, nearness * first.ahead)

    def _moved(
        self, drawn: DrawnSurfaces, motion: RowMotion, turned: Points, near: Floats
    ) -> SeenPlaces:
        points = motion.moved(turned, near)
        return SeenPlaces(*self._places(points, drawn), near, points[0], _NONE)

    def _places(self, points: Points, drawn: DrawnSurfaces) -> tuple[Floats, Floats]:
        """Columns and rows in the drawn picture."""
        height, width = drawn.nearness.shape
        ahead, right, down = points
        scale = np.float32(self._focal) / ahead
        columns = right * scale
        columns += np.float32((width - 1) / 2)
        rows = down * scale
        rows += np.float32((height - 1) / 2)
        if self._has_rim:
            is_rim = np.isnan(columns)
            columns[is_rim] = rows[is_rim] = NOWHERE_PX
        return columns, rows

    def _most_px_per_near(self, motion: RowMotion) -> Floats:
        """Of each row (rows, 1), by how many pixels what is a metre ahead moves at most in the
        drawn picture."""
        along, *aside = np.abs(motion.shift[:, :, None].swapaxes(0, 1))
        moved = self._focal * (np.hypot(*aside) + along * self._steepest)
        return np.asarray(np.maximum(moved, _LEAST_PX), np.float32)


def put(places: SeenPlaces, pixels: Numbers, searched: Array) -> None:
    """Change what some pixels see."""
    members = places.columns, places.rows, places.near, places.ahead
    for values, own in zip(members, searched.T[:4], strict=True):
        values.ravel()[pixels] = own


def nearest_of(values: Floats, columns: Floats, rows: Floats) -> Floats:
    """Those of the pixels in which places lie, or of the next at the border."""
    import cv2

    nearest, border = cv2.INTER_NEAREST, cv2.BORDER_REPLICATE
    return np.asarray(cv2.remap(values, columns, rows, nearest, borderMode=border))


def smooth_of(values: Floats, columns: Floats, rows: Floats) -> Floats:
    """The same, between pixels."""
    import cv2

    linear, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return np.asarray(cv2.remap(values, columns, rows, linear, borderMode=border))


def _of_tiles(values: Floats, columns: Floats, rows: Floats) -> Floats:
    """The same, of values of tiles."""
    half, size = np.float32(0.5), np.float32(_TILE)
    return nearest_of(values, (columns + half) / size - half, (rows + half) / size - half)


def _largest(values: Floats) -> Floats:
    """The largest value in each tile."""
    import cv2

    largest = cv2.dilate(values, np.ones((_TILE, _TILE), np.uint8), anchor=(0, 0))
    return np.ascontiguousarray(largest[::_TILE, ::_TILE])


def _spread(values: Floats, reach_px: Floats | np.float32) -> Floats:
    """Of each tile the largest value of those that reach into it, `reach_px` beyond their own."""
    import cv2

    found, begins_px, tiles = values, 0, 1
    most_px = min(float(np.max(reach_px)) + _BESIDE_PX, _TILE * max(values.shape))
    while begins_px < most_px:
        far = np.where(reach_px + _BESIDE_PX > begins_px, values, np.float32(0.0))
        far = cv2.dilate(far, np.ones((2 * tiles + 1, 2 * tiles + 1), np.uint8))
        found = np.maximum(found, far)
        begins_px, tiles = _TILE * tiles, 2 * tiles
    return np.asarray(found)


def _search(s: Any) -> None:
    lines, found = reals_at(s["lines"]), reals_at(s["found"])
    wide, high = s["wide"], s["high"]
    frame = (s["focal"], 0.5 * (wide - 1.0), 0.5 * (high - 1.0), wide - 1.0, high - 1.0)
    for i in range(s["count"]):
        m, n = 6 * i, 5 * i
        line = (lines[m], lines[m + 1], lines[m + 2], lines[m + 3], lines[m + 4], lines[m + 5])
        at, near, is_hidden = _first_on(s, frame, line)
        found[n], found[n + 1] = _place(frame, line, at)
        found[n + 2], found[n + 3], found[n + 4] = near, _ahead(line, near), is_hidden


@njit_part
def _first_on(s: Any, frame: Any, line: _Line) -> tuple[float, float, float]:
    """How near is what the line of sight first meets: as looked up, and as it is; and 1 if what it
    meets is hidden."""
    tops, tiles = reals_at(s["tops"]), s["tiles"]
    column, row, _, _ = _corner(frame, line, 0.0)
    near = _near_of(line, reals_at(s["within"])[(row // _TILE) * tiles + column // _TILE])
    step = _near_per_pixel(frame, line, near)
    at, beside = 0.0, 0.0
    for _ in range(_MOST_STEPS):
        column, row, across, along = _corner(frame, line, near)
        ahead = _ahead(line, near)
        top = tops[(row // _TILE) * tiles + column // _TILE]
        if near - top * ahead > step:  # nothing within a tile is so near
            near = max(near - _JUMP * step, min(_near_of(line, top), near - step))
            continue
        seen = _nearness_at(s, column, row, across, along)
        before = near - seen * ahead
        if -_BEHIND_PX * step <= before <= step:
            settled = _settled(s, frame, line, seen * ahead, step)
            if settled >= max(near - step, 0.0):
                return settled, settled, 0.0
        if before > 0.0:
            at, beside = near, seen
        if near <= 0.0:
            break
        near = max(near - step, 0.0)
    return at, _near_of(line, beside), 1.0


@njit_part
def _settled(s: Any, frame: Any, line: _Line, near: float, step: float) -> float:
    """How near the surface is that is seen about there; -1 where there are several."""
    away = 0.0
    for _ in range(_ROUNDS):
        column, row, across, along = _corner(frame, line, near)
        found = _nearness_at(s, column, row, across, along) * _ahead(line, near)
        away = abs(found - near)
        near = found
        if away < _FOUND_PX * step or away > 2.0 * _BEHIND_PX * step:
            break
    return near if away < _SETTLED_PX * step else -1.0


@njit_part
def _near_per_pixel(frame: Any, line: _Line, near: float) -> float:
    """By how much nearer moves it by a pixel at most in the drawn picture."""
    ahead, right, down, on, aside, below = line
    least = max(min(ahead, ahead + on * near), _LEAST_AHEAD)
    across, along = aside * ahead - right * on, below * ahead - down * on
    moved = max(frame[0] * math.sqrt(across * across + along * along), 1e-12)
    return float(least * least / moved)


@njit_part
def _near_of(line: _Line, nearness: float) -> float:
    """How near a point of the line of sight is, by its nearness in the drawn picture."""
    return nearness * line[0] / max(1.0 - line[3] * nearness, _LEAST_LEFT)


@njit_part
def _ahead(line: _Line, near: float) -> float:
    """How far ahead a point of it is in the drawn picture, over how far in its own camera."""
    return max(line[0] + line[3] * near, _LEAST_AHEAD)


@njit_part
def _place(frame: Any, line: _Line, near: float) -> tuple[float, float]:
    """Column and row of it in the drawn picture."""
    scale = frame[0] / _ahead(line, near)
    return (
        (line[1] + line[4] * near) * scale + frame[1],
        (line[2] + line[5] * near) * scale + frame[2],
    )


@njit_part
def _corner(frame: Any, line: _Line, near: float) -> tuple[int, int, float, float]:
    """The pixel to the left of it and above, and how far it is from there, up to 1."""
    column, row = _place(frame, line, near)
    column, row = min(max(column, 0.0), frame[3]), min(max(row, 0.0), frame[4])
    return int(column), int(row), column - int(column), row - int(row)


@njit_part
def _nearness_at(s: Any, column: int, row: int, across: float, along: float) -> float:
    """What the drawn picture has there: between pixels of one surface as a plane has it, at an edge
    that of what is nearest, which is seen in part."""
    nearness, wide = reals_at(s["nearness"]), s["wide"]
    i = row * wide + column
    j = i + (wide if along > 0.0 else 0)
    to_right = 1 if across > 0.0 else 0
    a, b, c, d = nearness[i], nearness[i + to_right], nearness[j], nearness[j + to_right]
    upper, lower = a + across * (b - a), c + across * (d - c)
    nearest = max(a, b, c, d)
    is_edge = nearest - min(a, b, c, d) > SAME_SURFACE * nearest
    return float(nearest if is_edge else upper + along * (lower - upper))


_search_lines: Final = Program(_search, _SEARCH, sources=sources_digest(__name__))
