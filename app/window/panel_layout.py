"""Panel layout of a workspace: nested splits and tabs, as values and as readable JSON.

In JSON a panel is its key, tabs are {"tabs": [keys], "current": key}, and a split is
{"split": "horizontal" | "vertical", "sizes": [ratios], "children": [...]}.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Orientation = Literal["horizontal", "vertical"]
Rect = tuple[int, int, int, int]
"""x, y, width, height in pixels."""
_FURTHEST_PX = 1e6
"""More than any screen has; also the largest ratio."""


@dataclass(frozen=True, slots=True)
class Tabs:
    """Panels one behind the other; with one key, a panel that stands alone."""

    keys: tuple[str, ...]
    current: str


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


def first_key(layout: Layout) -> str:
    """The key that stands for a whole area when it is placed."""
    return next(keys_of(layout))


def from_json(value: Any) -> Layout:
    """Read a layout. Raises LayoutError."""
    if isinstance(value, str):
        return Tabs((value,), value)
    if isinstance(value, dict) and "tabs" in value:
        keys = value["tabs"]
        if not isinstance(keys, list) or not keys or not all(isinstance(k, str) for k in keys):
            raise LayoutError(f'"tabs" needs a list of panel keys, not {keys!r}')
        current = value.get("current")
        return Tabs(tuple(keys), str(current) if current in keys else keys[0])
    if isinstance(value, dict) and value.get("split") in ("horizontal", "vertical"):
        return _split_from_json(value)
    raise LayoutError(f"an area is a panel key, tabs or a split, not {value!r}")


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
        if len(layout.keys) == 1:
            return layout.keys[0]
        return {"tabs": list(layout.keys), "current": layout.current}
    return {
        "split": layout.orientation,
        "sizes": list(layout.sizes),
        "children": [to_json(child) for child in layout.children],
    }


def without(layout: Layout | None, unwanted: set[str]) -> Layout | None:
    """The layout with some panels taken out and emptied areas closed."""
    if layout is None:
        return None
    if isinstance(layout, Tabs):
        keys = tuple(key for key in layout.keys if key not in unwanted)
        if not keys:
            return None
        return Tabs(keys, layout.current if layout.current in keys else keys[0])
    kept = [
        (size, area)
        for size, child in zip(layout.sizes, layout.children, strict=True)
        if (area := without(child, unwanted)) is not None
    ]
    if len(kept) <= 1:
        return kept[0][1] if kept else None
    sizes, areas = zip(*kept, strict=True)
    return Split(layout.orientation, sizes, areas)


def describe(areas: Mapping[Tabs, Rect]) -> Layout | None:
    """Find the splits that give these rectangles, so that an arrangement made by hand can be read.

    Rectangles that no straight cut separates (which docks do not make) end up as one set of tabs.
    """
    if not areas:
        return None
    if len(areas) == 1:
        return next(iter(areas))
    for orientation, start, length in (("horizontal", 0, 2), ("vertical", 1, 3)):
        groups = _cut(areas, start, length)
        if len(groups) > 1:
            children = tuple(area for group in groups if (area := describe(group)) is not None)
            sizes = tuple(float(_extent(group, start, length)) for group in groups)
            return Split(
                "horizontal" if orientation == "horizontal" else "vertical", sizes, children
            )
    keys = tuple(key for tabs in areas for key in tabs.keys)
    return Tabs(keys, keys[0])


def _cut(areas: Mapping[Tabs, Rect], start: int, length: int) -> list[dict[Tabs, Rect]]:
    """Group rectangles along one axis wherever a straight line passes between them."""
    groups: list[dict[Tabs, Rect]] = []
    reach = -1
    for tabs, rect in sorted(areas.items(), key=lambda entry: entry[1][start]):
        if not groups or rect[start] >= reach:
            groups.append({})
        groups[-1][tabs] = rect
        reach = max(reach, rect[start] + rect[length])
    return groups


def _extent(group: Mapping[Tabs, Rect], start: int, length: int) -> int:
    begin = min(rect[start] for rect in group.values())
    end = max(rect[start] + rect[length] for rect in group.values())
    return max(1, end - begin)
