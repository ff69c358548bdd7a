"""Fact: one line of what something is."""

from dataclasses import dataclass
from typing import Final

from telemetry.base.finding import Level

NOT_KNOWN: Final = "–"


@dataclass(frozen=True, slots=True)
class Fact:
    """What it is, its value in words, how well that is, and why it matters."""

    name: str
    value: str
    level: Level = Level.OK
    why: str = ""


def known_fact(name: str, value: str) -> Fact:
    """A fact of which an empty value says that it is not known."""
    return Fact(name, value or NOT_KNOWN, Level.OK if value else Level.UNKNOWN)
