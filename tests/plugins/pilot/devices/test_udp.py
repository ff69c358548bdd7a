"""A UDP port that hears many senders, through real sockets and with a clock of the test."""

import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from socket import AF_INET, SOCK_DGRAM, socket

import pytest

from plugins.pilot.devices.chosen_devices import ChosenDevices
from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.hub import READ_EVERY_S, WATCH_EVERY_S, DeviceHub, InputDevice
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.devices.program_sticks import GONE_S
from plugins.pilot.devices.udp import (
    CROWDED,
    LATE_S,
    MOST_SENDERS,
    WAITS,
    UdpListener,
    parse_packet,
)
from telemetry.base.text_formats import FormatError
from telemetry.flying.inputs.program_message import ProgramMessage, parse_message
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet, Transmitter
from telemetry.vehicle.sticks import STICKS_FRESH_S, Sticks
from tests.plugins.pilot.devices.fakes import FakeDevice, Once

NEUTRAL = (0.0, 0.0, 0.0, 0.0)
PITCHED = (0.0, 0.8, 0.0, 0.0)


# LibrePilot: ground/gcs/src/plugins/gcscontrol/gcscontrolgadget.cpp, readUDPCommand.


def _librepilot(*values: float) -> bytes:
    return struct.pack(">6d", *values)


def test_librepilots_packet() -> None:
    packet = _librepilot(42, 0.1, -0.2, 0.3, 0.75, 36)
    assert parse_packet(packet) == ProgramMessage((0.3, 0.1, -0.2, 0.5), ())
    assert packet[:4] == bytes.fromhex("40 45 00 00"), "42 with its most significant byte first"
    ends = parse_packet(_librepilot(42, 1, -1, 0, 0, 36))
    assert ends.axes == (0.0, 1.0, -1.0, -1.0)


@pytest.mark.parametrize(
    "data",
    [
        _librepilot(41, 0, 0, 0, 0, 36),
        _librepilot(42, 0, 0, 0, 0, 35),
        _librepilot(42, float("nan"), 0, 0, 0, 36),
        _librepilot(42, 0, 0, float("inf"), 0, 36),
        struct.pack("<6d", 42, 0, 0, 0, 0, 36),
        _librepilot(42, 0, 0, 0, 0, 36)[:-1],
        b"",
        b"{}",
        b'{"axes": [0, 0, 0]}',
        b'{"axes": [0, 0, 0, 1.01]}',
        b'{"axes": [0, 0, 0, NaN]}',
        b'{"axes": [0, 0, 0, true]}',
        b'{"axes": [0, 0, 0, "1"]}',
        b'{"axes": [0, 0, 0, 0], "buttons": [2.5]}',
        b'{"axes": ' + b"[" * 400 + b"}",
        b'{"axes": [' + b"0," * 900 + b"0]}",
    ],
)
def test_a_packet_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        parse_packet(data)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ((0, 0, 0, 5), "throttle 5 is not from 0 to 1"),
        ((0, 0, 0, -1), "throttle -1 is not from 0 to 1"),
        ((1.01, 0, 0, 0), "pitch 1.01 is not from -1 to 1"),
        ((0, -7, 0, 0), "yaw -7 is not from -1 to 1"),
        ((0, 0, 2, 0), "roll 2 is not from -1 to 1"),
    ],
)
def test_a_value_beyond_its_range_is_refused_by_name(values: tuple[float, ...], why: str) -> None:
    with pytest.raises(FormatError, match=why):
        parse_packet(_librepilot(42, *values, 36))


def test_a_message_of_our_own() -> None:
    said = parse_message('{"axes": [0.5, -1, 0, 1, 0.25], "buttons": [0, 1, true]}')
    assert said == ProgramMessage((0.5, -1.0, 0.0, 1.0, 0.25), (False, True, True))
    named = parse_message('{"axes": [0, 0, 0, 0], "sender": "Follow me, 2"}')
    assert named.sender == "Follow me, 2"


