"""A slow link to a board, and a vehicle behind it, in simulated time."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.config import Role, SessionConfig
from telemetry.protocol.session.session import Session
from telemetry.protocol.wire.dialect import Dialect
from telemetry.vehicle.conversation import Conversation
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import MemoryBoard, frames_of
from tests.telemetry.vehicle.fakes import Clock


class TimedBoard(MemoryBoard):
    """A board that takes its time: `now` is that of the link it is behind."""

    def __init__(self, definitions: Iterable[ObjectDefinition], metadata_bytes: int = 8) -> None:
        super().__init__(definitions, metadata_bytes)
        self.now: Callable[[], float] = lambda: 0.0


@dataclass(frozen=True)
class LinkKind:
    """57,600 baud with two turn-arounds, unless told otherwise."""

    bytes_per_s: float = 5760.0
    delay_s: float = 0.01
    loss: float = 0.0
    seed: int = 1


class SlowLink:
    """A link of so many bytes a second in each direction, after a delay; frames may be lost."""

    name, address, can_write = "slow", "test:slow", True

    def __init__(
        self, clock: Clock, catalogue: Catalogue, board: TimedBoard, kind: LinkKind
    ) -> None:
        self.board = board
        self.lost = 0
        self.is_silent = False
        self._clock = clock
        self._kind = kind
        self._random = random.Random(kind.seed)
        self._up: list[tuple[float, bytes]] = []
        self._down: list[tuple[float, bytes]] = []
        self._free_s = {True: 0.0, False: 0.0}
        self._next_stats_s = clock.now
        self._moment = clock.now
        board.now = lambda: self._moment
        multi = board.metadata_bytes == 7
        dialect = Dialect("multi" if multi else "always", board.metadata_bytes)
        config = SessionConfig(dialect=dialect)
        self.flight = Session(Role.FLIGHT, catalogue, board=board, config=config)
        self.flight.start(clock.now)

    def read(self, timeout_s: float) -> bytes:
        end_s = self._clock.now + max(timeout_s, 0.0005)
        while True:
            due_s = min(end_s, self._next_stats_s, *(t for t, _ in self._up[:1] + self._down[:1]))
            self._moment = self._clock.now = max(self._clock.now, due_s)
            self._board_hears()
            if self.is_silent:
                self._down.clear()
            if self._down and self._down[0][0] <= self._clock.now:
                return self._down.pop(0)[1]
            if self._clock.now >= end_s:
                return b""

    def write(self, data: bytes) -> None:
        self._send(self._up, data, self._clock.now, is_up=True)

    def close(self) -> None:
        pass

    def _board_hears(self) -> None:
        now = self._clock.now
        while self._up and self._up[0][0] <= now:
            self.flight.receive(self._up.pop(0)[1], now)
        if now >= self._next_stats_s:
            self._next_stats_s = now + 1.0
            for name in ("FlightTelemetryStats", "SystemStats"):
                self.flight.publish(self.board.named(name).object_id)
        self.flight.tick(now)
        self._send(self._down, self.flight.bytes_to_send(), now, is_up=False)

    def _send(
        self, queue: list[tuple[float, bytes]], data: bytes, now: float, *, is_up: bool
    ) -> None:
        for frame in frames_of(data):
            self._free_s[is_up] = (
                max(now, self._free_s[is_up]) + len(frame) / self._kind.bytes_per_s
            )
            if self._random.random() < self._kind.loss:
                self.lost += 1
            else:
                queue.append((self._free_s[is_up] + self._kind.delay_s, frame))


class SlowBench(Bench):
    """A vehicle with a board behind such a link."""

    def __init__(
        self, catalogue: Catalogue, board: TimedBoard, kind: LinkKind | None = None
    ) -> None:
        self._kind, self._timed = kind or LinkKind(), board
        super().__init__(catalogue, board)

    def connect(self) -> None:
        self.slow = SlowLink(self.clock, self.catalogue, self._timed, self._kind)
        self._conversation = Conversation(self.slow, self._setup, self._show)
        self._conversation.start()

    def pause(self, _: float) -> None:
        """The worker goes on while a job waits."""
        self.step()
