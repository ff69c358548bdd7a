"""Entry log: a board's flights, fetched entry by entry (LibrePilot's and OpenPilot's objects).

    log = EntryLog(BoardExchange(vehicle), folder)
    for flight in log.flights():
        log.download(flight.number)

DebugLogControl asks for an entry, DebugLogEntry then is it. It tells neither the number that was
asked for (what stands in it may be one behind) nor whether it is filled yet. So what was in it
before is known: an answer counts if it is none of the entries that were seen, and an answer that
says *no such entry* repeats what it was asked for.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from telemetry.configuration.board_logs.board_flight import BoardFlight, LogProgress, no_flight
from telemetry.configuration.board_logs.board_log import BoardLog
from telemetry.configuration.board_logs.entries import OBJECT_NAME, LogBlock, read_block
from telemetry.configuration.board_logs.entry_times import boot_time_s, wrap_s
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.configuration.board_logs.exchange import BoardExchange
from telemetry.configuration.board_logs.flight_file import FlightContents, contents_of
from telemetry.configuration.board_logs.logged_objects import LOG_STATUS
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Write

_CONTROL: Final = "DebugLogControl"
_NOWHERE: Final = 0xFFFF
"""No flash has so many entries: asked for, the board says *Empty* and repeats this number."""
_FLIGHTS: Final = 256
"""So many flights a board tells from each other (LOG_GET_FLIGHT_OBJID in pios_debuglog.c)."""
_ASKS: Final = 3
_WRITES: Final = 6
_RATE_SPAN: Final = 50


@dataclass(frozen=True, slots=True)
class _Space:
    """How full a board's flash is, in slots of one entry; `flight` is the present one, which has
    `entry` of them."""

    flight: int
    entry: int
    used: int


class EntryLog(BoardLog):
    """The log of boards that give it entry by entry."""

    kept_object = OBJECT_NAME

    def __init__(self, exchange: BoardExchange, folder: Path) -> None:
        """See `BoardLog`."""
        super().__init__(exchange, folder)
        self._seen: dict[bytes, tuple[int, int]] = {}
        self._verified: set[int] = set()
        self._cuts = -1

    def _space(self) -> _Space:
        sample = self._exchange.present(LOG_STATUS)
        return _Space(*(int(sample[name]) for name in ("Flight", "Entry", "UsedSlots")))

    # What there is

    def flights(self) -> tuple[BoardFlight, ...]:
        """All flights on board, the oldest first; what is fetched to find their lengths is kept."""
        self._settle()
        space = self._space()
        found: list[BoardFlight] = []
        rest = space.used - space.entry
        for number in range(min(space.flight, _FLIGHTS - 1) + 1):
            self.progress = LogProgress(f"Looking at flight {number}", number, space.flight + 1)
            entries = self._length(number, space, rest)
            rest -= entries if number != space.flight else 0
            if entries and not self._is_end_of_another(number, entries):
                found.append(self._described(number, entries, is_open=number == space.flight))
        return tuple(found)

    def _is_end_of_another(self, number: int, entries: int) -> bool:
        """Whether it is nothing but the end of the flight before, which firmware writes late."""
        rows = self.store.entries(number)
        return entries == 1 and self._block(rows[0]).flight == number - 1

    def _block(self, row: bytes) -> LogBlock:
        return read_block(self.store.definition, row)

    def flight(self, number: int) -> BoardFlight:
        """One flight on board. Raises BoardLogError if there is none."""
        self._settle()
        space = self._space()
        entries = 0
        if 0 <= number <= min(space.flight, _FLIGHTS - 1):
            entries = self._length(number, space, space.used)
        if not entries:
            raise no_flight(number)
        return self._described(number, entries, is_open=number == space.flight)

    def _described(self, number: int, entries: int, *, is_open: bool) -> BoardFlight:
        kept = self.store.entries(number)
        told = list(self._boot_times_s(kept))
        return BoardFlight(
            number,
            entries,
            len(kept),
            is_open,
            from_boot_s=min(told, default=None),
            to_boot_s=max(told, default=None),
        )

    def _boot_times_s(self, kept: Mapping[int, bytes]) -> Iterator[float]:
        """What SystemStats in some entries says of the time since the board was started."""
        for row in kept.values():
            for item in self._block(row).items:
                told_s = boot_time_s(item, self._exchange.catalogue)
                if told_s is not None:
                    yield told_s

    def _length(self, flight: int, space: _Space, at_most: int) -> int:
        """How many entries a flight has: 0 to there are some, and behind them none."""
        if flight == space.flight:
            return space.entry if space.entry and self._has(flight, 0) else 0
        if not self._has(flight, 0):
            return 0
        kept = self.store.entries(flight)
        low = next(number for number in range(1, len(kept) + 1) if number not in kept)
        if not self._has(flight, low):
            return low
        low += 1
        high = max(at_most, low)
        if self._has(flight, high - 1):  # the last flight has what the others leave
            low = high
            while self._has(flight, high):  # the board has counted too few
                low, high = high + 1, 2 * high
        return bisect_left(range(high), True, low, key=lambda n: not self._has(flight, n))

    def _has(self, flight: int, number: int) -> bool:
        """Whether there is an entry; it is kept then."""
        if number == 0 and flight not in self._verified:
            return self._verify(flight)
        if number in self.store.entries(flight):
            return True
        row = self._retrieve(flight, number)
        if row is not None:
            self.store.put(flight, number, row)
        return row is not None

    def _verify(self, flight: int) -> bool:
        """Whether there is a flight; what is kept of it is set aside if it was another. Once each
        time its first entry is fetched for that, which tells when it began, and the last that is
        kept: the flash may have been erased and flown into since."""
        kept = self.store.entries(flight)
        fetched = {0: self._retrieve(flight, 0)}
        last = max(kept, default=0)
        if last and fetched[0] == kept.get(0):
            fetched[last] = self._retrieve(flight, last)
        if any(number in kept and kept[number] != row for number, row in fetched.items()):
            self.store.set_aside(flight)
        for number, row in fetched.items():
            if row is not None:
                self.store.put(flight, number, row)
        self._verified.add(flight)
        return fetched[0] is not None

    # Fetching

    def download(self, number: int) -> BoardFlight:
        """Fetch what is not here yet of a flight; what it is then."""
        flight = self.flight(number)
        fetched: deque[float] = deque([self._exchange.clock()], _RATE_SPAN)
        for entry in range(flight.entries):
            if entry in self.store.entries(number):
                continue
            self._tell_fetching(flight, fetched)
            if not self._has(number, entry):
                raise BoardLogError(
                    f"The board no longer has entry {entry} of flight {number}: it was erased, or "
                    "its flash is damaged. What was fetched is kept."
                )
            fetched.append(self._exchange.clock())
        if number + 1 < _FLIGHTS:  # where the end of a flight may stand that was written late
            self._has(number + 1, 0)
        self._tell_fetching(flight, fetched)
        kept = self.store.entries(number)
        return self._described(number, max(flight.entries, len(kept)), is_open=flight.is_open)

    def _retrieve(self, flight: int, number: int) -> bytes | None:
        """The packed entry; None if there is none."""
        if self._cuts != self._exchange.was_cut:
            self._settle()
        for _ in range(_WRITES):
            found = self._asked(flight, number, self._is_answer)
            if found is not None:
                return self._taken(found, flight, number)
        self._settle()  # then whatever comes is no answer of before
        for _ in range(_WRITES):
            found = self._asked(flight, number, _is_other_than_settled)
            if found is not None:
                return self._taken(found, flight, number)
        raise BoardLogError(f"The board does not give entry {number} of flight {flight}.")

    def _settle(self) -> None:
        """Have the board say *Empty* of a place that tells itself from all others, and from what a
        board says that has just started: *Empty* of entry 0 of flight 0."""
        for _ in range(_WRITES):
            if self._asked(0, _NOWHERE, _is_empty_of) is not None:
                self._cuts = self._exchange.was_cut
                return
        raise BoardLogError("The board does not answer for its log. Try again.")

    def _asked(
        self, flight: int, number: int, is_answer: Callable[[LogBlock, bytes, int, int], bool]
    ) -> Sample | None:
        """What it says of an entry; None if what comes is not the answer."""
        values = {"Operation": "Retrieve", "Flight": flight, "Entry": number}
        sample: Sample | None = self._exchange.write_and_ask(Write(_CONTROL, values), OBJECT_NAME)
        for asked in range(_ASKS):
            if sample is None:
                return None
            row = sample.row.tobytes()
            is_right = is_answer(read_block(sample.definition, row), row, flight, number)
            if not asked:
                self._exchange.was_early(is_so=not is_right)
            if is_right:
                return sample
            (sample,) = self._exchange.ask(OBJECT_NAME)
        return None

    def _is_answer(self, block: LogBlock, row: bytes, flight: int, number: int) -> bool:
        if block.is_empty:
            return _is_empty_of(block, row, flight, number)
        is_new = self._seen.get(_digest(row), (flight, number)) == (flight, number)
        is_late = block.flight == flight - 1  # of the flight before, written when this had begun
        return is_new and (is_late or (block.flight == flight and block.entry <= number))

    def _taken(self, sample: Sample, flight: int, number: int) -> bytes | None:
        row = sample.row.tobytes()
        if read_block(sample.definition, row).is_empty:
            return None
        self._seen[_digest(row)] = (flight, number)
        return row

    def _contents(self, number: int) -> FlightContents:
        exchange = self._exchange
        wrapping_s = wrap_s(exchange.aircraft.board)
        return contents_of(self.store, number, exchange.catalogue, wrapping_s)

    def _begin_erase(self) -> Callable[[], bool]:
        used = self._space().used
        with self._exchange.erasing():
            self._exchange.write(Write(_CONTROL, {"Operation": "FormatFlash"}))
        self._verified.clear()
        self._seen.clear()

        def is_erased() -> bool:
            space = self._space()
            return not space.flight and (space.used < used or not used)

        return is_erased

    def _tell_fetching(self, flight: BoardFlight, fetched: deque[float]) -> None:
        """The rate is that of the last entries, so that it follows the link."""
        took_s = self._exchange.clock() - fetched[0]
        per_s = (len(fetched) - 1) / took_s if took_s > 0.0 else 0.0
        done = len(self.store.entries(flight.number))
        text = f"Downloading flight {flight.number}"
        self.progress = LogProgress(text, done, flight.entries, per_s, flight.number)


def _is_empty_of(block: LogBlock, _: bytes, flight: int, number: int) -> bool:
    return block.is_empty and (block.flight, block.entry) == (flight, number)


def _is_other_than_settled(block: LogBlock, _: bytes, flight: int, number: int) -> bool:
    return not block.is_empty or (block.flight, block.entry) == (flight, number)


def _digest(row: bytes) -> bytes:
    return blake2b(row, digest_size=8).digest()
