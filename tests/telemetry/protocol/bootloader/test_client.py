"""Bootloaders that lie: one clear error within a bounded time."""

from collections.abc import Callable
from itertools import count

import pytest

from telemetry.protocol.bootloader.client import Bootloader, BootloaderError
from telemetry.protocol.bootloader.packets import Boot, Memory, State, jump_packet
from tests.boards.emulated_bootloader import EmulatedBootloader
from tests.boards.emulated_packet_port import EmulatedPacketPort, Fault, Kind
from tests.boards.stepped_clock import SteppedClock


class Liar:
    """Answers each packet with whatever it likes, endlessly where it likes to."""

    name = "the board"

    def __init__(self, answer: Callable[[bytes, int], bytes | None]) -> None:
        self.clock = SteppedClock()
        self.answer, self.question, self.number = answer, bytes(63), count()
        self.asked = 0

    def send(self, packet: bytes) -> None:
        self.question, self.number = packet, count()
        self.asked += 1

    def receive(self, timeout_s: float) -> bytes | None:
        answer = self.answer(self.question, next(self.number))
        self.clock.advance(0.004 if answer else timeout_s)
        return answer

    def close(self) -> None: ...


def capabilities(devices: int = 1, code: int = 0x1000) -> Callable[[bytes, int], bytes | None]:
    def answer(question: bytes, number: int) -> bytes | None:
        if number:
            return None
        first = bytes((2, 0, 0, 0, 0, 0, devices, 0, 3))
        told = code.to_bytes(4, "big") + bytes((question[5], 6, 100, 3)) + bytes(4) + b"\x09\x03"
        return (b"\x02" + told if question[5] else first).ljust(63, b"\0")

    return answer


LIES = {
    "200 devices": (capabilities(devices=200), "200 devices"),
    "none": (capabilities(devices=0), "0 devices"),
    "4 GB": (capabilities(code=0xFFFFFFFC), "4294967292 bytes for code"),
    "no room": (capabilities(code=0), "0 bytes for code"),
    "half words": (capabilities(code=0x1002), "4098 bytes for code"),
    "silence": (lambda question, number: None, "does not answer"),
    "short": (lambda question, number: None if number else b"\x02\x01", "does not answer"),
    "nothing": (lambda question, number: None if number else b"", "does not answer"),
    "long": (lambda question, number: None if number else b"\x02" * 64, "does not answer"),
    "endless": (lambda question, number: bytes(63), "nobody asked for"),
    "endless status": (lambda question, number: b"\x0c" + bytes(62), "nobody asked for"),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_cannot_be_true_is_one_error_in_bounded_time(lie: str) -> None:
    answer, said = LIES[lie]
    liar = Liar(answer)
    with pytest.raises(BootloaderError, match=said):
        Bootloader(liar, liar.clock).capabilities()
    assert liar.clock() < 30.0
    assert liar.asked < 10


@pytest.mark.parametrize("state", [1, 2, 3, 6, 8, 9, 10, 11, 13, 255])
def test_a_state_that_stays_is_an_error(state: int) -> None:
    status = (b"\x0c" + bytes(4) + bytes((state,))).ljust(63, b"\0")
    liar = Liar(lambda question, number: None if number else status)
    with pytest.raises(BootloaderError, match="the board"):
        Bootloader(liar, liar.clock).enter()
    assert liar.asked < 20


def test_nothing_is_taken_before_capabilities_were_asked() -> None:
    """The board has no table of its devices yet, so it has no room for anything."""
    clock = SteppedClock()
    board = EmulatedBootloader(clock, asked_by_firmware=True)
    bootloader = Bootloader(EmulatedPacketPort(board), clock)
    bootloader.enter()
    bootloader.start_upload(bytes(100), Memory.FIRMWARE, board.code_size)
    with pytest.raises(BootloaderError, match="not enough room"):
        bootloader.await_ready()
    assert board.erased == 0
    bootloader.abort()
    bootloader.capabilities()
    bootloader.enter()
    bootloader.start_upload(bytes(100), Memory.FIRMWARE, board.code_size)
    bootloader.await_ready()
    assert board.erased == 1


def test_an_answer_that_is_late_is_not_taken_for_that_to_the_next_question() -> None:
    clock = SteppedClock()
    late = Fault(Kind.DELAY, 12, to_board=False, delay_s=3.5)
    port = EmulatedPacketPort(EmulatedBootloader(clock), (late,))
    bootloader = Bootloader(port, clock)
    assert bootloader.state() is State.NOT_ENTERED
    clock.advance(1.0)
    bootloader.abort()
    assert [packet[0] for packet in port.sent] == [11, 11, 6, 11]


@pytest.mark.parametrize(
    ("boot", "data"),
    [
        (Boot.NORMAL, "00000000 00000000 00000000 00000000"),
        (Boot.SAFE, "00005afe 00000000 00000000 00000000"),
        (Boot.ERASE_SETTINGS, "00000000 0000fa5f 00000001 00000000"),
    ],
)
def test_how_firmware_starts_is_told_in_four_numbers(boot: Boot, data: str) -> None:
    assert jump_packet(boot) == (b"\x04" + bytes(4) + bytes.fromhex(data)).ljust(63, b"\0")
