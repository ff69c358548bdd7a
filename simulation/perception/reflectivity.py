"""Reflectivity of a scene's surfaces to a lidar, as tables for compiled code.

No world says what its surfaces do to infrared light, so it is what they look like: grey of the
picture times grey of the tint, from a screen's numbers to a share of light.
"""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import reals_at, wholes_at
from simulation.compiler.program_record import ProgramTables, byte_at, packed_bytes
from simulation.worlds.rays import SurfaceTable
from simulation.worlds.scene import linear_functions

Array = npt.NDArray[np.float64]

SURFACES: Final = np.dtype(
    [
        ("numbers", np.int64),  # where PER_TRIANGLE numbers of each are in memory
        ("picture", np.int64),  # first pixel, columns and rows of the picture of each
        ("pixels", np.int64),  # grey ones, eight in a whole number
        ("light", np.int64),  # the share of light that each grey sends back
    ],
    align=True,
)
PER_TRIANGLE: Final = 16
"""Four times three factors of a place (NED) and what is added: for its plane (height above it:
normal, minus distance), for the place in the picture (to the right, down), and for the tint."""
_SCREEN_GAMMA: Final = 2.2


def surface_tables(table: SurfaceTable) -> ProgramTables:
    """SURFACES of a scene."""
    tint = table.colours.mean(axis=2, keepdims=True) ** _SCREEN_GAMMA
    functions = np.concatenate([table.places, tint], axis=2)
    plane = table.planes * (1.0, 1.0, 1.0, -1.0)
    numbers = np.concatenate([plane[:, None], linear_functions(table.corners, functions)], axis=1)
    greys = [picture.mean(axis=2).round().astype(np.uint8) for picture in table.pictures]
    firsts = np.cumsum([0, *(grey.size for grey in greys)])
    shapes = np.array([grey.shape[::-1] for grey in greys], np.int64)
    layout = np.column_stack([firsts[:-1], shapes])
    arrays: dict[str, npt.NDArray[Any]] = {
        "numbers": np.ascontiguousarray(numbers.ravel()),
        "picture": np.ascontiguousarray(layout[table.picture].ravel(), np.int64),
        "pixels": packed_bytes(np.concatenate([grey.ravel() for grey in greys])),
        "light": (np.arange(256) / 255.0) ** _SCREEN_GAMMA,
    }
    return ProgramTables(SURFACES, arrays)


@njit_part
def value_at(numbers: Any, k: int, x: float, y: float, z: float) -> float:
    """One of a triangle's functions, whose numbers begin at `k`, at a place."""
    return float(numbers[k] * x + numbers[k + 1] * y + numbers[k + 2] * z + numbers[k + 3])


@njit_part
def reflectivity_at(surfaces: Any, triangle: int, x: float, y: float, z: float) -> float:
    """The share of light, 0 to 1, that a place on a triangle sends back."""
    numbers, picture = reals_at(surfaces["numbers"]), wholes_at(surfaces["picture"])
    k = PER_TRIANGLE * triangle
    right = value_at(numbers, k + 4, x, y, z)
    down = value_at(numbers, k + 8, x, y, z)
    tint = value_at(numbers, k + 12, x, y, z)
    k = 3 * triangle
    first, columns, rows = picture[k], picture[k + 1], picture[k + 2]
    column = min(int((right - math.floor(right)) * columns), columns - 1)
    row = min(int((down - math.floor(down)) * rows), rows - 1)
    pixel = first + row * columns + column
    grey = byte_at(surfaces["pixels"], pixel)
    return float(min(max(tint, 0.0), 1.0) * reals_at(surfaces["light"])[grey])
