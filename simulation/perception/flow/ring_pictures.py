"""Ring camera pictures, ray by ray, and the flow in them: one compiled program."""

from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import Program, reals_at, record_at
from simulation.compiler.source_digest import sources_digest
from simulation.perception.flow.image_interpolation import CAMERAS, FLOW, PIXELS, find_flow
from simulation.perception.flow.ring_layout import SENSOR_PX
from simulation.perception.flow.ring_tiles import (
    FEW,
    PYRAMID,
    Way,
    choose_few,
    end_at_distance,
    end_at_surface,
    end_nowhere,
    find_few,
    nearest_of_few,
)
from simulation.perception.grey_scene import grained, grey_of, level_of, look_of
from simulation.worlds.back_faces import BACKS
from simulation.worlds.ray_casting import GRID, PLANE_NUMBERS, coordinate, nearest_hit

TILE: Final = 8
"""Pixels to the side of the squares in which few surfaces are looked for, see ring_tiles."""
HALF: Final = TILE // 2
BETWEEN: Final = (SENSOR_PX // HALF + 1) ** 2
UNKNOWN: Final = -2
_FEW_TRIANGLES: Final = 512
"""In scenes of more, each pixel has a ray of its own."""
_MANY: Final = 12
"""A large square that may see more triangles than that is seen by quarters."""
_LEAST_M: Final = 1e-6
"""So far a square is looked at, at least: a camera may lie on a surface."""
_BEYOND: Final = 1.25
"""By this factor farther than its corners see, a square's few triangles are looked for."""

RING: Final = np.dtype(
    [
        ("flow", FLOW),
        # --- where these are in memory ---
        ("grid", np.int64),
        ("backs", np.int64),
        ("looks", np.int64),
        ("texels", np.int64),
        ("sky", np.float64),  # grey where there is nothing
        ("longest", np.float64),  # m
        ("side", np.int64),  # pixels of a camera, across and down
        ("binned", np.int64, 2),  # of them, down and across, make one of the picture
        ("width", np.float64),  # of a pixel, rad
        ("whole", np.int64),  # 1: greys are whole numbers
        # --- what the camera that takes its picture may see, and a square of its pixels ---
        ("visible", FEW),
        ("few", FEW),
        ("pyramid", PYRAMID),
        ("bound", np.float64),  # up to here `few` are all, m
        # --- rays between pixels, HALF of them apart, row by row: the corners of squares ---
        ("between", np.int64),  # how many to a row
        ("chord", np.float64, 2),  # least length of a mean of small and large squares' corners
        ("between_way", np.float64, (BETWEEN, 3)),  # in the camera's axes, of length 1
        ("between_ned", np.float64, (BETWEEN, 3)),
        ("between_reach", np.float64, BETWEEN),
        ("between_met", np.int64, BETWEEN),  # the triangle, -1: none, UNKNOWN: not yet asked
        ("seen", np.float64, PIXELS),  # greys of the newest camera
        ("way", np.float64, (PIXELS, 3)),  # of each pixel, in the camera's axes, of length 1
        ("place", np.float64, (CAMERAS, 3)),  # NED
        ("turn", np.float64, (CAMERAS, 3, 3)),  # camera to NED
    ],
    align=True,
)


@njit_part
def _turned(turn: Any, way: Any) -> Way:
    """A direction of a camera, NED."""
    a, b, c = way[0], way[1], way[2]
    return (
        turn[0, 0] * a + turn[0, 1] * b + turn[0, 2] * c,
        turn[1, 0] * a + turn[1, 1] * b + turn[1, 2] * c,
        turn[2, 0] * a + turn[2, 1] * b + turn[2, 2] * c,
    )


@njit_part
def _way(r: Any, camera: int, pixel: int) -> Way:
    """Where a pixel looks, NED."""
    return _turned(r["turn"][camera], r["way"][pixel])


@njit_part
def _place(r: Any, camera: int) -> Way:
    place = r["place"][camera]
    return place[0], place[1], place[2]


@njit_part
def _hit(r: Any, origin: Way, way: Way) -> tuple[float, int]:
    ray = (origin[0], origin[1], origin[2], way[0], way[1], way[2])
    return nearest_hit(record_at(r["grid"], GRID), ray, r["longest"])


@njit_part
def _grey(r: Any, origin: Way, way: Way, hit: tuple[float, int]) -> float:
    """The grey of what a pixel meets, or of the sky."""
    reach, triangle = hit
    grey = r["sky"]
    if triangle >= 0:
        there = (origin[0] + reach * way[0], origin[1] + reach * way[1], origin[2] + reach * way[2])
        look = look_of(r["looks"], triangle)
        covered = reach * r["width"]
        grey = grey_of(r["texels"], look, level_of(look, covered), there)
        grey = grained((r["looks"], r["texels"]), look, grey, (there, covered))
    return float(int(grey)) if r["whole"] != 0 else float(grey)


@njit_shared
def _ask_between(r: Any, camera: int, point: int) -> None:
    """What the ray between pixels meets, if that is not known yet."""
    if r["between_met"][point] != UNKNOWN:
        return
    origin = _place(r, camera)
    way = _turned(r["turn"][camera], r["between_way"][point])
    reach, met = _hit(r, origin, way)
    r["between_reach"][point] = reach
    r["between_met"][point] = met
    for axis in range(3):
        r["between_ned"][point, axis] = way[axis]


@njit_shared
def _find_visible(r: Any, camera: int) -> bool:
    """Set `visible`, and where the pyramid of all squares begins; whether those are few."""
    backs = record_at(r["backs"], BACKS)
    if backs["triangles"] > _FEW_TRIANGLES:
        return False
    pyramid, last = r["pyramid"], r["between"] - 1
    for i in range(4):
        corner = last * (i % 2 + r["between"] * (i // 2))
        way = _turned(r["turn"][camera], r["between_way"][corner])
        for axis in range(3):
            pyramid["way"][i, axis] = way[axis]
            pyramid["place"][axis] = r["place"][camera, axis]
    end_nowhere(pyramid)
    planes = reals_at(record_at(r["grid"], GRID)["planes"])
    find_few(planes, backs, pyramid, r["visible"])
    return bool(r["visible"]["count"] >= 0)


@njit_shared
def _find_few(r: Any, camera: int, point: int, step: int) -> int:
    """How many triangles a square of pixels may see, which are `few`, and 0 if one of its corners
    sees none; `point` is its upper left corner among the rays between pixels, `step`
    how many of them it is wide."""
    triangle, is_one, farthest, pyramid = -1, True, 0.0, r["pyramid"]
    for i in range(4):
        corner = point + step * (i % 2 + r["between"] * (i // 2))
        _ask_between(r, camera, corner)
        met = r["between_met"][corner]
        if met < 0:
            return 0
        is_one = is_one and (i == 0 or met == triangle)
        triangle = met
        farthest = max(farthest, r["between_reach"][corner])
        for axis in range(3):
            pyramid["way"][i, axis] = r["between_ned"][corner, axis]
    planes = reals_at(record_at(r["grid"], GRID)["planes"])
    if is_one and end_at_surface(pyramid, planes, triangle):
        r["bound"] = r["longest"]
    else:
        r["bound"] = max(_BEYOND * farthest, _LEAST_M)
        end_at_distance(pyramid, r["bound"], r["chord"][step - 1])
    choose_few(planes, r["visible"], pyramid, r["few"])
    return int(r["few"]["count"])


@njit_shared
def _see_surface(r: Any, camera: int, first: int, tile: int, triangle: int) -> None:
    """Set the greys of a square of pixels that sees only that triangle."""
    origin, planes = _place(r, camera), reals_at(record_at(r["grid"], GRID)["planes"])
    k = triangle * PLANE_NUMBERS
    plane = (planes[k], planes[k + 1], planes[k + 2], coordinate(planes, k, origin))
    look, texels, width = look_of(r["looks"], triangle), r["texels"], r["width"]
    is_whole = r["whole"]
    level = level_of(look, 0.0)
    for row in range(tile):
        for pixel in range(first + row * r["side"], first + row * r["side"] + tile):
            a, b, c = _way(r, camera, pixel)
            reach = -plane[3] / (plane[0] * a + plane[1] * b + plane[2] * c)
            covered = reach * width
            if covered > level[4] or covered <= level[3]:
                level = level_of(look, covered)
            place = (origin[0] + reach * a, origin[1] + reach * b, origin[2] + reach * c)
            grey = grey_of(texels, look, level, place)
            grey = grained((r["looks"], texels), look, grey, (place, covered))
            r["seen"][pixel] = float(int(grey)) if is_whole != 0 else grey


@njit_shared
def _see_square(r: Any, camera: int, first: int, tile: int) -> None:
    """Set the greys of a square of pixels, each by a ray of its own."""
    origin = _place(r, camera)
    for row in range(tile):
        for pixel in range(first + row * r["side"], first + row * r["side"] + tile):
            way = _way(r, camera, pixel)
            r["seen"][pixel] = _grey(r, origin, way, _hit(r, origin, way))


@njit_shared
def _see_few(r: Any, camera: int, first: int, tile: int) -> None:
    """Set the greys of a square of pixels, each by the nearest of `few`."""
    origin, planes = _place(r, camera), reals_at(record_at(r["grid"], GRID)["planes"])
    for row in range(tile):
        for pixel in range(first + row * r["side"], first + row * r["side"] + tile):
            way = _way(r, camera, pixel)
            hit = nearest_of_few(planes, r["few"], origin, way, r["bound"])
            if hit[1] < 0:
                hit = _hit(r, origin, way)
            r["seen"][pixel] = _grey(r, origin, way, hit)


@njit_part
def _see_few_triangles(r: Any, camera: int, first: int, tile: int) -> None:
    """Set the greys of a square of pixels that sees `few`."""
    if r["few"]["count"] == 1:
        _see_surface(r, camera, first, tile, r["few"]["number"][0])
    else:
        _see_few(r, camera, first, tile)


@njit_part
def _see_large_square(r: Any, camera: int, row: int, column: int) -> None:
    """The same of a square of TILE pixels to a side, or of its four quarters."""
    first = (row * r["side"] + column) * TILE
    point = 2 * (row * r["between"] + column)
    count = _find_few(r, camera, point, 2)
    if 0 < count <= _MANY:
        _see_few_triangles(r, camera, first, TILE)
        return
    for i in range(4):
        quarter = first + HALF * (i % 2 + r["side"] * (i // 2))
        corner = point + i % 2 + r["between"] * (i // 2)
        if _find_few(r, camera, corner, 1) > 0:
            _see_few_triangles(r, camera, quarter, HALF)
        else:
            _see_square(r, camera, quarter, HALF)


@njit_part
def _bin(r: Any, picture: Any) -> None:
    """Make a picture of the newest greys."""
    f = r["flow"]
    side, high, wide = r["side"], r["binned"][0], r["binned"][1]
    share = 1.0 / (high * wide)
    for row in range(f["rows"]):
        for column in range(f["columns"]):
            total = 0.0
            for y in range(high):
                first = (row * high + y) * side + column * wide
                for x in range(wide):
                    total += r["seen"][first + x]
            grey = total * share
            picture[row * f["columns"] + column] = float(int(grey)) if r["whole"] != 0 else grey


@njit_part
def _take_picture(r: Any, camera: int, picture: Any) -> None:
    if _find_visible(r, camera):
        for point in range(r["between"] * r["between"]):
            r["between_met"][point] = UNKNOWN
        squares = r["side"] // TILE
        for row in range(squares):
            for column in range(squares):
                _see_large_square(r, camera, row, column)
    else:
        _see_square(r, camera, 0, r["side"])
    _bin(r, picture)


def _take(r: Any) -> None:
    f = r["flow"]
    newest = f["frame"] % 2
    for camera in range(f["cameras"]):
        _take_picture(r, camera, f["pictures"][newest, camera])
    f["frame"] += 1
    find_flow(f)


take_pictures: Final = Program(_take, RING, sources=sources_digest(__name__))
"""Takes the next picture of every camera and finds the flow."""
