"""Algebra of vectors of three numbers; of arrays that hold one, it reads the first three."""

import math
from typing import Any

from simulation.compiler.decorators import njit_part

Vector = tuple[float, float, float]


@njit_part
def vector(numbers: Any) -> Vector:
    """The vector in an array."""
    return numbers[0], numbers[1], numbers[2]


@njit_part
def moved(place: Any, share: float, way: Any) -> Vector:
    """A place moved by a share of a way."""
    return place[0] + share * way[0], place[1] + share * way[1], place[2] + share * way[2]


@njit_part
def between(start: Any, end: Any) -> Vector:
    """The way from a place to another."""
    return end[0] - start[0], end[1] - start[1], end[2] - start[2]


@njit_part
def cross(a: Any, b: Any) -> Vector:
    """The product that stands on both."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit_part
def dot(a: Any, b: Any) -> float:
    """How much of one is along the other, times the length of that."""
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


@njit_part
def length(way: Any) -> float:
    """Of a vector."""
    return math.sqrt(dot(way, way))
