"""Cards of a workspace: where panels stand on the stage, and which of them fold where it is small.

A card has an anchor, a corner or an edge of the stage. Cards take their places in their order, the
first one first: along the anchor's edge, beside those that stand there already. One that finds
less room than its least size shows its title only, in a place that is left. The last ones in their
order fold, too, until at least half of the stage is free.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from app.workspaces.panel_layout import LayoutError, Rect, Tabs, tabs_from_json, tabs_to_json

Anchor = Literal[
    "top-left", "top", "top-right", "right", "bottom-right", "bottom", "bottom-left", "left"
]
ANCHORS: Final[tuple[Anchor, ...]] = get_args(Anchor)
GAP_PX: Final = 8
"""Between cards, and between them and the edge of the stage."""
MOST_CARDS: Final = 24
"""More would take longer to place than a window takes to be resized."""
_REFERENCE_PX: Final = (1366, 648)
"""The stage, in a window of 1366x768, that sizes of cards are stated for."""
_MOST_GROWN: Final = 1.25
_LARGEST_PX: Final = 10_000
_MOST_COVERED: Final = 0.5
_NEARNESS: Final = 2
"""Pixels of its size that a card gives away to stand a pixel nearer to its anchor."""


@dataclass(frozen=True, slots=True)
class Card:
    """Panels that stand on the stage. `size` is what it takes where there is room, in pixels at a
    scale of 1 in a window of 1366x768; one that `grows` is larger in larger windows.
    """

    tabs: Tabs
    anchor: Anchor
    size: tuple[int, int]
    order: int = 0
    grows: bool = False


@dataclass(frozen=True, slots=True)
class CardMeasure:
    """The least width and height at which a card shows more than its titles; those of the titles,
    which it folds to."""

    least: tuple[int, int]
    titles: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CardPlace:
    """Where a card stands, x, y, width, height; None where there is not even room for its title."""

    rect: Rect | None
    is_folded: bool


def card_from_json(value: Any) -> Card:
    """Read a card. Raises LayoutError."""
    if not isinstance(value, dict):
        raise LayoutError(f"a card is an object, not {value!r}")
    anchor, size, order = value.get("anchor"), value.get("size"), value.get("order", 0)
    if anchor not in ANCHORS:
        raise LayoutError(f'"anchor" of a card is one of {", ".join(ANCHORS)}, not {anchor!r}')
    if not isinstance(size, list) or len(size) != 2 or not all(map(_is_length, size)):
        raise LayoutError(f'"size" of a card is its width and height in pixels, not {size!r}')
    if not isinstance(order, int):
        raise LayoutError(f'"order" of a card is a whole number, not {order!r}')
    width, height = map(int, size)
    grows = value.get("grows") is True
    return Card(tabs_from_json(value), anchor, (width, height), order, grows)


def _is_length(value: Any) -> bool:
    return isinstance(value, int | float) and 0 < value < _LARGEST_PX


def card_to_json(card: Card) -> dict[str, Any]:
    """The JSON that `card_from_json` reads."""
    return {
        **tabs_to_json(card.tabs),
        "anchor": card.anchor,
        "order": card.order,
        "size": list(card.size),
        **({"grows": True} if card.grows else {}),
    }


def growth(stage: tuple[int, int], scale: float) -> float:
    """How much larger than stated a card that grows is on a stage of so many pixels."""
    fits = min(side / scale / usual for side, usual in zip(stage, _REFERENCE_PX, strict=True))
    return min(max(fits, 1.0), _MOST_GROWN)


def place_cards(
    cards: Sequence[Card],
    stage: tuple[int, int],
    measures: Mapping[Tabs, CardMeasure],
    scale: float = 1.0,
    taken: Sequence[Rect] = (),
) -> dict[Tabs, CardPlace]:
    """Where each card stands on a stage of so many pixels, by its tabs, beside what is `taken`."""
    open_ones = [card.tabs for card in sorted(cards, key=lambda card: card.order)]
    while True:
        places = _placed(cards, stage, measures, scale, taken, open_ones)
        rects = [place.rect for place in places.values() if place.rect is not None]
        covered = sum(width * height for _, _, width, height in rects)
        if covered <= _MOST_COVERED * stage[0] * stage[1] or len(open_ones) < 2:
            return places
        open_ones.pop()


def _placed(
    cards: Sequence[Card],
    stage: tuple[int, int],
    measures: Mapping[Tabs, CardMeasure],
    scale: float,
    taken: Sequence[Rect],
    open_ones: Sequence[Tabs],
) -> dict[Tabs, CardPlace]:
    """As `place_cards`, with all cards folded that are not among the open ones."""
    ground = _Ground(stage, list(taken), round(GAP_PX * scale))
    places: dict[Tabs, CardPlace] = {}
    for card in sorted(cards, key=lambda card: card.order):
        factor = scale * (growth(stage, scale) if card.grows else 1.0)
        wanted = (round(card.size[0] * factor), round(card.size[1] * factor))
        smallest, titles = measures[card.tabs].least, measures[card.tabs].titles
        wanted = (max(wanted[0], smallest[0]), max(wanted[1], smallest[1]))
        rect = None
        if not card.tabs.folded and card.tabs in open_ones:
            rect = _room(card.anchor, wanted, smallest, ground)
        is_folded = rect is None
        if rect is None:
            rooms = (_room(anchor, titles, titles, ground) for anchor in (card.anchor, *ANCHORS))
            rect = next((room for room in rooms if room is not None), None)
        places[card.tabs] = CardPlace(rect, is_folded)
        if rect is not None:
            ground.placed.append(rect)
    return places


def free_area(stage: tuple[int, int], covered: Sequence[Rect]) -> Rect:
    """The largest part of the stage, a rectangle, on which no card stands."""
    width, height = stage
    xs = _edges(width, [(x, x + w) for x, _, w, _ in covered])
    ys = _edges(height, [(y, y + h) for _, y, _, h in covered])
    best: Rect = (0, 0, 0, 0)
    for i, left in enumerate(xs):
        for right in xs[i + 1 :]:
            for top, bottom in _free_spans(left, right, ys, covered):
                if (right - left) * (bottom - top) > best[2] * best[3]:
                    best = (left, top, right - left, bottom - top)
    return best


def _edges(length: int, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Where something begins or ends within a length, its own ends included."""
    return sorted({0, length, *(edge for span in spans for edge in span if 0 < edge < length)})


