"""Overlays over the window that Esc sends away: the command palette, a prompt, a text."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.window.commands import MenuEntry
from app.window.search_rank import rank
from widgets.parts import make_button, make_heading, make_row
from widgets.popup import BACKS_OUT

_TOP_PX = 48


class Overlay(QFrame):
    """A raised card near the top of its parent; it closes with Esc or when the focus leaves it."""

    def __init__(self, parent: QWidget, width_px: int) -> None:
        super().__init__(parent)
        self.setProperty("card", "plain")
        self.setProperty(BACKS_OUT, True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._width_px = width_px
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(12, 12, 12, 12)
        self._window = parent
        parent.installEventFilter(self)

    def appear(self, focus: QWidget) -> None:
        """Show it with the focus in one of its widgets."""
        self.place()
        self.show()
        self.raise_()
        focus.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the keys back to the window."""
        super().closeEvent(event)
        self._window.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay centred while the window changes its size."""
        if isinstance(event, QResizeEvent):
            self.place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc backs out."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def place(self) -> None:
        """Put it where it belongs, as high as what is in it."""
        room = self._window.size()
        width = min(self._width_px, room.width() - 32)
        wanted = (
            self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()
        )
        height = min(wanted, room.height() - 2 * _TOP_PX)
        self.setGeometry((room.width() - width) // 2, _TOP_PX, width, height)


class Prompt(Overlay):
    """Asks for one line of text; `on_done` gets it, stripped, if it is not empty."""

    def __init__(
        self, parent: QWidget, question: str, text: str, on_done: Callable[[str], object]
    ) -> None:
        super().__init__(parent, 420)
        self._on_done = on_done
        self.column.addWidget(QLabel(question))
        self.entry = QLineEdit(text)
        self.entry.returnPressed.connect(self._finish)
        done = make_button("Save", self._finish, "primary")
        row = make_row((self.entry, 1), done)
        self.column.addLayout(row)
        self.entry.selectAll()
        self.appear(self.entry)

    def _finish(self) -> None:
        text = self.entry.text().strip()
        if text:
            self.close()
            self._on_done(text)


class TextOverlay(Overlay):
    """A text to read, with an optional title."""

    def __init__(
        self, parent: QWidget, title: str, text: str, *, fixed_width: bool = False
    ) -> None:
        super().__init__(parent, 720)
        heading = make_heading(title)
        body = QPlainTextEdit(text)
        body.setReadOnly(True)
        if fixed_width:
            body.setStyleSheet("font-family: monospace;")
        body.setMinimumHeight(min(480, body.fontMetrics().lineSpacing() * (text.count("\n") + 3)))
        close = make_button("Close", self.close)
        self.column.addWidget(heading)
        self.column.addWidget(body, 1)
        self.column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.appear(close)


class CommandPalette(Overlay):
    """Every action by name: type parts of its words in any order, Enter does it."""

    def __init__(self, parent: QWidget, entries: Sequence[MenuEntry], hint: str = "") -> None:
        super().__init__(parent, 560)
        self._entries = sorted(entries, key=lambda entry: (entry.group, entry.title))
        self.entry = QLineEdit()
        self.entry.setPlaceholderText(hint or "Type what you want to do")
        self.entry.setAccessibleName("Search actions")
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setMinimumHeight(340)
        self.column.addWidget(self.entry)
        self.column.addWidget(self.list, 1)
        self.entry.textChanged.connect(self._filter)
        self.entry.returnPressed.connect(self._run)
        self.list.itemClicked.connect(lambda _item: self._run())
        self.entry.installEventFilter(self)
        self._filter("")
        self.appear(self.entry)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrows move in the list while the text keeps the focus."""
        if watched is self.entry and event.type() is QEvent.Type.KeyPress:
            key = event.key() if isinstance(event, QKeyEvent) else 0
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(key), 0)
            if step:
                row = self.list.currentRow() + step
                self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
                return True
        return super().eventFilter(watched, event)

    def _filter(self, text: str) -> None:
        self.list.clear()
        ranked = [(rank(text, e.title, e.group), number) for number, e in enumerate(self._entries)]
        for _, number in sorted((score, number) for score, number in ranked if score is not None):
            entry = self._entries[number]
            label = f"{entry.group}: {entry.title}" if entry.group else entry.title
            item = QListWidgetItem(f"{label}    {entry.shortcut}" if entry.shortcut else label)
            item.setData(Qt.ItemDataRole.UserRole, number)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            entry = self._entries[item.data(Qt.ItemDataRole.UserRole)]
            self.close()
            entry.run()
