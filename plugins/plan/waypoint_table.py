"""Waypoint table: a row for each step of the plan, heights and speeds typed into."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QIcon, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from plugins.plan.edit_tool import delete_selected
from plugins.plan.shared_plan import SharedPlan, StepName
from telemetry.base.finding import Level
from telemetry.missions.mission import HeightReference, Mission, MissionWaypoint, jump_target
from telemetry.missions.steps import EndingStep, LandStep, TakeOffStep
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
_COLUMNS: Final = ("", "What", "Above home", "Speed", "Time")
_NUMBER, _WHAT, _HEIGHT, _SPEED, _TIME = range(5)
_WIDEST: Final = {_NUMBER: "99", _HEIGHT: "1000.5\u202fm", _SPEED: "10.5\u202fm/s", _TIME: "10:00"}
_PADDING_PX: Final = 6
_MARK_PX: Final = 14
_REFERENCE_WORDS: Final = {
    HeightReference.HOME: "",
    HeightReference.SEA: " sea",
    HeightReference.GROUND: " ground",
}
_NEEDS_LINK: Final = "needs the link"
_Role = Qt.ItemDataRole
HEIGHTS_M: Final = (-500.0, 10_000.0)
SPEEDS_MPS: Final = (0.0, 100.0)


def parameter_words(parameters: Sequence[OptionParameter], values: Sequence[float]) -> str:
    """The first parameter of an option with its unit; empty if it has none."""
    if not parameters:
        return ""
    first = parameters[0]
    return f" {values[first.index]:g}\u202f{first.unit}".rstrip()


def what_words(waypoint: MissionWaypoint) -> str:
    """How it is flown there as people say it, with the name that was given."""
    mode = MODE_BY_NAME.get(waypoint.action.mode)
    title = mode.title if mode else waypoint.action.mode
    return f"{title}: {waypoint.name}" if waypoint.name else title


def until_words(waypoint: MissionWaypoint, index: int, count: int) -> str:
    """What ends it and what comes then."""
    action = waypoint.action
    condition = END_CONDITION_BY_NAME.get(action.end_condition)
    words = condition.title.lower() if condition else action.end_condition
    if condition:
        words += parameter_words(condition.parameters, action.condition_parameters)
    command = COMMAND_BY_NAME.get(action.command)
    if command is not None and command.jumps_if:
        words += f", {command.title} ({jump_target(action, index, count) + 1})"
    elif command is not None and command.name != "OnConditionNextWaypoint":
        words += f", {command.title}"
    return words


class WaypointModel(QAbstractTableModel):
    """The draft's steps: its take-off, waypoints and ending. Call `take` when the draft or what is
    known of it has changed."""

    def __init__(self, plan: SharedPlan) -> None:
        super().__init__()
        self._plan = plan
        self._mission = Mission()
        self._rows: tuple[int | StepName, ...] = ()
        self._theme: Theme | None = None
        self._levels: dict[int, Level] = {}
        self._times_s: Mapping[int, float | None] = {}

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._touch_all()

    def take(self) -> None:
        """Show the draft as it is now."""
        rows = _rows_of(self._plan.draft.mission)
        if rows == self._rows:
            self._read()
            self._touch_all()
            return
        self.beginResetModel()
        self._rows = rows
        self._read()
        self.endResetModel()

    def step_at(self, row: int) -> int | StepName | None:
        """The waypoint of a row by its number, or another step by its name."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, step: int | StepName) -> int:
        """The row of a waypoint or another step; -1 if there is none."""
        return self._rows.index(step) if step in self._rows else -1

    def _read(self) -> None:
        assessment, self._mission = self._plan.assessment, self._plan.draft.mission
        is_present = assessment.question.mission == self._mission
        self._levels = assessment.levels if is_present else {}
        estimate = assessment.estimate if is_present else None
        self._times_s = estimate.legs_s if estimate is not None else {}

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """One per step."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """See the heads."""
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> Any:
        """The heads."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == _Role.TextAlignmentRole:
            return _alignment(section)
        return _COLUMNS[section] if role == _Role.DisplayRole else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Height and speed of a waypoint can be typed into, unless it is locked."""
        flags, step = super().flags(index), self._rows[index.row()]
        is_number = isinstance(step, int) and index.column() in (_HEIGHT, _SPEED)
        if is_number and not self._mission.waypoints[int(step)].is_locked:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:
        """Words, marks and numbers."""
        step, column = self._rows[index.row()], index.column()
        if role == _Role.TextAlignmentRole:
            return _alignment(column)
        if not isinstance(step, int):
            return self._step_data(step, column, role)
        waypoint = self._mission.waypoints[step]
        if role == _Role.DisplayRole:
            return self._text(step, column, waypoint)
        if role == _Role.ToolTipRole and column == _WHAT:
            until = until_words(waypoint, step, len(self._mission.waypoints))
            return f"{what_words(waypoint)}. Until: {until}"
        if role == _Role.EditRole:
            return waypoint.height_m if column == _HEIGHT else waypoint.velocity_mps
        if role == _Role.DecorationRole and column == _NUMBER:
            return self._mark([self._levels.get(step, Level.OK)])
        return None

    def setData(self, index: _Index, value: Any, role: int = _Role.EditRole) -> bool:
        """Take over what was typed, if it is a number in range."""
        try:
            number = float(str(value).replace(",", "."))
        except ValueError:
            return False
        is_height = index.column() == _HEIGHT
        low, high = HEIGHTS_M if is_height else SPEEDS_MPS
        step, draft = self._rows[index.row()], self._plan.draft
        if not low <= number <= high or not isinstance(step, int):
            return False
        waypoint = draft.mission.waypoints[step]
        changed = (
            replace(waypoint, height_m=number)
            if is_height
            else replace(waypoint, velocity_mps=number)
        )
        what = "height" if is_height else "speed"
        draft.edit(f"{what} of waypoint {step + 1}", draft.mission.with_waypoint(step, changed))
        self.take()
        return True

    def _text(self, index: int, column: int, waypoint: MissionWaypoint) -> str:
        if column == _NUMBER:
            return str(index + 1)
        if column == _WHAT:
            return what_words(waypoint)
        if column == _HEIGHT:
            return _height_words(waypoint.height_m, waypoint.height_reference)
        if column == _SPEED:
            return f"{waypoint.velocity_mps:g}\u202fm/s"
        return time_words(self._times_s.get(index))

    def _step_data(self, name: StepName, column: int, role: int) -> Any:
        step = self._mission.take_off if name == "take_off" else self._mission.ending
        if step is None:
            return None
        if role == _Role.ToolTipRole:
            return step_words(step)
        if role == _Role.DecorationRole and column == _NUMBER and name == "ending":
            return self._mark([level for i, level in self._levels.items() if self._is_ending(i)])
        if role == _Role.ForegroundRole and column == _SPEED and self._theme is not None:
            return self._theme.color("muted")
        if role != _Role.DisplayRole:
            return None
        if column == _WHAT:
            return step.title
        if column == _SPEED and step.needs_link:
            return _NEEDS_LINK
        if column == _HEIGHT and not isinstance(step, LandStep):
            return _height_words(step.height_m)
        if column == _TIME:
            return time_words(self._step_s(name))
        return None

    def _step_s(self, name: StepName) -> float | None:
        """How long the ending takes, by the waypoints that fly it."""
        known = [s for i, s in self._times_s.items() if self._is_ending(i) and s is not None]
        return sum(known) if known and name == "ending" else None

    def _is_ending(self, index: int) -> bool:
        """Waypoints that fly the ending count on after the plan's."""
        return index >= len(self._mission.waypoints)

    def _mark(self, levels: Sequence[Level]) -> QIcon | None:
        level = max(levels, default=Level.OK)
        if level < Level.WARNING or self._theme is None:
            return None
        return level_icon(level, self._theme)

    def _touch_all(self) -> None:
        if self._rows:
            last = self.index(len(self._rows) - 1, len(_COLUMNS) - 1)
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
        self.setShowGrid(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(_WHAT, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().selectionChanged.connect(lambda *_changed: self._tell_selection())

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes; no column changes its width by what stands in it."""
        self.verticalHeader().setDefaultSectionSize(theme.row_px())
        text, head = QFontMetrics(theme.font()), self.horizontalHeader()
        for column, widest in _WIDEST.items():
            mark = _MARK_PX if column == _NUMBER else 0
            width = text.horizontalAdvance(widest) + _PADDING_PX + mark
            self.setColumnWidth(column, max(width, head.sectionSizeHint(column)))
        self.setIconSize(QSize(_MARK_PX, _MARK_PX))
        self.rows.apply_theme(theme)

    def take(self) -> None:
        """Show the draft and what is chosen of it."""
        blocked = QSignalBlocker(self.selectionModel())
        self.rows.take()
        blocked.unblock()
        self._span_take_off()
        chosen = self._plan.draft.selected
        if chosen:
            self._plan.step = None
        steps: tuple[int | StepName, ...] = (
            chosen if self._plan.step is None else (self._plan.step,)
        )
        wanted_rows = [row for step in steps if (row := self.rows.row_of(step)) >= 0]
        if sorted(wanted_rows) == sorted(self._selected_rows()):
            return
        wanted = QItemSelection()
        for row in wanted_rows:
            wanted.select(self.rows.index(row, 0), self.rows.index(row, len(_COLUMNS) - 1))
        model = self.selectionModel()
        with QSignalBlocker(model):
            model.select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            if wanted_rows:
                current = self.rows.index(wanted_rows[-1], _WHAT)
                model.setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
                self.scrollTo(current)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Delete:
            super().keyPressEvent(event)
            return
        self._tell_selection()
        if self._plan.step is not None:
            put_step(self._plan, self._plan.step, None)
        delete_selected(self._plan)

    def _span_take_off(self) -> None:
        """It has no speed, and nobody knows its time: what it needs stands there."""
        self.clearSpans()
        row = self.rows.row_of("take_off")
        if row >= 0:
            self.setSpan(row, _SPEED, 1, 2)

    def _selected_rows(self) -> tuple[int, ...]:
        return tuple(index.row() for index in self.selectionModel().selectedRows())

    def _tell_selection(self) -> None:
        steps = [self.rows.step_at(row) for row in self._selected_rows()]
        current = self.rows.step_at(self.currentIndex().row())
        steps.sort(key=lambda step: step == current)
        chosen = [step for step in steps if isinstance(step, int)]
        others = [step for step in steps if isinstance(step, str)]
        self._plan.step = others[-1] if others and not chosen else None
        self._plan.draft.select(chosen)


def _rows_of(mission: Mission) -> tuple[int | StepName, ...]:
    first: tuple[StepName, ...] = ("take_off",) if mission.take_off is not None else ()
    last: tuple[StepName, ...] = ("ending",) if mission.ending is not None else ()
    return (*first, *range(len(mission.waypoints)), *last)


def step_words(step: TakeOffStep | EndingStep) -> str:
    """What has to be known of a step that is no waypoint."""
    return f"Needs the link. {step.without_link}" if step.needs_link else step.without_link


def put_step(
    plan: SharedPlan, name: StepName, step: TakeOffStep | EndingStep | None, gesture: str = ""
) -> None:
    """Have another take-off or ending, or none."""
    members: dict[str, Any] = {name: step}
    what = "Take-off" if name == "take_off" else "Ending"
    plan.draft.edit(what, replace(plan.draft.mission, **members), gesture)


def _alignment(column: int) -> Qt.AlignmentFlag:
    is_text = column in (_NUMBER, _WHAT)
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


def _height_words(height_m: float, reference: HeightReference = HeightReference.HOME) -> str:
    return f"{round(height_m, 1):g}\u202fm{_REFERENCE_WORDS[reference]}"


def time_words(seconds: float | None) -> str:
    """In whole seconds: an estimate does not know more."""
    return "" if seconds is None else format_time(round(seconds)).removesuffix(".0")
