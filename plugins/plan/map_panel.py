"""Mission map panel: waypoints and fences are drawn, dragged and measured here."""

import os

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from plugins.api import Json, PanelContext, PlaceOffers
from plugins.plan.edit_tool import EditTool
from plugins.plan.fence_strip import FenceStrip
from plugins.plan.keys import PlanKeys
from plugins.plan.map_layer import PlanLayer
from plugins.plan.outline_tool import OutlineTool, length_words
from plugins.plan.place_menu import entries_at
from plugins.plan.places_on_map import place_of_waypoint
from plugins.plan.shape_strip import ShapeStrip
from plugins.plan.shapes import SHAPES
from plugins.plan.shared_plan import shared_plan_of
from telemetry.base.folders import Folders
from telemetry.base.statement import Statement
from telemetry.missions.flown_plan import waypoint_words
from telemetry.missions.mission import Mission
from telemetry.missions.progress import MissionProgress
from widgets.change_detector import ChangeDetector
from widgets.map.canvas import MapCanvas
from widgets.map.fleet_scene import FleetScene
from widgets.map.menu import PlaceEntries
from widgets.map.projection import GeoPoint
from widgets.map.tile_workers import TileWorkers
from widgets.overflow_row import OverflowRow
from widgets.parts import STRETCH, make_column
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme
from widgets.tool_card import ToolCard

Tool = EditTool | OutlineTool
_TITLES = {
    "move": "Move",
    "add": "Waypoint",
    **{shape.name: shape.title for shape in SHAPES},
    "measure": "Measure",
}
_EMPTY = (
    "No aircraft is connected and the plan is empty. Zoom in where you want to fly and click to "
    "add waypoints, or connect an aircraft: the map opens where it is."
)
_NO_PLACE = (
    "The plan is empty and the aircraft does not say yet where it is. Zoom in where you want to "
    "fly and click to add waypoints; the map opens at the aircraft with its first position."
)
_EDGE_PX, _GAP_PX, _BUTTONS_PX = 8, 4, 48
_MEASURE = "Click points to measure between them; Backspace takes one back, Esc all."


