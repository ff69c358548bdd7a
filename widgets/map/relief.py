"""Relief shading: ground as it looks in light from the north-west.

Horn, "Hill shading and the reflectance map", Proc. IEEE 69 (1981): how much light falls on a slope
is the cosine between its normal and the light. Knows no Qt.
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from telemetry.base.earth.wgs84 import EQUATOR_M
from widgets.map.projection import Floats
from widgets.map.tile_key import TileKey

HeightsOf = Callable[[Floats, Floats], Floats]
"""Metres above sea level of latitudes and longitudes (n,) in degrees, NaN where not known."""
LIGHT: Final = (-0.5, 0.5, math.sqrt(0.5))
"""To the light: east, north and up; from the north-west, at 45 degrees."""
SIDE_PX: Final = 128
"""Of a tile's picture; it is shown twice as large."""
_STEEPER: Final = 1.6
"""How much steeper ground is taken for than it is: hills are flatter than they seem."""
_STRENGTH: Final = 380.0
_STRONGEST: Final = 110
"""Of 255, at most: it stays behind lines and track."""


def relief_tile(heights_of: HeightsOf, key: TileKey) -> NDArray[np.uint8] | None:
    """A tile's shade as pixels (SIDE_PX, SIDE_PX, 4), blue, green, red and alpha, multiplied by
    that; None where no height is known."""
    steps = (np.arange(-1, SIDE_PX + 1) + 0.5) / SIDE_PX
    count = 2.0**key.z
    latitude = np.degrees(np.arctan(np.sinh(np.pi * (1.0 - 2.0 * (key.y + steps) / count))))
    longitude = (key.x + steps) / count * 360.0 - 180.0
    rows, columns = np.meshgrid(latitude, longitude, indexing="ij")
    heights = heights_of(rows.ravel(), columns.ravel()).reshape(rows.shape)
    if np.isnan(heights).all():
        return None
    around_m = 2.0 * math.pi * EQUATOR_M * np.cos(np.radians(latitude[1:-1]))
    return _pixels(light_on(heights, around_m[:, None] / count / SIDE_PX))


def light_on(heights: Floats, step_m: Floats | float) -> Floats:
    """How much of the light falls on ground, -1 to 1, for all but the border of heights (n, m) in
    rows from north to south; NaN where one beside it is not known."""
    east = (heights[1:-1, 2:] - heights[1:-1, :-2]) / (2.0 * step_m) * _STEEPER
    north = (heights[:-2, 1:-1] - heights[2:, 1:-1]) / (2.0 * step_m) * _STEEPER
    to_east, to_north, up = LIGHT
    light: Floats = (up - east * to_east - north * to_north) / np.sqrt(1.0 + east**2 + north**2)
    return light


def _pixels(light: Floats) -> NDArray[np.uint8]:
    """White where there is more light than on level ground, black where there is less."""
    more = np.nan_to_num(light - LIGHT[2])
    alpha = np.minimum(np.abs(more) * _STRENGTH, _STRONGEST)
    white = np.where(more > 0.0, alpha, 0.0)
    return np.stack([white, white, white, alpha], axis=-1).astype(np.uint8)
