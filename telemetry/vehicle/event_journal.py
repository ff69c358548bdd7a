"""Event journal: what a station notes in flight, put beside the recording's file as it happens.

In a thread of its own: the window and the transmitter note events, which must not wait for a disk,
and so does the link's worker, which may stand in a link that does not open while a device is lost.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from telemetry.recording.events import Event
from telemetry.recording.logs.station_events import append_events, events_path

RETRY_S: Final = 1.0
_JOIN_TIMEOUT_S: Final = 2.0


class EventJournal:
    """Writes to the events beside `file`, the present file of a recording, "" while there is none;
    then beside the one before it, whose time goes on.

    What cannot be written waits, in its order, and is tried again every `retry_s`; `problem` is
    then a statement of why. Everything is written, or was tried, when `close` returns.
    """

    def __init__(self, file: Callable[[], str], retry_s: float = RETRY_S) -> None:
        self.problem = ""
        self._file = file
        self._retry_s = retry_s
        self._last_file = ""
        self._waiting: list[Event] = []
        self._noted: SimpleQueue[Event | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="event journal", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def keep(self, event: Event) -> None:
        """Have an event written. From any thread; it does not wait."""
        self._noted.put(event)

    def close(self) -> None:
        """Write what waits and end. Closing twice is fine."""
        self._noted.put(None)
        if self._thread.is_alive():
            self._thread.join(_JOIN_TIMEOUT_S)  # a disk that never answers holds up nobody

    def _run(self) -> None:
        is_open = True
        while is_open:
            is_open = self._take()
            self._write()

    def _take(self) -> bool:
        """Wait for an event, or for the next try; False when there will be no more."""
        try:
            event = self._noted.get(timeout=self._retry_s if self._waiting else None)
        except Empty:
            return True
        if event is not None:
            self._waiting.append(event)
        return event is not None

    def _write(self) -> None:
        self._last_file = self._file() or self._last_file
        if not self._last_file or not self._waiting:
            return
        log = Path(self._last_file)
        try:
            append_events(log, self._waiting)
        except OSError as error:
            reason = error.strerror or str(error)
            self.problem = f"Events cannot be written to {events_path(log)} ({reason})"
        else:
            self._waiting, self.problem = [], ""
