"""Event list: events in order of time, of which another one costs the same behind many."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from operator import attrgetter
from typing import Final, overload

from telemetry.recording.events import Event

_BLOCK: Final = 128
_time_s: Final = attrgetter("t")


@dataclass(frozen=True, slots=True)
class EventList(Sequence[Event]):
    """Does not change: one with more events shares all whole blocks before them."""

    _blocks: tuple[tuple[Event, ...], ...] = ()

    def __len__(self) -> int:
        return max(0, len(self._blocks) - 1) * _BLOCK + len(
            self._blocks[-1] if self._blocks else ()
        )

    def __iter__(self) -> Iterator[Event]:
        return chain.from_iterable(self._blocks)

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, at: int | slice) -> Event | tuple[Event, ...]:
        if isinstance(at, slice):
            return tuple(self)[at]
        block, place = divmod(range(len(self))[at], _BLOCK)
        return self._blocks[block][place]

    def with_added(self, added: Sequence[Event]) -> "EventList":
        """The events with others, which come in any order; this list if there are none. Only what
        is later than the first of those is put in order again: nearly always nothing."""
        if not added:
            return self
        start = bisect_right(self, min(map(_time_s, added)), key=_time_s) // _BLOCK
        later = sorted((*self._from(start), *added), key=_time_s)
        blocks = (tuple(later[at : at + _BLOCK]) for at in range(0, len(later), _BLOCK))
        return EventList((*self._blocks[:start], *blocks))

    def since(self, before: "EventList") -> list[Event]:
        """The events that are not in a list of before."""
        if not before:
            return list(self)
        pairs = enumerate(zip(self._blocks, before._blocks, strict=False))
        shared = min(len(self._blocks), len(before._blocks))
        first = next((at for at, (one, other) in pairs if one is not other), shared)
        known = frozenset(before._from(first))
        return [event for event in self._from(first) if event not in known]

    def between(self, first_s: float, last_s: float) -> Iterator[Event]:
        """The events from one time to another, both included."""
        later = self._from(bisect_left(self, first_s, key=_time_s) // _BLOCK)
        return (
            event for event in takewhile(lambda one: one.t <= last_s, later) if event.t >= first_s
        )

    def _from(self, block: int) -> Iterable[Event]:
        return chain.from_iterable(self._blocks[block:])
