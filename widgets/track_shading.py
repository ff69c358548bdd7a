"""Track shading: the colour of a track by height, speed, or any field or expression.

The quantity is taken as it held at each of the track's points.
"""

import math
from typing import Protocol

import numpy as np

from telemetry.recording.flight_state import VELOCITY
from telemetry.recording.gps_fix import GPS
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track
from telemetry.review.analysis.sampling import held_values
from widgets.map.projection import Floats
from widgets.map.scene import Shading
from widgets.plot.readers import make_reader

_HOLDS_S = 5.0
_ROUND = (1.0, 2.0, 5.0, 10.0)
_OUTLIERS_PERCENT = 0.5


class ShadedTrack(Protocol):
    """Where an aircraft was; points of an equal `key` are only ever appended."""

    @property
    def recording(self) -> Recording:
        """Whose flight it is."""

    @property
    def key(self) -> str:
        """Changes when it was made anew."""

    @property
    def times(self) -> Floats:
        """When it was at each point, in seconds."""

    @property
    def heights_m(self) -> Floats:
        """How high it was there."""


class TrackShading:
    """Shades one track; computed again only when the track has grown or another is chosen."""

    def __init__(self, track: ShadedTrack) -> None:
        self.track = track
        self._made: tuple[object, Shading | None] = (None, None)
        self.problem = ""
        """Why what was asked for last cannot be shown."""

    def of(self, quantity: str) -> Shading | None:
        """The shading by "height", "speed", or the path of a field or expression; None for "", and
        where nothing of it is known."""
        key = (quantity, self.track.key, len(self.track.times))
        if self._made[0] != key:
            self.problem = ""
            self._made = (key, self._make(quantity))
        return self._made[1]

    def _make(self, quantity: str) -> Shading | None:
        if quantity == "height":
            return shading("Height", "m", self.track.heights_m)
        if quantity == "speed":
            return shading("Speed", "m/s", speeds(self.track.recording, self.track.times))
        return self._by_field(quantity) if quantity else None

    def _by_field(self, path: str) -> Shading | None:
        reader = make_reader(self.track.recording, path)
        reader.update()
        while not reader.is_complete:
            reader.update()
        base = reader.base
        if base is None:
            self.problem = reader.problem or f"{path} was not recorded; check its name."
            return None
        values = held_values(base.track, reader.column(0, reader.count), self.track.times)
        return shading(path, reader.unit, values)


def shading(title: str, unit: str, values: Floats) -> Shading | None:
    """A shading over a round range that holds all values but a few outliers."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    low, high = np.percentile(known, (_OUTLIERS_PERCENT, 100.0 - _OUTLIERS_PERCENT))
    rough = max(float(high - low), 1.0) / 10
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in _ROUND if factor * power >= rough * (1 - 1e-9))
    bottom, top = math.floor(low / step) * step, math.ceil(high / step) * step
    return Shading(title, unit, values, bottom, max(top, bottom + step))


def speeds(recording: Recording, times: Floats) -> Floats:
    """Speed over ground in m/s at each time: estimated, else as the receiver measured it."""
    found = np.full(len(times), np.nan)
    for names, fields in ((VELOCITY, ("North", "East")), (GPS, ("Groundspeed",))):
        track = next((track for name in names if (track := recording.track(name))), None)
        if track is None or not all(track.definition.has_field(field) for field in fields):
            continue
        held = _held(track, fields, times)
        found = np.where(np.isfinite(found), found, held)
    return found


def _held(track: Track, fields: tuple[str, ...], times: Floats) -> Floats:
    """The length of a vector of fields as it held at each time; NaN where it is old or none."""
    count = track.count
    which = track.times[:count].searchsorted(times, "right") - 1
    is_fresh = (which >= 0) & (times - track.times[np.maximum(which, 0)] <= _HOLDS_S)
    squared = np.zeros(count)
    for field in fields:
        units = track.definition.field_named(field).units
        values = track.values(field, None, 0, count).astype(np.float64)
        squared += (values / (100.0 if units == "cm/s" else 1.0)) ** 2
    speed: Floats = np.where(is_fresh, np.sqrt(squared)[which], np.nan)
    return speed
