"""Sticks on their way: the newest at once, never queued, and none that arrives late.

A board takes what arrives for the pilot's will until 256 to 512 ms after it (pios_gcsrcvr.c).
"""

import pytest

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.stick_stream import MOST_UNSENT, StickStream
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.vehicle.test_conversation import Flight, streamed


class StuckQueue:
    """A link that has taken nothing since it was stuck. What waits for an acknowledgement has been
    sent, unless it is `unsent`."""

    delivery_s = 0.25

    def __init__(self) -> None:
        self.waiting = self.unsent = 0
        self.is_discarded = False

    def unsent_bytes(self) -> int:
        return self.unsent

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


def on_closed_link(seconds: float, *, unsent: bool) -> int:
    """How many readings of 30 bytes go out, 50 times a second, of which none is acknowledged."""
    queue = StuckQueue()
    stream = StickStream(queue)
    sent = 0
    for step in range(round(seconds / 0.02)):
        now = step * 0.02
        if not stream.is_held_back(now) and stream.take(now, now):
            stream.written(30, now)
            sent += 1
            queue.waiting += 30
            queue.unsent += 30 if unsent else 0
    return sent


def test_two_readings_at_most_wait_to_be_sent() -> None:
    assert on_closed_link(0.2, unsent=True) == MOST_UNSENT == 2
    assert on_closed_link(9.0, unsent=True) == MOST_UNSENT


def test_what_is_under_way_holds_nothing_back_until_it_is_late() -> None:
    """60 ms of round trip and a delayed acknowledgement are ten readings, of a link that works."""
    assert on_closed_link(0.2, unsent=False) == 10
    assert on_closed_link(9.0, unsent=False) == 13, "0.25 s of them, and then it is stuck"


def test_a_reading_goes_out_when_one_before_has_left() -> None:
    queue = StuckQueue()
    stream = StickStream(queue)
    for now in (0.0, 0.02):
        assert not stream.is_held_back(now)
        assert stream.take(now, now)
        stream.written(30, now)
        queue.waiting += 30
        queue.unsent += 30
    assert stream.is_held_back(0.04)
    queue.unsent = 30
    assert not stream.is_held_back(0.04)


def test_a_long_round_trip_is_flown_at_50_hz() -> None:
    """Acknowledgements come 60 ms after each reading: three are under way at any time."""
    queue = StuckQueue()
    stream, sent = StickStream(queue), list[float]()
    for step in range(250):
        now = step * 0.004
        queue.waiting = 30 * sum(now - at < 0.06 for at in sent)
        if not stream.is_held_back(now) and stream.take(now // 0.02, now):
            stream.written(30, now)
            sent.append(now)
    assert len(sent) == 50
