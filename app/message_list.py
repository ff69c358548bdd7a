"""Message list: all that the station has told, like messages as one line. The time is passed in."""

from dataclasses import dataclass, replace

from app.messages import LineKey, Message
from telemetry.base.finding import Level

PASSING_S, OVER_S = 120.0, 60.0
"""How long something said in passing, and a condition that is over, stay listed, in seconds."""
MOST_LINES = 50
"""Of more the oldest is dropped that neither lasts nor waits for an answer."""


@dataclass(frozen=True, slots=True)
class MessageLine:
    """What stands in one line: the newest of `count` like messages, told at `told_s` (seconds of
    the caller's clock). Its `number` stays the same for as long as it is listed."""

    number: int
    message: Message
    count: int
    told_s: float

    @property
    def is_over(self) -> bool:
        """Whether it tells of what was, and is no longer."""
        return self.message.is_over

    def fades_after_s(self) -> float | None:
        """How long it stays listed; None: until it is closed."""
        if self.is_over:
            return OVER_S
        return PASSING_S if self.message.is_passing else None


class MessageList:
    """The lines, in the order in which they were begun."""

    def __init__(self) -> None:
        self._lines: dict[LineKey, MessageLine] = {}
        self._closed: dict[LineKey, Message] = {}
        self._begun = 0

    def put(self, message: Message, now: float) -> MessageLine | None:
        """Take in a message. Returns its line, None if nothing is to be shown of it: of a condition
        that goes on after its line was closed, and the end of what is not listed."""
        key = message.line
        if message.is_over:
            return self._end(key, message, now)
        closed = self._closed.pop(key, None)
        if closed is not None and message.lasts and message.level <= closed.level:
            self._closed[key] = message
            return None
        before = self._lines.get(key)
        if before is None or before.is_over:
            before = self._begin(key, message, now)
        return self._keep(key, replace(before, message=message, count=before.count + 1, told_s=now))

    def lines(self, about: str = "") -> tuple[MessageLine, ...]:
        """All lines, or those of one aircraft with what is of none."""
        every = self._lines.values()
        return tuple(one for one in every if not about or one.message.about in ("", about))

    def conditions(self, about: str) -> tuple[Message, ...]:
        """What lasts of one aircraft, also where its line was closed."""
        told = (*(line.message for line in self.lines()), *self._closed.values())
        lasting = (one for one in told if one.lasts and not one.is_over)
        return tuple(one for one in lasting if one.about == about)

    def close(self, number: int) -> None:
        """Take a line out; what lasts does not come back before it is over or gets worse."""
        for key in [key for key, one in self._lines.items() if one.number == number]:
            message = self._lines.pop(key).message
            if message.lasts and not message.is_over:
                self._closed[key] = message

    def close_all(self, about: str = "") -> None:
        """Take out all lines, or those of one aircraft, but what waits for an answer."""
        for line in self.lines(about):
            if not line.message.needs_answer:
                self.close(line.number)

    def poll(self, now: float) -> None:
        """Let go of what has been listed for long enough; call it now and then."""
        for line in self.lines():
            fades_s = line.fades_after_s()
            if fades_s is not None and now - line.told_s > fades_s:
                self.close(line.number)

    def _begin(self, key: LineKey, message: Message, now: float) -> MessageLine:
        """A new line, which comes last; one of the same that is over goes."""
        self._lines.pop(key, None)
        self._begun += 1
        return MessageLine(self._begun, message, 0, now)

    def _keep(self, key: LineKey, line: MessageLine) -> MessageLine:
        self._lines[key] = line
        if len(self._lines) > MOST_LINES:
            self._drop_oldest()
        return line

    def _drop_oldest(self) -> None:
        """What is so, and what is asked, stays, however much is told after it."""
        for key, line in self._lines.items():
            message = line.message
            if message.is_over or not (message.lasts or message.needs_answer):
                del self._lines[key]
                return

    def _end(self, key: LineKey, message: Message, now: float) -> MessageLine | None:
        self._closed.pop(key, None)
        line = self._lines.get(key)
        if line is None or line.is_over:
            return None
        text = message.text or line.message.text
        over = replace(message, text=text, level=Level.INFO)
        ended = self._keep(key, replace(line, message=over, told_s=now))
        return ended if message.text else None
