"""Arrangement of an exported video: where a template has the picture, views and instruments."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect

from app.exporting.video_template import Instrument, VideoTemplate

_USUAL_PX = 720
_SMALLER, _SMALLEST = 0.95, 0.2


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Rectangles in pixels, all of their edges even. `picture` is None where there is neither a
    video nor anything that lies over one; `views` stand beside it, `instruments` over it."""

    picture: QRect | None
    views: tuple[QRect, ...]
    instruments: tuple[QRect, ...] = ()


def arrange(
    template: VideoTemplate, size: tuple[int, int], picture: tuple[int, int] | None, views: int
) -> Arrangement:
    """The picture as large as it fits: in the middle, or at the left with the views below each
    other at its right. Without a picture views have all of it, side by side where there is room;
    where a template has instruments, black stands in its place. `size` is even."""
    width, height = size
    if picture is None and not template.instruments:
        return Arrangement(None, _split(QRect(0, 0, width, height), views, is_row=width > height))
    column = _even(width * (template.strip_share or 0.0)) if views else 0
    space = QRect(0, 0, width - column, height)
    shown = _fitted(picture or (space.width(), space.height()), space)
    if views:
        shown.moveLeft(0)
    rest = QRect(shown.width(), 0, width - shown.width(), height)
    placed = place_instruments(template, shown)
    return Arrangement(shown, _split(rest, views, is_row=False) if views else (), placed)


def usual_size(template: VideoTemplate, picture: tuple[int, int] | None) -> tuple[int, int]:
    """A width and height with 720 pixels on the shorter side: that of the picture, which fills it
    if nothing stands beside it, or of a screen."""
    if picture is None or template.strip_share is not None:
        return 1280, 720
    scale = _USUAL_PX / min(picture)
    return _even(picture[0] * scale), _even(picture[1] * scale)


def place_instruments(template: VideoTemplate, picture: QRect) -> tuple[QRect, ...]:
    """Where the instruments stand. Should they meet in a picture of this shape, all are smaller."""
    whole = float(min(picture.width(), picture.height()))
    unit = whole
    placed = _placed(template, picture, unit)
    while not _is_free(placed, picture) and unit > _SMALLEST * whole:
        unit *= _SMALLER
        placed = _placed(template, picture, unit)
    return placed


def _is_free(placed: Sequence[QRect], picture: QRect) -> bool:
    """Whether each has room in the picture, and none covers another one."""
    apart = not any(a.intersects(b) for a, b in itertools.combinations(placed, 2))
    return apart and all(picture.contains(one) for one in placed)


def _placed(template: VideoTemplate, picture: QRect, unit: float) -> tuple[QRect, ...]:
    margin = template.margin * unit
    room = picture.toRectF().adjusted(margin, margin, -margin, -margin)
    found: dict[str, QRect] = {}
    for at in dict.fromkeys(one.at for one in template.instruments):
        down, across = at.split()
        here = [one for one in template.instruments if one.at == at]
        rows = [[one for one in here if one.row == row] for row in sorted({o.row for o in here})]
        if down == "bottom":
            rows.reverse()
        heights = [max(one.height for one in row) * unit for row in rows]
        gap = margin / 2
        total = sum(heights) + gap * (len(rows) - 1)
        y = _aligned(down, room.top(), room.bottom(), total)
        for row, height in zip(rows, heights, strict=True):
            found |= _row(
                row, unit, gap, (across, room.left(), room.right()), (down, y, y + height)
            )
            y += height + gap
    return tuple(found[one.name] for one in template.instruments)


def _row(
    row: Sequence[Instrument],
    unit: float,
    gap: float,
    across: tuple[str, float, float],
    down: tuple[str, float, float],
) -> dict[str, QRect]:
    """Instruments side by side, each at the edge that its place names."""
    total = sum(one.width for one in row) * unit + gap * (len(row) - 1)
    x = _aligned(*across, total)
    found = {}
    for one in row:
        width, height = one.width * unit, one.height * unit
        y = _aligned(*down, height)
        found[one.name] = QRect(_even(x), _even(y), _even(width), _even(height))
        x += width + gap
    return found


def _aligned(place: str, first: float, last: float, length: float) -> float:
    """Where a length begins that stands at the beginning, the middle or the end of a space."""
    share = {"top": 0.0, "left": 0.0, "bottom": 1.0, "right": 1.0}.get(place, 0.5)
    return first + share * (last - first - length)


def _fitted(picture: tuple[int, int], space: QRect) -> QRect:
    """The picture with its shape kept, in the middle of a space."""
    scale = min(space.width() / picture[0], space.height() / picture[1])
    width, height = _even(picture[0] * scale), _even(picture[1] * scale)
    left, top = _even((space.width() - width) / 2), _even((space.height() - height) / 2)
    return QRect(left, top, width, height)


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
