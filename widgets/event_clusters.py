"""Event clusters: events that lie too close together on a line to be shown and hit one by one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from telemetry.base.finding import Level
from telemetry.recording.events import Event

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
    events: Iterable[Event], x_of: Callable[[float], float], apart_px: float
) -> tuple[EventCluster, ...]:
    """The marked ones of `events` (in order of time), those within `apart_px` of a cluster's
    first together in it."""
    clusters: list[tuple[float, list[Event]]] = []
    for event in events:
        if not is_marked(event):
            continue
        x = x_of(event.t)
        if clusters and x - clusters[-1][0] < apart_px:
            clusters[-1][1].append(event)
        else:
            clusters.append((x, [event]))
    return tuple(EventCluster(x, tuple(members)) for x, members in clusters)
