"""Simple solids as flat faces: an aircraft one recognises in any pose, and how to look at it.

Axes are an aircraft's: forward, right, down; the wing or the distance of motors is about 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Paint = Literal["body", "nose", "rotor", "leg"]
Shape = Literal["multirotor", "aeroplane"]


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """Corners (n, 3) of a flat face and what it belongs to."""

    corners: Array
    paint: Paint


def solid_of(shape: Shape) -> tuple[Face, ...]:
    """The faces of an aircraft."""
    return _MULTIROTOR if shape == "multirotor" else _AEROPLANE


def seen_from(azimuth_deg: float, elevation_deg: float) -> Array:
    """The matrix (3, 3) from forward, right, down to right and down on screen, and away."""
    a, e = math.radians(azimuth_deg), math.radians(elevation_deg)
    away = np.array([math.cos(a), -math.sin(a), 0.0])
    right = np.array([math.sin(a), math.cos(a), 0.0])
    down = np.array([0.0, 0.0, 1.0])
    return np.stack(
        [
            right,
            math.cos(e) * down - math.sin(e) * away,
            math.cos(e) * away + math.sin(e) * down,
        ]
    )


def _box(low: Sequence[float], high: Sequence[float], paint: Paint) -> tuple[Face, ...]:
    x, y, z = zip(low, high, strict=True)
    faces = []
    for axis, sides in enumerate((x, y, z)):
        others = [(x, y, z)[i] for i in range(3) if i != axis]
        for side in sides:
            square = [(0, 0), (0, 1), (1, 1), (1, 0)]
            corners = []
            for i, j in square:
                corner = [others[0][i], others[1][j]]
                corner.insert(axis, side)
                corners.append(corner)
            faces.append(Face(np.array(corners, dtype=np.float64), paint))
    return tuple(faces)


def _flat(corners: Sequence[Sequence[float]], paint: Paint) -> Face:
    return Face(np.array(corners, dtype=np.float64), paint)


def _tip(base_x: float, tip_x: float, half_width: float, half_height: float) -> tuple[Face, ...]:
    """A pyramid that ends in the nose."""
    w, h = half_width, half_height
    ring = [(base_x, -w, -h), (base_x, w, -h), (base_x, w, h), (base_x, -w, h)]
    tip = (tip_x, 0.0, 0.0)
    return tuple(_flat([ring[i], ring[(i + 1) % 4], tip], "nose") for i in range(4))


def _disc(x: float, y: float, z: float, radius: float) -> Face:
    turns = np.linspace(0.0, 2.0 * np.pi, 25)[:-1]
    ring = [x + radius * np.cos(turns), y + radius * np.sin(turns), np.full_like(turns, z)]
    return Face(np.stack(ring, axis=1), "rotor")


def _arm(x: float, y: float) -> Face:
    side = 0.05 * math.copysign(1.0, x * y)
    return _flat(
        [
            (side, -0.05, -0.04),
            (x + side, y - 0.05, -0.04),
            (x - side, y + 0.05, -0.04),
            (-side, 0.05, -0.04),
        ],
        "leg",
    )


_REACH = 0.62
_MOTORS = [(x, y) for x in (-_REACH, _REACH) for y in (-_REACH, _REACH)]
_MULTIROTOR = (
    *_box((-0.34, -0.2, -0.12), (0.34, 0.2, 0.1), "body"),
    *_tip(0.34, 0.72, 0.2, 0.11),
    *(_arm(x, y) for x, y in _MOTORS),
    *(_disc(x, y, -0.14, 0.33) for x, y in _MOTORS),
    *(
        _flat([(x, y, 0.1), (x + 0.1, y, 0.1), (x + 0.1, y * 1.5, 0.34), (x, y * 1.5, 0.34)], "leg")
        for x in (-0.28, 0.18)
        for y in (-0.2, 0.2)
    ),
)
_AEROPLANE = (
    *_box((-0.75, -0.09, -0.1), (0.5, 0.09, 0.1), "body"),
    *_tip(0.5, 0.85, 0.09, 0.1),
    _flat([(0.25, -1.0, -0.1), (0.25, 1.0, -0.1), (-0.1, 1.0, -0.1), (-0.1, -1.0, -0.1)], "rotor"),
    _flat(
        [(-0.6, -0.35, -0.06), (-0.6, 0.35, -0.06), (-0.8, 0.35, -0.06), (-0.8, -0.35, -0.06)],
        "rotor",
    ),
    _flat([(-0.55, 0.0, -0.1), (-0.8, 0.0, -0.1), (-0.85, 0.0, -0.42), (-0.72, 0.0, -0.42)], "leg"),
)
