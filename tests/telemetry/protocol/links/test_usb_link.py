"""Telemetry in HID reports: bytes as boards.md has them, faults, and what does not fit."""

import threading
from collections.abc import Sequence

import pytest

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard
from telemetry.protocol.links.usb_link import UsbLink
from telemetry.protocol.links.usb_reports import payload_of, report_of
from tests.boards.emulated_hid import SLOT_S, EmulatedHid
from tests.boards.hid_entries import SERIAL
from tests.telemetry.vehicle.fakes import Clock
from tests.waiting import wait_until

BOARD = UsbBoard(SERIAL, "Revolution", 0x20A0, 0x415E, BoardMode.FIRMWARE, b"/dev/hidraw3", "")


class Echo:
    """A flight side that keeps what it hears and says what it is given."""

    def __init__(self) -> None:
        self.heard = b""
        self.to_say = b""

    def say(self, now_s: float) -> bytes:
        said, self.to_say = self.to_say, b""
        return said

    def hear(self, data: bytes, now_s: float) -> None:
        self.heard += data


class Ends:
    """A link and the board at its other end, in stepped time."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.echo = Echo()
        self.device = EmulatedHid(self.clock, self.echo)
        self.link = UsbLink(BOARD, self.device)
        self.device.writer = self.link.queue.send_next


def test_a_report_to_the_board_is_id_2_length_and_bytes() -> None:
    report = report_of(bytes.fromhex("3c20 0a00"))
    assert report == bytes.fromhex("02 04 3c200a00") + bytes(58)
    assert report_of(bytes(62)) == b"\x02\x3e" + bytes(62)


@pytest.mark.parametrize(
    ("report", "payload"),
    [
        ("01 03 3c2022" + "00" * 59, "3c2022"),
        ("01 3e" + "aa" * 62, "aa" * 62),
        ("03 ffff" + "00" * 14, ""),  # the joystick that the board plays
        ("01 3f" + "aa" * 62, ""),  # longer than a report
        ("01 00" + "aa" * 62, ""),
        ("01 ff" + "aa" * 62, ""),
        ("01 05 3c20", ""),  # cut short
        ("02 02 3c20", ""),  # goes the other way
        ("00 02 3c20", ""),
        ("01", ""),
    ],
)
def test_a_report_from_the_board(report: str, payload: str) -> None:
    assert payload_of(bytes.fromhex(report)) == bytes.fromhex(payload)


def test_bytes_come_through_whole_and_in_order() -> None:
    ends = Ends()
    data = bytes(range(256)) * 2
    ends.link.write(data)
    ends.echo.to_say = data[::-1]
    said = b""
    for _ in range(10):
        said += ends.link.read(SLOT_S)
    assert (ends.echo.heard, said) == (data, data[::-1])


def test_hostile_reports_are_left_out() -> None:
    ends = Ends()
    for report in ("01 ff 3c", "", "07", "01 00", "01 02 3c21", "03 00"):
        ends.device.put(bytes.fromhex(report))
    said = b""
    for _ in range(6):  # an empty report ends a read
        said += ends.link.read(0.0)
    assert said == bytes.fromhex("3c21")


def test_a_flood_does_not_keep_a_read_from_ending() -> None:
    class Flood(EmulatedHid):
        def read(self, max_length: int, timeout_ms: int = 0) -> Sequence[int]:
            return b"\x01\x3e" + bytes(62)

    clock = Clock()
    assert UsbLink(BOARD, Flood(clock, Echo())).read(0.02)


def test_unplugged_is_the_end_of_the_link() -> None:
    ends = Ends()
    ends.device.is_plugged_in = False
    with pytest.raises(LinkClosed, match="Revolution was unplugged"):
        ends.link.read(0.01)
    ends.link.close()
    ends.link.close()
    with pytest.raises(LinkClosed):
        ends.link.write(b"x")


def test_what_has_not_left_is_told_and_can_be_taken_back() -> None:
    ends = Ends()
    ends.link.write(bytes(100))
    assert ends.link.queue.unsent_bytes() == 100
    ends.link.read(0.004)
    assert ends.link.queue.unsent_bytes() == 38
    ends.link.queue.discard()
    ends.link.read(0.008)
    assert len(ends.echo.heard) == 62


def test_a_board_that_takes_nothing_ends_the_link() -> None:
    ends = Ends()
    ends.device.takes_reports = False
    ends.link.write(b"one")
    ends.link.read(0.1)
    with pytest.raises(LinkClosed, match="takes no more data"):
        ends.link.write(b"more")


class Slow(EmulatedHid):
    """Takes a report when it is let."""

    def __init__(self) -> None:
        super().__init__(Clock(), Echo())
        self.let = threading.Event()
        self.written: list[bytes] = []

    def write(self, data: bytes) -> int:
        self.let.wait(10.0)
        self.written.append(bytes(data[2 : 2 + data[1]]))
        return len(data)


def test_a_thread_writes_so_that_nobody_waits_for_the_board() -> None:
    device = Slow()
    link = UsbLink(BOARD, device).start()
    link.write(b"farewell")  # comes back at once
    link.close()
    assert not device.is_closed, "it is still being written to"
    device.let.set()
    wait_until(lambda: device.is_closed)
    assert device.written == [b"farewell"]
