"""Back faces of closed bodies: triangles that from outside are never seen before the front."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import reals_at, wholes_at
from simulation.compiler.program_record import ProgramTables
from simulation.worlds.closed_bodies import outward
from simulation.worlds.scene import Floats, Triangles, WorldScene, joined

Array = npt.NDArray[np.float64]

BACKS: Final = np.dtype(
    [
        ("triangles", np.int64),  # how many there are
        # --- where these are in memory ---
        ("outward", np.int64),  # of each triangle: 1 if its normal points out of a closed body, -1
        ("body", np.int64),  # the number of its body
        ("boxes", np.int64),  # six numbers of each body: its lowest and highest coordinates
    ],
    align=True,
)
_GROWN_M: Final = 1e-3
"""Who is nearer to a body's box than this counts as being in it."""


def body_backs(scene: WorldScene) -> ProgramTables:
    """BACKS of the bodies of a scene, its segments."""
    mesh, bodies = joined(scene.meshes), scene.segments()
    number, count = bodies.numbers, len(bodies.names)
    arrays = {
        "outward": outward(mesh, number, count).astype(np.float64),
        "body": number.astype(np.int64),
        "boxes": _boxes(mesh.vertices, mesh.triangles, number, count).ravel(),
    }
    return ProgramTables(BACKS, arrays, triangles=len(number))


def _boxes(vertices: Floats, triangles: Triangles, body: Triangles, count: int) -> Array:
    """(count, 6) lowest and highest coordinates of bodies."""
    corners = vertices[triangles].astype(np.float64)
    boxes = np.full((count, 6), np.inf)
    np.minimum.at(boxes[:, :3], body, corners.min(axis=1))
    np.minimum.at(boxes[:, 3:], body, -corners.max(axis=1))
    boxes *= np.repeat([1.0, -1.0], 3)
    boxes += np.repeat([-_GROWN_M, _GROWN_M], 3)
    return boxes


@njit_part
def is_back(backs: Any, triangle: int, height: float, place: Any) -> bool:
    """Whether what is seen of a triangle from a place is the inside of a closed body that the place
    is certainly outside of; it is so high above the triangle's plane."""
    if reals_at(backs["outward"])[triangle] * height >= 0.0:
        return False
    boxes, k = reals_at(backs["boxes"]), 6 * wholes_at(backs["body"])[triangle]
    x, y, z = place
    return bool(
        x < boxes[k]
        or y < boxes[k + 1]
        or z < boxes[k + 2]
        or x > boxes[k + 3]
        or y > boxes[k + 4]
        or z > boxes[k + 5]
    )
