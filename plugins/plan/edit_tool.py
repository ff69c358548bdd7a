"""Waypoint edit tool on the map, with the mouse and with the keyboard."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from plugins.plan.map_layer import PlanLayer
from plugins.plan.new_waypoints import with_place
from plugins.plan.shared_plan import SharedPlan
from telemetry.missions.checks.situation import numbers
from telemetry.missions.edits import deleted, offset
from telemetry.missions.local_coordinates import MissionHome, to_north_east
from telemetry.missions.mission import Mission
from widgets.map.overlay import MapOverlay, MapPointer
from widgets.map.projection import GeoPoint

_CLICK_PX = 5.0
_STEP_M, _LONG_STEP_M = 1.0, 10.0
_ARROWS: Final = {
    Qt.Key.Key_Up: (1.0, 0.0),
    Qt.Key.Key_Down: (-1.0, 0.0),
    Qt.Key.Key_Right: (0.0, 1.0),
    Qt.Key.Key_Left: (0.0, -1.0),
}
_STEPS: Final = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
_CHANGES: Final = (Qt.Key.Key_Delete, Qt.Key.Key_Insert, *_STEPS)
_LEFT = Qt.MouseButton.LeftButton
_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class EditTool(MapOverlay):
    """Drags what is there; the pluses on the legs insert, and with `adds` a click on the ground
    adds. What is locked stays."""

    def __init__(self, plan: SharedPlan, layer: PlanLayer, *, adds: bool) -> None:
        self._plan = plan
        self._layer = layer
        self._adds = adds
        self._pressed: QPointF | None = None
        self._corner: tuple[int, int] | None = None
        self._is_dragging = False
        self._gestures = 0

    @property
    def hint(self) -> str:
        """What can be done, as one line."""
        if self._adds:
            return "Click to add waypoints, drag them; the middle button drags the map."
        return "Drag waypoints and corners; a plus inserts, arrows move, Delete removes."

    # Mouse

    def press(self, pointer: MapPointer) -> bool:
        if pointer.button != _LEFT:
            return False
        self._gestures += 1
        self._pressed, self._corner, self._is_dragging = pointer.position, None, False
        hit = self._layer.waypoint_at(pointer)
        if hit is None:
            hit = self._insert(pointer)
        if hit is not None:
            self._choose(hit, adds=bool(pointer.modifiers & (_CONTROL | _SHIFT)))
            self._is_dragging = True
            return True
        self._corner = self._layer.corner_at(pointer)
        if self._corner is None and not self._adds:
            self._pressed = None
        return self._pressed is not None

    def move(self, pointer: MapPointer) -> None:
        if self._pressed is None or not _has_moved(pointer, self._pressed):
            return
        if self._corner is not None:
            self._drag_corner(*self._corner, pointer.place)
        elif self._is_dragging:
            self._drag(pointer.place)

    def release(self, pointer: MapPointer) -> None:
        is_click = self._pressed is not None and not _has_moved(pointer, self._pressed)
        if is_click and self._adds and not self._is_dragging and self._corner is None:
            put_waypoint(self._plan, self._plan.draft.next_index, pointer.place, "Add")
        if is_click and self._corner is not None:
            self._plan.fence = self._corner[0]
        self._end()

    def cancel(self) -> None:
        self._end()

    def double_click(self, pointer: MapPointer) -> bool:
        return self._adds or self._layer.waypoint_at(pointer) is not None

    def hover(self, pointer: MapPointer) -> Qt.CursorShape | None:
        if self._layer.waypoint_at(pointer) is not None or self._layer.corner_at(pointer):
            return Qt.CursorShape.SizeAllCursor
        if self._layer.insert_at(pointer) is not None:
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.CrossCursor if self._adds else None

    # Keyboard

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key is for this, rather than for the time line."""
        key, has_control = Qt.Key(event.key()), bool(event.modifiers() & _CONTROL)
        if key in _ARROWS or key in _CHANGES:
            return bool(self._plan.draft.mission.waypoints) and not has_control
        return False

    def key(self, event: QKeyEvent) -> bool:
        if not self.wants(event):
            return False
        draft, key = self._plan.draft, Qt.Key(event.key())
        count, current = len(draft.mission.waypoints), draft.current
        if key in _STEPS:
            draft.select([0 if current is None else (current + _STEPS[key]) % count])
        elif key == Qt.Key.Key_Delete:
            delete_selected(self._plan)
        elif key == Qt.Key.Key_Insert:
            self._insert_after(count - 1 if current is None else current)
        else:
            step = _LONG_STEP_M if event.modifiers() & _SHIFT else _STEP_M
            north, east = _ARROWS[key]
            self._shift(north * step, east * step, "arrows")
        return True

    # What they do

    def _choose(self, index: int, *, adds: bool) -> None:
        draft = self._plan.draft
        if adds:
            others = tuple(i for i in draft.selected if i != index)
            draft.select((*others, index))
        elif index in draft.selected:
            draft.select((*(i for i in draft.selected if i != index), index))
        else:
            draft.select([index])

    def _insert(self, pointer: MapPointer) -> int | None:
        index = self._layer.insert_at(pointer)
        if index is not None:
            put_waypoint(self._plan, index, pointer.place, "Insert")
        return index

    def _insert_after(self, index: int) -> None:
        """Half way to the next one, or beside the last."""
        waypoints = self._plan.draft.mission.waypoints
        here = waypoints[index]
        there = waypoints[index + 1] if index + 1 < len(waypoints) else here
        away = 0.0 if there is not here else 1e-4
        middle = GeoPoint(
            (here.latitude_deg + there.latitude_deg) / 2.0 + away,
            (here.longitude_deg + there.longitude_deg) / 2.0,
        )
        put_waypoint(self._plan, index + 1, middle, "Insert")

    def _drag(self, place: GeoPoint) -> None:
        draft = self._plan.draft
        if draft.current is None:
            return
        held = draft.mission.waypoints[draft.current]
        home = MissionHome(held.latitude_deg, held.longitude_deg)
        north, east = to_north_east(home, place.latitude_deg, place.longitude_deg)
        self._shift(north, east, f"drag {self._gestures}")

    def _shift(self, north_m: float, east_m: float, gesture: str) -> None:
        draft = self._plan.draft
        if draft.selected:
            chosen = draft.selected
            moved = offset(draft.mission, north_m, east_m, indices=chosen)
            draft.edit(f"Move {numbers(chosen)}", moved, f"{gesture} {chosen}")

    def _drag_corner(self, fence: int, corner: int, place: GeoPoint) -> None:
        draft = self._plan.draft
        moved = with_corner(draft.mission, fence, corner, place)
        draft.edit("Move a corner of a fence", moved, f"corner {self._gestures}")

    def _end(self) -> None:
        self._pressed, self._corner, self._is_dragging = None, None, False
        self._plan.draft.end_gesture()


