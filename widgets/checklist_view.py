"""Checklist view: one sentence over it, and a line per check with what was found and what to do."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel

from telemetry.base.finding import Finding, Level
from telemetry.base.statement import Statement
from telemetry.configuration.arming.checklist import Checklist
from widgets.change_detector import ChangeDetector
from widgets.labels import set_text
from widgets.level_mark import LEVEL_SIGNS, LEVEL_TOKENS
from widgets.parts import clear_layout, make_column, make_grid
from widgets.setting_links import SettingLinks
from widgets.state_label import StateLabel

_Line = tuple[QLabel, StateLabel, StateLabel, SettingLinks]


class ChecklistView(QFrame):
    """Shows a checklist; its lines stay where they are while their states change. `show_setting`
    is called with the name of a setting that was chosen."""

    def __init__(self, show_setting: Callable[[str], None]) -> None:
        super().__init__()
        self._show_setting = show_setting
        self.checklist = Checklist((), "")
        self._keys = ChangeDetector()
        self._lines: list[_Line] = []
        self.setProperty("card", "plain")
        self.summary = StateLabel(size="title", wraps=True, keeps_room=True, calm="")
        self._grid = make_grid(spacing=(10, 4), shares={2: 1})
        self.setLayout(make_column(self.summary, self._grid, margins=(12, 8, 12, 10)))

    def show_checklist(self, checklist: Checklist) -> None:
        if checklist == self.checklist:
            return
        self.checklist = checklist
        is_calm = checklist.is_ready or checklist.is_armed
        self.summary.calm = "" if is_calm else "muted"
        is_blocked = bool(checklist.blocking) and not is_calm
        level = Level.ERROR if is_blocked else Level.INFO
        self.summary.state(Statement(checklist.summary, ends="a check changes", level=level))
        keys = tuple(check.code for check in checklist.checks)
        if self._keys.has_changed(keys):
            self._build(len(keys))
        for labels, check in zip(self._lines, checklist.checks, strict=True):
            _show(labels, check)

    def _build(self, count: int) -> None:
        clear_layout(self._grid)
        self._lines = []
        for row in range(count):
            title = StateLabel(keeps_room=True, calm="")
            words = StateLabel(wraps=True, keeps_room=True)
            line = QLabel(), title, words, SettingLinks(self._show_setting)
            for column, label in enumerate(line[:3]):
                self._grid.addWidget(label, 2 * row, column, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(line[3], 2 * row + 1, 2)
            self._lines.append(line)


def _show(line: _Line, check: Finding) -> None:
    sign, title, words, links = line
    set_text(sign, LEVEL_SIGNS[check.level], LEVEL_TOKENS[check.level])
    title.state(Statement(check.title))
    words.calm = "muted" if check.level <= Level.OK else ""
    words.state(Statement(f"{check.text} {check.remedy}".rstrip(), version=check.level))
    links.show_settings(check.settings)
