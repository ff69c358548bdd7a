"""A way to an emulated bootloader on which packets are lost, doubled or late, and that can be
unplugged. Each packet takes 4 ms of the board's clock."""

from dataclasses import dataclass, field
from enum import Enum

from telemetry.protocol.links.link import LinkClosed
from tests.boards.emulated_bootloader import EmulatedBootloader

PACKET_S = 0.004


class Kind(Enum):
    LOSE = "lost"
    DOUBLE = "doubled"
    DELAY = "late"


@dataclass(frozen=True)
class Fault:
    """What befalls the `nth` packet (from 0) with a command; `to_board` or from it."""

    kind: Kind
    command: int
    nth: int = 0
    to_board: bool = True
    delay_s: float = 1.0
    is_start: bool | None = None


@dataclass
class EmulatedPacketPort:
    """`unplugged_after` counts packets to the board; with it the board loses its power."""

    board: EmulatedBootloader
    faults: tuple[Fault, ...] = ()
    unplugged_after: int | None = None
    name: str = "the board"
    sent: list[bytes] = field(default_factory=list)
    befell: list[Fault] = field(default_factory=list)
    closed: bool = False
    _late: list[tuple[float, bytes]] = field(default_factory=list)
    _arrived: list[bytes] = field(default_factory=list)
    _start: int | None = None
    _seen: dict[Fault, int] = field(default_factory=dict)

    def send(self, packet: bytes) -> None:
        self._live()
        if self.unplugged_after is not None and len(self.sent) >= self.unplugged_after:
            self.board.power_on()
            self.unplugged_after = -1
            raise LinkClosed(f"{self.name} was unplugged. Plug it in again.")
        self.board.clock.advance(PACKET_S)
        self.sent.append(packet)
        self._deliver_late()
        for _ in range(self._copies(packet, to_board=True)):
            self.board.take(packet)

    def receive(self, timeout_s: float) -> bytes | None:
        until_s = self.board.clock() + timeout_s
        while True:
            self._live()
            self._deliver_late()
            self._collect()
            if self._arrived:
                return self._arrived.pop(0)
            moments = [ready for ready, _ in (*self.board.answers, *self._late)]
            soonest = min((ready for ready in moments if ready <= until_s), default=None)
            if soonest is None:
                self.board.clock.advance(max(0.0, until_s - self.board.clock()))
                return None
            self.board.clock.advance(max(0.0, soonest - self.board.clock()))

    def close(self) -> None:
        self.closed = True

    def _live(self) -> None:
        self.board.tick()
        if self._start is None:
            self._start = self.board.starts
        is_gone = self.board.starts != self._start or self.board.started is not None
        if self.closed or is_gone:
            raise LinkClosed(f"{self.name} was unplugged. Plug it in again.")

    def _collect(self) -> None:
        now_s = self.board.clock()
        for ready, packet in [answer for answer in self.board.answers if answer[0] <= now_s]:
            self.board.answers.remove((ready, packet))
            self._arrived += [packet] * self._copies(packet, to_board=False)

    def _deliver_late(self) -> None:
        now_s = self.board.clock()
        for due, packet in [late for late in self._late if late[0] <= now_s]:
            self._late.remove((due, packet))
            if packet[0] & 0x1F in (2, 10, 12):
                self._arrived.append(packet)
            else:
                self.board.take(packet)

    def _copies(self, packet: bytes, to_board: bool) -> int:
        copies = 1
        for fault in self.faults:
            is_kind = fault.to_board == to_board and packet[0] & 0x1F == fault.command
            if not is_kind or fault.is_start not in (None, bool(packet[0] & 0x20)):
                continue
            self._seen[fault] = self._seen.get(fault, -1) + 1
            if self._seen[fault] != fault.nth:
                continue
            self.befell.append(fault)
            if fault.kind is Kind.DELAY:
                self._late.append((self.board.clock() + fault.delay_s, packet))
            copies = 2 if fault.kind is Kind.DOUBLE else 0
        return copies
