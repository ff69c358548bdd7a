"""Both ways to a bootloader: USB reports and frames on a serial line."""

from collections.abc import Sequence

import pytest

from telemetry.protocol.bootloader.client import Bootloader
from telemetry.protocol.bootloader.hid_port import HidPort
from telemetry.protocol.bootloader.packets import Memory
from telemetry.protocol.bootloader.ssp_frame import FrameReader, crc16, make_frame
from telemetry.protocol.bootloader.ssp_port import SspPort
from telemetry.protocol.links.link import LinkClosed
from tests.boards.emulated_bootloader import EmulatedBootloader
from tests.boards.emulated_ssp_line import EmulatedSspLine
from tests.boards.stepped_clock import SteppedClock

PACKET = bytes(range(63))


class Hid:
    """A device of the `hid` module that does not take the first `busy` reports."""

    def __init__(self, reports: Sequence[bytes] = (), busy: int = 0) -> None:
        self.reports, self.busy = list(reports), busy
        self.written: list[bytes] = []
        self.is_gone = False

    def read(self, max_length: int, timeout_ms: int = 0) -> Sequence[int]:
        if self.is_gone:
            raise OSError("read error")
        return list(self.reports.pop(0)[:max_length]) if self.reports else []

    def write(self, data: bytes) -> int:
        self.busy -= 1
        if self.is_gone or self.busy >= 0:
            return -1
        self.written.append(data)
        return len(data)

    def close(self) -> None: ...


def test_a_packet_goes_behind_the_report_s_id_without_a_length() -> None:
    hid = Hid([b"\x01" + PACKET])
    port = HidPort(hid, "the board")
    port.send(PACKET)
    assert hid.written == [b"\x02" + PACKET]
    assert port.receive(0.1) == PACKET
    assert port.receive(0.1) is None


def test_other_reports_are_not_packets() -> None:
    port = HidPort(Hid([b"\x03" + PACKET, b"\x01" + PACKET[:40], b""]), "the board")
    assert [port.receive(0.1) for _ in range(3)] == [None, None, None]


def test_a_board_that_is_busy_gets_the_report_later_and_loses_no_answer() -> None:
    hid = Hid([b"\x01" + PACKET], busy=20)
    port = HidPort(hid, "the board")
    port.send(PACKET)
    assert len(hid.written) == 1
    assert port.receive(0.0) == PACKET


def test_a_board_that_is_gone_or_never_takes_anything_is_at_its_end() -> None:
    with pytest.raises(LinkClosed, match="takes no more"):
        HidPort(Hid(busy=10_000), "the board").send(PACKET)
    hid = Hid()
    hid.is_gone = True
    port = HidPort(hid, "the board")
    with pytest.raises(LinkClosed, match="unplugged"):
        port.send(PACKET)
    with pytest.raises(LinkClosed, match="unplugged"):
        port.receive(0.1)


def test_frames_have_the_checksum_that_others_publish_and_escape_what_begins_one() -> None:
    assert crc16(b"123456789") == 0x4B37  # CRC-16/MODBUS
    assert make_frame(0) == bytes.fromhex("e1 01 00 bf 40")
    assert make_frame(1, b"\xe1\xe0")[:7] == bytes.fromhex("e1 03 01 e0 01 e0 e0")


def test_frames_are_read_in_pieces_and_damaged_ones_left_out() -> None:
    frames = [make_frame(number, bytes((number, 225, 224, 1))) for number in (1, 2, 3)]
    frames[1] = frames[1][:4] + b"\x55" + frames[1][5:]
    reader = FrameReader()
    line = b"\x00noise" + b"".join(frames)
    read = [frame for byte in line for frame in reader.feed(bytes((byte,)))]
    assert read == [(number, bytes((number, 225, 224, 1))) for number in (1, 3)]


@pytest.mark.parametrize("lost", [None, 0, 1, 4, 9])
def test_a_serial_bootloader_is_spoken_to_though_frames_are_lost(lost: int | None) -> None:
    """Code with every byte that is escaped; the `lost`th that is written is damaged."""
    clock = SteppedClock()
    board = EmulatedBootloader(clock, board=0x1001)

    def damaged(number: int, data: bytes) -> bytes:
        return data[:-1] + b"\x00" if number == lost else data

    code = bytes((225, 224, 1, 0)) * 100
    bootloader = Bootloader(SspPort(EmulatedSspLine(board, damaged), clock), clock)
    device = bootloader.capabilities()
    assert (device.board, device.code_bytes) == (0x1001, board.code_size)
    bootloader.enter()
    bootloader.start_upload(code, Memory.FIRMWARE, device.code_bytes)
    bootloader.await_ready()
    bootloader.send(code)
    bootloader.end()
    assert board.code.startswith(code)
    assert bootloader.read_back(len(code), Memory.FIRMWARE) == code


def test_an_answer_that_comes_twice_on_a_serial_line_counts_once() -> None:
    clock = SteppedClock()
    board = EmulatedBootloader(clock)
    port = SspPort(EmulatedSspLine(board, answer_copies=2), clock)
    Bootloader(port, clock).state()
    assert port.receive(1.0) is None


def test_a_serial_line_without_a_bootloader_is_told_in_10_s_and_let_go() -> None:
    clock = SteppedClock()
    line = EmulatedSspLine(EmulatedBootloader(clock), lambda number, data: b"")
    with pytest.raises(LinkClosed, match="No bootloader answers at /dev/ttyTEST"):
        SspPort(line, clock)
    assert clock() == pytest.approx(10.0, abs=0.1)
    assert line.closed
