"""Visible parts of meshes and lines: a mesh is cut into squares, a line into stretches."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widgets.scene3d.scene import Floats, SolidMesh, Triangles

_CELLS = 16
"""Squares by squares. They hold about as many triangles each: the borders are quantiles."""
_WHOLE = 2000
"""A mesh of so few triangles is one part."""
_STRETCH = 128
"""Steps of a line that are one part."""


@dataclass(frozen=True, slots=True, eq=False)
class VisibleParts:
    """Of a row of things: the first of each part, how many it has, and the sphere around them, in
    their own axes."""

    first: npt.NDArray[np.int64]
    count: npt.NDArray[np.int64]
    centre: Floats
    radius: Floats

    def runs(
        self,
        eye: Floats,
        to_eye: Floats,
        tangents: tuple[float, float],
        among: npt.NDArray[np.bool_] | None = None,
    ) -> list[tuple[int, int]]:
        """The first of every run of parts that may be seen, and how many it has. `eye` (3,) is in
        the things' axes, which `to_eye` turns into the eye's. See ViewCamera.tangents. With
        `among`, of those parts alone."""
        x, y, z = to_eye @ (self.centre - eye).T
        seen = x > -self.radius
        if among is not None:
            seen &= among
        sheared = np.abs(to_eye[1:] @ to_eye[0])
        for across, tangent, shear in zip(np.abs((y, z)), tangents, sheared, strict=True):
            seen &= across - x * tangent < self.radius * np.hypot(1.0, tangent + shear)
        bordered = np.zeros(len(seen) + 2, np.bool_)
        bordered[1:-1] = seen
        edges = np.flatnonzero(bordered[1:] != bordered[:-1])
        if not len(edges):
            return []
        begin, last = self.first[edges[::2]], edges[1::2] - 1
        count = self.first[last] + self.count[last] - begin
        return list(zip(begin.tolist(), count.tolist(), strict=True))

    def beyond(self, eye: Floats, distance_m: float) -> npt.NDArray[np.bool_]:
        """Which parts are farther away than so much."""
        away_m = np.linalg.norm(self.centre - eye, axis=1) - self.radius
        return np.asarray(away_m > distance_m)


def parted(mesh: SolidMesh) -> tuple[Triangles, VisibleParts]:
    """The triangles of a mesh in the order of its parts, and these."""
    corners = mesh.vertices[mesh.triangles].astype(np.float64)
    cell = _cells(corners)
    order = np.argsort(cell, kind="stable")
    first = np.flatnonzero(np.diff(cell[order], prepend=-1))
    return mesh.triangles[order], _parts(corners[order], first)


def stretches(steps: Floats) -> VisibleParts:
    """Of a line of steps (n, 2, 3)."""
    return _parts(steps, np.arange(0, len(steps), _STRETCH))


def _parts(points: Floats, first: npt.NDArray[np.int64]) -> VisibleParts:
    """Of things of several points each (n, points, 3), by the first of every part."""
    if not len(points):
        return VisibleParts(first, first, np.empty((0, 3)), np.empty(0))
    lowest = np.minimum.reduceat(points.min(axis=1), first)
    highest = np.maximum.reduceat(points.max(axis=1), first)
    return VisibleParts(
        first,
        np.diff(first, append=len(points)),
        0.5 * (lowest + highest),
        0.5 * np.linalg.norm(highest - lowest, axis=1),
    )


def _cells(corners: Floats) -> npt.NDArray[np.int64]:
    """The square of each triangle (m, 3, 3)."""
    if len(corners) < _WHOLE:
        return np.zeros(len(corners), np.int64)
    middle = corners.mean(axis=1)[:, :2]
    shares = np.linspace(0.0, 1.0, _CELLS + 1)[1:-1]
    row, column = (
        np.searchsorted(np.quantile(middle[:, axis], shares), middle[:, axis]) for axis in (0, 1)
    )
    return np.asarray(row * _CELLS + column, np.int64)
