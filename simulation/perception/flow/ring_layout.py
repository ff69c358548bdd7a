"""Ring camera layouts: seed 003's configurations A, B and C (figures 34 to 37)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SENSOR_PX: Final = 64
"""Pixels of a camera, across and down."""
FIELD_OF_VIEW_RAD: Final = math.radians(75.0)
RADIUS_M: Final = 0.05
BELOW_M: Final = 0.01
"""The ring lies so far below the centre of mass."""
AZIMUTHS_RAD: Final = tuple((2 * i - 7) * math.pi / 8 for i in range(8))
"""Of cameras 0 to 7, from the nose to the right (its table 3: -7 pi/8 to 7 pi/8)."""


@dataclass(frozen=True, slots=True)
class RingLayout:
    """Where its cameras look, from the nose to the right, and the size of their pictures.

    Pixels are the means of those of the sensor that they cover; a `sensor_px` below SENSOR_PX is a
    coarser sensor, for speed. `radius_m` is that of the circle on which the cameras stand.
    """

    azimuths_rad: tuple[float, ...]
    rows: int
    columns: int
    sensor_px: int = SENSOR_PX
    field_of_view_rad: float = FIELD_OF_VIEW_RAD
    radius_m: float = RADIUS_M

    @property
    def focal_px(self) -> tuple[float, float]:
        """Pixels of the picture per radian in its middle, across and down."""
        half = math.tan(self.field_of_view_rad / 2.0)
        return 0.5 * self.columns / half, 0.5 * self.rows / half


LAYOUTS: Final[Mapping[str, RingLayout]] = {
    "A": RingLayout(AZIMUTHS_RAD, 16, 16),
    "B": RingLayout(AZIMUTHS_RAD[2:6], 32, 32),
    "C": RingLayout(AZIMUTHS_RAD, 8, 64),
    "full": RingLayout(AZIMUTHS_RAD, 64, 64),
    "direct": RingLayout(AZIMUTHS_RAD, 16, 16, 16),
}
"""A, B and C of the seed; all pixels; and 16 x 16 rays that stand for their squares."""
