"""What a check of the arming checklist found."""

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """Whether it stands in the way of arming."""

    OK = "ok"
    BLOCKS = "blocks"
    NOTE = "note"
    """It arms, but not as one may think."""
    UNKNOWN = "unknown"
    """The aircraft has not said."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was looked at, what was found, and what to do where it is not well."""

    key: str
    title: str
    state: State
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Checklist:
    """All lines, and one sentence over them."""

    checks: tuple[Check, ...]
    summary: str
    is_armed: bool = False

    @property
    def blocking(self) -> tuple[Check, ...]:
        """What stands in the way."""
        return tuple(check for check in self.checks if check.state is State.BLOCKS)

    @property
    def is_ready(self) -> bool:
        """Whether the gesture would arm it now, as far as the aircraft says."""
        return all(check.state in (State.OK, State.NOTE) for check in self.checks)
