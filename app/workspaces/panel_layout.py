"""Panel layout of a workspace: nested splits and tabs, as values and as readable JSON.

In JSON a panel is its key, tabs are {"tabs": [keys], "current": key, "folded": true}, and a split
is {"split": "horizontal" | "vertical", "sizes": [ratios], "children": [...]}. What can be changed
in a layout are functions that return another one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

Orientation = Literal["horizontal", "vertical"]
Side = Literal["left", "top", "right", "bottom"]
Rect = tuple[int, int, int, int]
"""x, y, width, height in pixels."""
STAGE = "@stage"
"""The key that stands in a layout for the stage, with its cards, of a workspace that has one."""
_FURTHEST_PX = 1e6
"""More than any screen has; also the largest ratio."""


@dataclass(frozen=True, slots=True)
class Tabs:
    """Panels one behind the other; with one key, a panel that stands alone. One that is `folded`
    shows its titles only.
    """

    keys: tuple[str, ...]
    current: str
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Split:
    """Areas beside (horizontal) or below (vertical) each other; `sizes` are their ratios."""

    orientation: Orientation
    sizes: tuple[float, ...]
    children: tuple["Layout", ...]


Layout = Tabs | Split


class LayoutError(ValueError):
    """A layout in a workspace file cannot be understood; the message says where."""


def keys_of(layout: Layout | None) -> Iterator[str]:
    """All panel keys, in reading order."""
    if isinstance(layout, Tabs):
        yield from layout.keys
    elif layout is not None:
        for child in layout.children:
            yield from keys_of(child)


def from_json(value: Any) -> Layout:
    """Read a layout. Raises LayoutError."""
    if isinstance(value, str):
        return Tabs((value,), value)
    if isinstance(value, dict) and "tabs" in value:
        return tabs_from_json(value)
    if isinstance(value, dict) and value.get("split") in ("horizontal", "vertical"):
        return _split_from_json(value)
    raise LayoutError(f"an area is a panel key, tabs or a split, not {value!r}")


def tabs_from_json(value: dict[str, Any]) -> Tabs:
    """Read panels one behind the other. Raises LayoutError."""
    keys = value.get("tabs")
    if not isinstance(keys, list) or not keys or not all(isinstance(k, str) for k in keys):
        raise LayoutError(f'"tabs" needs a list of panel keys, not {keys!r}')
    current = value.get("current")
    is_folded = value.get("folded") is True
    return Tabs(tuple(keys), str(current) if current in keys else keys[0], is_folded)


def rect_from_json(value: Any) -> Rect:
    """Read the place of a panel in a window of its own. Raises LayoutError."""
    is_rect = isinstance(value, list) and len(value) == 4
    if not is_rect or not all(isinstance(n, int | float) and abs(n) < _FURTHEST_PX for n in value):
        raise LayoutError(f"a place is x, y, width and height in pixels, not {value!r}")
    x, y, width, height = map(int, value)
    return x, y, width, height


def _split_from_json(value: dict[str, Any]) -> Layout:
    children = value.get("children")
    if not isinstance(children, list) or not children:
        raise LayoutError('a split needs a list of "children"')
    sizes = value.get("sizes", [1] * len(children))
    if len(sizes) != len(children) or not all(
        isinstance(size, int | float) and 0 < size < _FURTHEST_PX for size in sizes
    ):
        raise LayoutError('"sizes" needs one positive number per child')
    areas = tuple(from_json(child) for child in children)
    if len(areas) == 1:
        return areas[0]
    return Split(value["split"], tuple(float(size) for size in sizes), areas)


def to_json(layout: Layout) -> Any:
    """The JSON that `from_json` reads."""
    if isinstance(layout, Tabs):
        if len(layout.keys) == 1 and not layout.folded:
            return layout.keys[0]
        return tabs_to_json(layout)
    return {
        "split": layout.orientation,
        "sizes": list(layout.sizes),
        "children": [to_json(child) for child in layout.children],
    }


def tabs_to_json(tabs: Tabs) -> dict[str, Any]:
    """The JSON that `tabs_from_json` reads."""
    folded = {"folded": True} if tabs.folded else {}
    return {"tabs": list(tabs.keys), "current": tabs.current, **folded}


def tabs_of(layout: Layout | None) -> Iterator[Tabs]:
    """All leaves, in reading order."""
    if isinstance(layout, Tabs):
        yield layout
    elif layout is not None:
        for child in layout.children:
            yield from tabs_of(child)


def with_tabs(layout: Layout | None, change: Callable[[Tabs], "Layout"]) -> Layout | None:
    """The layout with every leaf as `change` returns it."""
    if layout is None:
        return None
    if isinstance(layout, Tabs):
        return change(layout)
    children = tuple(with_tabs(child, change) or child for child in layout.children)
    return replace(layout, children=children)


def beside(layout: Layout | None, key: str, side: Side, new: Layout, share: float) -> Layout:
    """The layout with `new` at a side of the leaf that `key` stands in, which gives it that share
    of its place; of the whole layout where no leaf has the key."""
    if layout is None:
        return new
    if key not in set(keys_of(layout)):
        return _flat(_joined(layout, side, new, share))
    placed = with_tabs(
        layout, lambda tabs: _joined(tabs, side, new, share) if key in tabs.keys else tabs
    )
    return _flat(placed or new)


def with_sizes(layout: Layout, path: tuple[int, ...], sizes: tuple[float, ...]) -> Layout:
    """The layout with other ratios in the split at `path`, the places among the children of each
    level."""
    if isinstance(layout, Tabs):
        return layout
    if not path:
        return replace(layout, sizes=sizes)
    children = list(layout.children)
    children[path[0]] = with_sizes(children[path[0]], path[1:], sizes)
    return replace(layout, children=tuple(children))


def _joined(layout: Layout, side: Side, new: Layout, share: float) -> Split:
    """Two areas beside each other, the new one at that side."""
    orientation: Orientation = "horizontal" if side in ("left", "right") else "vertical"
    if side in ("left", "top"):
        return Split(orientation, (share, 1.0 - share), (new, layout))
    return Split(orientation, (1.0 - share, share), (layout, new))


def _flat(layout: Layout) -> Layout:
    """The layout without splits inside splits of the same direction, at the same places."""
    if isinstance(layout, Tabs):
        return layout
    sizes: list[float] = []
    children: list[Layout] = []
    for size, child in zip(layout.sizes, map(_flat, layout.children), strict=True):
        if isinstance(child, Split) and child.orientation == layout.orientation:
            whole = sum(child.sizes)
            sizes += [size * part / whole for part in child.sizes]
            children += child.children
        else:
            sizes.append(size)
            children.append(child)
    return replace(layout, sizes=tuple(sizes), children=tuple(children))


def without(layout: Layout | None, unwanted: set[str]) -> Layout | None:
    """The layout with some panels taken out and emptied areas closed."""
    if layout is None:
        return None
    if isinstance(layout, Tabs):
        keys = tuple(key for key in layout.keys if key not in unwanted)
        if not keys:
            return None
        current = layout.current if layout.current in keys else keys[0]
        return replace(layout, keys=keys, current=current)
    kept = [
        (size, area)
        for size, child in zip(layout.sizes, layout.children, strict=True)
        if (area := without(child, unwanted)) is not None
    ]
    if len(kept) <= 1:
        return kept[0][1] if kept else None
    sizes, areas = zip(*kept, strict=True)
    return _flat(Split(layout.orientation, sizes, areas))
