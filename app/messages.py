"""Messages to the user: one queue that every part reports to, from any thread."""

import queue
from collections.abc import Callable
from dataclasses import dataclass

from telemetry.base.finding import Level

LineKey = tuple[str, str]
"""An aircraft and a topic."""


@dataclass(frozen=True, slots=True)
class Message:
    """Sentences for the user. `details` (a traceback, say) are shown on demand; `remedy_title`
    and `remedy` are a button that helps, if there is one; `refusal_title` is a button that
    closes the message: it waits for an answer. `about` names the aircraft, if it is of one.

    Messages on the same `topic` of one aircraft are one line of the message list, without a topic
    those of the same text; a topic may begin with the subject that it has in common with others,
    and a slash. One that `lasts` stands for a condition, which has a `title`, until one on its
    topic says that it `is_over`; the text of that may be empty.
    """

    text: str
    level: Level = Level.INFO
    details: str = ""
    remedy_title: str = ""
    remedy: Callable[[], object] | None = None
    refusal_title: str = ""
    topic: str = ""
    about: str = ""
    title: str = ""
    lasts: bool = False
    is_over: bool = False

    @property
    def line(self) -> LineKey:
        """The same for all messages that are one line."""
        return self.about, self.topic or self.text

    @property
    def subject(self) -> str:
        """What it has in common with messages on other topics; "" for nothing."""
        return self.topic.partition("/")[0] if "/" in self.topic else ""

    @property
    def is_passing(self) -> bool:
        """Whether nothing is to be done about it and nobody has to close it."""
        needs_nothing = self.remedy is None and not self.details and not self.lasts
        return self.level is Level.INFO and needs_nothing

    @property
    def needs_answer(self) -> bool:
        """Whether something waits for what the user says to it."""
        return bool(self.refusal_title)


class Messages:
    """A queue that any thread may write to and the GUI thread empties."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def tell(self, text: str) -> None:
        """Say something in passing. An empty text is not shown."""
        if text:
            self._queue.put(Message(text))

    def report(self, text: str, level: Level = Level.ERROR, details: str = "") -> None:
        """Say something that stays listed until it is closed. An empty text is not shown."""
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
