"""What a user marks in a flight."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """An instant that somebody has marked, with what was written to it.

    `category` is a word of the user's own ("oscillation", "launch"); it may be empty.
    """

    t: float
    text: str = ""
    category: str = ""
