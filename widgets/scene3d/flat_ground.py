"""Flat ground with lines on it, where nothing better is known.

The same arguments give the same object, so that it is uploaded once.
"""

import math
from functools import lru_cache

import numpy as np

from widgets.scene3d.scene import LinePoints, Place, PlacedMesh, Rgb, SolidMesh, SpaceLine

_REACH_M = 12_000.0
_COLUMNS, _RINGS = 24, 12
_MOVES_M = 1000.0
_LINES = 24
_STEPS = 8
"""A line is cut into so many pieces to either side, so that it fades towards its ends."""
_ABOVE_M = 0.01


def level_ground(place: Place, colour: Rgb) -> PlacedMesh:
    """The ground at the height of a place and all around it."""
    north, east = (round(value / _MOVES_M) * _MOVES_M for value in place[:2])
    return PlacedMesh(_disc(colour), (north, east, place[2]))


def ground_grid(place: Place, eye_m: float, line: Rgb, ground: Rgb) -> SpaceLine:
    """Lines on it around a place, for an eye that is so far away."""
    step = grid_step_m(eye_m)
    north, east = (round(value / step) for value in place[:2])
    return SpaceLine(_grid(step, north, east, place[2], line, ground), 1.0)


def grid_step_m(eye_m: float) -> float:
    """Metres between lines that suit an eye so far away: 1, 2, 5, 10 ..."""
    wanted = max(eye_m / 6.0, 0.1)
    decade: float = 10.0 ** math.floor(math.log10(wanted))
    return next(decade * n for n in (1.0, 2.0, 5.0, 10.0) if decade * n >= wanted * (1 - 1e-9))


@lru_cache(maxsize=4)
def _disc(colour: Rgb) -> SolidMesh:
    """Triangles that grow with the distance."""
    radii = np.concatenate([[0.0], np.geomspace(5.0, _REACH_M, _RINGS)])
    turns = np.linspace(0.0, 2.0 * np.pi, _COLUMNS, endpoint=False)
    rings = radii[:, None, None] * np.stack([np.cos(turns), np.sin(turns)], -1)
    points = np.concatenate([rings, np.zeros((*rings.shape[:2], 1))], -1).reshape(-1, 3)
    number = np.arange(len(points), dtype=np.int32).reshape(len(radii), _COLUMNS)
    inner, outer = number[:-1], number[1:]
    inner_on, outer_on = np.roll(inner, -1, 1), np.roll(outer, -1, 1)
    triangles = np.concatenate(
        [np.stack([inner, outer, outer_on], -1), np.stack([inner, outer_on, inner_on], -1)]
    )
    return SolidMesh(
        points.astype(np.float32),
        np.tile(np.array([0.0, 0.0, -1.0], np.float32), (len(points), 1)),
        np.full((len(points), 3), colour, np.float32),
        triangles.reshape(-1, 3),
    )


@lru_cache(maxsize=4)
def _grid(step: float, north: int, east: int, down: float, line: Rgb, ground: Rgb) -> LinePoints:
    """Lines that take the colour of the ground where they end."""
    reach = step * _LINES
    offsets = np.arange(-_LINES, _LINES + 1) * step
    along = np.append(np.linspace(-reach, reach, 2 * _STEPS + 1), np.nan)
    a, b = np.meshgrid(offsets, along, indexing="ij")
    flat = np.concatenate([np.stack([b, a], -1), np.stack([a, b], -1)]).reshape(-1, 2)
    share = np.clip(1.0 - np.nan_to_num(np.hypot(*flat.T)) / reach, 0.0, 1.0)[:, None]
    colours = share * np.asarray(line) + (1.0 - share) * np.asarray(ground)
    middle = np.array([north * step, east * step])
    points = np.column_stack((flat + middle, np.full(len(flat), down - _ABOVE_M)))
    return LinePoints(points.astype(np.float32), colours.astype(np.float32))
