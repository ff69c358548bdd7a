"""Lidar echoes of the surfaces that its rays meet, in compiled code.

A pulse comes back if what the receiver gets of it is enough. That is proportional to reflectivity
and the cosine of incidence and falls with the square of the distance; relative to what is needed it
is s = reflectivity x cos(incidence) x (reach / distance)^2, and the pulse is heard if
ln s + fade x n > 0 with a standard normal n for each ray.
"""

import math
from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Program, reals_at, record_at, wholes_at
from simulation.compiler.source_digest import sources_digest
from simulation.mathematics.random_numbers import normal_of, philox
from simulation.perception.reflectivity import (
    PER_TRIANGLE,
    SURFACES,
    reflectivity_at,
    value_at,
)

ECHOES: Final = np.dtype(
    [
        ("count", np.int64),
        ("seed", np.int64),
        ("stream", np.int64),
        ("least", np.float64),
        ("longest", np.float64),
        ("resolution", np.float64),
        ("reach", np.float64),
        ("fade", np.float64),
        ("certain", np.float64),  # a signal that is heard whatever the noise
        ("scale", np.float64),
        ("bias", np.float64),
        ("ray_loss", np.float64),
        ("noise_rows", np.int64),
        # --- where these are in memory ---
        ("surfaces", np.int64),
        ("noise", np.int64),
        ("origins", np.int64),
        ("directions", np.int64),
        ("triangle", np.int64),
        ("range_m", np.int64),
        ("measured_m", np.int64),
        ("brightness", np.int64),
    ],
    align=True,
)
_LOSS_STREAM: Final = 0x5DEECE66
_TO_UNIT: Final = 1.0 / 4294967296.0
_LEAST_SIGNAL: Final = 1e-12


def _hear(e: Any) -> None:
    origins, directions = reals_at(e["origins"]), reals_at(e["directions"])
    triangles, ranges = wholes_at(e["triangle"]), reals_at(e["range_m"])
    measured, brightness = reals_at(e["measured_m"]), reals_at(e["brightness"])
    surfaces = record_at(e["surfaces"], SURFACES)
    planes = reals_at(surfaces["numbers"])
    for i in range(e["count"]):
        j = 3 * i
        ranges[i] = math.inf
        measured[i] = math.nan
        brightness[i] = 0.0
        triangle = triangles[i]
        triangles[i] = -1
        if triangle < 0:
            continue
        k = PER_TRIANGLE * triangle
        x, y, z = origins[j], origins[j + 1], origins[j + 2]
        dx, dy, dz = directions[j], directions[j + 1], directions[j + 2]
        along = planes[k] * dx + planes[k + 1] * dy + planes[k + 2] * dz
        if along == 0.0:
            continue
        true = -value_at(planes, k, x, y, z) / along
        if not 0.0 <= true <= e["longest"]:
            continue
        ranges[i], triangles[i] = true, triangle
        share = reflectivity_at(surfaces, triangle, x + true * dx, y + true * dy, z + true * dz)
        light = share * abs(along)
        found = _distance(e, i, true, light)
        if e["least"] <= found <= e["longest"]:
            measured[i], brightness[i] = found, light


@njit_part
def _distance(e: Any, i: int, true: float, light: float) -> float:
    """What ray `i` measures; below 0 if it hears nothing."""
    first, second = philox(e["seed"], i, e["stream"])
    reach = e["reach"] / max(true, _LEAST_SIGNAL)
    signal = light * reach * reach
    if signal < e["certain"] and (
        math.log(max(signal, _LEAST_SIGNAL)) + e["fade"] * normal_of(second) <= 0.0
    ):
        return -1.0
    if e["ray_loss"] > 0.0:
        word, _ = philox(e["seed"], i, e["stream"] ^ _LOSS_STREAM)
        if _TO_UNIT * word < e["ray_loss"]:
            return -1.0
    found = e["scale"] * (true + _deviation(e, true) * normal_of(first)) + e["bias"]
    return float(math.floor(found / e["resolution"] + 0.5) * e["resolution"])


@njit_part
def _deviation(e: Any, distance: float) -> float:
    """Between the rows of distance and standard deviation; beyond them it stays."""
    rows, last = reals_at(e["noise"]), e["noise_rows"] - 1
    if distance <= rows[0]:
        return float(rows[1])
    for row in range(last):
        k = 2 * row
        if distance < rows[k + 2]:
            share = (distance - rows[k]) / (rows[k + 2] - rows[k])
            return float(rows[k + 1] + share * (rows[k + 3] - rows[k + 1]))
    return float(rows[2 * last + 1])


hear_echoes = Program(_hear, ECHOES, sources=sources_digest(__name__))
"""Works on ECHOES: `triangle` of each ray becomes -1 if it is not met within `longest`; filled are
the true `range_m`, inf for none, `measured_m`, NaN for none, and `brightness`, reflectivity times
the cosine of incidence where something was heard."""
