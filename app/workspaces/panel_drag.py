"""Panel drag: where a panel comes to stand whose title is let go at a place of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.workspaces.arranging import Beside, InOwnWindow, IntoTabs, OnStage, Target
from app.workspaces.cards import Anchor
from app.workspaces.panel_layout import STAGE, Rect, Side

_PAGE_EDGE_PX: Final = 14
_SIDE_SHARE: Final = 0.25
_GRID: Final[tuple[tuple[Anchor | None, ...], ...]] = (
    ("top-left", "top", "top-right"),
    ("left", None, "right"),
    ("bottom-left", "bottom", "bottom-right"),
)
"""The anchors by ninths of the stage; in its middle a panel becomes the stage."""


@dataclass(frozen=True, slots=True)
class DropGround:
    """What a panel can be dropped on: the page, its groups beside each other and its cards, each by
    a key of it, and the stage if there is one."""

    page: tuple[int, int]
    groups: Sequence[tuple[str, Rect]]
    cards: Sequence[tuple[str, Rect]]
    stage: Rect | None


def target_at(
    ground: DropGround, place: tuple[int, int], size: tuple[int, int], *, can_be_stage: bool
) -> tuple[Target, Rect]:
    """Where a panel of that size, let go at a place of the page, comes to stand, and the part of
    the page to show that by."""
    width, height = ground.page
    x, y = place
    if not (0 <= x < width and 0 <= y < height):
        rect = (x, y, *size)
        return InOwnWindow(rect), rect
    for key, rect in ground.cards:
        if _holds(rect, place):
            return IntoTabs(key), rect
    side = _near_side((0, 0, width, height), place, _PAGE_EDGE_PX, _PAGE_EDGE_PX)
    if side is not None:
        return Beside("", side), _part((0, 0, width, height), side, _SIDE_SHARE)
    if ground.stage is not None and _holds(ground.stage, place):
        return _on_stage(ground.stage, place, size, can_be_stage=can_be_stage)
    for key, rect in ground.groups:
        if _holds(rect, place):
            edge = (round(rect[2] * _SIDE_SHARE), round(rect[3] * _SIDE_SHARE))
            side = _near_side(rect, place, *edge)
            if side is None:
                return IntoTabs(key), rect
            return Beside(key, side), _part(rect, side, 0.5)
    return Beside("", "right"), _part((0, 0, width, height), "right", _SIDE_SHARE)


def _on_stage(
    stage: Rect, place: tuple[int, int], size: tuple[int, int], *, can_be_stage: bool
) -> tuple[Target, Rect]:
    left, top, width, height = stage
    column = min(2, 3 * (place[0] - left) // max(1, width))
    row = min(2, 3 * (place[1] - top) // max(1, height))
    anchor = _GRID[row][column]
    if anchor is None:
        if can_be_stage:
            return IntoTabs(STAGE), stage
        anchor = "left" if 2 * (place[0] - left) < width else "right"
        row, column = 1, 0 if anchor == "left" else 2
    wide, high = min(size[0], width), min(size[1], height)
    x = left + (0, (width - wide) // 2, width - wide)[column]
    y = top + (0, (height - high) // 2, height - high)[row]
    return OnStage(anchor, size), (x, y, wide, high)


def _holds(rect: Rect, place: tuple[int, int]) -> bool:
    x, y, width, height = rect
    return x <= place[0] < x + width and y <= place[1] < y + height


def _near_side(rect: Rect, place: tuple[int, int], across: int, down: int) -> Side | None:
    """The side of a rectangle that a place is nearer to than so many pixels."""
    x, y, width, height = rect
    off: dict[Side, float] = {
        "left": (place[0] - x) / max(1, across),
        "right": (x + width - 1 - place[0]) / max(1, across),
        "top": (place[1] - y) / max(1, down),
        "bottom": (y + height - 1 - place[1]) / max(1, down),
    }
    nearest = min(off, key=lambda side: off[side])
    return nearest if off[nearest] < 1.0 else None


def _part(rect: Rect, side: Side, share: float) -> Rect:
    x, y, width, height = rect
    wide, high = round(width * share), round(height * share)
    return {
        "left": (x, y, wide, height),
        "right": (x + width - wide, y, wide, height),
        "top": (x, y, width, high),
        "bottom": (x, y + height - high, width, high),
    }[side]
