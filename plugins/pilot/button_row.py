"""Button row: places of a fixed size beside each other, in each of which one button shows."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from telemetry.base.clock import monotonic_s
from widgets.hold_button import HoldButton
from widgets.parts import make_grid
from widgets.theme import Theme

HEIGHT_PX: Final = 40
_PADDING_PX: Final = 5
_SPACING_PX, _NARROW_SPACING_PX = 6, 2
_LATE_S: Final = 0.7
"""A press so soon after a button has taken another's place was meant for the other."""
_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PRESS_KEYS: Final = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)

Place = Mapping[QPushButton, tuple[str, str]]
"""Buttons of which one shows at a time, with what each says where there is width, and where not."""


class ButtonRow(QWidget):
    """What a button says and which one shows changes the size of no place: each has room for the
    longest of its words. `is_wide` is whether there is room for the long ones. A press that comes
    late does nothing: one of the two is held, or the second is deaf for a moment."""

    def __init__(self, places: Sequence[Place]) -> None:
        super().__init__()
        self.is_wide = True
        self._places = tuple(places)
        self._deaf_until_s: dict[QPushButton, float] = {}
        self._grid = make_grid(self, margins=0)
        for column, place in enumerate(self._places):
            for button in place:
                button.setMinimumHeight(HEIGHT_PX)
                button.setProperty("dense", True)
                button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
                button.installEventFilter(self)
                self._grid.addWidget(button, 0, column)
            self.show_only(next(iter(place)))

    def apply_theme(self, theme: Theme) -> None:
        """Take over new sizes of text."""
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_only(self, shown: QPushButton) -> None:
        """Show this button, and none of the others in its place."""
        place = next(place for place in self._places if shown in place)
        before = next((button for button in place if not button.isHidden()), shown)
        if before is not shown and not any(isinstance(b, HoldButton) for b in (before, shown)):
            self._deaf_until_s[shown] = monotonic_s() + _LATE_S
        for button in place:
            button.setVisible(button is shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a press that comes late from the button it was not meant for."""
        is_press = event.type() in _PRESSES or (
            isinstance(event, QKeyEvent) and event.key() in _PRESS_KEYS
        )
        if not is_press or not isinstance(watched, QPushButton):
            return super().eventFilter(watched, event)
        return monotonic_s() < self._deaf_until_s.get(watched, 0.0)

    def _words_px(self, *, is_wide: bool) -> list[int]:
        """The width of the longest words of each place."""
        text_px = self.fontMetrics().horizontalAdvance
        return [
            max(text_px(words[0 if is_wide else 1]) for words in place.values())
            for place in self._places
        ]

    def _fit(self) -> None:
        """Each place has its words' width, and all of them the same of what is left."""
        count = len(self._places)
        padding_px = 2 * _PADDING_PX * count + _SPACING_PX * (count - 1)
        words_px = self._words_px(is_wide=True)
        self.is_wide = sum(words_px) + padding_px <= self.width()
        if not self.is_wide:
            words_px = self._words_px(is_wide=False)
        for place in self._places:
            for button, (long, short) in place.items():
                button.setText(long if self.is_wide else short)
        self._grid.setSpacing(_SPACING_PX if self.is_wide else _NARROW_SPACING_PX)
        share_px = max(2, (self.width() - sum(words_px)) // count)
        for column, width_px in enumerate(words_px):
            self._grid.setColumnStretch(column, width_px + share_px)
