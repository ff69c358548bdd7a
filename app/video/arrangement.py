"""Where the picture and the views stand in an exported video."""

import itertools
from dataclasses import dataclass

from PySide6.QtCore import QRect

_COLUMN = 0.25
"""The least share of the width that views have beside a picture."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Rectangles in pixels; `picture` is None where there is no video."""

    picture: QRect | None
    views: tuple[QRect, ...]


def arrange(size: tuple[int, int], picture: tuple[int, int] | None, views: int) -> Arrangement:
    """The picture as large as it fits at the left, the views below each other at its right, or
    side by side where there is no picture."""
    width, height = size
    if picture is None:
        return Arrangement(None, _split(QRect(0, 0, width, height), views, is_row=width > height))
    column = round(width * _COLUMN) if views else 0
    space = QRect(0, 0, width - column, height)
    scale = min(space.width() / picture[0], space.height() / picture[1])
    shown = QRect(0, 0, round(picture[0] * scale), round(picture[1] * scale))
    if not views:
        shown.moveCenter(space.center())
        return Arrangement(shown, ())
    shown.moveTop((height - shown.height()) // 2)
    rest = QRect(shown.width(), 0, width - shown.width(), height)
    return Arrangement(shown, _split(rest, views, is_row=False))


def _split(space: QRect, parts: int, *, is_row: bool) -> tuple[QRect, ...]:
    """A space in equal parts without a gap."""
    long = space.width() if is_row else space.height()
    edges = [round(long * number / max(parts, 1)) for number in range(parts + 1)]
    x, y, width, height = space.x(), space.y(), space.width(), space.height()
    return tuple(
        QRect(x + a, y, b - a, height) if is_row else QRect(x, y + a, width, b - a)
        for a, b in itertools.pairwise(edges)
    )
