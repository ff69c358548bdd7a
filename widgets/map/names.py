"""Map names: countries, towns and places of Natural Earth, which ship with Lapwing.

Places are true to 20 m on paper, and to a kilometre or two as they were chosen. `names_build.py`
writes the file. Knows no Qt.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from telemetry.base.installation import RESOURCES
from widgets.map.basemap import STEPS_PER_DEGREE
from widgets.map.projection import Bounds, Floats, project_many

NAMES_FILE: Final = RESOURCES / "basemap" / "names.npz"


class NameKind(IntEnum):
    """What is called so."""

    COUNTRY = 0
    TOWN = 1
    PLACE = 2


@dataclass(frozen=True, slots=True, eq=False)
class MapNames:
    """Names at world coordinates x, y, the most important first. Each is shown from the zoom level
    `first` to below `last`."""

    texts: tuple[str, ...]
    kinds: NDArray[np.uint8]
    x: Floats
    y: Floats
    first: Floats
    last: Floats

    def within(self, bounds: Bounds, zoom: float) -> list[int]:
        """The numbers of those that a zoom level shows there, the most important first."""
        x, y = self.x, self.y
        is_shown = (self.first <= zoom) & (zoom < self.last)
        is_there = (x >= bounds.x0) & (x <= bounds.x1) & (y >= bounds.y0) & (y <= bounds.y1)
        found: list[int] = np.flatnonzero(is_shown & is_there).tolist()
        return found


@cache
def load_names() -> MapNames:
    """Read the shipped file; from any thread."""
    with np.load(NAMES_FILE) as arrays:
        longitude, latitude = arrays["steps"].astype(np.float64) / STEPS_PER_DEGREE
        x, y = project_many(latitude, longitude)
        texts = tuple(arrays["texts"].tobytes().decode().split("\n"))
        first, last = arrays["zooms"].astype(np.float64) / 10.0
        return MapNames(texts, arrays["kinds"], x, y, first, last)
