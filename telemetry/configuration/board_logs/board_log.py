"""Board log: what is alike of the two ways in which boards keep one."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

from telemetry.configuration.board_logs.board_flight import (
    BoardFlight,
    LogProgress,
    WrittenFlight,
    file_name,
    refuse_to_lose,
)
from telemetry.configuration.board_logs.entry_store import EntryStore
from telemetry.configuration.board_logs.errors import BoardLogError, BoardSilentError
from telemetry.configuration.board_logs.exchange import BoardExchange
from telemetry.configuration.board_logs.flight_file import FlightContents, write_flight
from telemetry.protocol.objects.firmware_description import OBJECT_NAME as IDENTITY

_ERASED_WITHIN_S: Final = 90.0
_ERASE_LOOK_S: Final = 0.5


class BoardLog(ABC):
    """The log that a board keeps. Its methods wait for the board: call them from one job or command
    at a time. They raise BoardLogError; `progress` may be looked at and `stop` called from any
    thread meanwhile. One that was stopped stays so: make another to go on."""

    kept_object: ClassVar[str]
    """The object in which the board gives what is kept of a flight, by number."""

    def __init__(self, exchange: BoardExchange, folder: Path) -> None:
        """`folder`: where what was fetched is kept, a folder in it for each board."""
        self.progress = LogProgress()
        self._exchange = exchange
        self._folder = folder
        self._store: EntryStore | None = None

    @property
    def store(self) -> EntryStore:
        """What is kept of this board. Raises BoardLogError where it keeps no log."""
        if self._store is None:
            self._exchange.ask(IDENTITY)
            definition = self._exchange.present(self.kept_object).definition
            self._store = EntryStore(self._folder / self._exchange.aircraft.board_key, definition)
        return self._store

    def stop(self) -> None:
        """End what is going on, from any thread, by BoardLogStopped."""
        self._exchange.stop()

    @abstractmethod
    def flights(self) -> tuple[BoardFlight, ...]:
        """All flights on board, the oldest first."""

    @abstractmethod
    def download(self, number: int) -> BoardFlight:
        """Fetch what is not here yet of a flight; what it is then."""

    def write(self, number: int, folder: Path) -> WrittenFlight:
        """Write what is here of a flight as a file that opens at once."""
        contents = self._contents(number)
        path = folder / file_name(self.store.board, number)
        return WrittenFlight(write_flight(path, contents, self._exchange.catalogue), contents)

    def erase(self, given_up: Collection[int] = ()) -> None:
        """Erase the whole log, which the user has agreed to.

        Refuses while a flight is not downloaded that is not among the ones `given_up`, and unless
        the board is disarmed: it would not do it then.
        """
        refuse_to_lose(self.flights(), given_up)
        self._refuse_while_armed("Not erased: the board erases its log only while it is disarmed.")
        is_erased = self._begin_erase()
        self.progress = LogProgress("Erasing. This takes some seconds")
        with self._exchange.erasing():
            self._await_erased(is_erased)
        for flight in self.store.flights():
            self.store.set_aside(flight)

    @abstractmethod
    def _contents(self, number: int) -> FlightContents:
        """What is here of a flight."""

    @abstractmethod
    def _begin_erase(self) -> Callable[[], bool]:
        """Have it erased; returns what asks the board whether it is."""

    def _await_erased(self, is_erased: Callable[[], bool]) -> None:
        until_s = self._exchange.clock() + _ERASED_WITHIN_S
        while not _is_said(is_erased):
            if self._exchange.clock() > until_s:
                raise BoardLogError("The board does not say that its log is erased.")
            self._exchange.wait(_ERASE_LOOK_S)

    def _refuse_while_armed(self, why: str) -> None:
        self._exchange.ask("FlightStatus")
        if self._exchange.aircraft.is_armed:
            raise BoardLogError(why)


def _is_said(is_erased: Callable[[], bool]) -> bool:
    """A board may be silent while it erases."""
    with suppress(BoardSilentError):
        return is_erased()
    return False
