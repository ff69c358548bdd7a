"""Arrangement of an exported video: where the picture and the views stand."""

import itertools
from dataclasses import dataclass

from PySide6.QtCore import QRect

_COLUMN = 0.25
"""The least share of the width that views have beside a picture."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Rectangles in pixels, all of their edges even; `picture` is None where there is no video."""

    picture: QRect | None
    views: tuple[QRect, ...]


def arrange(size: tuple[int, int], picture: tuple[int, int] | None, views: int) -> Arrangement:
    """The picture as large as it fits at the left, the views below each other at its right, or
    side by side where there is no picture. `size` is even."""
    width, height = size
    if picture is None:
        return Arrangement(None, _split(QRect(0, 0, width, height), views, is_row=width > height))
    column = _even(width * _COLUMN) if views else 0
    space = QRect(0, 0, width - column, height)
    scale = min(space.width() / picture[0], space.height() / picture[1])
    shown = QRect(0, 0, _even(picture[0] * scale), _even(picture[1] * scale))
    shown.moveTop(_even((height - shown.height()) / 2))
    if not views:
        shown.moveLeft(_even((width - shown.width()) / 2))
        return Arrangement(shown, ())
    rest = QRect(shown.width(), 0, width - shown.width(), height)
    return Arrangement(shown, _split(rest, views, is_row=False))


def _split(space: QRect, parts: int, *, is_row: bool) -> tuple[QRect, ...]:
    """A space in equal parts without a gap."""
    long = space.width() if is_row else space.height()
    edges = [_even(long * number / max(parts, 1)) for number in range(parts + 1)]
    x, y, width, height = space.x(), space.y(), space.width(), space.height()
    return tuple(
        QRect(x + a, y, b - a, height) if is_row else QRect(x, y + a, width, b - a)
        for a, b in itertools.pairwise(edges)
    )


def _even(pixels: float) -> int:
    """Colours of a video stand for two pixels each way."""
    return 2 * round(pixels / 2)
