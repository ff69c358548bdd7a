"""Speech queue: what is said next, the most urgent first, of each rule only the newest."""

from dataclasses import dataclass

from telemetry.base.finding import Level

MOST_WAITING = 6
_LASTS_S = {Level.ERROR: 12.0, Level.WARNING: 8.0}
_OTHERS_LAST_S = 5.0


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something to say. `speaks` and `sounds` say how; `said_s` is when it became so."""

    key: str
    text: str
    priority: int
    level: Level
    said_s: float
    speaks: bool = True
    sounds: bool = False

    def is_old(self, now: float) -> bool:
        """Whether nobody should hear it any more."""
        return now - self.said_s > _LASTS_S.get(self.level, _OTHERS_LAST_S)


class SpeechQueue:
    """Decides what is said; whoever speaks asks it, and tells when it has ended. For one thread."""

    def __init__(self) -> None:
        self.current: Utterance | None = None
        self._waiting: list[Utterance] = []

    @property
    def waiting(self) -> tuple[Utterance, ...]:
        """What is still to be said, in that order."""
        return tuple(self._waiting)

    def put(self, new: Utterance) -> None:
        """Have something said. It takes the place of what its rule has waiting."""
        self._waiting = [one for one in self._waiting if one.key != new.key]
        self._waiting.append(new)
        self._waiting.sort(key=lambda one: (-one.priority, one.said_s))
        del self._waiting[MOST_WAITING:]

    def withdraw(self, key: str) -> None:
        """What waits of a rule is no longer so."""
        self._waiting = [one for one in self._waiting if one.key != key]

    def interrupts(self, now: float) -> bool:
        """Whether what is being said has to give way: to something more urgent, or to newer words
        of the same rule."""
        self._forget_old(now)
        if self.current is None or not self._waiting:
            return False
        first = self._waiting[0]
        is_newer = any(one.key == self.current.key for one in self._waiting)
        return first.priority > self.current.priority or is_newer

    def begin(self, now: float) -> Utterance | None:
        """What is to be said now, None for nothing. What was interrupted comes again, unless it is
        old or there is something newer of it."""
        interrupted, self.current = self.current, None
        is_replaced = interrupted is not None and any(
            one.key == interrupted.key for one in self._waiting
        )
        if interrupted is not None and not is_replaced:
            self.put(interrupted)
        self._forget_old(now)
        if self._waiting:
            self.current = self._waiting.pop(0)
        return self.current

    def end(self) -> None:
        """What was being said has been said."""
        self.current = None

    def clear(self) -> None:
        """Forget everything: it is muted."""
        self._waiting.clear()
        self.current = None

    def _forget_old(self, now: float) -> None:
        self._waiting = [one for one in self._waiting if not one.is_old(now)]
