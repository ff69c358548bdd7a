"""Event clusters: events that lie too close together on a line to be shown and hit one by one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from telemetry.base.finding import Level
from telemetry.recording.event_list import EventList
from telemetry.recording.events import Event, alike

Times = npt.NDArray[np.float64]
_UNMARKED = ("gap", "mode", "arming")  # the line itself shows them
_LEAST_LEVEL = {"alarm": Level.WARNING}


@dataclass(frozen=True, slots=True)
class EventCluster:
    """Events from pixel `x` on, in order of time, and which matters most, the first of several."""

    x: float
    events: tuple[Event, ...]
    worst: Event


def merged(events: Sequence[Event], apart_s: float) -> tuple[tuple[Event, int], ...]:
    """The first of like events and how many they are, in order of time: those of one kind, level
    and words but for numbers, within `apart_s` of the first of them. `events` are in that order;
    a user's markers stay on their own.
    """
    counts: list[tuple[Event, int]] = []
    places: dict[tuple[str, Level, str], int] = {}
    for event in events:
        key = (event.kind, event.level, alike(event.text))
        place = places.get(key) if event.kind != "marker" else None
        if place is not None and event.t - counts[place][0].t <= apart_s:
            counts[place] = (counts[place][0], counts[place][1] + 1)
        else:
            places[key] = len(counts)
            counts.append((event, 1))
    return tuple(counts)


class EventMarks:
    """The events of a flight that have marks, in clusters; of more events only what was added is
    looked at. A user's markers come last, on top, and never among others."""

    def __init__(self) -> None:
        self._seen = EventList()
        self._more: tuple[Event, ...] = ()
        self._groups = (_Marked(), _Marked())

    def take(self, events: EventList, more: Sequence[Event]) -> None:
        """Mark those that were recorded, and `more` that were not."""
        added = events.since(self._seen)
        if tuple(more) != self._more or len(events) != len(self._seen) + len(added):
            self._groups, added = (_Marked(), _Marked()), [*events, *more]
        self._seen, self._more = events, tuple(more)
        marked = sorted(filter(_is_marked, added), key=attrgetter("t"))
        for are_markers, group in enumerate(self._groups):
            group.add([event for event in marked if (event.kind == "marker") == are_markers])

    def clusters(
        self, xs_of: Callable[[Times], Times], apart_px: float
    ) -> tuple[EventCluster, ...]:
        """Those within `apart_px` of a cluster's first together in it."""
        return tuple(one for group in self._groups for one in group.clusters(xs_of, apart_px))


class _Marked:
    """Events in order of time, with what is asked of all of them at once."""

    def __init__(self) -> None:
        self._events = EventList()
        self._times: Times = np.empty(0)
        self._levels = np.empty(0, np.int64)

    def add(self, added: Sequence[Event]) -> None:
        times = [event.t for event in added]
        at = self._times.searchsorted(times, "right")
        self._events = self._events.with_added(added)
        self._times = np.insert(self._times, at, times)
        self._levels = np.insert(self._levels, at, [event.level for event in added])

    def clusters(self, xs_of: Callable[[Times], Times], apart_px: float) -> Iterator[EventCluster]:
        events, xs, start = tuple(self._events), xs_of(self._times), 0
        while start < len(xs):
            stop = max(start + 1, int(xs.searchsorted(xs[start] + apart_px)))
            worst = events[start + int(np.argmax(self._levels[start:stop]))]
            yield EventCluster(float(xs[start]), events[start:stop], worst)
            start = stop


def _is_marked(event: Event) -> bool:
    return event.kind not in _UNMARKED and event.level >= _LEAST_LEVEL.get(event.kind, Level.OK)