def _free_spans(
    left: int, right: int, ys: Sequence[int], covered: Sequence[Rect]
) -> list[tuple[int, int]]:
    """The spans of height that are free over a span of width."""
    blocking = sorted(
        (y, y + height) for x, y, width, height in covered if x < right and x + width > left
    )
    return _spans(ys[0], ys[-1], blocking)


@dataclass(frozen=True, slots=True)
class _Ground:
    """The size of a stage, what stands on it, and the gap around each."""

    size: tuple[int, int]
    placed: list[Rect]
    gap: int

    def turned(self) -> "_Ground":
        """The same with width and height exchanged."""
        return _Ground(self.size[::-1], [_turned(rect) for rect in self.placed], self.gap)


def _room(
    anchor: Anchor, wanted: tuple[int, int], least: tuple[int, int], ground: _Ground
) -> Rect | None:
    """The place at an anchor beside what stands there, of the wanted size or less, but not less
    than the least; None if there is none."""
    if anchor in ("top", "bottom"):
        edge: tuple[_End, _End] = ("start" if anchor == "top" else "end", "middle")
        across = _room_along(edge, wanted[::-1], least[::-1], ground.turned())
        return None if across is None else _turned(across)
    return _room_along(_EDGES[anchor], wanted, least, ground)


_End = Literal["start", "middle", "end"]
_EDGES: Final[Mapping[Anchor, tuple[_End, _End]]] = {
    "top-left": ("start", "start"),
    "left": ("start", "middle"),
    "bottom-left": ("start", "end"),
    "top-right": ("end", "start"),
    "right": ("end", "middle"),
    "bottom-right": ("end", "end"),
}
"""The side of the stage, and the end of it that a card stands near to."""


def _turned(rect: Rect) -> Rect:
    x, y, width, height = rect
    return (y, x, height, width)


def _room_along(
    edge: tuple[_End, _End], wanted: tuple[int, int], least: tuple[int, int], ground: _Ground
) -> Rect | None:
    """The place along the left (start) or right (end) side of the stage, as near as can be to the
    upper (start) or lower (end) end of it, or to its middle. It is narrower only where that has it
    stand beside another."""
    side, end = edge
    most = min(wanted[0], ground.size[0] - 2 * ground.gap)
    best: tuple[int, Rect] | None = None
    for width in {most, *_widths_beside(side, ground)}:
        if not least[0] <= width <= most:
            continue
        x = ground.gap if side == "start" else ground.size[0] - ground.gap - width
        for low, high in _free_down(x, width, ground):
            height = min(wanted[1], high - low)
            if height < least[1]:
                continue
            middle = (ground.size[1] - height) // 2
            wish = {"start": 0, "middle": middle, "end": ground.size[1]}[end]
            y = min(max(low, wish), high - height)
            off = wanted[0] - width + wanted[1] - height + _NEARNESS * abs(y - wish)
            if best is None or off < best[0]:
                best = (off, (x, y, width, height))
    return None if best is None else best[1]


def _widths_beside(side: _End, ground: _Ground) -> list[int]:
    """The widths with which a card at that side ends beside each of those that stand there."""
    if side == "start":
        return [x - 2 * ground.gap for x, _, _, _ in ground.placed]
    return [ground.size[0] - x - width - 2 * ground.gap for x, _, width, _ in ground.placed]


def _free_down(x: int, width: int, ground: _Ground) -> list[tuple[int, int]]:
    """The spans of height in which nothing stands between `x` and `x + width`."""
    gap = ground.gap
    blocked = [
        (ry - gap, ry + rh + gap)
        for rx, ry, rw, rh in ground.placed
        if rx - gap < x + width and rx + rw + gap > x
    ]
    return _spans(gap, ground.size[1] - gap, blocked)


def _spans(start: int, end: int, blocked: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of a span beside those that are blocked."""
    spans, at = [], start
    for low, high in sorted(blocked):
        if low > at:
            spans.append((at, min(low, end)))
        at = max(at, high)
    if end > at:
        spans.append((at, end))
    return spans
