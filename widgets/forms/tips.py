"""Tool tips in short lines; Qt by itself leaves plain words as one line across the screen."""

from functools import lru_cache
from textwrap import fill

from PySide6.QtGui import Qt

from telemetry.base.escaping import markup_text

_LINE = 64  # characters


@lru_cache(maxsize=4096)
def wrapped(text: str) -> str:
    """`text` in lines short enough for a tool tip."""
    return plain_tip(fill(text, _LINE))


def plain_tip(text: str) -> str:
    """A tool tip that shows `text` as it is: Qt takes for rich text what looks like it, and lets
    nobody say otherwise, as the style sheet does for labels."""
    return f"<p>{markup_text(text)}</p>".replace("\n", "<br>") if Qt.mightBeRichText(text) else text


def field_tip(words: str, takes: str = "") -> str:
    """The tool tip of a field: `words` say what it is for, `takes` which values it can have."""
    return "\n".join(part for part in (wrapped(words), takes) if part)
