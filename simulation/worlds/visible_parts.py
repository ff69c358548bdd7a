"""Which triangles of a mesh a camera may see: it is cut into squares on the ground."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import Mesh

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

_CELLS = 24
"""Squares by squares. They hold about as many triangles each: the borders are quantiles."""


@dataclass(frozen=True, slots=True, eq=False)
class MeshParts:
    """The triangles of a mesh in the order of squares; for each square its first triangle, their
    number, and the sphere around them."""

    triangles: npt.NDArray[np.int32]
    first: Numbers
    count: Numbers
    centre: Array
    radius: Array

    def runs(
        self, eye: Array, to_camera: Array, tangents: tuple[float, float]
    ) -> list[tuple[int, int]]:
        """First triangle and number of every run of squares that the camera may see.

        The camera stands at `eye` (NED), `to_camera` turns NED into its axes, and it sees as far
        to either side and up and down as the tangents say.
        """
        seen = self._may_be_seen(eye, to_camera, tangents)
        edges = np.flatnonzero(np.diff(seen.astype(np.int8), prepend=0, append=0))
        return [
            (int(self.first[a]), int(self.first[b - 1] + self.count[b - 1] - self.first[a]))
            for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]

    def _may_be_seen(
        self, eye: Array, to_camera: Array, tangents: tuple[float, float]
    ) -> npt.NDArray[np.bool_]:
        """Whose sphere touches the pyramid."""
        x, y, z = to_camera @ (self.centre - eye).T
        seen = x > -self.radius
        for across, tangent in ((np.abs(y), tangents[0]), (np.abs(z), tangents[1])):
            seen &= across - x * tangent < self.radius * np.hypot(1.0, tangent)
        return np.asarray(seen)


def parts_of(mesh: Mesh) -> MeshParts:
    """Cut a mesh into squares."""
    corners = mesh.vertices[mesh.triangles].astype(np.float64)
    middle = corners.mean(axis=1)[:, :2]
    shares = np.linspace(0.0, 1.0, _CELLS + 1)[1:-1]
    row, column = (
        np.searchsorted(np.quantile(middle[:, axis], shares), middle[:, axis]) for axis in (0, 1)
    )
    cell = row * _CELLS + column
    order = np.argsort(cell, kind="stable")
    first = np.flatnonzero(np.diff(cell[order], prepend=-1))
    ordered = corners[order]
    lowest = np.minimum.reduceat(ordered.min(axis=1), first)
    highest = np.maximum.reduceat(ordered.max(axis=1), first)
    return MeshParts(
        mesh.triangles[order],
        first,
        np.diff(first, append=len(order)),
        0.5 * (lowest + highest),
        0.5 * np.linalg.norm(highest - lowest, axis=1),
    )
