"""Visible parts of meshes for a camera: each is cut into squares on the ground."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.closed_bodies import TurnedMesh

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

_CELLS = 24
"""Squares by squares. They hold about as many triangles each: the borders are quantiles."""
_LEAST_TRIANGLES = 128
"""About as many are drawn in the time in which one run of squares is begun: squares that have less
are taken together."""


@dataclass(frozen=True, slots=True, eq=False)
class MeshParts:
    """The triangles of a mesh in the order of squares; for each square its first triangle, their
    number, the sphere around them, and the diameter of the largest closed body they are of: inf if
    one is of an open body."""

    triangles: npt.NDArray[np.int32]
    first: Numbers
    count: Numbers
    centre: Array
    radius: Array
    diameter: Array


@dataclass(frozen=True, slots=True)
class SeenRun:
    """Squares in a row: the number of their mesh, their first triangle, how many, and whether the
    camera is outside of all bodies there, so that it sees no back of a triangle."""

    mesh: int
    first: int
    count: int
    is_outside: bool


class PartsInView:
    """The parts of several meshes, of which a camera sees some."""

    def __init__(self, parts: Sequence[MeshParts]) -> None:
        self._first = np.concatenate([part.first for part in parts])
        self._end = self._first + np.concatenate([part.count for part in parts])
        self._centre = np.concatenate([part.centre for part in parts])
        self._radius = np.concatenate([part.radius for part in parts])
        self._safe = self._radius + np.concatenate([part.diameter for part in parts])
        counts = [len(part.first) for part in parts]
        self._mesh = np.repeat(np.arange(len(parts)), counts)
        self._begins = np.zeros(len(self._first) + 1, np.bool_)  # a mesh, or the end
        self._begins[np.cumsum([0, *counts])] = True

    def runs(
        self, eye: Array, to_camera: Array, tangents: tuple[float, float]
    ) -> Iterator[SeenRun]:
        """Every run of squares that the camera may see, mesh by mesh.

        The camera stands at `eye` (NED), `to_camera` turns NED into its axes, and it sees as far
        to either side and up and down as the tangents say.
        """
        away = self._centre - eye
        seen = self._may_be_seen(to_camera @ away.T, tangents).astype(np.int8)
        # Who is inside a body is no further than its diameter from each of its triangles.
        distance = np.sqrt(np.einsum("ij,ij->i", away, away))
        kind = seen + seen * (distance > self._safe)
        edges = np.flatnonzero(self._begins | (np.diff(kind, prepend=0, append=0) != 0))
        begun, ended = edges[:-1], edges[1:]
        shown = np.flatnonzero(kind[begun])
        begun, ended = begun[shown], ended[shown]
        first = self._first[begun]
        columns = self._mesh[begun], first, self._end[ended - 1] - first, kind[begun] > 1
        return map(SeenRun, *(column.tolist() for column in columns))

    def _may_be_seen(self, places: Array, tangents: tuple[float, float]) -> npt.NDArray[np.bool_]:
        """Whose sphere touches the pyramid."""
        x, y, z = places
        seen = x > -self._radius
        for across, tangent in ((np.abs(y), tangents[0]), (np.abs(z), tangents[1])):
            seen &= across - x * tangent < self._radius * math.hypot(1.0, tangent)
        return np.asarray(seen)


def parts_of(mesh: TurnedMesh) -> MeshParts:
    """Cut a mesh into squares."""
    triangles = mesh.mesh.triangles
    corners = mesh.mesh.vertices[triangles].astype(np.float64)
    middle = corners.mean(axis=1)[:, :2]
    shares = np.linspace(0.0, 1.0, _CELLS + 1)[1:-1]
    row, column = (
        np.searchsorted(np.quantile(middle[:, axis], shares), middle[:, axis]) for axis in (0, 1)
    )
    cell = row * _CELLS + column
    order = np.argsort(cell, kind="stable")
    first = np.flatnonzero(np.diff(cell[order], prepend=-1))
    first = first[np.diff(first // _LEAST_TRIANGLES, prepend=-1) > 0]
    ordered = corners[order]
    lowest = np.minimum.reduceat(ordered.min(axis=1), first)
    highest = np.maximum.reduceat(ordered.max(axis=1), first)
    return MeshParts(
        triangles[order],
        first,
        np.diff(first, append=len(order)),
        0.5 * (lowest + highest),
        0.5 * np.linalg.norm(highest - lowest, axis=1),
        np.maximum.reduceat(mesh.diameter_m[order], first),
    )
