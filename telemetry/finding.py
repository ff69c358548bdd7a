"""Something in the settings that does not fit: how bad, in words, and what to do."""

from dataclasses import dataclass
from enum import IntEnum


class Severity(IntEnum):
    """How bad: good to know; flies badly; do not start the motors."""

    ADVICE = 1
    WARNING = 2
    DANGER = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not fit: a code for programs, words and a remedy for people."""

    severity: Severity
    code: str
    text: str
    remedy: str
    outputs: tuple[int, ...] = ()
