"""Flight marker: an instant that a user marks, and the usual words for why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """An instant that somebody has marked, with what was written to it.

    `category` is a word of the user's own ("oscillation", "launch"); it may be empty.
    """

    t: float
    text: str = ""
    category: str = ""


CATEGORIES = ("launch", "landing", "oscillation", "gust", "wrong", "good", "look at this")
"""What the number keys 1, 2, … mark; any other word may be typed."""


def titled(markers: Sequence[Marker]) -> Iterator[tuple[Marker, str]]:
    """Each marker with its category and text in one line; a bare one has its number."""
    for number, marker in enumerate(markers, 1):
        words = ": ".join(word for word in (marker.category, marker.text) if word)
        yield marker, words or f"Marker {number}"


def words_of(marker: Marker) -> str:
    """Category and text as they are typed: "category: text"."""
    return f"{marker.category}: {marker.text}" if marker.category else marker.text


def with_words(marker: Marker, words: str) -> Marker:
    """The marker with typed words; what stands before a colon and a space is its category."""
    category, colon, text = f"{words.strip()} ".partition(": ")
    if not colon:
        category, text = "", category
    return replace(marker, text=text.strip(), category=category.strip())