def put_waypoint(plan: SharedPlan, index: int, place: GeoPoint, verb: str) -> None:
    """Have a waypoint at a place, before the one that is `index` now, and choose it."""
    draft = plan.draft
    mission = draft.mission
    if mission.home is None and plan.home is not None:
        mission = replace(mission, home=plan.home)
    made = with_place(mission, index, place.latitude_deg, place.longitude_deg)
    draft.edit(f"{verb} waypoint {index + 1}", made)
    draft.select([index])


def delete_selected(plan: SharedPlan) -> None:
    """Delete the chosen waypoints; the one that follows is chosen then."""
    draft = plan.draft
    if not draft.selected:
        return
    chosen = draft.selected
    draft.edit(f"Delete {numbers(chosen)}", deleted(draft.mission, chosen))
    draft.select([min(*chosen, len(draft.mission.waypoints) - 1)])


def with_corner(mission: Mission, fence: int, corner: int, place: GeoPoint) -> Mission:
    """With one corner of a fence somewhere else."""
    fences = list(mission.fences)
    corners = list(fences[fence].corners)
    corners[corner] = (place.latitude_deg, place.longitude_deg)
    fences[fence] = replace(fences[fence], corners=tuple(corners))
    return replace(mission, fences=tuple(fences))


def _has_moved(pointer: MapPointer, start: QPointF) -> bool:
    return (pointer.position - start).manhattanLength() >= _CLICK_PX
