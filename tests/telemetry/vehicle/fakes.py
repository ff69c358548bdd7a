"""An aircraft at the other end of a link, in simulated time: reading from the link flies it."""

from collections.abc import Callable

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.send_queue import SendQueue
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.handshake import FLIGHT_IDS
from telemetry.protocol.session.session import Session
from tests.telemetry.protocol.session.fakes import MemoryBoard

FLIGHT_STATS_ID = 0x6737BB5A
_ATTITUDES = ("AttitudeState", "AttitudeActual")


class Clock:
    """Time that passes when told."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


class AircraftLink:
    """A link with a session of an aircraft behind it. `at` holds things to do at their time."""

    name = "aircraft"
    address = "test:aircraft"

    def __init__(
        self, clock: Clock, catalogue: Catalogue, board: MemoryBoard, can_write: bool = True
    ) -> None:
        self.board = board
        self.can_write = can_write
        self.is_unplugged = False
        self.is_silent = False
        self.progress = ""
        self.is_closed = False
        self.queue: SendQueue | None = None
        self.written = b""
        self.at: list[tuple[float, Callable[[], object]]] = []
        self.flight = Session(Role.FLIGHT, catalogue, board=board)
        self._attitude = next(i for i, d in board.definitions.items() if d.name in _ATTITUDES)
        self._statistics = next(i for i in board.definitions if i in FLIGHT_IDS)
        self._clock = clock
        self._next_stats = 0.0
        self.flight.start(clock.now)

    def read(self, timeout_s: float) -> bytes:
        now = self._clock.now = self._clock.now + max(timeout_s, 0.001)
        for due, action in list(self.at):
            if due <= now:
                self.at.remove((due, action))
                action()
        if self.is_unplugged:
            raise LinkClosed("aircraft was unplugged. Plug it in again to reconnect.")
        if self.is_silent:
            return b""
        if now >= self._next_stats:
            self._next_stats = now + 1.0
            self.flight.publish(self._statistics)
        self.flight.publish(self._attitude)
        self.flight.tick(now)
        return self.flight.bytes_to_send()

    def write(self, data: bytes) -> None:
        if self.is_unplugged:
            raise LinkClosed("aircraft was unplugged. Plug it in again to reconnect.")
        self.written += data
        self.flight.receive(data, self._clock.now)
        if self.board.carry_out():
            self.flight.publish(self.board.named("ObjectPersistence").object_id, 0, acked=True)

    def close(self) -> None:
        self.is_closed = True
