"""Sector log: the flights of Tau Labs' and dRonin's boards, fetched sector by sector.

The station writes LoggingStats with the wish for a sector, the board fills it in: *IDLE* with a
sector, *COMPLETE* with the last one. It reads a file from its beginning to its end and knows no
other way: asked for any sector but the next one or the same again it sends back the bytes that the
station has written (flight/Modules/Logging/logging.c of both). So those are a pattern which no
sector is, and a reading that somebody else has begun is first read to its end.

A file holds UAVTalk whose frames carry 16 bits of the board's milliseconds.
"""

from collections.abc import Callable, Iterator
from hashlib import shake_128
from typing import Final

from telemetry.configuration.board_logs.board_flight import BoardFlight, LogProgress, no_flight
from telemetry.configuration.board_logs.board_log import BoardLog
from telemetry.configuration.board_logs.entries import LoggedItem
from telemetry.configuration.board_logs.entry_times import boot_time_s, entry_times
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.configuration.board_logs.flight_file import FlightContents
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import row_of
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import DATA_TYPES, Frame
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Write

OBJECT_NAME: Final = "LoggingStats"
_SECTOR_BYTES: Final = 128
_WRAP_S: Final = 65.536
_SECTORS: Final = 0xFFFF
_NO_FILE: Final = 0xFFFF
_MOST_FILES: Final = 4096
"""Each takes at least a sector of 4 kB, and no board has more than 16 MB."""
_ASKS: Final = 20
_DIALECT: Final = Dialect("multi", 7)


class SectorLog(BoardLog):
    """The log of boards that keep files. A flight's number is that of its file, and what is counted
    are sectors."""

    kept_object = OBJECT_NAME
    _erased = range(0)
    """Files that the board still tells of, and that are not there any more."""

    def flights(self) -> tuple[BoardFlight, ...]:
        """All files on board, the oldest first."""
        stats = self._stats()
        return tuple(self._described(number, stats) for number in self._numbers(stats))

    def download(self, number: int) -> BoardFlight:
        """Fetch what is not here yet of a file, as far as the board goes on where it was."""
        stats = self._stats()
        if number not in self._numbers(stats):
            raise no_flight(number)
        self._refuse_while_armed("The log is not read in flight: the board would end it. Disarm.")
        if not self._is_whole(number):
            self._fetch(number, self._begin(number, stats))
        return self._described(number, self._stats())

    def _contents(self, number: int) -> FlightContents:
        return _contents(number, self.data(number), self._exchange.catalogue)

    def _begin_erase(self) -> Callable[[], bool]:
        if "FORMAT" not in self.store.definition.field_named("Operation").options:
            raise BoardLogError("Not erased: this firmware has no command that erases its log.")
        numbers = self._numbers(self._stats())
        with self._exchange.erasing():
            self._exchange.write(Write(OBJECT_NAME, {"Operation": "FORMAT"}))
        return lambda: self._is_erased(numbers)

    def _is_erased(self, numbers: range) -> bool:
        """The board says *IDLE* whether its flash was erased or not, and goes on telling the files
        that it had (PIOS_STREAMFS_Format): so it is asked for one of them."""
        if self._stats()["Operation"] == "FORMAT":
            return False
        for number in numbers[-1:]:
            answer = self._asked(number, 0)
            if answer is None or answer["Operation"] != "ERROR":
                raise BoardLogError(f"The board does not say that flight {number} is gone.")
        self._erased = self._numbers(self._stats())
        return True

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

    # Inside

    def _stats(self) -> Sample:
        return self._exchange.present(OBJECT_NAME)

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
            self.progress = LogProgress("Ending what was being read", sector)
            answer = self._asked(number, sector)
            if answer is None or answer["Operation"] in ("COMPLETE", "ERROR"):
                return

    def _fetch(self, number: int, begin: int) -> None:
        for sector in range(begin, _SECTORS):
            self.progress = LogProgress(f"Downloading flight {number}", sector)
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
