"""Map bounds: the rectangle around a scene's content, and the first view of it."""

from collections.abc import Sequence
from functools import reduce

from widgets.map.projection import Bounds, Viewport
from widgets.map.scene import MapScene, point_bounds

CLOSEST_FIT = 21.5
_FIRST_ZOOM = 18.5


def content_bounds(scene: MapScene, overlays: Sequence[Bounds]) -> Bounds | None:
    """The rectangle around tracks, aircraft and overlays. Home may be far away, set on another
    day."""
    box = scene.bounds()
    return _united([*overlays, *([box] if box else [])])


def with_marks(bounds: Bounds, scene: MapScene) -> Bounds:
    """With home and target in it."""
    marks = (scene.home, scene.target)
    return reduce(Bounds.united, [point_bounds(mark) for mark in marks if mark], bounds)


def first_sight(
    view: Viewport, scene: MapScene, overlays: Sequence[Bounds], *, is_following: bool
) -> Viewport | None:
    """The whole flight, or the aircraft as soon as it is known where that is.

    The active flight counts alone: another may be a world away, or not know yet where it is.
    """
    active = scene.active
    if active is not None and is_following:
        bounds: Bounds | None = point_bounds(active.place)
    else:
        own = scene.bounds(of_all=False) or scene.bounds()
        bounds = _united([*overlays, *([own] if own else [])])
    closest = _FIRST_ZOOM if is_following else CLOSEST_FIT
    return None if bounds is None else view.fitted(bounds, closest=closest)


def _united(boxes: Sequence[Bounds]) -> Bounds | None:
    return reduce(Bounds.united, boxes) if boxes else None
