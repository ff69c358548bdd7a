"""Grey surfaces of a scene, as small grey cameras see them, for compiled code.

Grey is the mean of red, green and blue, 0 to 255, by even light, as seed 003's cameras have it.
Pictures are also kept at half, a quarter, ... of their size, so that a pixel that covers much of a
surface sees its mean and not a speck of it.
"""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import reals_at
from simulation.compiler.program_record import byte_at, packed_bytes
from simulation.worlds.back_faces import body_backs
from simulation.worlds.scene import Mesh, Picture, WorldScene, linear_functions
from simulation.worlds.triangle_grid import TriangleGrid

Array = npt.NDArray[np.float64]

LOOK: Final = 15
"""Numbers of a triangle: its place in the picture across, a x + b y + c z + d, and down, in widths
and heights of the picture; where the picture begins, its rows, columns and last level; the tint;
how many of its columns are a metre; and the row of the grain on it, 0: none."""
_BEGIN, _ROWS, _COLUMNS, _LEVELS, _TINT, _FINENESS, _GRAIN = range(8, LOOK)
_MOST_COVERED: Final = 1.5
"""Texels that a pixel may cover before the next smaller picture is taken."""
_LEAST_FINENESS: Final = 1e-12
_GRAIN_M: Final = 17.0
"""To the side of the tile of grain."""
_WHITE = np.full((1, 1, 3), 255, np.uint8)


Look = tuple[Any, Any, Any, float, float, float]
"""The same numbers, as compiled code hands them on."""
Level = tuple[float, float, float, float, float]


class GreyScene:
    """A scene's looks: `looks` (m, LOOK) in the order of `WorldScene.triangles`, `texels` of all
    pictures, eight bytes to a number, the first the lowest; and the grey where there is nothing."""

    def __init__(self, scene: WorldScene) -> None:
        self._texels: list[npt.NDArray[np.uint8]] = []
        self._count = 0
        ground = scene.picture
        # As the shader of the ground has it.
        places = scene.ground.vertices[:, 1::-1] / ground.width_m + 0.5
        plain = np.zeros((len(scene.bodies.vertices), 2))
        rows = [
            self._looks(scene.ground, places, ground.pixels),
            self._looks(scene.bodies, plain, _WHITE),
            *(self._looks(body.mesh, body.places, body.pixels) for body in scene.pictured),
        ]
        ground_count = len(rows[0])
        self.looks = np.concatenate([*rows, self._grain(scene.grain)])
        self.looks[:ground_count, _GRAIN] = len(self.looks) - 1
        self.texels = packed_bytes(np.concatenate(self._texels))
        self.sky = 255.0 * float(np.mean(scene.light.haze))

    def _looks(self, mesh: Mesh, places: npt.ArrayLike, pixels: Picture) -> Array:
        corners = np.asarray(mesh.vertices, np.float64)[mesh.triangles]
        planes = linear_functions(corners, np.asarray(places, np.float64)[mesh.triangles])
        looks = np.zeros((len(corners), LOOK))
        looks[:, 0:4], looks[:, 4:8] = across, down = planes[:, 0], planes[:, 1]
        height, width = pixels.shape[:2]
        looks[:, _BEGIN] = self._count
        looks[:, _ROWS], looks[:, _COLUMNS] = height, width
        looks[:, _LEVELS] = self._keep(pixels.mean(axis=2, dtype=np.float32))
        looks[:, _TINT] = np.asarray(mesh.colours, np.float64)[mesh.triangles].mean(axis=(1, 2))
        finer = np.maximum(
            np.linalg.norm(across[:, :3], axis=1) * width,
            np.linalg.norm(down[:, :3], axis=1) * height,
        )
        looks[:, _FINENESS] = finer
        return looks

    def _grain(self, grain: Picture) -> Array:
        """A look for the fine structure of the ground, as the shader of the ground has it."""
        look = np.zeros((1, LOOK))
        look[0, 0] = look[0, 5] = 1.0 / _GRAIN_M
        look[0, _BEGIN], look[0, _TINT] = self._count, 1.0
        look[0, _ROWS], look[0, _COLUMNS] = grain.shape
        look[0, _FINENESS] = grain.shape[1] / _GRAIN_M
        look[0, _LEVELS] = self._keep(grain.astype(np.float32))
        return look

    def _keep(self, grey: npt.NDArray[np.float32]) -> int:
        """Keep a picture and smaller ones, each after the other; the number of the last."""
        level = 0
        while True:
            self._texels.append(np.rint(grey.ravel()).astype(np.uint8))
            self._count += grey.size
            rows, columns = grey.shape
            if rows % 2 or columns % 2:
                return level
            grey = grey.reshape(rows // 2, 2, columns // 2, 2).mean(axis=(1, 3))
            level += 1


class SeenScene:
    """A scene made ready for rings, any number of them in any number of threads."""

    def __init__(self, scene: WorldScene, grid: TriangleGrid | None = None) -> None:
        """`grid`: of this scene's triangles, if it is there already."""
        self.grid = grid or TriangleGrid(*scene.triangles())
        self.backs = body_backs(scene)
        self.grey = GreyScene(scene)


@njit_part
def look_of(memory: Any, triangle: int) -> Look:
    """The numbers of a triangle, from the memory of `looks`."""
    looks, k = reals_at(memory), triangle * LOOK
    across = (looks[k], looks[k + 1], looks[k + 2], looks[k + 3])
    down = (looks[k + 4], looks[k + 5], looks[k + 6], looks[k + 7])
    size = (looks[k + _ROWS], looks[k + _COLUMNS], looks[k + _LEVELS], looks[k + _FINENESS])
    return across, down, size, looks[k + _BEGIN], looks[k + _TINT], looks[k + _GRAIN]


@njit_part
def level_of(look: Look, covered_m: float) -> Level:
    """Which of its pictures a triangle shows to a pixel that covers `covered_m` of it: where it
    begins, its rows and columns, and from how many metres to how many that holds."""
    rows, columns, levels, fineness = look[2]
    begin, least, most = look[3], -1.0, _MOST_COVERED / max(fineness, _LEAST_FINENESS)
    while covered_m > most and levels > 0.0:
        begin += rows * columns
        rows *= 0.5
        columns *= 0.5
        least, most = most, 2.0 * most
        levels -= 1.0
    return begin, rows, columns, least, most if levels > 0.0 else math.inf


@njit_part
def grey_of(memory: Any, look: Look, level: Level, place: Any) -> float:
    """The grey of a triangle at a place (NED); `memory` is that of `texels`."""
    a, b = look[0], look[1]
    begin, rows, columns = level[0], level[1], level[2]
    x, y, z = place
    across = a[0] * x + a[1] * y + a[2] * z + a[3]
    down = b[0] * x + b[1] * y + b[2] * z + b[3]
    column = min(float(math.floor((across - math.floor(across)) * columns)), columns - 1.0)
    row = min(float(math.floor((down - math.floor(down)) * rows)), rows - 1.0)
    texel = int(begin + row * columns + column)
    return float(look[4] * float(byte_at(memory, texel)))


@njit_part
def grained(memory: tuple[Any, Any], look: Look, grey: float, seen: tuple[Any, float]) -> float:
    """A grey with the grain that is on the surface; `memory` are those of `looks` and `texels`,
    `seen` the place and how much of it the pixel covers, in metres."""
    if look[5] <= 0.0:
        return grey
    grain = look_of(memory[0], int(look[5]))
    near = grey_of(memory[1], grain, level_of(grain, seen[1]), seen[0])
    return float(min(grey * (near / 255.0 + 0.5), 255.0))
