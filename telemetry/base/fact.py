"""Fact: one line of what something is."""

from dataclasses import dataclass

from telemetry.base.finding import Level


@dataclass(frozen=True, slots=True)
class Fact:
    """What it is, its value in words, how well that is, and why it matters."""

    name: str
    value: str
    level: Level = Level.OK
    why: str = ""
