"""Confirm card: a question with one way to say yes, a held button; closing it otherwise is no."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from widgets.hold_button import HoldButton
from widgets.parts import make_button, make_column, make_label, make_row
from widgets.popup import open_popup
from widgets.theme import Theme, hand_theme

ASKS_FOR_S: Final = 30.0
_LOOK_EVERY_MS: Final = 200


class ConfirmCard(QFrame):
    """Emits `confirmed` at most once, and only when its button was held while nothing refused.

    `why_not` is asked again and again: a refusal stands in the place of the question. Esc, Cancel,
    a click elsewhere, the window's end and 30 s without an answer close it without a word.
    """

    confirmed = Signal()

    def __init__(
        self,
        question: str,
        verb: str,
        why_not: Callable[[], str | None],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("card", "plain")
        self._question = question
        self._why_not = why_not
        self._words = make_label(question, wraps=True)
        self._words.setMinimumWidth(260)
        self.button = HoldButton(f"Hold to {verb}", "caution")
        self.button.held.connect(self._confirm)
        cancel = make_button("Cancel", self.close)
        row = make_row((self.button, 1), cancel)
        self.setLayout(make_column(self._words, row, margins=12, spacing=8))
        hand_theme(self, theme)
        self._look_timer = QTimer(self)
        self._look_timer.timeout.connect(self._look)
        self._look_timer.start(_LOOK_EVERY_MS)
        QTimer.singleShot(round(ASKS_FOR_S * 1000), self, self.close)
        self._look()

    def open_at(self, place: QPoint) -> None:
        """Show it there."""
        open_popup(self, place)
        self.button.setFocus()

    def _look(self) -> None:
        refusal = self._why_not()
        self.button.setEnabled(refusal is None)
        self._words.setText(self._question if refusal is None else f"Not possible: {refusal}")

    def _confirm(self) -> None:
        if self._why_not() is None:
            self.confirmed.emit()
        self.close()
