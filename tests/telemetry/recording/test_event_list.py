"""Event lists against plain sorting, and what another event costs behind many."""

import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.base.finding import Level
from telemetry.recording.event_list import EventList
from telemetry.recording.events import Event


def event(t: float, text: str = "") -> Event:
    return Event(float(t), "marker", Level.INFO, text)


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(0, 400), max_size=300), max_size=4))
def test_events_stand_in_the_order_of_time_and_tell_which_are_new(times: list[list[int]]) -> None:
    """The control: a plain list that is sorted; its order of equal times is that of coming."""
    events, control = EventList(), list[Event]()
    for number, more in enumerate(times):
        added = [event(t, f"{number}, {at}") for at, t in enumerate(more)]
        before, events = events, events.with_added(added)
        control = sorted([*control, *added], key=lambda one: one.t)
        assert list(events) == control
        assert [events[at] for at in range(len(events))] == control
        assert list(events.between(100.0, 200.0)) == [e for e in control if 100 <= e.t <= 200]
        assert events[-3:] == tuple(control[-3:])
        assert set(events.since(before)) == set(added)
        assert (events == before) == (not added)


def test_another_event_takes_as_little_memory_behind_twenty_thousand() -> None:
    def taken_bytes(count: int) -> int:
        events = EventList().with_added([event(t) for t in range(count)])
        last = event(count)
        tracemalloc.start()
        kept = events.with_added([last])
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert kept[-1] is last
        return taken

    assert taken_bytes(2_500) > 0
    assert taken_bytes(20_000) < taken_bytes(2_500) + 2_000  # a place for each block; all: 140,000
