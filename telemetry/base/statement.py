"""Statement: what the station says is so, with what it is about, since when and until when."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from telemetry.base.finding import Level


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is said to be so.

    `text` are its words. `about` is the aircraft, "" where it is the station itself. `version` is
    that of what it speaks of (a plan, settings, a link, a synchronisation), by value: another one
    makes the statement void. `since_s` is since when it has been said, in seconds of the
    aircraft's recording, None where no instant is known. `ends` says what would end it, as a clause
    that follows "Until".

    Best derive it anew from what is so whenever it is shown: then nothing is kept that could grow
    old. What has come of something in the past is kept, and shown through `if_of`.
    """

    text: str
    about: str = ""
    version: Hashable = None
    since_s: float | None = None
    ends: str = ""
    level: Level = Level.INFO

    def if_of(self, about: str, version: Hashable) -> "Statement | None":
        """Itself while what it speaks of is still the same; None once it is withdrawn."""
        return self if (self.about, self.version) == (about, version) else None

    def after(self, before: "Statement | None") -> "Statement":
        """Itself, said since `before` was if that said the same of the same."""
        if before is None or replace(before, since_s=self.since_s) != self:
            return self
        return before
