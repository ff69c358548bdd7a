"""Visible parts of a mesh for a camera: it is cut into squares on the ground."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.closed_bodies import TurnedMesh

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

_CELLS = 24
"""Squares by squares. They hold about as many triangles each: the borders are quantiles."""


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

    def runs(
        self, eye: Array, to_camera: Array, tangents: tuple[float, float]
    ) -> list[tuple[int, int, bool]]:
        """First triangle and number of every run of squares that the camera may see, and whether it
        is outside of all bodies there, so that it sees no back of a triangle.

        The camera stands at `eye` (NED), `to_camera` turns NED into its axes, and it sees as far
        to either side and up and down as the tangents say.
        """
        seen = self._may_be_seen(eye, to_camera, tangents).astype(np.int8)
        # Who is inside a body is no further than its diameter from each of its triangles.
        distance = np.linalg.norm(self.centre - eye, axis=1)
        kind = seen + seen * (distance > self.radius + self.diameter)
        edges = np.flatnonzero(np.diff(kind, prepend=0, append=0))
        return [
            (int(self.first[a]), int(self.first[b - 1] + self.count[b - 1] - self.first[a]), k > 1)
            for a, b, k in zip(edges[:-1], edges[1:], kind[edges[:-1]].tolist(), strict=True)
            if k
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
