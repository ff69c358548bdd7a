"""Sector logs: the flights of Tau Labs' and dRonin's boards, fetched sector by sector.

The station writes LoggingStats with the wish for a sector, the board fills it in: *IDLE* with a
sector, *COMPLETE* with the last one. It reads a file from its beginning to its end and knows no
other way: asked for any sector but the next one or the same again it sends back the bytes that the
station has written (flight/Modules/Logging/logging.c of both). So those are a pattern which no
sector is, and a reading that somebody else has begun is first read to its end.

A file holds UAVTalk whose frames carry 16 bits of the board's milliseconds.
"""

from collections.abc import Callable, Collection, Iterator
from hashlib import shake_128
from pathlib import Path
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.board_logs.board_flight import (
    BoardFlight,
    LogProgress,
    WrittenFlight,
    file_name,
    refuse_to_lose,
)
from telemetry.configuration.board_logs.entries import LoggedItem
from telemetry.configuration.board_logs.entry_store import EntryStore
from telemetry.configuration.board_logs.entry_times import boot_time_s, entry_times
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.configuration.board_logs.exchange import BoardExchange
from telemetry.configuration.board_logs.flight_file import FlightContents, write_flight
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.firmware_description import OBJECT_NAME as IDENTITY
from telemetry.protocol.objects.values import row_of
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import DATA_TYPES, Frame
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Write
from telemetry.vehicle.vehicle import Vehicle

OBJECT_NAME: Final = "LoggingStats"
_SECTOR_BYTES: Final = 128
_WRAP_S: Final = 65.536
_SECTORS: Final = 0xFFFF
_NO_FILE: Final = 0xFFFF
_MOST_FILES: Final = 4096
"""Each takes at least a sector of 4 kB, and no board has more than 16 MB."""
_ASKS: Final = 20
_ERASED_WITHIN_S: Final = 90.0
_LOOK_S: Final = 0.5
_DIALECT: Final = Dialect("multi", 7)


