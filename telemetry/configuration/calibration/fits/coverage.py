"""Sphere coverage: directions in which readings have been taken, and those that are missing."""

import math
from dataclasses import dataclass

import numpy as np

from telemetry.configuration.calibration.fits.result import Array

_CELLS = 48
_PER_CELL = 2
_MIN_PART = 0.35
"""A direction's component smaller than this is not mentioned."""
_SIDES = (("nose", "tail"), ("right side", "left side"), ("belly", "top"))


def _even_directions() -> Array:
    """Unit vectors spread evenly over a sphere along a golden spiral, (_CELLS, 3)."""
    k = np.arange(_CELLS) + 0.5
    height = 1.0 - 2.0 * k / _CELLS
    around = k * math.pi * (3.0 - math.sqrt(5.0))
    radius = np.sqrt(1.0 - height**2)
    return np.stack([radius * np.cos(around), radius * np.sin(around), height], axis=1)


DIRECTIONS = _even_directions()
"""The middles of the cells a sphere is divided into, (n, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """`share` of the sphere that was seen, 0 to 1, and unit vectors (m, 3) of what was not."""

    share: float
    missing: Array


def coverage_of(vectors: Array) -> Coverage:
    """How much of the sphere these vectors (n, 3), seen from its centre, point at."""
    counts = np.zeros(_CELLS, dtype=np.int64)
    if len(vectors):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        cells = np.argmax((vectors / np.maximum(lengths, 1e-9)) @ DIRECTIONS.T, axis=1)
        counts = np.bincount(cells, minlength=_CELLS)
    is_seen = counts >= _PER_CELL
    return Coverage(float(is_seen.mean()), DIRECTIONS[~is_seen])


def sphere_centre(points: Array, radius: float) -> Array:
    """Roughly the centre (3,) of the sphere `points` lie on, the origin while they tell nothing.

    |x|^2 = 2 x c + d is linear in c and d; a weak pull keeps c near the origin.
    """
    if len(points) < 4:
        return np.zeros(3)
    unit = points / radius
    rows = np.vstack([np.column_stack([2.0 * unit, np.ones(len(unit))]), 0.4 * np.eye(4)[:3]])
    goal = np.concatenate([(unit**2).sum(axis=1), np.zeros(3)])
    solution = np.linalg.lstsq(rows, goal, rcond=None)[0]
    return np.asarray(solution[:3] * radius)


def side_words(direction: Array) -> str:
    """The sides of an aircraft that lie in this direction of its axes: "nose and left side"."""
    parts = [
        (abs(float(x)), sides[0] if x > 0.0 else sides[1])
        for x, sides in zip(direction, _SIDES, strict=True)
        if abs(x) >= _MIN_PART
    ]
    names = [name for _, name in sorted(parts, reverse=True)]
    return " and ".join(names) if len(names) < 3 else f"{names[0]}, {names[1]} and {names[2]}"
