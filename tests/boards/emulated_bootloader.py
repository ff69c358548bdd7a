"""An emulated bootloader: a board's flash and the states of flight/libraries/op_dfu.c, written from
the facts, not from what our station sends.

Flash turns ones into zeros only, and an erase takes seconds of a stepped clock. Up to the first
question for capabilities the board knows of no device. Where nobody has it enter, it starts
whatever has a stack pointer in front after 6 s; most boards that find none there try at every turn
from then on, and take nothing more but a reset. One on a serial line starts nothing any more once
it was spoken to, until it is reset.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from tests.boards.stepped_clock import SteppedClock

IDLE, UPLOADING, WRONG_PACKET, TOO_MANY, TOO_FEW, SUCCESS, DOWNLOADING = range(7)
BOOT_IDLE, FAILED, _, OUTSIDE, CRC_FAIL, FAILED_JUMP = range(7, 13)
STARTS_AFTER_S = 6.0
DESCRIPTION = 0x64


@lru_cache(maxsize=64)
def reference_crc(code: bytes) -> int:
    """The CRC unit of the processor, bit by bit by its definition."""
    crc = 0xFFFFFFFF
    for at in range(0, len(code), 4):
        crc ^= int.from_bytes(code[at : at + 4], "little")
        for _ in range(32):
            crc = (crc << 1 ^ 0x04C11DB7 if crc & 0x80000000 else crc << 1) & 0xFFFFFFFF
    return crc


@dataclass
class EmulatedBootloader:
    """A board with its bootloader. `started` is its code as it was when firmware was started, and
    `boot` the words that came with that; the byte `stuck_at` stays zero, and a board that
    `believes` calls every upload a success; `answers` are (time, packet) on their way."""

    clock: SteppedClock
    board: int = 0x0903
    region: int = 0x1000
    erase_s: float = 8.0
    asked_by_firmware: bool = False
    reads_back: bool = True
    jump_latches: bool = True
    is_serial: bool = False
    stuck_at: int | None = None
    believes: bool = False
    flash: bytearray = field(init=False)
    erased: int = 0
    starts: int = 0
    started: bytes | None = None
    boot: tuple[int, ...] = ()
    answers: list[tuple[float, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.flash = bytearray(b"\xff" * self.region)
        self.power_on()

    @property
    def code_size(self) -> int:
        return self.region - DESCRIPTION

    @property
    def code(self) -> bytes:
        return bytes(self.flash[: self.code_size])

    @property
    def description(self) -> bytes:
        return bytes(self.flash[self.code_size :])

    def power_on(self) -> None:
        """What stands in memory is lost, what stands in flash is not."""
        self.state = IDLE if self.asked_by_firmware else BOOT_IDLE
        self.table_size = self.device_size = 0
        self.is_device_known = False
        self.next_packet = self.announced = self.last_words = self.expected_crc = 0
        self.memory = 0
        self.busy_until = self.powered_at = self.clock()
        self.answers = []
        self.started = None
        self.is_latched = self.is_spoken_to = False
        self.starts += 1

    def tick(self) -> None:
        waits = self.clock() - self.powered_at > STARTS_AFTER_S
        if self.is_latched or (self.state == BOOT_IDLE and waits):
            self._start()

    def take(self, packet: bytes) -> None:
        """A packet arrives. What comes while flash is erased is looked at afterwards."""
        assert len(packet) == 63
        self.tick()
        self.is_spoken_to = True
        if self.started is not None:
            return
        count, data = int.from_bytes(packet[1:5], "big"), packet[5:]
        command, is_start = packet[0] & 0x1F, bool(packet[0] & 0x20)
        orders = {
            1: lambda: self._tell_capabilities(data[0]),
            3: lambda: self._enter(data[0]),
            4: lambda: self._jump(data),
            5: self.power_on,
            6: self._abort,
            7: lambda: self._upload(count, data, is_start),
            8: self._end,
            9: lambda: self._download(count, data),
            11: self._tell_state,
        }
        orders.get(command, lambda: None)()

    def _jump(self, data: bytes) -> None:
        self.boot = tuple(int.from_bytes(data[at : at + 4], "big") for at in (0, 4, 8, 12))
        self._start()

    def _abort(self) -> None:
        self.next_packet, self.state = 0, IDLE

    def _tell_state(self) -> None:
        self._answer(12, bytes(4) + bytes((self.state,)))
        if self.state == SUCCESS:
            self.state = IDLE

    def _start(self) -> None:
        if self.is_serial and self.is_spoken_to:
            return
        stack = int.from_bytes(self.flash[:4], "little") & 0xFFFE0000
        if stack in (0x20000000, 0x10000000):
            self.started = self.code
        else:
            self.state = FAILED_JUMP
            self.is_latched = self.jump_latches

    def _answer(self, command: int, rest: bytes) -> None:
        ready = max(self.clock(), self.busy_until) + 0.004
        self.answers.append((ready, (bytes((command,)) + rest).ljust(63, b"\0")))

    def _tell_capabilities(self, number: int) -> None:
        self.table_size, self.is_device_known = self.code_size, True
        if number == 0:
            self._answer(2, bytes(5) + b"\x01" + b"\x00\x03")
            return
        crc = reference_crc(self.code).to_bytes(4, "big")
        told = self.code_size.to_bytes(4, "big") + bytes((number, 6, DESCRIPTION, self.board & 255))
        self._answer(2, told + crc + self.board.to_bytes(2, "big"))

    def _enter(self, number: int) -> None:
        known = self.is_device_known and number == 0
        if (self.state == BOOT_IDLE and known) or self.state in (IDLE, FAILED_JUMP):
            self.state, self.device_size = IDLE, self.table_size

    def _size(self, memory: int) -> int:
        is_known = self.device_size > 0
        return (self.device_size, DESCRIPTION if is_known else 0)[memory]

    def _upload(self, count: int, data: bytes, is_start: bool) -> None:
        if self.state not in (IDLE, UPLOADING):
            return
        if is_start and self.next_packet == 0:
            self._announce(count, data)
        elif not is_start and self.next_packet != 0:
            if count > self.announced:
                self.state = TOO_MANY
            elif count == self.next_packet - 1:
                self._write(count, data)
            else:
                self.state = WRONG_PACKET
        else:
            self.state = FAILED

    def _announce(self, count: int, data: bytes) -> None:
        self.memory, self.announced, self.last_words = data[0], count, data[1]
        self.expected_crc = int.from_bytes(data[2:6], "big")
        self.next_packet = 1
        if (count - 1) * 56 + self.last_words * 4 > self._size(self.memory):
            self.state = OUTSIDE
            return
        if self.memory == 0:
            self.flash[:] = b"\xff" * self.region
            self.erased += 1
            self.busy_until = self.clock() + self.erase_s
        self.state = UPLOADING

    def _wear(self) -> None:
        if self.stuck_at is not None:
            self.flash[self.stuck_at] = 0

    def _write(self, count: int, data: bytes) -> None:
        words = self.last_words if count == self.announced - 1 else 14
        base = self.code_size if self.memory else 0
        for word in range(words):
            at = base + count * 56 + word * 4
            for byte, value in enumerate(reversed(data[word * 4 : word * 4 + 4])):
                self.flash[at + byte] &= value
        self.next_packet += 1
        self._wear()

    def _end(self) -> None:
        if self.state != UPLOADING:
            return
        if self.next_packet - 1 < self.announced:
            self.state = TOO_FEW
        elif self.memory or self.believes or self.expected_crc == reference_crc(self.code):
            self.state = SUCCESS
        else:
            self.state = CRC_FAIL
        self.next_packet = 0

    def _download(self, count: int, data: bytes) -> None:
        if self.state != IDLE:
            self.state = FAILED
            return
        if (count - 1) * 14 + data[1] > self._size(data[0]):
            self.state = OUTSIDE
            return
        base = self.code_size if data[0] else 0
        for number in range(count):
            words = data[1] if number == count - 1 else 14
            at = base + number * 56
            part = bytes(self.flash[at : at + words * 4])
            if self.reads_back:
                self._answer(10, number.to_bytes(4, "big") + part)
        self.state = SUCCESS
