"""Sticks on their way: the newest at once, never queued, and none that arrives late.

A board takes what arrives for the pilot's will until 256 to 512 ms after it (pios_gcsrcvr.c).
"""

import pytest

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.stick_stream import StickStream
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.vehicle.test_conversation import Flight, streamed


class StuckQueue:
    """A link that has taken nothing since it was stuck."""

    delivery_s = 0.25

    def __init__(self) -> None:
        self.waiting = 0
        self.is_discarded = False

    def waiting_bytes(self) -> int:
        return self.waiting

    def discard(self) -> None:
        self.is_discarded = True
        raise LinkClosed("stuck")


def flown(stream: StickStream, readings: list[float], until: float) -> list[float]:
    """When something went out, in steps of 4 ms, given when readings were handed over."""
    sent, now = [], 0.0
    while now < until:
        given = max((r for r in readings if r <= now), default=None)
        if given is not None and stream.take(given, now):
            sent.append(now)
        now += 0.004
    return sent


def test_a_new_reading_goes_out_at_once_up_to_50_times_a_second() -> None:
    readings = [i * 0.02 for i in range(50)]
    sent = flown(StickStream(None), readings, 1.0)
    assert len(sent) == 50
    assert max(at - given for at, given in zip(sent, readings, strict=True)) <= 0.004


def test_an_old_reading_goes_out_again_20_times_a_second() -> None:
    assert 18 <= len(flown(StickStream(None), [0.0], 1.0)) <= 20


def test_what_a_link_does_not_take_is_noticed_and_discarded() -> None:
    queue = StuckQueue()
    stream = StickStream(queue)
    assert stream.take(0.0, 0.0)
    stream.written(30, 0.0)
    queue.waiting = 30
    assert not stream.is_stuck(0.2)
    stream.end(0.2)  # an acknowledgement may take so long
    assert stream.is_stuck(0.3)
    with pytest.raises(LinkClosed):
        stream.end(0.3)
    assert queue.is_discarded


def test_what_was_delivered_is_not_stuck_however_much_is_written_after_it() -> None:
    queue = StuckQueue()
    stream = StickStream(queue)
    assert stream.take(0.0, 0.0)
    stream.written(30, 0.0)
    stream.written(5000, 0.1)  # not sticks
    queue.waiting = 5000
    assert not stream.is_stuck(9.0)
    stream.end(9.0)
    assert not queue.is_discarded


def on_stuck_link(catalogue: Catalogue, sticks: Sticks) -> tuple[Flight, StuckQueue, list[int]]:
    """Flown for 3 s on a link that takes nothing after one; `sticks` from 1.5 s on. Returns how
    many readings were sent by 1.3, 1.5 and 2 s too."""
    flight, queue, counts = Flight(catalogue), StuckQueue(), list[int]()
    flight.link.queue = queue
    flight.conversation = flight.converse(flight.link)
    for step in range(100):
        t = step * 0.02
        given = sticks if t >= 1.5 else Sticks(throttle=0.5, arm=True)
        flight.at(t, lambda given=given: flight.commands.set_sticks(given))
    flight.at(1.0, lambda: setattr(queue, "waiting", 10_000_000))
    for t in (1.3, 1.5, 1.98):
        flight.at(t, lambda: counts.append(streamed(flight.link, flight)))
    return flight, queue, counts


def test_a_stuck_link_gets_no_more_sticks_until_it_is_broken_off(catalogue: Catalogue) -> None:
    flight, queue, counts = on_stuck_link(catalogue, Sticks(throttle=0.5, arm=True))
    with pytest.raises(LinkClosed):
        flight.run(4.0)
    assert queue.is_discarded
    by_now, later, at_last = counts
    assert by_now > 20
    assert by_now == later == at_last


def test_motors_off_goes_out_whatever_is_stuck(catalogue: Catalogue) -> None:
    flight, _, counts = on_stuck_link(catalogue, Sticks())
    with pytest.raises(LinkClosed):
        flight.run(4.0)
    assert counts[2] - counts[1] >= 10
