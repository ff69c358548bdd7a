"""Warning rules as a table: on or off, how each stands now, its value, what it told last."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent

from telemetry.base.finding import Level
from telemetry.recording.timeline import format_time
from telemetry.vehicle.vehicle import Vehicle
from telemetry.warnings.centre import WarningCentre
from telemetry.warnings.flight_watch import value_text
from telemetry.warnings.rule import WarningRule
from telemetry.warnings.rule_state import RulePhase, RuleState
from widgets.row_model import RowModel, RowTable, ShownRow, TableIndex
from widgets.theme import Theme

_RULE, _NOW = 0, 1
_NOT_TOLD = "Not told by firmware"
_WIDEST = ("Alarms that forbid flying", _NOT_TOLD, "Position hold")
_MARGINS_PX = (44, 44, 20)
_LEAST_RULE_PX = 100
_VALUE, _LAST = 2, 3
_LAST_FROM_PX, _VALUE_FROM_PX = 560, 420
"""The columns that go first where there is little room."""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One line. `level` is that of its state now."""

    rule: WarningRule
    now: str
    value: str
    last: str
    level: Level
    tip: str = ""


def make_rows(centre: WarningCentre, vehicle: Vehicle | None) -> list[RuleRow]:
    """All rules, as they stand for a vehicle."""
    watch = centre.watch_of(vehicle)
    rows = []
    for rule in centre.book.rules:
        state = watch.states.get(rule.id) if watch is not None else None
        reading = watch.readings(rule) if watch is not None and state is not None else None
        told = centre.last_told(vehicle, rule)
        last = f"{format_time(told.t)}  {told.text}" if told is not None else ""
        now, level = _state_words(rule, state)
        problem = reading.problem if reading is not None else ""
        if problem:
            now, level = "Wrong value", Level.WARNING
        elif watch is not None and rule.is_on and state and state.phase is not RulePhase.ACTIVE:
            problem = watch.why_never(rule)
            now, level = (_NOT_TOLD, Level.UNKNOWN) if problem else (now, level)
        value = value_text(reading) if reading is not None else ""
        rows.append(RuleRow(rule, now, value, last, level, problem))
    return rows


def _state_words(rule: WarningRule, state: RuleState | None) -> tuple[str, Level]:
    if not rule.is_on:
        return "Off", Level.UNKNOWN
    if state is None:
        return "Not watched", Level.UNKNOWN
    if state.phase is RulePhase.ACTIVE:
        return ("Active" if state.is_known else "Active, no data"), rule.level
    level = Level.OK if state.phase is RulePhase.FINE else Level.UNKNOWN
    return state.phase.value, level


class RuleModel(RowModel[RuleRow]):
    """The rows. `switched` carries a rule's id and whether it shall be on."""

    column_titles = ("Rule", "Now", "Value", "Told last")
    level_column = _NOW
    switched = Signal(str, bool)

    def show_rows(self, rows: Sequence[RuleRow]) -> None:
        """Show these; lines keep their place while the rules are the same."""
        if [row.rule.id for row in rows] != [row.rule.id for row in self.rows]:
            self.put_rows(rows)
        elif rows != self.rows:
            self.rows = rows
            self.touch_all()

    def flags(self, index: TableIndex) -> Qt.ItemFlag:
        """A rule can be turned on and off."""
        flags = super().flags(index)
        is_rule = index.isValid() and index.column() == _RULE
        return flags | Qt.ItemFlag.ItemIsUserCheckable if is_rule else flags

    def shown(self, row: RuleRow) -> ShownRow:
        """A rule, with the mark of its state while it is on."""
        rule = row.rule
        tip = row.tip or f"{rule.value} {rule.comparison} {rule.than}".strip()
        level = row.level if rule.is_on else None
        return ShownRow((rule.title, row.now, row.value, row.last), level, not rule.is_on, tip)

    def data(self, index: TableIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows, and whether the rule is on."""
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == _RULE:
            is_on = self.rows[index.row()].rule.is_on
            return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
        return super().data(index, role)

    def setData(self, index: TableIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Turn a rule on or off."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        is_on = Qt.CheckState(value) is Qt.CheckState.Checked
        self.switched.emit(self.rows[index.row()].rule.id, is_on)
        return True


class RuleTable(RowTable):
    """The table. `chosen` carries the id of the rule that was chosen."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        rules = RuleModel(theme)
        super().__init__(rules, "Rules")
        self.rules = rules
        self.setAllColumnsShowFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentRowChanged.connect(lambda *_rows: self._tell())
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.rules.apply_theme(theme)
        self._scale = theme.scale
        metrics = QFontMetrics(theme.font())
        self._widths_px = [
            metrics.horizontalAdvance(widest) + round(margin * theme.scale)
            for widest, margin in zip(_WIDEST, _MARGINS_PX, strict=True)
        ]
        self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Do without some columns where there is little room; keep the chosen line in sight."""
        super().resizeEvent(event)
        self._fit_columns()
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def _fit_columns(self) -> None:
        for column, width_px in enumerate(self._widths_px):
            self.setColumnWidth(column, width_px)
        self.setColumnHidden(_LAST, self.width() < _LAST_FROM_PX * self._scale)
        self.setColumnHidden(_VALUE, self.width() < _VALUE_FROM_PX * self._scale)
        rest_px = self.viewport().width() - self._widths_px[_NOW]
        self.setColumnWidth(_RULE, min(self._widths_px[_RULE], max(rest_px, _LEAST_RULE_PX)))

    @property
    def chosen_rule(self) -> WarningRule | None:
        """The rule of the chosen line."""
        row = self.currentIndex().row()
        return self.rules.rows[row].rule if 0 <= row < len(self.rules.rows) else None

    def choose(self, rule_id: str) -> None:
        """Go to the line of a rule."""
        for number, row in enumerate(self.rules.rows):
            if row.rule.id == rule_id:
                self.setCurrentIndex(self.rules.index(number, _RULE))

    def _tell(self) -> None:
        rule = self.chosen_rule
        self.chosen.emit(rule.id if rule is not None else "")
