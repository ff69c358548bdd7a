"""Climb: how fast and how far, as a finding and as a value that a rule watches."""

from collections.abc import Iterator

import numpy as np

from lapwing_height.kinds import STEEP
from plugins.api import Level, object_names
from plugins.types import FlightFinding, ReviewedFlight, WatchedFlight, found

_STEEP_MPS = 5.0
_REMEDY = "Climb more slowly: it takes most of the battery."


def find_steep_climbs(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """The steepest climb, if it was one. Called in a job."""
    heights = flight.read(object_names("BaroSensor"), "Altitude")
    rates = np.diff(heights.values) / np.maximum(np.diff(heights.times), 1e-3)
    if len(rates) and rates.max() > _STEEP_MPS:
        at = int(rates.argmax())
        span = (heights.times[at], heights.times[at + 1])
        yield found(STEEP, span, f"Climbed at {rates[at]:.1f} m/s", Level.WARNING, _REMEDY)


def climbed_m(watched: WatchedFlight) -> float | None:
    """Called several times a second; None while nothing is known."""
    sample = watched.known(*object_names("BaroSensor"))
    if sample is None:
        return None
    _, heights = watched.recording.series(f"{sample.definition.name}.Altitude")
    return float(sample["Altitude"]) - float(heights[0])
