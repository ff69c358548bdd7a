"""Task table: which run, their share of the processor and what is left of their stack."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from telemetry.base.finding import Level
from telemetry.configuration.board.tasks import Task
from widgets.collapsible import FOLD_MARGINS
from widgets.forms.formats import THIN_SPACE
from widgets.level_mark import LEVEL_TOKENS
from widgets.parts import make_column, make_label
from widgets.theme import Theme

_HEADINGS = ("Task", "Processor", "Stack left")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TaskTable(QWidget):
    """Running tasks as rows, in the board's order; those that do not run are named below."""

    def __init__(self) -> None:
        super().__init__()
        self.tasks: tuple[Task, ...] = ()
        self._theme: Theme | None = None
        self.table = QTableWidget(0, len(_HEADINGS))
        self.table.setHorizontalHeaderLabels(list(_HEADINGS))
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setShowGrid(False)
        for column in (1, 2):
            self.table.setColumnWidth(column, 130)
        self.idle = make_label(tone="muted", wraps=True)
        self.setLayout(make_column(self.table, self.idle, margins=FOLD_MARGINS))

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        tasks, self.tasks = self.tasks, ()
        self.show_tasks(tasks)

    def show_tasks(self, tasks: Sequence[Task]) -> None:
        """Show these."""
        if tuple(tasks) == self.tasks:
            return
        self.tasks = tuple(tasks)
        running = [task for task in tasks if task.is_running]
        if self.table.rowCount() != len(running):
            self.table.setRowCount(len(running))
            height = sum(self.table.rowHeight(row) for row in range(len(running)))
            self.table.setFixedHeight(
                self.table.horizontalHeader().sizeHint().height() + height + 4
            )
        for row, task in enumerate(running):
            self._write(row, task)
        idle = [task.name for task in tasks if not task.is_running]
        self.idle.setText(f"Not running: {', '.join(idle)}." if idle else "")
        self.idle.setVisible(bool(idle))

    def _write(self, row: int, task: Task) -> None:
        share = "–" if task.share_percent is None else f"{task.share_percent}{THIN_SPACE}%"
        stack = "–" if task.stack_bytes is None else f"{task.stack_bytes}{THIN_SPACE}bytes"
        is_low = task.level >= Level.WARNING
        for column, text in enumerate((task.name, share, f"▲ {stack}" if is_low else stack)):
            item = self.table.item(row, column)
            if item is None:
                item = QTableWidgetItem()
                if column:
                    item.setTextAlignment(_RIGHT)
                self.table.setItem(row, column, item)
            if item.text() != text:
                item.setText(text)
        self._mark(row, task, is_low)

    def _mark(self, row: int, task: Task, is_low: bool) -> None:
        item = self.table.item(row, 2)
        if item is None or self._theme is None:
            return
        token = LEVEL_TOKENS[task.level] if is_low else "text"
        item.setForeground(QBrush(self._theme.color(token)))
        why = "Little of its stack is left; a full one crashes the firmware." if is_low else ""
        item.setToolTip(why)
