"""Panel sizes: how many pixels each area of a layout gets, and which fold where it is small.

Areas keep their proportions at every size of the window. Where their least sizes do not fit beside
each other, panels fold to their titles, the last one in reading order first; the stage, and the
area that has the largest share, never do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.workspaces.panel_layout import (
    STAGE,
    Layout,
    Orientation,
    Rect,
    Split,
    Tabs,
    keys_of,
    tabs_of,
    with_tabs,
)

HANDLE_PX = 5
"""Between two areas, where they are taken hold of."""

LeastSize = Callable[[Tabs], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Border:
    """What is taken hold of between two areas: after the child `index` of the split at `path`."""

    path: tuple[int, ...]
    index: int
    orientation: Orientation
    rect: Rect


@dataclass(frozen=True, slots=True)
class Areas:
    """Where everything of a layout stands: its tabs, with whether they are folded upright, and the
    borders between them."""

    places: dict[Tabs, tuple[Rect, bool]]
    borders: tuple[Border, ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """What sizes follow from: the least size of open panels, and the height of their titles."""

    least: LeastSize
    title_px: int


def folded_to_fit(
    layout: Layout, size: tuple[int, int], measures: Measures, asked: Sequence[str] = ()
) -> Layout:
    """The layout with as many panels folded as have to be in a place of so many pixels. Those that
    were `asked` for fold last, the one asked for last the very last."""
    shown = layout
    for tabs in _in_folding_order(layout, asked):
        if _fits(shown, size, measures):
            break
        shown = _with_folded(shown, tabs)
    return shown


def areas_of(layout: Layout, rect: Rect, measures: Measures) -> Areas:
    """Where the areas of a layout stand in a place."""
    places: dict[Tabs, tuple[Rect, bool]] = {}
    borders: list[Border] = []

    def divide(area: Layout, rect: Rect, path: tuple[int, ...], *, is_beside: bool) -> None:
        if isinstance(area, Tabs):
            places[area] = (rect, area.folded and is_beside)
            return
        x, y, width, height = rect
        is_row = area.orientation == "horizontal"
        sizes = sizes_of(area, width if is_row else height, measures)
        for index, (size, child) in enumerate(zip(sizes, area.children, strict=True)):
            part = (x, y, size, height) if is_row else (x, y, width, size)
            is_strip = is_beside if is_folded(area) else is_row
            divide(child, part, (*path, index), is_beside=is_strip)
            x, y = (x + size, y) if is_row else (x, y + size)
            if index + 1 < len(sizes):
                gap = (x, y, HANDLE_PX, height) if is_row else (x, y, width, HANDLE_PX)
                borders.append(Border(path, index, area.orientation, gap))
            x, y = (x + HANDLE_PX, y) if is_row else (x, y + HANDLE_PX)

    divide(layout, rect, (), is_beside=False)
    return Areas(places, tuple(borders))


def moved_border(
    layout: Layout, border: Border, by_px: int, size: tuple[int, int], measures: Measures
) -> tuple[float, ...]:
    """The ratios of a border's split once it was moved by so many pixels, in a place of `size`.
    No area gets less than its least size; folded ones keep their ratio."""
    split, length = _split_at(layout, border.path, size, measures)
    axis = 0 if split.orientation == "horizontal" else 1
    sizes = sizes_of(split, length, measures)
    open_ones = [i for i, child in enumerate(split.children) if not is_folded(child)]
    before = [i for i in open_ones if i <= border.index]
    after = [i for i in open_ones if i > border.index]
    if not before or not after:
        return split.sizes
    least = [least_size(child, measures)[axis] for child in split.children]
    first, second = before[-1], after[0]
    by_px = max(by_px, min(0, least[first] - sizes[first]))
    by_px = min(by_px, max(0, sizes[second] - least[second]))
    sizes[first] += by_px
    sizes[second] -= by_px
    whole_ratio = sum(split.sizes[i] for i in open_ones)
    whole_px = max(1, sum(sizes[i] for i in open_ones))
    return tuple(
        whole_ratio * max(1, sizes[i]) / whole_px if i in open_ones else split.sizes[i]
        for i in range(len(sizes))
    )


def _split_at(
    layout: Layout, path: tuple[int, ...], size: tuple[int, int], measures: Measures
) -> tuple[Split, int]:
    """The split at a path, and its length in pixels."""
    while isinstance(layout, Split) and path:
        axis = 0 if layout.orientation == "horizontal" else 1
        part = sizes_of(layout, size[axis], measures)[path[0]]
        size = (part, size[1]) if axis == 0 else (size[0], part)
        layout, path = layout.children[path[0]], path[1:]
    if not isinstance(layout, Split):
        raise LookupError(f"there is no split at {path}")
    return layout, size[0] if layout.orientation == "horizontal" else size[1]


def sizes_of(split: Split, length_px: int, measures: Measures) -> list[int]:
    """The pixels of each area of a split along it, of so many in all: folded ones those of their
    title, the others by their ratios, but none less than its least size while there is enough."""
    axis = 0 if split.orientation == "horizontal" else 1
    room = max(0, length_px - HANDLE_PX * (len(split.children) - 1))
    if is_folded(split):
        return _even(room, len(split.children))
    least = [least_size(child, measures)[axis] for child in split.children]
    sizes = {i: least[i] for i, child in enumerate(split.children) if is_folded(child)}
    open_ones = [i for i in range(len(split.children)) if i not in sizes]
    # Those that get less than their least by ratio get that, and the others share what is left.
    while open_ones:
        left = max(0, room - sum(sizes.values()))
        whole = sum(split.sizes[i] for i in open_ones)
        shares = {i: left * split.sizes[i] / whole for i in open_ones}
        short = [i for i in open_ones if shares[i] < least[i]]
        if not short or len(short) == len(open_ones):
            for i in open_ones:
                sizes[i] = int(shares[i])
            last = open_ones[-1]
            sizes[last] += max(0, room - sum(sizes.values()))
            break
        for i in short:
            sizes[i] = least[i]
            open_ones.remove(i)
    return [sizes[i] for i in range(len(split.children))]


def _even(room: int, count: int) -> list[int]:
    return [room * (i + 1) // count - room * i // count for i in range(count)]


def is_folded(layout: Layout) -> bool:
    """Whether an area takes the room of its titles only: all that is in it is folded."""
    return layout.folded if isinstance(layout, Tabs) else all(map(is_folded, layout.children))


def least_size(layout: Layout, measures: Measures) -> tuple[int, int]:
    """The least width and height of an area."""
    if isinstance(layout, Tabs):
        return (measures.title_px,) * 2 if layout.folded else measures.least(layout)
    sizes = [least_size(child, measures) for child in layout.children]
    axis = 0 if layout.orientation == "horizontal" else 1
    along = sum(size[axis] for size in sizes) + HANDLE_PX * (len(sizes) - 1)
    across = max(size[1 - axis] for size in sizes)
    return (along, across) if axis == 0 else (across, along)


def _fits(layout: Layout, size: tuple[int, int], measures: Measures) -> bool:
    least = least_size(layout, measures)
    return least[0] <= size[0] and least[1] <= size[1]


def _in_folding_order(layout: Layout, asked: Sequence[str]) -> list[Tabs]:
    shares = dict(shares_of(layout))
    if STAGE not in set(keys_of(layout)):
        shares.pop(max(shares, key=lambda tabs: shares[tabs]), None)
    foldable = [tabs for tabs in tabs_of(layout) if STAGE not in tabs.keys and tabs in shares]
    wishes = {key: place for place, key in enumerate(asked)}
    foldable.reverse()
    foldable.sort(key=lambda tabs: max(wishes.get(key, -1) for key in tabs.keys))
    return [tabs for tabs in foldable if not tabs.folded]


def shares_of(layout: Layout, share: float = 1.0) -> list[tuple[Tabs, float]]:
    """What each area has of a place by the ratios, where the layout has that share of it."""
    if isinstance(layout, Tabs):
        return [(layout, share)]
    whole = sum(layout.sizes)
    return [
        pair
        for size, child in zip(layout.sizes, layout.children, strict=True)
        for pair in shares_of(child, share * size / whole)
    ]


def _with_folded(layout: Layout, folded: Tabs) -> Layout:
    def change(tabs: Tabs) -> Layout:
        return replace(tabs, folded=True) if tabs == folded else tabs

    return with_tabs(layout, change) or layout
