"""Warning rule form, in which one rule is edited."""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from plugins.warnings.rule_text import premises_of, premises_text, than_of, than_text
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.base.text_formats import FormatError
from telemetry.warnings.rule import (
    HIGHEST_PRIORITY,
    LONGEST_S,
    LONGEST_TEXT,
    RuleComparison,
    WarningOutput,
    WarningRule,
    rule_from_json,
)
from widgets.choices import fill_choice, make_check, make_choice
from widgets.forms.spin_boxes import indent_text
from widgets.parts import (
    LayoutPart,
    make_button,
    make_column,
    make_grid,
    make_label,
    make_row,
    make_scrolled,
)
from widgets.state_label import StateLabel
from widgets.wheel_filter import wheel_needs_focus

_LEVELS = (Level.INFO, Level.WARNING, Level.ERROR)
_EVERY_AIRCRAFT = "Every aircraft"


class RuleForm(QWidget):
    """Shows a rule and makes one of what was typed. `saved` carries it, `given_up` nothing."""

    saved = Signal(object)
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rule: WarningRule | None = None
        self.title, self.value, self.than = _line("Title"), _line("Value"), _line("Threshold")
        self.text, self.over_text = _line("Text"), _line("Text when over")
        self.only_if = _line("Only if")
        self.comparison = make_choice("", list(RuleComparison))
        self.level = make_choice("", [level.name.capitalize() for level in _LEVELS])
        self.aircraft = make_choice("")
        self.hysteresis, self.hold, self.release, self.repeat = (
            _spin(suffix) for suffix in ("", " s", " s", " s")
        )
        self.hysteresis.setMaximum(1e6)
        self.priority = QSpinBox()
        self.priority.setRange(0, HIGHEST_PRIORITY)
        indent_text(self.priority)
        self.outputs = {output: make_check(output.value.capitalize()) for output in WarningOutput}
        self.problem = StateLabel(wraps=True, keeps_room=True)
        self.only_if.setPlaceholderText("armed is Armed; height_m below 10")
        self.over_text.setPlaceholderText("Told when it is over; empty: nothing")
        wheel_needs_focus(self.comparison, self.level, self.aircraft, self.priority)
        wheel_needs_focus(self.hysteresis, self.hold, self.release, self.repeat)
        self._lay_out()
        for line in self.findChildren(QLineEdit):
            line.textEdited.connect(lambda _text: self.problem.state(None))

    def show_rule(self, rule: WarningRule, aircraft: str, names: Iterable[str]) -> None:
        """Edit a rule. `aircraft` is the key of the vehicle shown; `names` are offered."""
        self._rule = rule
        for line, text in self._texts(rule):
            line.setText(text)
            line.setCursorPosition(0)
        self.comparison.setCurrentText(rule.comparison)
        self.level.setCurrentIndex(_LEVELS.index(rule.level))
        self.hysteresis.setValue(rule.hysteresis)
        self.hold.setValue(rule.hold_s)
        self.release.setValue(rule.release_s)
        self.repeat.setValue(rule.repeat_s)
        self.priority.setValue(rule.priority)
        for output, box in self.outputs.items():
            box.setChecked(output in rule.outputs)
        self._show_aircraft(rule.aircraft, aircraft)
        self._offer(sorted(set(names)))
        self.problem.state(None)

    @property
    def rule(self) -> WarningRule | None:
        """What was typed, None with the reason in `problem` where it makes no rule."""
        if self._rule is None:
            return None
        try:
            rule = rule_from_json(self._typed(self._rule))
        except FormatError as error:
            ends = "a text is changed"
            told = Statement(f"Not saved: {error}.", ends=ends, level=Level.ERROR)
            self.problem.state(told)
            return None
        self.problem.state(None)
        return rule

    def _texts(self, rule: WarningRule) -> tuple[tuple[QLineEdit, str], ...]:
        return (
            (self.title, rule.title),
            (self.value, rule.value),
            (self.than, than_text(rule.than)),
            (self.text, rule.text),
            (self.over_text, rule.over_text),
            (self.only_if, premises_text(rule.only_if)),
        )

    def _typed(self, rule: WarningRule) -> dict[str, object]:
        return {
            **rule.to_json(),
            "title": self.title.text(),
            "value": self.value.text(),
            "comparison": self.comparison.currentText(),
            "than": than_of(self.than.text()),
            "text": self.text.text(),
            "over_text": self.over_text.text(),
            "only_if": premises_of(self.only_if.text()),
            "hysteresis": self.hysteresis.value(),
            "hold_s": self.hold.value(),
            "release_s": self.release.value(),
            "repeat_s": self.repeat.value(),
            "priority": self.priority.value(),
            "level": _LEVELS[self.level.currentIndex()].name.lower(),
            "outputs": [output.value for output, box in self.outputs.items() if box.isChecked()],
            "aircraft": self.aircraft.currentData() or "",
        }

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        limit = make_row((self.comparison, 1), (self.than, 1), spacing=4)
        begins = make_row(*_pair(self.hysteresis, "matters for", self.hold), spacing=4)
        ends = make_row(*_pair(self.release, "repeated every", self.repeat), spacing=4)
        weight = make_row(*_pair(self.level, "priority", self.priority), spacing=4)
        self.hysteresis.setAccessibleName("Hysteresis")
        self.release.setAccessibleName("Over after")
        form.addRow("Title", self.title)
        form.addRow("Value", self.value)
        form.addRow("Matters", limit)
        form.addRow("Hysteresis", begins)
        form.addRow("Over after", ends)
        form.addRow("Only if", self.only_if)
        form.addRow("Level", weight)
        form.addRow("Counts for", self.aircraft)
        form.addRow("Text", self.text)
        form.addRow("When over", self.over_text)
        form.addRow("Told by", self._output_grid())
        form.setContentsMargins(0, 4, 0, 0)
        scroll = make_scrolled(form, keeps_width=True)
        save = make_button("Save", self._save, "primary")
        back = make_button("Cancel", self.given_up.emit)
        buttons = make_row((self.problem, 1), back, save, spacing=4)
        self.setLayout(make_column((scroll, 1), buttons, spacing=4))

    def _output_grid(self) -> QGridLayout:
        grid = make_grid(margins=None)
        for number, box in enumerate(self.outputs.values()):
            grid.addWidget(box, *divmod(number, 3))
        return grid

    def _show_aircraft(self, chosen: str, present: str) -> None:
        titles = {chosen: f"Only {chosen}", present: "This aircraft only", "": _EVERY_AIRCRAFT}
        entries = [(titles[key], key) for key in dict.fromkeys(("", present, chosen))]
        fill_choice(self.aircraft, entries, chosen)

    def _offer(self, names: list[str]) -> None:
        completer = QCompleter(names, self.value)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.value.setCompleter(completer)

    def _save(self) -> None:
        rule = self.rule
        if rule is not None:
            self.saved.emit(rule)


def _line(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setMaxLength(LONGEST_TEXT)
    return line


def _spin(suffix: str) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setRange(0.0, LONGEST_S)
    box.setDecimals(2 if not suffix else 1)
    box.setSuffix(suffix)
    indent_text(box)
    return box


def _pair(first: QWidget, words: str, second: QWidget) -> tuple[LayoutPart, ...]:
    """Two fields of the same width with words between them."""
    second.setAccessibleName(words.capitalize())
    return (first, 1), make_label(words, tone="muted"), (second, 1)
