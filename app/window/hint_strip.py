"""Hint strip in a panel's title bar: a line that says what can be done in it, until it was read.

In the bar it takes no room from what it explains.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton

from widgets.fitted_text import FittedText
from widgets.parts import make_row


def first_sentence(text: str) -> str:
    """The beginning of a help text; the rest is behind F1."""
    sentence, stop, _ = text.partition(". ")
    return sentence + stop.strip()


class HintStrip(QFrame):
    """The first sentence of a help text, with the button that sends it away for good."""

    def __init__(self, text: str, on_done: Callable[[], None]) -> None:
        super().__init__()
        self.setObjectName("hint")
        row = make_row(margins=(8, 0, 0, 0), spacing=4)
        self.setLayout(row)
        self.setToolTip(text)
        hint = FittedText(first_sentence(text))
        hint.setProperty("textSize", "small")
        hint.setProperty("tone", "muted")
        hint.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        done = QPushButton("Got it")
        done.setProperty("role", "flat")
        done.setFocusPolicy(Qt.FocusPolicy.TabFocus)

        done.clicked.connect(on_done)
        row.addWidget(hint, 1)
        row.addWidget(done)