class PlanMapPanel(QWidget):
    """The panel "plan.map"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._plan = plan = shared_plan_of(context)
        context.on_close(plan.opened())
        self._scene = FleetScene(context.fleet)
        self._stamp, self._changed = ChangeDetector(), ChangeDetector()
        self.canvas = MapCanvas(context.theme, TileWorkers(), Folders.of_user(os.environ).map_tiles)
        self.canvas.set_following(False)
        self.canvas.setAccessibleName("Map of the plan")
        self.canvas.message.connect(context.show_message)
        context.on_close(self.canvas.close_loading)
        self._offers = PlaceOffers(context, self)
        self.canvas.entries_at = self._entries_at
        self.layer = PlanLayer(plan)
        self.canvas.add_overlay(self.layer)
        self._tools: dict[str, Tool] = {
            "move": EditTool(plan, self.layer, adds=False),
            "add": EditTool(plan, self.layer, adds=True),
            "measure": OutlineTool(_MEASURE, measures=True),
        }
        self.strips = {shape.name: ShapeStrip(shape, plan, self.layer) for shape in SHAPES}
        self._tools |= {name: strip.tool for name, strip in self.strips.items()}
        self.fence_strip = FenceStrip(plan)
        self.hint = FittedStateLabel(calm="muted")
        self._buttons: dict[str, QPushButton] = {}
        self.canvas.notice = _EMPTY
        self.setLayout(make_column(self.canvas))
        self._free: QRect | None = None
        tools = OverflowRow(self._make_buttons(), STRETCH)
        self._tool_card = ToolCard(self, make_column(tools, self.hint, margins=4, spacing=0))
        strips = make_column(*self._strip_widgets, margins=4, spacing=4)
        self._strip_card = ToolCard(self, strips)
        self.setFocusProxy(self.canvas)
        PlanKeys(self, plan, context.show_message, self._wants)
        self._looks = plan.looks
        self.tool_name = ""
        self.choose_tool("add" if not plan.draft.mission.waypoints else "move")
        if context.settings:
            self.restore_state(context.settings)

    @property
    def _strip_widgets(self) -> tuple[QWidget, ...]:
        return (*self.strips.values(), self.fence_strip)

    @property
    def tool(self) -> Tool:
        """What the mouse does now."""
        return self._tools[self.tool_name]

    def choose_tool(self, name: str) -> None:
        """Have the mouse do something else."""
        if self.tool_name:
            self.canvas.remove_overlay(self.tool)
        self.tool_name = name
        self.canvas.add_overlay(self.tool)
        self._buttons[name].setChecked(True)
        for other, strip in self.strips.items():
            strip.setVisible(other == name)
        self.layer.preview = ()
        self._plan.fence = None
        if name in self.strips:
            self.strips[name].begin()
        self._show_hint()
        self._place_cards()

    def apply_theme(self, theme: Theme) -> None:
        """Keep a line for hints: what they say moves nothing."""
        self.hint.keep_lines(1, theme, "small")
        self._place_cards()

    def show_free_area(self, area: QRect) -> None:
        """Keep tools and plan in the part that no card covers."""
        self._free = area
        self._place_cards()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the tools in their corner."""
        super().resizeEvent(event)
        self._place_cards()

    def _place_cards(self) -> None:
        """The tools at the upper left of what is free, what one of them asks for below."""
        area = self.rect() if self._free is None else self._free & self.rect()
        room = max(area.width() - _BUTTONS_PX - 2 * _EDGE_PX, 0)
        at = area.topLeft() + QPoint(_EDGE_PX, _EDGE_PX)
        has_strip = any(not strip.isHidden() for strip in self._strip_widgets)
        self._strip_card.setVisible(has_strip)
        for card in (self._tool_card, self._strip_card):
            wanted = card.sizeHint()
            card.setGeometry(QRect(at, QSize(min(wanted.width(), room), wanted.height())))
            at += QPoint(0, wanted.height() + _GAP_PX)
        below_tools = area.adjusted(0, self._tool_card.geometry().bottom() - area.top(), 0, 0)
        self.canvas.show_free_area(below_tools)

    def refresh(self, t: float) -> None:
        """Show plan and flight as they are at `t`."""
        self.canvas.poll()
        self._plan.poll()
        heights = self._plan.ground
        self.canvas.show_heights(heights.known_of_many_m if heights.maps else None)
        vehicle = self._context.vehicle
        self._scene.has_camera = self.canvas.options.camera_view
        if self._stamp.has_changed(t, id(vehicle), self._scene.stamp(), self._scene.has_camera):
            self.canvas.show_scene(self._scene.at(vehicle, t))
        plan = self._plan
        self.canvas.notice = _EMPTY if vehicle is None else _NO_PLACE
        self.fence_strip.take()
        self._place_cards()
        plan.look(t)
        self._show_progress()
        found = plan.predicted
        self.layer.predicted = found.track if found else ()
        if self._looks != plan.looks:
            self._looks = plan.looks
            self._look_at_selection()
        read = (
            plan.draft.version,
            plan.assessment,
            plan.home,
            found,
            self.layer.flown_leg,
            plan.fence,
        )
        if self._changed.has_changed(*read):
            self.canvas.update()

    def save_state(self) -> Json:
        """Where the map looks and where its tiles come from."""
        return self.canvas.save_state()

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self.canvas.restore_state(state)

    def _show_progress(self) -> None:
        """The leg that is flown, how far beside it, and how far to go."""
        progress = self._plan.progress
        is_here = self._plan.is_flown_leg
        self.layer.flown_leg = progress.waypoint if progress and is_here else None
        self._show_hint()

    def _show_hint(self) -> None:
        """How far the flight is; while there is none, what the mouse does."""
        plan, progress = self._plan, self._plan.progress
        if progress is None or plan.vehicle is None:
            self.hint.state(Statement("" if self.tool_name in self.strips else self.tool.hint))
            return
        words = progress_words(progress, plan.draft.mission if plan.is_flown_leg else None)
        self.hint.state(Statement(words, plan.vehicle.name, ends="it flies no plan any more"))

    def _entries_at(self, place: GeoPoint) -> PlaceEntries:
        """What can be done with the plan there, and what others have the aircraft do."""
        actions = self._offers.at(place.latitude_deg, place.longitude_deg)
        offered = [(action.title, action.run) for action in actions]
        return [*entries_at(self._plan, place), *offered]

    def _look_at_selection(self) -> None:
        draft = self._plan.draft
        if draft.current is not None:
            self.canvas.centre_on(place_of_waypoint(draft.mission.waypoints[draft.current]))

    def _make_buttons(self) -> list[QPushButton]:
        group = QButtonGroup(self)
        for name, title in _TITLES.items():
            button = QPushButton(title)
            button.setCheckable(True)
            button.setProperty("tight", True)
            button.setToolTip(self._tools[name].hint)
            button.clicked.connect(lambda _is_checked, name=name: self.choose_tool(name))
            group.addButton(button)
            self._buttons[name] = button
        return list(self._buttons.values())

    def _wants(self, event: QKeyEvent) -> bool:
        return self.canvas.hasFocus() and self.tool.wants(event)


def progress_words(progress: MissionProgress, here: Mission | None) -> str:
    """How far it is, as one line; `here`: the plan here, where that is what it flies."""
    where = f"waypoint {progress.waypoint + 1} of another plan, on board"
    if here is not None:
        where = waypoint_words(here, progress.waypoint)
    words = f"To {where}: {length_words(progress.to_go_m)} to go"
    if progress.cross_track_m is not None:
        side = "right" if progress.cross_track_m >= 0.0 else "left"
        words += f", {abs(progress.cross_track_m):.1f}\u202fm {side} of the way"
    if progress.mission_to_go_m is not None:
        words += f"; {length_words(progress.mission_to_go_m)} in all"
    return words
