"""Checklist view: one sentence over it, and a line per check with what was found and what to do."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel

from telemetry.base.finding import Finding, Level
from telemetry.configuration.arming.checklist import Checklist
from widgets.change_detector import ChangeDetector
from widgets.labels import set_text
from widgets.level_mark import LEVEL_SIGNS, LEVEL_TOKENS
from widgets.parts import clear_layout, make_column, make_grid, make_label


class ChecklistView(QFrame):
    """Shows a checklist; its lines stay where they are while their states change."""

    def __init__(self) -> None:
        super().__init__()
        self.checklist = Checklist((), "")
        self._keys = ChangeDetector()
        self._lines: list[tuple[QLabel, QLabel, QLabel]] = []
        self.setProperty("card", "plain")
        self.summary = make_label(size="title", wraps=True)
        self._grid = make_grid(spacing=(10, 4), shares={2: 1})
        self.setLayout(make_column(self.summary, self._grid, margins=(12, 8, 12, 10)))

    def show_checklist(self, checklist: Checklist) -> None:
        if checklist == self.checklist:
            return
        self.checklist = checklist
        is_calm = checklist.is_ready or checklist.is_armed
        tone = "" if is_calm else "danger" if checklist.blocking else "muted"
        set_text(self.summary, checklist.summary, tone)
        keys = tuple(check.code for check in checklist.checks)
        if self._keys.has_changed(keys):
            self._build(len(keys))
        for labels, check in zip(self._lines, checklist.checks, strict=True):
            _show(labels, check)

    def _build(self, count: int) -> None:
        clear_layout(self._grid)
        self._lines = []
        for row in range(count):
            labels = QLabel(), QLabel(), QLabel()
            labels[2].setWordWrap(True)
            for column, label in enumerate(labels):
                self._grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)
            self._lines.append(labels)


def _show(labels: tuple[QLabel, QLabel, QLabel], check: Finding) -> None:
    sign, title, words = labels
    set_text(sign, LEVEL_SIGNS[check.level], LEVEL_TOKENS[check.level])
    set_text(title, check.title)
    tone = "muted" if check.level <= Level.OK else ""
    set_text(words, f"{check.text} {check.remedy}".rstrip(), tone)
