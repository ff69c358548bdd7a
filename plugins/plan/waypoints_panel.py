"""Waypoints panel: the waypoints of the plan as a table, and the chosen one in full."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QPushButton, QSplitter, QWidget

from plugins.api import Json, PanelContext
from plugins.plan.board_bar import BoardBar
from plugins.plan.files import PlanFiles, dropped_mission
from plugins.plan.keys import PlanKeys
from plugins.plan.new_waypoints import with_landing, with_return, with_stay, with_take_off
from plugins.plan.shared_plan import shared_plan_of
from plugins.plan.waypoint_form import WaypointForm
from plugins.plan.waypoint_table import WaypointTable
from telemetry.base.statement import Statement
from telemetry.missions.edits import reversed_order
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from widgets.change_detector import ChangeDetector
from widgets.drop_filter import DropFilter
from widgets.parts import make_button, make_column, make_label, make_row, make_scrolled
from widgets.state_label import StateLabel

_EMPTY = (
    "No waypoints. Choose Waypoint above the map and click on it, open a file, or download the "
    "plan that is on board."
)
_USUAL_TAKE_OFF_M = 5.0
_ROW_PX = 32
_LEAST_TITLE_PX = 60
_LEAST_TABLE_PX = 160


class WaypointsPanel(QWidget):
    """The panel "plan.waypoints"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._plan = plan = shared_plan_of(context)
        context.on_close(plan.opened())
        self._context = context
        self._changed = ChangeDetector()
        self.files = PlanFiles(context, plan, self)
        self.board = BoardBar(plan)
        self.table = WaypointTable(plan)
        self.form = WaypointForm(plan)
        self._empty = make_label(_EMPTY, tone="muted", wraps=True)
        self._empty.setMargin(16)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = StateLabel(keeps_room=True, calm="")
        self.undo = make_button("Undo", lambda: self._step(plan.draft.undo))
        self.redo = make_button("Redo", lambda: self._step(plan.draft.redo))
        self._form_area = make_scrolled(self.form, has_frame=True)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.addWidget(self.table)
        self._splitter.addWidget(self._form_area)
        self._splitter.setSizes([3, 2])
        self._splitter.setChildrenCollapsible(False)
        parts = (self.board, self._make_file_row(), (self._empty, 1), (self._splitter, 1))
        self._splitter.setMinimumHeight(_LEAST_TABLE_PX)
        self.setLayout(make_column(make_scrolled(make_column(*parts, spacing=4))))
        self.setProperty("keepsLetters", True)
        DropFilter(self, dropped_mission, self.files.open)
        keys = PlanKeys(self, plan, context.show_message)
        keys.save = self.files.save

    def refresh(self, t: float) -> None:
        """Show the draft as it is now."""
        plan = self._plan
        self.files.poll()
        plan.poll()
        self.board.take()
        if not self._changed.has_changed(plan.draft.version, plan.assessment):
            return
        draft = plan.draft
        title = f"{draft.title}{' (not saved)' if draft.is_unsaved else ''}"
        self._title.state(Statement(title, version=draft.mission))
        self._title.setToolTip(str(draft.path or "Not in a file yet"))
        self.undo.setEnabled(bool(draft.undo_title))
        self.undo.setToolTip(f"Undo: {draft.undo_title} (Ctrl+Z)" if draft.undo_title else "")
        self.redo.setEnabled(bool(draft.redo_title))
        self.redo.setToolTip(f"Redo: {draft.redo_title}" if draft.redo_title else "")
        is_empty = not draft.mission.waypoints
        self._empty.setVisible(is_empty)
        self._splitter.setVisible(not is_empty)
        self.table.take()
        self.form.take()

    def save_state(self) -> Json:
        """How the panel is divided."""
        return {"split": self._splitter.sizes()} if self._splitter.isVisible() else {}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        sizes = state.get("split")
        if isinstance(sizes, list) and all(isinstance(size, int) for size in sizes):
            self._splitter.setSizes(sizes)

    def _make_file_row(self) -> QWidget:
        edit = self._edit
        file = _menu_button(
            "File",
            ("New", self._new),
            ("Open …", self.files.ask_what_to_open),
            ("Save\tCtrl+S", self.files.save),
            ("Save as …", self.files.ask_where_to_save),
        )
        more = _menu_button(
            "Add",
            ("Take-off at home first", self._add_take_off),
            ("Fly home and land at the end", self._add_return),
            ("Land at the last waypoint", lambda: edit("Add landing", with_landing)),
            ("Stay at the last waypoint", lambda: edit("Stay at the end", with_stay)),
            ("Fly it the other way round", lambda: edit("Turn round", reversed_order)),
        )
        buttons = (file, more, self.undo, self.redo)
        for button in buttons:
            button.setMinimumHeight(_ROW_PX)
        row = QWidget()
        row.setLayout(make_row(*buttons, (self._title, 1), margins=(8, 0, 8, 0), spacing=4))
        self._title.setMinimumWidth(_LEAST_TITLE_PX)
        self._title.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return row

    def _new(self) -> None:
        self._plan.draft.open("New mission", Mission())

    def _step(self, step: Callable[[], str]) -> None:
        step()
        self._context.wake()

    def _edit(self, title: str, change: Callable[[Mission], Mission]) -> None:
        draft = self._plan.draft
        draft.edit(title, change(draft.mission))
        draft.select([len(draft.mission.waypoints) - 1])

    def _home(self) -> MissionHome | None:
        home = self._plan.home or self._plan.draft.mission.home
        if home is None:
            self._context.show_message("Home is not known: add a waypoint, or connect.")
        return home

    def _add_take_off(self) -> None:
        home = self._home()
        if home is not None:
            height = self._plan.aircraft.take_off_height_m or _USUAL_TAKE_OFF_M
            draft = self._plan.draft
            mission = replace(draft.mission, home=draft.mission.home or home)
            draft.edit("Add take-off", with_take_off(mission, home, height))
            draft.select([0])

    def _add_return(self) -> None:
        home = self._home()
        if home is not None:
            self._edit("Add the way home", lambda mission: with_return(mission, home))


def _menu_button(title: str, *entries: tuple[str, Callable[[], object]]) -> QPushButton:
    button = QPushButton(title)
    menu = QMenu(button)
    for text, act in entries:
        menu.addAction(text, act)
    button.setMenu(menu)
    return button
