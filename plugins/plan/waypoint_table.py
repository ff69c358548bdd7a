"""Waypoint table: one row each, heights and speeds typed into."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from plugins.plan.edit_tool import delete_selected
from plugins.plan.outline_tool import length_words
from plugins.plan.shared_plan import SharedPlan
from telemetry.base.finding import Level
from telemetry.missions.mission import HeightReference, MissionWaypoint, jump_target
from telemetry.missions.waypoint_options import (
    COMMAND_BY_NAME,
    END_CONDITION_BY_NAME,
    MODE_BY_NAME,
    OptionParameter,
)
from telemetry.recording.timeline import format_time
from widgets.level_icon import level_icon
from widgets.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_COLUMNS: Final = ("", "Mode", "Height", "Speed", "Until", "Leg", "Time")
_NUMBER, _MODE, _HEIGHT, _SPEED, _UNTIL, _LEG, _TIME = range(7)
_RIGHT: Final = (_HEIGHT, _SPEED, _LEG, _TIME)
_REFERENCE_WORDS: Final = {
    HeightReference.HOME: "",
    HeightReference.SEA: " sea",
    HeightReference.GROUND: " ground",
}
_Role = Qt.ItemDataRole
HEIGHTS_M: Final = (-500.0, 10_000.0)
SPEEDS_MPS: Final = (0.0, 100.0)


def parameter_words(parameters: Sequence[OptionParameter], values: Sequence[float]) -> str:
    """The first parameter of an option with its unit; empty if it has none."""
    if not parameters:
        return ""
    first = parameters[0]
    return f" {values[first.index]:g}\u202f{first.unit}".rstrip()


def mode_words(waypoint: MissionWaypoint) -> str:
    """The mode as people say it, with the name that was given."""
    mode = MODE_BY_NAME.get(waypoint.action.mode)
    title = mode.title if mode else waypoint.action.mode
    return f"{title}: {waypoint.name}" if waypoint.name else title


def until_words(waypoint: MissionWaypoint, index: int, count: int) -> str:
    """What ends it and what comes then."""
    action = waypoint.action
    condition = END_CONDITION_BY_NAME.get(action.end_condition)
    words = condition.title if condition else action.end_condition
    if condition:
        words += parameter_words(condition.parameters, action.condition_parameters)
    command = COMMAND_BY_NAME.get(action.command)
    if command is not None and command.jumps_if:
        words += f", {command.title} ({jump_target(action, index, count) + 1})"
    elif command is not None and command.name != "OnConditionNextWaypoint":
        words += f", {command.title}"
    return words


class WaypointModel(QAbstractTableModel):
    """The draft's waypoints. Call `take` when the draft or what is known of it has changed."""

    def __init__(self, plan: SharedPlan) -> None:
        super().__init__()
        self._plan = plan
        self._shown: tuple[MissionWaypoint, ...] = ()
        self._theme: Theme | None = None
        self._levels: dict[int, Level] = {}
        self._legs: dict[int, tuple[float, float | None]] = {}

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._touch_all()

    def take(self) -> None:
        """Show the draft as it is now."""
        waypoints = self._plan.draft.mission.waypoints
        if len(waypoints) != len(self._shown):
            self.beginResetModel()
            self._shown = waypoints
            self._read_assessment()
            self.endResetModel()
            return
        self._shown = waypoints
        self._read_assessment()
        self._touch_all()

    def _read_assessment(self) -> None:
        assessment = self._plan.assessment
        self._levels, self._legs = {}, {}
        if assessment.question.mission != self._plan.draft.mission:
            return
        self._levels = assessment.levels
        times = assessment.estimate.legs_s if assessment.estimate else {}
        self._legs = {leg.index: (leg.length_m, times.get(leg.index)) for leg in assessment.legs}

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """One per waypoint."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """See the heads."""
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> Any:
        """The heads."""
        is_head = orientation is Qt.Orientation.Horizontal and role == _Role.DisplayRole
        return _COLUMNS[section] if is_head else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Height and speed can be typed into, unless the waypoint is locked."""
        flags = super().flags(index)
        is_number = index.column() in (_HEIGHT, _SPEED)
        if is_number and not self._shown[index.row()].is_locked:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:
        """Words, icons and numbers."""
        row, column = index.row(), index.column()
        waypoint = self._shown[row]
        if role == _Role.DisplayRole:
            return self._text(row, column, waypoint)
        if role == _Role.EditRole:
            return waypoint.height_m if column == _HEIGHT else waypoint.velocity_mps
        if role == _Role.TextAlignmentRole and column in _RIGHT:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == _Role.DecorationRole and column == _NUMBER and self._theme is not None:
            level = self._levels.get(row, Level.OK)
            return level_icon(level, self._theme) if level >= Level.WARNING else None
        return None

    def setData(self, index: _Index, value: Any, role: int = _Role.EditRole) -> bool:
        """Take over what was typed, if it is a number in range."""
        try:
            number = float(str(value).replace(",", "."))
        except ValueError:
            return False
        is_height = index.column() == _HEIGHT
        low, high = HEIGHTS_M if is_height else SPEEDS_MPS
        if not low <= number <= high:
            return False
        row, draft = index.row(), self._plan.draft
        waypoint = draft.mission.waypoints[row]
        changed = (
            replace(waypoint, height_m=number)
            if is_height
            else replace(waypoint, velocity_mps=number)
        )
        what = "height" if is_height else "speed"
        draft.edit(f"{what} of waypoint {row + 1}", draft.mission.with_waypoint(row, changed))
        self.take()
        return True

    def _text(self, row: int, column: int, waypoint: MissionWaypoint) -> str:
        length_m, time_s = self._legs.get(row, (None, None))
        texts: dict[int, Callable[[], str]] = {
            _NUMBER: lambda: str(row + 1),
            _MODE: lambda: mode_words(waypoint),
            _HEIGHT: lambda: (
                f"{waypoint.height_m:.1f}\u202fm{_REFERENCE_WORDS[waypoint.height_reference]}"
            ),
            _SPEED: lambda: f"{waypoint.velocity_mps:.1f}\u202fm/s",
            _UNTIL: lambda: until_words(waypoint, row, len(self._shown)),
            _LEG: lambda: "" if length_m is None else length_words(length_m),
            _TIME: lambda: "" if time_s is None else format_time(time_s),
        }
        return texts[column]()

    def _touch_all(self) -> None:
        if self._shown:
            last = self.index(len(self._shown) - 1, len(_COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


class WaypointTable(QTableView):
    """The table. What is chosen in it is chosen on the map, too; Delete deletes."""

    def __init__(self, plan: SharedPlan) -> None:
        super().__init__()
        self._plan = plan
        self.rows = WaypointModel(plan)
        self.setModel(self.rows)
        self.setAccessibleName("Waypoints")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (_MODE, _UNTIL):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().selectionChanged.connect(lambda *_changed: self._tell_selection())

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.verticalHeader().setDefaultSectionSize(theme.target_px())
        self.rows.apply_theme(theme)

    def take(self) -> None:
        """Show the draft and what is chosen of it."""
        blocked = QSignalBlocker(self.selectionModel())
        self.rows.take()
        blocked.unblock()
        chosen = self._plan.draft.selected
        if tuple(sorted(chosen)) == tuple(sorted(self._selected_rows())):
            return
        wanted = QItemSelection()
        for row in chosen:
            index = self.rows.index(row, 0)
            wanted.select(index, self.rows.index(row, len(_COLUMNS) - 1))
        model = self.selectionModel()
        with QSignalBlocker(model):
            model.select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            if chosen:
                current = self.rows.index(chosen[-1], _MODE)
                model.setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
                self.scrollTo(current)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._tell_selection()
            delete_selected(self._plan)
        else:
            super().keyPressEvent(event)

    def _selected_rows(self) -> tuple[int, ...]:
        return tuple(index.row() for index in self.selectionModel().selectedRows())

    def _tell_selection(self) -> None:
        rows = self._selected_rows()
        current = self.currentIndex().row()
        others = tuple(row for row in rows if row != current)
        self._plan.draft.select((*others, current) if current in rows else others)
