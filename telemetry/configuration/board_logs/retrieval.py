"""Log retrieval: a board's flights, fetched entry by entry (LibrePilot's and OpenPilot's objects).

    log = BoardLog(vehicle, folder)
    for flight in log.flights():
        log.download(flight.number)

DebugLogControl asks for an entry, DebugLogEntry then is it. It tells neither the number that was
asked for (what stands in it may be one behind) nor whether it is filled yet. So what was in it
before is known: an answer counts if it is none of the entries that were seen, and an answer that
says *no such entry* repeats what it was asked for.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.board_logs.board_flight import (
    BoardFlight,
    LogProgress,
    LogSpace,
    WrittenFlight,
    file_name,
    refuse_to_lose,
)
from telemetry.configuration.board_logs.entries import OBJECT_NAME, LogBlock, read_block
from telemetry.configuration.board_logs.entry_store import EntryStore
from telemetry.configuration.board_logs.entry_times import boot_time_s, wrap_s
from telemetry.configuration.board_logs.errors import BoardLogError, BoardSilentError
from telemetry.configuration.board_logs.exchange import BoardExchange
from telemetry.configuration.board_logs.flight_file import contents_of, write_flight
from telemetry.protocol.objects.firmware_description import OBJECT_NAME as IDENTITY
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Write
from telemetry.vehicle.vehicle import Vehicle

_CONTROL: Final = "DebugLogControl"
STATUS: Final = "DebugLogStatus"
_NOWHERE: Final = 0xFFFF
"""No flash has so many entries: asked for, the board says *Empty* and repeats this number."""
_FLIGHTS: Final = 256
"""So many flights a board tells from each other (LOG_GET_FLIGHT_OBJID in pios_debuglog.c)."""
_ASKS: Final = 3
_WRITES: Final = 6
_RATE_SPAN: Final = 50
_ERASED_WITHIN_S: Final = 90.0
_ERASE_LOOK_S: Final = 0.5


class BoardLog:
    """The log that a board keeps. Its methods wait for the board: call them from one job or command
    at a time. They raise BoardLogError; `progress` may be looked at and `stop` called from any
    thread meanwhile. One that was stopped stays so: make another to go on."""

    def __init__(
        self,
        vehicle: Vehicle,
        folder: Path,
        clock: Callable[[], float] = monotonic_s,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """`folder`: where fetched entries are kept, a folder in it for each board."""
        self.progress = LogProgress()
        self._exchange = BoardExchange(vehicle, clock, pause)
        self._folder = folder
        self._store: EntryStore | None = None
        self._seen: dict[bytes, tuple[int, int]] = {}
        self._verified: set[int] = set()
        self._cuts = -1

    @property
    def store(self) -> EntryStore:
        """What is kept of this board. Raises BoardLogError where it keeps no log."""
        if self._store is None:
            self._store = self._open_store()
        return self._store

    def stop(self) -> None:
        """End what is going on, from any thread, by BoardLogStopped."""
        self._exchange.stop()

    def space(self) -> LogSpace:
        """How full the flash is."""
        (sample,) = self._exchange.ask(STATUS)
        if sample is None:
            raise BoardLogError("This board keeps no log of its own: it has no DebugLogStatus.")
        names = ("Flight", "Entry", "UsedSlots", "FreeSlots")
        return LogSpace(*(int(sample[name]) for name in names))

    # What there is

    def flights(self) -> tuple[BoardFlight, ...]:
        """All flights on board, the oldest first; what is fetched to find their lengths is kept."""
        self._settle()
        space = self.space()
        found: list[BoardFlight] = []
        rest = space.used - space.entry
        for number in range(min(space.flight, _FLIGHTS - 1) + 1):
            self._tell(f"Looking at flight {number}", number, number, space.flight + 1)
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
        space = self.space()
        entries = 0
        if 0 <= number <= min(space.flight, _FLIGHTS - 1):
            entries = self._length(number, space, space.used)
        if not entries:
            raise BoardLogError(f"The board has no flight {number}. See which it has with 'list'.")
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

    def _length(self, flight: int, space: LogSpace, at_most: int) -> int:
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
        else:
            high -= 1
        while low < high:
            middle = (low + high) // 2
            if self._has(flight, middle):
                low = middle + 1
            else:
                high = middle
        return low

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

    def write(self, number: int, folder: Path) -> WrittenFlight:
        """Write what is here of a flight as a file that opens at once."""
        exchange = self._exchange
        wrapping_s = wrap_s(exchange.aircraft.board)
        contents = contents_of(self.store, number, exchange.catalogue, wrapping_s)
        path = folder / file_name(self.store.board, number)
        return WrittenFlight(write_flight(path, contents, exchange.catalogue), contents)

    # Erasing

    def erase(self, given_up: Collection[int] = ()) -> LogSpace:
        """Erase the whole log, which the user has agreed to; how full it is then.

        Refuses while a flight is not downloaded that is not among the ones `given_up`, and unless
        the board is disarmed: it would not do it then.
        """
        refuse_to_lose(self.flights(), given_up)
        self._exchange.ask("FlightStatus")
        if self._exchange.aircraft.is_armed:
            raise BoardLogError("Not erased: the board erases its log only while it is disarmed.")
        used = self.space().used
        self._tell("Erasing. This takes some seconds", 0, 0, 0)
        with self._exchange.erasing():
            self._exchange.write(Write(_CONTROL, {"Operation": "FormatFlash"}))
            space = self._erased(used)
        for flight in self.store.flights():
            self.store.set_aside(flight)
        self._verified.clear()
        self._seen.clear()
        return space

    def _erased(self, used: int) -> LogSpace:
        """Wait for the board's own word; it may be silent while it erases."""
        until_s = self._exchange.clock() + _ERASED_WITHIN_S
        while self._exchange.clock() < until_s:
            with suppress(BoardSilentError):
                space = self.space()
                if not space.flight and (space.used < used or not used):
                    return space
            self._exchange.wait(_ERASE_LOOK_S)
        raise BoardLogError("The board does not say that its log is erased.")

    # Inside

    def _open_store(self) -> EntryStore:
        exchange = self._exchange
        exchange.ask(IDENTITY)
        (entry,) = exchange.ask(OBJECT_NAME)
        if entry is None:
            raise BoardLogError(f"This board keeps no log of its own: it has no {OBJECT_NAME}.")
        return EntryStore(self._folder / exchange.aircraft.board_key, entry.definition)

    def _tell_fetching(self, flight: BoardFlight, fetched: deque[float]) -> None:
        """The rate is that of the last entries, so that it follows the link."""
        took_s = self._exchange.clock() - fetched[0]
        per_s = (len(fetched) - 1) / took_s if took_s > 0.0 else 0.0
        done = len(self.store.entries(flight.number))
        text = f"Downloading flight {flight.number}"
        self._tell(text, flight.number, done, flight.entries, per_s)

    def _tell(self, text: str, flight: int, done: int, total: int, per_s: float = 0.0) -> None:
        self.progress = LogProgress(text, flight, done, total, per_s)


def _is_empty_of(block: LogBlock, _: bytes, flight: int, number: int) -> bool:
    return block.is_empty and (block.flight, block.entry) == (flight, number)


def _is_other_than_settled(block: LogBlock, _: bytes, flight: int, number: int) -> bool:
    return not block.is_empty or (block.flight, block.entry) == (flight, number)


def _digest(row: bytes) -> bytes:
    return blake2b(row, digest_size=8).digest()
