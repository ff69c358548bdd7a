"""What stands in place of a panel that failed: what happened, what it means, what to do."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from widgets.parts import make_label


class ErrorCard(QWidget):
    """A sentence, the traceback on demand, and a button that tries again."""

    def __init__(self, text: str, details: str, try_again: Callable[[], None] | None) -> None:
        super().__init__()
        card = QFrame()
        card.setProperty("card", "caution")
        card.setMaximumWidth(640)
        self._trace = QPlainTextEdit(details)
        self._trace.setReadOnly(True)
        self._trace.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._trace.hide()
        column = QVBoxLayout(card)
        column.setContentsMargins(16, 12, 16, 12)
        sentence = make_label(text, wraps=True)
        sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(sentence)
        column.addLayout(self._buttons(details, try_again))
        column.addWidget(self._trace)
        outer = QVBoxLayout(self)
        outer.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(card, 8)
        row.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(1)

    def _buttons(self, details: str, try_again: Callable[[], None] | None) -> QHBoxLayout:
        row = QHBoxLayout()
        if try_again is not None:
            again = QPushButton("Try again")
            again.clicked.connect(try_again)
            row.addWidget(again)
        if details:
            show = QPushButton("Show details")
            show.setCheckable(True)
            show.toggled.connect(self._trace.setVisible)
            row.addWidget(show)
        row.addStretch(1)
        return row
