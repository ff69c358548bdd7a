"""Messages to the user: one queue that every part reports to, from any thread."""

import queue
from collections.abc import Callable
from dataclasses import dataclass

from telemetry.base.finding import Level


@dataclass(frozen=True, slots=True)
class Message:
    """Sentences for the user. `details` (a traceback, say) are shown on demand; `remedy_title`
    and `remedy` are a button that helps, if there is one; `refusal_title` is a button that
    closes the message, where the small cross does not say enough. A message replaces an earlier
    one on the same `topic`, if it has one.
    """

    text: str
    level: Level = Level.INFO
    details: str = ""
    remedy_title: str = ""
    remedy: Callable[[], object] | None = None
    refusal_title: str = ""
    topic: str = ""


class Messages:
    """A queue that any thread may write to and the GUI thread empties."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def tell(self, text: str) -> None:
        """Say something in passing, in the status line. An empty text is not shown."""
        if text:
            self._queue.put(Message(text))

    def report(self, text: str, level: Level = Level.ERROR, details: str = "") -> None:
        """Say something that stays on screen until it is closed. An empty text is not shown."""
        if text:
            self._queue.put(Message(text, level, details))

    def put(self, message: Message) -> None:
        """Say what a complete message says."""
        self._queue.put(message)

    def take(self) -> list[Message]:
        """All messages since the last call, oldest first."""
        taken: list[Message] = []
        while not self._queue.empty():
            taken.append(self._queue.get_nowait())
        return taken
