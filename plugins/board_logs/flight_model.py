"""Flight model: the flights on board, how long they are, and how much of them is here."""

from typing import ClassVar

from telemetry.configuration.board_logs.board_flight import BoardFlight
from telemetry.recording.timeline import format_time
from widgets.row_model import RowModel, ShownRow

_NOT_KNOWN = "not known"
WIDEST = ("Flight", "10,000, being written", "includes 0:00:00.0 to 0:00:00.0", "10,000 of 10,000")


class FlightModel(RowModel[BoardFlight]):
    """One row per flight."""

    column_titles: ClassVar[tuple[str, ...]] = ("Flight", "Entries", "Since boot", "Downloaded")

    def shown(self, row: BoardFlight) -> ShownRow:
        """What a row shows."""
        texts = (str(row.number), _entries(row), _since_boot(row), _here(row))
        return ShownRow(texts, None, False, "")


def _entries(row: BoardFlight) -> str:
    count = f"{row.entries:,}" if row.is_counted else _NOT_KNOWN
    return f"{count}, being written" if row.is_open else count


def _here(row: BoardFlight) -> str:
    if row.is_downloaded:
        return "all of it"
    return f"{row.kept:,} of {row.entries:,}" if row.is_counted else f"{row.kept:,} so far"


def _since_boot(row: BoardFlight) -> str:
    if row.from_boot_s is None or row.to_boot_s is None:
        return _NOT_KNOWN
    seen = f"{format_time(row.from_boot_s)} to {format_time(row.to_boot_s)}"
    return seen if row.is_downloaded else f"includes {seen}"
