"""The pictures of a ring of cameras, ray by ray, and the flow in them: one compiled program."""

from typing import Any, Final

import numpy as np

from simulation.compiled import njit_part
from simulation.perception.flow.grey_scene import grey_at
from simulation.perception.flow.image_interpolation import CAMERAS, FLOW, PIXELS, find_flow
from simulation.program import Program, record_at
from simulation.sources import sources_digest
from simulation.worlds.triangle_walk import GRID, nearest_hit

RING: Final = np.dtype(
    [
        ("flow", FLOW),
        # --- where these are in memory ---
        ("grid", np.int64),
        ("looks", np.int64),
        ("texels", np.int64),
        ("sky", np.float64),  # grey where there is nothing
        ("longest", np.float64),  # m
        ("side", np.int64),  # pixels of a camera, across and down
        ("binned", np.int64, 2),  # of them, down and across, make one of the picture
        ("width", np.float64),  # of a pixel, rad
        ("whole", np.int64),  # 1: greys are whole numbers
        ("way", np.float64, (PIXELS, 3)),  # of each pixel, in the camera's axes, of length 1
        ("place", np.float64, (CAMERAS, 3)),  # NED
        ("turn", np.float64, (CAMERAS, 3, 3)),  # camera to NED
    ],
    align=True,
)


@njit_part
def _look(r: Any, turn: Any, place: Any, pixel: int) -> float:
    """The grey that a pixel sees."""
    way = r["way"][pixel]
    a, b, c = way[0], way[1], way[2]
    x, y, z = place[0], place[1], place[2]
    dx = turn[0, 0] * a + turn[0, 1] * b + turn[0, 2] * c
    dy = turn[1, 0] * a + turn[1, 1] * b + turn[1, 2] * c
    dz = turn[2, 0] * a + turn[2, 1] * b + turn[2, 2] * c
    grid = record_at(r["grid"], GRID)
    reach, triangle = nearest_hit(grid, (x, y, z, dx, dy, dz), r["longest"])
    grey = r["sky"]
    if triangle >= 0:
        there = (x + reach * dx, y + reach * dy, z + reach * dz)
        grey = grey_at((r["looks"], r["texels"]), triangle, there, reach * r["width"])
    return float(int(grey)) if r["whole"] != 0 else float(grey)


@njit_part
def _take_picture(r: Any, camera: int, picture: Any) -> None:
    f = r["flow"]
    side, high, wide = r["side"], r["binned"][0], r["binned"][1]
    turn, place = r["turn"][camera], r["place"][camera]
    share = 1.0 / (high * wide)
    for row in range(f["rows"]):
        for column in range(f["columns"]):
            total = 0.0
            for y in range(high):
                first = (row * high + y) * side + column * wide
                for x in range(wide):
                    total += _look(r, turn, place, first + x)
            grey = total * share
            picture[row * f["columns"] + column] = float(int(grey)) if r["whole"] != 0 else grey


def _take(r: Any) -> None:
    f = r["flow"]
    newest = f["frame"] % 2
    for camera in range(f["cameras"]):
        _take_picture(r, camera, f["pictures"][newest, camera])
    f["frame"] += 1
    find_flow(f)


take_pictures: Final = Program(_take, RING, sources=sources_digest(__name__))
"""Takes the next picture of every camera and finds the flow."""
