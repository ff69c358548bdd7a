"""Board flights: what is told of a board's log and of fetching it, as values."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.configuration.board_logs.flight_file import FlightContents


@dataclass(frozen=True, slots=True)
class BoardFlight:
    """A flight on board. `entries` are on board, `kept` of them here; more come to one that
    `is_open`. Where the board does not tell their number (not `is_counted`) it is one more than
    those kept, until all are. From and to which second after the board was started it was seen to
    reach; None while nothing that was fetched tells."""

    number: int
    entries: int
    kept: int
    is_open: bool
    is_counted: bool = True
    from_boot_s: float | None = None
    to_boot_s: float | None = None

    @property
    def is_downloaded(self) -> bool:
        """Whether all of it is here."""
        return self.kept >= self.entries


@dataclass(frozen=True, slots=True)
class LogProgress:
    """How far it has come; `left_s` is None while nobody can tell. `text` is a sentence, `flight`
    the one whose entries are counted, None for none."""

    text: str = ""
    done: int = 0
    total: int = 0
    per_s: float = 0.0
    flight: int | None = None

    @property
    def left_s(self) -> float | None:
        """How long it still takes."""
        return (self.total - self.done) / self.per_s if self.per_s > 0.0 else None


@dataclass(frozen=True, slots=True)
class WrittenFlight:
    """A flight as a file."""

    path: Path
    contents: FlightContents


def file_name(board: str, number: int) -> str:
    """What a flight is called as a file; `board` is what tells the board from others."""
    return f"on-board-flight-{number}-{board[:8]}.opl"


def flights_text(numbers: Sequence[int]) -> str:
    """ "flight 3", or "flights 3, 4"."""
    return f"flight{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def no_flight(number: int) -> BoardLogError:
    """What is raised where the board has no such flight."""
    return BoardLogError(f"The board has no flight {number}. See which it has with 'list'.")


def refuse_to_lose(flights: Iterable[BoardFlight], given_up: Collection[int]) -> None:
    """Raise BoardLogError if one of the flights is neither downloaded nor given up."""
    missing = [one.number for one in flights if not one.is_downloaded]
    lost = [number for number in missing if number not in given_up]
    if lost:
        raise BoardLogError(
            f"Not erased: {flights_text(lost)} {'is' if len(lost) == 1 else 'are'} not downloaded. "
            "Download first, or name what may be lost."
        )
