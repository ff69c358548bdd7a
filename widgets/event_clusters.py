"""Event clusters: events that lie too close together on a line to be shown and hit one by one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.base.finding import Level
from telemetry.recording.events import Event

Times = npt.NDArray[np.float64]
_UNMARKED = ("gap", "mode", "arming")  # the line itself shows them
_LEAST_LEVEL = {"alarm": Level.WARNING}


@dataclass(frozen=True, slots=True)
class EventCluster:
    """Events from pixel `x` on, in order of time."""

    x: float
    events: tuple[Event, ...]

    @property
    def worst(self) -> Event:
        """The event that matters most, the first of several."""
        return max(self.events, key=lambda event: event.level)


def is_marked(event: Event) -> bool:
    """Whether an event has a mark of its own."""
    return event.kind not in _UNMARKED and event.level >= _LEAST_LEVEL.get(event.kind, Level.OK)


def clustered(
    events: Iterable[Event], xs_of: Callable[[Times], Times], apart_px: float
) -> tuple[EventCluster, ...]:
    """The marked ones of `events` (in order of time), those within `apart_px` of a cluster's
    first together in it."""
    marked = tuple(event for event in events if is_marked(event))
    xs = xs_of(np.array([event.t for event in marked]))
    clusters, start = [], 0
    while start < len(marked):
        stop = max(start + 1, int(xs.searchsorted(xs[start] + apart_px)))
        clusters.append(EventCluster(float(xs[start]), marked[start:stop]))
        start = stop
    return tuple(clusters)
