"""Error card in the place of a panel that failed: what happened, what it means, what to do."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from widgets.parts import STRETCH, make_button, make_column, make_label, make_row


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
        sentence = make_label(text, wraps=True)
        sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        parts = (sentence, self._buttons(details, try_again), self._trace)
        card.setLayout(make_column(*parts, margins=(16, 12, 16, 12)))
        row = make_row(STRETCH, (card, 8), STRETCH)
        self.setLayout(make_column(STRETCH, row, STRETCH, margins=None))

    def _buttons(self, details: str, try_again: Callable[[], None] | None) -> QHBoxLayout:
        row = QHBoxLayout()
        if try_again is not None:
            again = make_button("Try again", try_again)
            row.addWidget(again)
        if details:
            show = QPushButton("Show details")
            show.setCheckable(True)
            show.toggled.connect(self._trace.setVisible)
            row.addWidget(show)
        row.addStretch(1)
        return row