@pytest.mark.parametrize(
    "name", ["", " joy", "a\nb", "x" * 33, 7, None, ["a"], "<b>", "\u202e", "\ud800"]
)
def test_a_sender_without_a_short_printable_name_is_refused(name: object) -> None:
    with pytest.raises(FormatError, match="sender must be a text of 1 to 32"):
        parse_message(json.dumps({"axes": NEUTRAL, "sender": name}))


class Port:
    """A listening port, a hub that reads it when it is told to, and the sockets of programs."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.hub = DeviceHub(clock=lambda: self.now_s)
        self.listener = UdpListener(port=0, chosen=self.hub.chosen)
        self.hub.add(self.listener)
        self.news: list[str] = []
        self._sockets: list[socket] = []
        self.step()

    def program(self) -> socket:
        self._sockets.append(socket(AF_INET, SOCK_DGRAM))
        self._sockets[-1].bind(("127.0.0.1", 0))
        return self._sockets[-1]

    def send(self, program: socket, axes: Sequence[float], name: str = "") -> None:
        said = {"axes": axes} | ({"sender": name} if name else {})
        program.sendto(json.dumps(said).encode(), self.listener.address)

    def step(self, dt_s: float = READ_EVERY_S) -> tuple[InputDevice, ...]:
        self.now_s += dt_s
        self.hub.step()
        news = self.listener.take_news()
        self.news.extend([news] if news else [])
        return self.hub.devices

    def says(self) -> dict[str, tuple[float, ...]]:
        return {device.kind.name: device.reading.axes for device in self.hub.devices}

    def end(self, *programs: socket) -> None:
        for program in programs:
            program.close()
            self._sockets.remove(program)

    def close(self) -> None:
        self.hub.close()
        self.end(*self._sockets)


@pytest.fixture
def port() -> Iterator[Port]:
    made = Port()
    yield made
    made.close()


def _title(program: socket) -> str:
    return f"UDP 127.0.0.1:{program.getsockname()[1]}"


def test_each_sender_is_a_device_of_its_own_and_is_told_of_once(port: Port) -> None:
    assert port.listener.address[0] == "127.0.0.1", "only this computer is heard"
    first, second = port.program(), port.program()
    for _ in range(50):
        port.send(first, NEUTRAL)
        port.send(second, PITCHED)
        port.step()
    assert port.says() == {_title(first): NEUTRAL, _title(second): PITCHED}
    [news] = port.news
    assert news == (
        f"{_title(first)} and {_title(second)} send sticks to port {port.listener.address[1]}. "
        "None of them flies unless you choose it in Controllers, Who flies."
    )
    port.step(GONE_S * 1.5)
    assert port.says() == {}
    port.send(second, PITCHED)
    port.step()
    assert port.says() == {_title(second): PITCHED}
    assert len(port.news) == 1, "one that comes back is no news"


def test_who_comes_back_after_others_has_the_key_that_it_had(port: Port) -> None:
    first, second = port.program(), port.program()
    port.send(first, NEUTRAL)
    [mine] = port.step()
    for silence_s in (STICKS_FRESH_S * 1.2, GONE_S * 1.2, 60.0):
        for _ in range(20):
            port.send(second, PITCHED)
            port.step(silence_s / 20)
        port.send(first, NEUTRAL)
        port.step()
        again = port.hub.device(mine.key)
        assert again is not None
        assert again.reading.axes == NEUTRAL
        assert again.kind == mine.kind


def test_a_program_that_gives_its_name_keeps_its_key_on_a_new_port(port: Port) -> None:
    for name, keys in (("joy", 1), ("", 2)):
        found = set()
        for _ in range(2):
            program = port.program()
            for _ in range(20):
                port.send(program, NEUTRAL, name)
                found |= {device.key for device in port.step(0.02)}
            port.end(program)
            port.step(GONE_S * 2)
        assert len(found) == keys


def test_a_program_with_a_port_per_packet_flies_by_its_name(port: Port) -> None:
    seen = []
    for number in range(100):
        program = port.program()
        axes = (number / 100.0, 0.0, 0.0, 0.0)
        port.send(program, axes, "joy")
        port.step(0.02)
        seen.append(port.says() == {"UDP “joy”": axes})
        port.end(program)
    assert seen.count(False) <= 2, "the system may draw a port twice"


def test_two_that_keep_sending_under_one_name_are_two(port: Port) -> None:
    first, second = port.program(), port.program()
    flown = set()
    for step in range(100):
        if step % 4 == 0:
            port.send(first, NEUTRAL, "joy")
        if step > 8:
            for _ in range(10):
                port.send(second, PITCHED, "joy")
        port.step()
        flown.add(port.says()["UDP “joy”"])
    assert flown == {NEUTRAL}
    other = f"{_title(second)} “joy”"
    assert port.says() == {"UDP “joy”": NEUTRAL, other: PITCHED}
    assert port.listener.problem == WAITS.format("joy")
    assert any(other in news for news in port.news)


def test_what_is_refused_is_counted_with_its_reason(port: Port) -> None:
    program = port.program()
    port.send(program, NEUTRAL)
    program.sendto(_librepilot(42, 0, 0, 0, 5, 36), port.listener.address)
    program.sendto(b"nonsense", port.listener.address)
    port.step()
    assert port.says() == {_title(program): NEUTRAL}, "the newest that is one counts"
    assert port.listener.refused == 2
    assert port.listener.problem == "throttle 5 is not from 0 to 1"


def test_what_waited_while_nobody_read_is_as_old_as_the_read_before(port: Port) -> None:
    program = port.program()
    port.send(program, NEUTRAL)
    port.step()
    before_s = port.now_s
    for _ in range(177):
        port.send(program, PITCHED)
    [device] = port.step(0.5)
    assert device.reading.axes == PITCHED, "drained at once"
    assert device.reading.read_s == before_s
    assert port.now_s - device.reading.read_s > STICKS_FRESH_S
    port.send(program, NEUTRAL)
    [device] = port.step()
    assert device.reading.read_s == port.now_s
    assert device.reading.axes == NEUTRAL


def test_a_port_that_is_read_at_leisure_is_not_late(port: Port) -> None:
    assert WATCH_EVERY_S < LATE_S < STICKS_FRESH_S
    program = port.program()
    for _ in range(5):
        port.send(program, NEUTRAL)
        [device] = port.step(WATCH_EVERY_S)
        assert device.reading.read_s == port.now_s


@pytest.mark.slow
def test_a_flood_from_10000_ports_leaves_the_one_that_was_chosen_and_other_devices(
    port: Port,
) -> None:
    port.hub.add(Once(FakeDevice()))
    first = port.program()
    port.send(first, NEUTRAL)
    port.step()
    key = next(device.key for device in port.hub.devices if device.kind.guid == "udp")
    port.hub.chosen.add(key)
    port.step(GONE_S * 1.2)
    assert port.hub.device(key) is None
    most, back = 0, []
    for step in range(1000):
        for _ in range(10):  # 2,000 a second
            program = port.program()
            port.send(program, PITCHED)
            port.end(program)
        if step >= 500 and step % 4 == 0:
            port.send(first, NEUTRAL)
        most = max(most, len(port.step()))
        assert port.hub.device("pad") is not None
        device = port.hub.device(key)
        back.extend([device] if device is not None else [])
    assert len(back) == 500, "from its first packet on"
    assert {device.reading.axes for device in back} == {NEUTRAL}
    assert port.now_s - back[-1].reading.read_s < PERIOD_S
    assert most <= MOST_SENDERS + 2, "the chosen one and the pad besides"
    assert port.listener.problem == CROWDED.format(MOST_SENDERS)
    assert len(port.news) <= MOST_SENDERS


class Flight:
    """An aircraft that a transmitter flies by what devices say: two programs send."""

    def __init__(self, port: Port) -> None:
        self.port = port
        self.sent: list[Sticks] = []
        self.choice = DeviceChoice(port.hub, ProfileStore(None))
        outlet = StickOutlet(self.sent.append, lambda _why: None)
        self.transmitter = Transmitter(outlet, lambda: port.now_s)
        self.asked: list[Sticks] = []

    def order(self, request: PilotRequest) -> None:
        order = self.transmitter.order.taken_up()
        self.transmitter.carry_out(replace(order, request=request))

    def period(self, flood: int, sender: socket | None, flooder: socket) -> None:
        """One period of the transmitter, in which `flood` packets of another sender come."""
        if sender is not None:
            self.port.send(sender, NEUTRAL)
        for _ in range(4):
            for _ in range(flood // 4):
                self.port.send(flooder, PITCHED)
            self.port.step()
        self.choice.follow(is_flying=True)
        self.transmitter.beat()
        device = self.choice.inputs.read(self.port.now_s)
        self.asked.extend([device.sticks] if device is not None else [])
        self.transmitter.step(PERIOD_S, device)


IDLE = PilotRequest()
BY_HAND = PilotRequest(transmitting=True, arm=True, throttle="stick", source="gamepad")
GUIDED = PilotRequest(
    transmitting=True, arm=True, throttle="middle", source="gamepad", flight_mode_position=2
)


@pytest.mark.parametrize("request_", [IDLE, BY_HAND, GUIDED], ids=["idle", "by hand", "guided"])
def test_nothing_is_flown_of_10000_packets_of_a_sender_that_nobody_chose(
    port: Port, request_: PilotRequest
) -> None:
    flight = Flight(port)
    first, second = port.program(), port.program()
    port.send(first, NEUTRAL)
    [mine] = port.step()
    flight.choice.choose(ChosenDevices(mine.key))
    flight.order(request_)
    for _ in range(5):
        flight.period(0, first, second)
    began_s, told_s = port.now_s, None
    for number in range(250):
        is_silent = 100 <= number < 112  # 0.24 s, in which the first one was locked out once
        flight.period(40, None if is_silent else first, second)
        if told_s is None and any(_title(second) in news for news in port.news):
            told_s = port.now_s
    assert flight.asked
    assert all(sticks.pitch == 0.0 for sticks in (*flight.asked, *flight.sent))
    assert bool(flight.sent) == request_.transmitting
    assert told_s is not None
    assert told_s - began_s < 0.1
    latest = port.hub.device(mine.key)
    assert latest is not None
    assert port.now_s - latest.reading.read_s < PERIOD_S
    other = next(device.key for device in port.hub.devices if device.key != mine.key)
    flight.choice.choose(ChosenDevices(other))
    flight.order(request_)
    flight.choice.follow(is_flying=False)
    flight.period(40, first, second)
    assert flight.asked[-1].pitch == 0.8, "it flies once it is chosen"


def test_a_flood_of_2000_a_second_does_not_hide_the_first_at_50_hz(port: Port) -> None:
    first, second = port.program(), port.program()
    key = ""
    for number in range(250):
        axes = (number / 250.0, 0.0, 0.0, 0.0)
        for _ in range(40):
            port.send(second, PITCHED)
        port.send(first, axes)
        devices = port.step(0.02)
        key = key or next(device.key for device in devices if device.kind.name == _title(first))
        device = port.hub.device(key)
        assert device is not None
        assert device.reading.axes == axes


def test_a_sender_of_an_earlier_listening_is_itself_when_the_port_is_opened_anew(
    port: Port,
) -> None:
    program = port.program()
    port.send(program, NEUTRAL)
    [mine] = port.step()
    place = port.listener.address[1]
    port.hub.remove(port.listener)
    port.listener.close()
    port.listener = UdpListener(port=place)
    port.hub.add(port.listener)
    port.send(program, PITCHED)
    [again] = port.step()
    assert (again.key, again.reading.axes) == (mine.key, PITCHED)


def test_a_port_that_is_taken_is_named(port: Port) -> None:
    with pytest.raises(OSError, match=f"UDP port {port.listener.address[1]} of 127.0.0.1"):
        UdpListener(port=port.listener.address[1])
