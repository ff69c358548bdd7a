"""Tool tips in short lines; Qt by itself leaves plain words as one line across the screen."""

from functools import lru_cache
from textwrap import fill

_LINE = 64  # characters


@lru_cache(maxsize=4096)
def wrapped(text: str) -> str:
    """`text` in lines short enough for a tool tip."""
    return fill(text, _LINE)


def field_tip(words: str, takes: str = "") -> str:
    """The tool tip of a field: `words` say what it is for, `takes` which values it can have."""
    return "\n".join(part for part in (wrapped(words), takes) if part)