class SectorLog:
    """As `BoardLog`, for boards that keep files. A flight's number is that of its file, and what is
    counted are sectors."""

    def __init__(
        self,
        vehicle: Vehicle,
        folder: Path,
        clock: Callable[[], float] = monotonic_s,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """`folder`: where fetched sectors are kept, a folder in it for each board."""
        self.progress = LogProgress()
        self._exchange = BoardExchange(vehicle, clock, pause)
        self._folder = folder
        self._store: EntryStore | None = None
        self._erased = range(0)
        """Files that the board still tells of, and that are not there any more."""

    @property
    def store(self) -> EntryStore:
        """What is kept of this board: the board's answers by file and sector."""
        if self._store is None:
            self._exchange.ask(IDENTITY)
            definition = self._stats().definition
            self._store = EntryStore(self._folder / self._exchange.aircraft.board_key, definition)
        return self._store

    def stop(self) -> None:
        """End what is going on, from any thread, by BoardLogStopped."""
        self._exchange.stop()

    def flights(self) -> tuple[BoardFlight, ...]:
        """All files on board, the oldest first."""
        stats = self._stats()
        return tuple(self._described(number, stats) for number in self._numbers(stats))

    def download(self, number: int) -> BoardFlight:
        """Fetch what is not here yet of a file, as far as the board goes on where it was."""
        stats = self._stats()
        if number not in self._numbers(stats):
            raise BoardLogError(f"The board has no flight {number}. See which it has with 'list'.")
        self._refuse_while_armed("read")
        if not self._is_whole(number):
            self._fetch(number, self._begin(number, stats))
        return self._described(number, self._stats())

    def write(self, number: int, folder: Path) -> WrittenFlight:
        """Write what is here of a flight as a file that opens at once."""
        contents = _contents(number, self.data(number), self._exchange.catalogue)
        path = folder / file_name(self.store.board, number)
        return WrittenFlight(write_flight(path, contents, self._exchange.catalogue), contents)

    def erase(self, given_up: Collection[int] = ()) -> None:
        """Erase all files, which the user has agreed to. Refuses while one is not downloaded that
        is not among those `given_up`."""
        flights = self.flights()
        refuse_to_lose(flights, given_up)
        self._refuse_while_armed("erased")
        if "FORMAT" not in self.store.definition.field_named("Operation").options:
            raise BoardLogError("Not erased: this firmware has no command that erases its log.")
        self.progress = LogProgress("Erasing. This takes some seconds")
        with self._exchange.erasing():
            self._exchange.write(Write(OBJECT_NAME, {"Operation": "FORMAT"}))
            self._await_erased(flights)
        for flight in self.store.flights():
            self.store.set_aside(flight)

    # Inside

    def _await_erased(self, flights: Collection[BoardFlight]) -> None:
        """The board says *IDLE* whether its flash was erased or not, and goes on telling the files
        that it had (PIOS_STREAMFS_Format): so it is asked for one of them."""
        until_s = self._exchange.clock() + _ERASED_WITHIN_S
        while self._stats()["Operation"] == "FORMAT":
            if self._exchange.clock() > until_s:
                raise BoardLogError("The board does not say that its log is erased.")
            self._exchange.wait(_LOOK_S)
        for flight in list(flights)[-1:]:
            answer = self._asked(flight.number, 0)
            if answer is None or answer["Operation"] != "ERROR":
                raise BoardLogError(f"The board does not say that flight {flight.number} is gone.")
        self._erased = self._numbers(self._stats())

    def _numbers(self, stats: Sample) -> range:
        """Of the files that the board tells of; a file system without files tells 0xFFFF. Raises
        BoardLogError where there cannot be so many."""
        first, last = int(stats["MinFileId"]), int(stats["MaxFileId"])
        numbers = range(0) if first == _NO_FILE else range(first, last + 1)
        if len(numbers) > _MOST_FILES:
            raise BoardLogError(
                f"The board tells of {len(numbers)} flights, which cannot be. Restart it."
            )
        return range(0) if numbers == self._erased else numbers

    def _stats(self) -> Sample:
        (sample,) = self._exchange.ask(OBJECT_NAME)
        if sample is None:
            raise BoardLogError(
                f"This board keeps no log of its own: it has no {OBJECT_NAME}. Where its firmware "
                "has the module Logging, switch that on."
            )
        return sample

    def _described(self, number: int, stats: Sample) -> BoardFlight:
        kept, is_whole = len(self.store.entries(number)), self._is_whole(number)
        is_open = stats["Operation"] == "LOGGING" and number == int(stats["MaxFileId"])
        entries = kept if is_whole else kept + 1
        return BoardFlight(number, entries, kept, is_open, is_counted=is_whole)

    def _is_whole(self, number: int) -> bool:
        kept = self.store.entries(number)
        return bool(kept) and self._kept(number, max(kept))["Operation"] == "COMPLETE"

    def _kept(self, number: int, sector: int) -> Sample:
        definition = self.store.definition
        row = self.store.entries(number)[sector]
        return Sample(0.0, definition, 0, row_of(definition, row))

    def _refuse_while_armed(self, what: str) -> None:
        """Reading ends the file that is being written."""
        self._exchange.ask("FlightStatus")
        if self._exchange.aircraft.is_armed:
            raise BoardLogError(f"The log is not {what} in flight: the board would end it. Disarm.")

    def _begin(self, number: int, stats: Sample) -> int:
        """The sector to go on with. Where the board reads something else that is ended first."""
        here = len(self.store.entries(number))
        at, is_idle = int(stats["FileSectorNum"]), stats["Operation"] == "IDLE"
        if is_idle and here and int(stats["FileRequest"]) == number and at in (here - 1, here):
            return here
        if is_idle and (at or any(stats["FileSector"])):
            self._read_to_the_end(number, at + 1)
        return 0

    def _read_to_the_end(self, number: int, begin: int) -> None:
        for sector in range(begin, _SECTORS):
            self._tell("Ending what was being read", number, sector)
            answer = self._asked(number, sector)
            if answer is None or answer["Operation"] in ("COMPLETE", "ERROR"):
                return

    def _fetch(self, number: int, begin: int) -> None:
        for sector in range(begin, _SECTORS):
            self._tell(f"Downloading flight {number}", number, sector)
            answer = self._asked(number, sector)
            if answer is None or answer["Operation"] == "ERROR" or _is_echo(answer):
                raise BoardLogError(
                    f"The board does not give sector {sector} of flight {number}. Restart it, and "
                    "download again."
                )
            self._keep(number, sector, answer)
            if answer["Operation"] == "COMPLETE":
                return

    def _keep(self, number: int, sector: int, answer: Sample) -> None:
        is_kept = sector in self.store.entries(number)
        if is_kept and _data(self._kept(number, sector)) != _data(answer):
            self.store.set_aside(number)
            raise BoardLogError(
                f"The board has another flight {number} than the one that was begun here. Download "
                "it again."
            )
        self.store.put(number, sector, answer.row.tobytes())

    def _asked(self, number: int, sector: int) -> Sample | None:
        """The board's answer; None where it leaves the question as it was written."""
        values = {
            "Operation": "DOWNLOAD",
            "FileRequest": number,
            "FileSectorNum": sector,
            "FileSector": tuple(_pattern(number, sector)),
        }
        answer: Sample | None = self._exchange.write_and_ask(
            Write(OBJECT_NAME, values), OBJECT_NAME
        )
        for asked in range(_ASKS):
            if answer is None:
                return None
            is_done = answer["Operation"] != "DOWNLOAD"
            if not asked:
                self._exchange.was_early(is_so=not is_done)
            if is_done:
                is_asked = int(answer["FileSectorNum"]) in (sector, 0xFFFF)
                return answer if is_asked else None
            (answer,) = self._exchange.ask(OBJECT_NAME)
        return None

    def data(self, number: int) -> bytes:
        """What is here of a file. How much of its last sector is of it the board does not say:
        the rest is what was in its place before, the pattern or the sector before."""
        kept = self.store.entries(number)
        sectors = [_data(self._kept(number, sector)) for sector in range(len(kept))]
        if not sectors:
            raise BoardLogError(f"Flight {number} is not here: download it first.")
        if self._is_whole(number):
            last = len(sectors) - 1
            before = [_pattern(number, last), *sectors[-2:-1]]
            left = max(_common_end(sectors[last], other) for other in before)
            sectors[last] = sectors[last][: _SECTOR_BYTES - left]
        return b"".join(sectors)

    def _tell(self, text: str, number: int, done: int) -> None:
        self.progress = LogProgress(text, number, done)


def _contents(number: int, data: bytes, catalogue: Catalogue) -> FlightContents:
    """A file's frames, behind its lines of text, with times."""
    decoder = FrameDecoder()
    frames = [*decoder.feed(data), *decoder.finish()]
    items = tuple(_items(number, frames, catalogue))
    if not items:
        raise BoardLogError(f"Flight {number} has no telemetry in it.")
    anchors = {i: s for i, item in enumerate(items) if (s := boot_time_s(item, catalogue))}
    times = entry_times([item.clock_us for item in items], anchors, _WRAP_S)
    return FlightContents(number, items, times, 0)


def _items(number: int, frames: list[Frame], catalogue: Catalogue) -> Iterator[LoggedItem]:
    """Where a definition is missing nobody knows where in a frame its time stands: it has that of
    the frame before."""
    clock_ms = 0
    for frame in frames:
        if frame.type not in DATA_TYPES:
            continue
        definition = catalogue.get(frame.object_id)
        single = definition is None or definition.single_instance
        parts = definition and _DIALECT.split(frame, definition.size, single)
        instance, data = (None, frame.body) if not parts else (parts.instance, parts.payload)
        if parts and parts.timestamp_ms is not None:
            clock_ms = parts.timestamp_ms
        instance = None if single else instance
        yield LoggedItem(number, 0, clock_ms * 1000, frame.object_id, instance, data)


def _pattern(number: int, sector: int) -> bytes:
    return shake_128(b"%d %d" % (number, sector)).digest(_SECTOR_BYTES)


def _is_echo(answer: Sample) -> bool:
    return answer["Operation"] == "IDLE" and _data(answer) == _pattern(
        int(answer["FileRequest"]), int(answer["FileSectorNum"])
    )


def _data(answer: Sample) -> bytes:
    return bytes(answer["FileSector"])


def _common_end(a: bytes, b: bytes) -> int:
    return next((n for n in range(len(a)) if a[-1 - n] != b[-1 - n]), len(a))
