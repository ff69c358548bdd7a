"""Reflectivity of a scene's surfaces to a lidar, as tables for compiled code.

No world says what its surfaces do to infrared light, so it is what they look like: grey of the
picture times grey of the tint, from a screen's numbers to a share of light.
"""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import IS_COMPILING, njit_part
from simulation.compiler.program import Memory, reals_at, wholes_at
from simulation.worlds.rays import SurfaceTable

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


class SurfaceMemory:
    """The tables of a scene. `memory` is for compiled code, the record `record_at(memory,
    SURFACES)`, as long as this is kept."""

    def __init__(self, table: SurfaceTable) -> None:
        tint = table.colours.mean(axis=2, keepdims=True) ** _SCREEN_GAMMA
        functions = np.concatenate([table.places, tint], axis=2)
        plane = table.planes * (1.0, 1.0, 1.0, -1.0)
        numbers = np.concatenate([plane[:, None], _linear(table.corners, functions)], axis=1)
        greys = [picture.mean(axis=2).round().astype(np.uint8) for picture in table.pictures]
        firsts = np.cumsum([0, *(grey.size for grey in greys)])
        shapes = np.array([grey.shape[::-1] for grey in greys], np.int64)
        pixels = np.zeros(-(-firsts[-1] // 8) * 8, np.uint8)
        pixels[: firsts[-1]] = np.concatenate([grey.ravel() for grey in greys])
        layout = np.column_stack([firsts[:-1], shapes])
        self._arrays: dict[str, Any] = {
            "numbers": np.ascontiguousarray(numbers.ravel()),
            "picture": np.ascontiguousarray(layout[table.picture].ravel(), np.int64),
            "pixels": pixels.view("<i8"),
            "light": (np.arange(256) / 255.0) ** _SCREEN_GAMMA,
        }
        self._record = np.zeros(1, SURFACES)
        for name, array in self._arrays.items():
            self._record[name] = array.ctypes.data
        self.memory: Memory = self._record.ctypes.data if IS_COMPILING else self._plain()

    def _plain(self) -> dict[str, Any]:
        """For plain Python, whose own numbers are faster than those of arrays."""
        return {name: array.tolist() for name, array in self._arrays.items()}


def _linear(corners: Array, values: Array) -> Array:
    """(m, k, 4): for k values that m triangles have at their corners (m, 3, k), what a place is
    multiplied with to get the value there, and what is added."""
    a, b, c = (corners[:, i] for i in range(3))
    normal = np.cross(b - a, c - a)
    square = np.maximum(np.einsum("ij,ij->i", normal, normal), 1e-300)[:, None]
    # The shares that the second and third corner have of a place.
    shares = np.stack([np.cross(c - a, normal) / square, np.cross(normal, b - a) / square], 1)
    steps = values[:, 1:] - values[:, :1]
    factors = np.einsum("msk,msx->mkx", steps, shares)
    added = values[:, 0] - np.einsum("mkx,mx->mk", factors, a)
    return np.concatenate([factors, added[..., None]], axis=2)


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
    eight = wholes_at(surfaces["pixels"])[pixel >> 3]
    grey = (eight >> (8 * (pixel & 7))) & 255
    return float(min(max(tint, 0.0), 1.0) * reals_at(surfaces["light"])[grey])
