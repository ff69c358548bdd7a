"""Unknown objects are told of with a button, until they are known."""

from dataclasses import replace

from app.messages import Message, Messages
from app.monitoring.unknown_objects import UnknownObjectMonitor
from plugins.testing import live_vehicle
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle

UNKNOWN = frozenset((0x1000, 0x2000))


class Bench:
    def __init__(self, status: LinkStatus) -> None:
        self.asked: list[Vehicle] = []
        self.vehicle = live_vehicle()
        self.vehicle.status = status
        self.fleet, self.messages = Fleet(), Messages()
        self.fleet.add(self.vehicle)
        self._monitor = UnknownObjectMonitor(self.fleet, self.messages, self.asked.append)

    def poll(self) -> list[Message]:
        self._monitor.poll()
        return self.messages.take()


def test_frames_of_a_log_are_counted_and_the_button_asks() -> None:
    bench = Bench(LinkStatus(LinkState.REPLAY, unknown_ids=UNKNOWN, unknown_frames=380))
    (message,) = bench.poll()
    assert message.text.startswith("380 frames are of 2 unknown objects")
    assert message.remedy is not None
    message.remedy()
    assert bench.asked == [bench.vehicle]
    assert [again.text for again in bench.poll()] == [message.text], "a press took its line away"
    assert bench.poll() == []


def test_what_an_aircraft_sends_is_told_once_and_withdrawn_when_it_is_known() -> None:
    status = LinkStatus(LinkState.CONNECTED, unknown_ids=UNKNOWN, unknown_frames=3)
    bench = Bench(status)
    assert "2 unknown objects" in bench.poll()[0].text
    bench.vehicle.status = replace(status, unknown_frames=4)
    assert bench.poll() == []
    bench.vehicle.status = replace(status, unknown_ids=frozenset())
    assert [message.is_over for message in bench.poll()] == [True]


def test_one_that_has_gone_is_not_told_of_any_more() -> None:
    bench = Bench(LinkStatus(LinkState.REPLAY, unknown_ids=UNKNOWN, unknown_frames=380))
    bench.poll()
    bench.fleet.remove(bench.vehicle)
    assert [message.is_over for message in bench.poll()] == [True]


def test_an_id_that_damage_has_made_up_is_no_object() -> None:
    status = LinkStatus(LinkState.CONNECTED, unknown_ids=UNKNOWN, unknown_frames=2, crc_errors=500)
    bench = Bench(status)
    assert bench.poll() == []
    bench.vehicle.status = replace(status, unknown_frames=3)
    assert len(bench.poll()) == 1


def test_in_a_log_all_that_is_left_out_is_told() -> None:
    status = LinkStatus(LinkState.REPLAY, unknown_ids=UNKNOWN, unknown_frames=2, crc_errors=500)
    assert "2 frames" in Bench(status).poll()[0].text
