"""GPS fix: where what a receiver says of place and height is a measurement.

Without a fix receivers send zeros or what they knew last; a fix of two dimensions has no height.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from telemetry.recording.track import Track

GPS: Final = ("GPSPositionSensor", "GPSPosition")
"""The names of the object in the releases, the newest first."""
_NO_PLACE: Final = ("NoGPS", "NoFix")
_NO_HEIGHT: Final = (*_NO_PLACE, "Fix2D")
_HEIGHTS: Final = ("Altitude", "GeoidSeparation")

Flags = NDArray[np.bool_]


def tells_place(status: str | None) -> bool:
    """Whether there is a place with this GPSPosition.Status; None for one that was never told."""
    return status is not None and status not in _NO_PLACE


def tells_height(status: str | None) -> bool:
    """Whether there is a height, too."""
    return status is not None and status not in _NO_HEIGHT


def place_flags(gps: Track, start: int, stop: int | None) -> Flags:
    """Which samples (n,) from `start` to `stop` of a receiver's object have a place."""
    return ~_is_one_of(_NO_PLACE, gps, start, stop)


def height_flags(gps: Track, start: int, stop: int | None) -> Flags:
    """Which of them have a height, too."""
    return ~_is_one_of(_NO_HEIGHT, gps, start, stop)


def is_height(track: Track, field: str) -> bool:
    """Whether a field of an object is a height that depends on the fix of a receiver."""
    definition = track.definition
    return definition.name in GPS and field in _HEIGHTS and definition.has_field("Status")


def _is_one_of(statuses: tuple[str, ...], gps: Track, start: int, stop: int | None) -> Flags:
    field = gps.definition.field_named("Status")
    numbers = [field.option_number(text) for text in statuses if text in field.options]
    found: Flags = np.isin(gps.values("Status", None, start, stop), numbers)
    return found
