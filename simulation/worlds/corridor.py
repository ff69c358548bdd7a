"""Corridor, straight, with textured walls, as optic flow needs them (seed 003)."""

from typing import Final

from simulation.files.parameter_file import NumberKey, Schema, Values, WordKey
from simulation.worlds.patterns import PATTERNS
from simulation.worlds.world import Body, Box, Placed, Surface

CORRIDOR_KEYS: Final[Schema] = {
    "width_m": NumberKey(1.3, 20.0, default=2.0),
    "length_m": NumberKey(5.0, 2000.0, default=60.0),
    "height_m": NumberKey(1.9, 20.0, default=2.5),
    "texture": WordKey({name: i for i, name in enumerate(PATTERNS)}, default="checks"),
    "texture_m": NumberKey(0.1, 50.0, default=2.0),
}
_BEGINS_M: Final = -1.5
"""North of the origin, so that an aircraft there has a wall behind it."""
_THICK_M: Final = 0.1


def corridor_bodies(values: Values) -> tuple[Body, ...]:
    """Two walls along north, at half the width to either side of the origin, the two ends, floor
    and ceiling. `texture` is on the walls and as large as `texture_m`."""
    width, length, height = values["width_m"], values["length_m"], values["height_m"]
    side = values["texture_m"]
    wall = Surface((0.92, 0.9, 0.86), pattern=values["texture"], picture_m=(side, side))
    floor = Surface((0.62, 0.55, 0.48), pattern="tiles", picture_m=(1.2, 1.2))
    ceiling = Surface((0.85, 0.85, 0.85), pattern="tiles", picture_m=(2.4, 2.4))
    middle, across = _BEGINS_M + length / 2, width / 2 + _THICK_M / 2
    end = length / 2 + _THICK_M / 2
    outside = width + 2 * _THICK_M
    level = (length + 2 * _THICK_M, outside, _THICK_M)
    return (
        Box("west wall", wall, Placed((middle, -across, 0.0)), (length, _THICK_M, height)),
        Box("east wall", wall, Placed((middle, across, 0.0)), (length, _THICK_M, height)),
        Box("south end", wall, Placed((middle - end, 0.0, 0.0)), (_THICK_M, outside, height)),
        Box("north end", wall, Placed((middle + end, 0.0, 0.0)), (_THICK_M, outside, height)),
        Box("floor", floor, Placed((middle, 0.0, _THICK_M)), level),
        Box("ceiling", ceiling, Placed((middle, 0.0, -height)), level),
    )
