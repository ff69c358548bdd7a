"""Channel movement: which channel is being moved, by the receiver's activity.

A channel counts once the aircraft has named it several times running, or has stayed with it for
a while: firmware repeats itself while a stick moves, some only when another one does.
"""

from typing import Final

from telemetry.configuration.receiver.controls import NO_GROUP

Channel = tuple[str, int]
"""A receiver's name and a channel of it, from 1."""

TIMES: Final = 4
STEADY_S: Final = 0.4
_NO_CHANNEL: Final = 255


class MovementWatch:
    """Tell it what arrives; `moved` is the channel once it is sure. What is in `used` (already
    given to other controls) does not count."""

    def __init__(self, used: frozenset[Channel]) -> None:
        self.moved: Channel | None = None
        self._candidate: Channel | None = None
        self._used = used
        self._times = 0
        self._since_s = 0.0

    def take(self, now: float, group: str, number: int) -> None:
        """The aircraft has named a channel."""
        channel = (group, number)
        if group == NO_GROUP or number in (0, _NO_CHANNEL) or channel in self._used:
            self._candidate = None
            return
        if channel != self._candidate:
            self._candidate, self._times, self._since_s = channel, 0, now
        self._times += 1
        self.wait(now)

    def wait(self, now: float) -> None:
        """Nothing new was said up to `now`."""
        is_steady = now - self._since_s >= STEADY_S
        if self.moved is None and self._candidate and (self._times >= TIMES or is_steady):
            self.moved = self._candidate
