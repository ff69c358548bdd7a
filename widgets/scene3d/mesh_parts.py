"""Which triangles of a mesh an eye may see: it is cut into squares, as seen from above."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widgets.scene3d.space import Floats, SolidMesh, Triangles

_CELLS = 16
"""Squares by squares. They hold about as many triangles each: the borders are quantiles."""
_WHOLE = 2000
"""A mesh of so few triangles is one part."""


@dataclass(frozen=True, slots=True, eq=False)
class PartedMesh:
    """The triangles of a mesh in the order of its parts; for each part its first triangle, their
    number, and the sphere around them, in the mesh's own axes."""

    triangles: Triangles
    first: npt.NDArray[np.int64]
    count: npt.NDArray[np.int64]
    centre: Floats
    radius: Floats

    def runs(
        self, eye: Floats, to_eye: Floats, tangents: tuple[float, float]
    ) -> list[tuple[int, int]]:
        """First triangle and number of every run of parts that may be seen from `eye` (3,) in the
        mesh's axes; `to_eye` turns these into the eye's. See Eye.tangents."""
        x, y, z = to_eye @ (self.centre - eye).T
        seen = x > -self.radius
        for across, tangent in ((np.abs(y), tangents[0]), (np.abs(z), tangents[1])):
            seen &= across - x * tangent < self.radius * np.hypot(1.0, tangent)
        edges = np.flatnonzero(np.diff(seen.astype(np.int8), prepend=0, append=0))
        return [
            (int(self.first[a]), int(self.first[b - 1] + self.count[b - 1] - self.first[a]))
            for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]


def parted(mesh: SolidMesh) -> PartedMesh:
    """Cut a mesh into parts."""
    corners = mesh.vertices[mesh.triangles].astype(np.float64)
    cell = _cells(corners)
    order = np.argsort(cell, kind="stable")
    first = np.flatnonzero(np.diff(cell[order], prepend=-1))
    if not len(order):
        nothing = np.empty(0)
        return PartedMesh(mesh.triangles, first, first, np.empty((0, 3)), nothing)
    ordered = corners[order]
    lowest = np.minimum.reduceat(ordered.min(axis=1), first)
    highest = np.maximum.reduceat(ordered.max(axis=1), first)
    return PartedMesh(
        mesh.triangles[order],
        first,
        np.diff(first, append=len(order)),
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
