"""A serial line to an emulated bootloader that speaks SSP, written from flight/libraries/ssp.c: an
acknowledgement for each packet, each answer sent once. `damage` changes what goes to the board."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.boards.emulated_bootloader import EmulatedBootloader

SYNC, ESC, ESC_SYNC, ACK = 225, 224, 1, 0x80
BYTE_S = 10 / 57600


def reference_crc16(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        for bit in range(8):
            crc = crc >> 1 ^ (0xA001 if (crc ^ byte >> bit) & 1 else 0)
    return crc


@dataclass
class EmulatedSspLine:
    """A `Link`, and the board behind it."""

    board: EmulatedBootloader
    damage: Callable[[int, bytes], bytes] = lambda number, data: data
    name: str = "/dev/ttyTEST"
    address: str = "serial:/dev/ttyTEST@57600"
    can_write: bool = True
    written: int = 0
    answer_copies: int = 1
    closed: bool = False
    _unread: bytearray = field(default_factory=bytearray)
    _frame: bytearray | None = None
    _is_escaped: bool = False
    _seen: int = 255
    _sent: int = 127

    def write(self, data: bytes) -> None:
        self.board.clock.advance(len(data) * BYTE_S)
        for byte in self.damage(self.written, data):
            self._take_byte(byte)
        self.written += 1

    def read(self, timeout_s: float) -> bytes:
        clock = self.board.clock
        if not self._unread:
            ready = min((ready for ready, _ in self.board.answers), default=None)
            if ready is None or ready > clock() + timeout_s:
                clock.advance(timeout_s)
                return b""
            clock.advance(max(0.0, ready - clock()))
            _, packet = self.board.answers.pop(0)
            self._sent = self._sent % 127 + 1
            for _ in range(self.answer_copies):
                self._say(self._sent, packet)
        came, self._unread = bytes(self._unread), bytearray()
        clock.advance(len(came) * BYTE_S)
        return came

    def close(self) -> None:
        self.closed = True

    def _take_byte(self, byte: int) -> None:
        if byte == SYNC:
            self._frame, self._is_escaped = bytearray(), False
        elif byte == ESC and not self._is_escaped:
            self._is_escaped = True
        elif self._frame is not None:
            self._frame.append(SYNC if self._is_escaped and byte == ESC_SYNC else byte)
            self._is_escaped = False
            if len(self._frame) == self._frame[0] + 3:
                self._take_frame(bytes(self._frame))
                self._frame = None

    def _take_frame(self, frame: bytes) -> None:
        sequence, data, crc = frame[1], frame[2:-2], frame[-2] | frame[-1] << 8
        if crc != reference_crc16(frame[1:-2]) or sequence & ACK:
            return
        if sequence == 0:
            self._seen = 0
        elif sequence != self._seen:
            self._seen = sequence
            self.board.take(data)
        self._say(sequence | ACK, b"")

    def _say(self, sequence: int, data: bytes) -> None:
        body = bytes((sequence,)) + data
        crc = reference_crc16(body)
        self._unread.append(SYNC)
        for byte in bytes((len(body),)) + body + bytes((crc & 255, crc >> 8)):
            self._unread += {SYNC: bytes((ESC, ESC_SYNC)), ESC: bytes((ESC, ESC))}.get(
                byte, bytes((byte,))
            )
