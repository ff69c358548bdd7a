"""Flown path, for maps: places with times, in pieces where the aircraft was seen to move."""

import itertools
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt

from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from telemetry.recording.wall_time import began_at

_Floats = npt.NDArray[np.float64]

_EARLY_SHARE = 0.25
"""A place that comes a little early still counts as the next one."""


@dataclass(frozen=True, slots=True, eq=False)
class FlownPath:
    """Places in order of time. `starts` are the positions at which a new piece begins.

    `altitudes_m` are above sea level if `is_above_sea`, else above the place of take-off; NaN
    where nothing tells. `began_at` is the time (UTC) of second 0, None if nobody knows it.
    """

    times: _Floats
    latitudes_deg: _Floats
    longitudes_deg: _Floats
    altitudes_m: _Floats
    starts: tuple[int, ...]
    is_above_sea: bool
    began_at: datetime | None

    def pieces(self) -> list[slice]:
        """The pieces that hang together, those of a single place left out."""
        bounds = [0, *self.starts, len(self.times)]
        return [slice(a, b) for a, b in itertools.pairwise(bounds) if b - a > 1]

    def index_at(self, t: float) -> int:
        """The first place from `t` on; the last one of all for what happened behind it, such as
        the end of the link."""
        return min(int(self.times.searchsorted(t)), len(self.times) - 1)

    def utc(self, index: int) -> datetime | None:
        """When the aircraft was at a place, by the calendar."""
        if self.began_at is None:
            return None
        return self.began_at + timedelta(seconds=float(self.times[index]))


def flown_path(recording: Recording, request: ExportRequest) -> FlownPath:
    """The way flown within the span, at most `rate_hz` places a second; raise ExportError where
    nothing tells where it was."""
    places = FlownPlaces(recording)
    places.update()
    if not places.count or places.is_relative:
        raise ExportError(
            "The log does not tell where on earth the aircraft was: it has neither a fix of the "
            "GPS receiver nor a home position. Export it as csv or tum."
        )
    start_s, end_s = request.span(recording)
    keep = np.flatnonzero((places.times >= start_s) & (places.times <= end_s))
    if request.rate_hz is not None:
        since_first = places.times[keep] - places.times[keep][:1]
        slots = np.floor(since_first * request.rate_hz + _EARLY_SHARE)
        keep = keep[np.diff(slots, prepend=-np.inf) > 0]
    if len(keep) < 2:
        raise ExportError("Nothing tells where the aircraft was then; give a longer span.")
    pieces = np.cumsum(places.is_start)[keep]
    ground_m = places.ground_altitude_m
    return FlownPath(
        times=places.times[keep],
        latitudes_deg=places.latitudes_deg[keep],
        longitudes_deg=places.longitudes_deg[keep],
        altitudes_m=places.heights_m[keep] + (ground_m or 0.0),
        starts=tuple((np.flatnonzero(np.diff(pieces)) + 1).tolist()),
        is_above_sea=ground_m is not None,
        began_at=began_at(recording),
    )
