"""Fitted text: it wraps, and says by … where it goes on for which there is no room."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from widgets.labels import set_look
from widgets.theme import Size, Theme

_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)
_TALL_PX = 10_000
_LEAST_CHARACTERS = 6
_SPARE_PX = 2


class FittedText(QLabel):
    """Takes the room that it is given. Where words are left out, the tool tip has all of them."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.about = ""
        """What the tool tip says instead of all the words."""
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)

    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(_LEAST_CHARACTERS * metrics.averageCharWidth(), metrics.height())

    def hasHeightForWidth(self) -> bool:
        """No: it asks for no more height where it is narrow."""
        return False

    def keep_lines(self, count: int, theme: Theme, size: Size = "body") -> None:
        """Be so many lines high from now on, whatever the text is: then it moves nothing."""
        set_look(self, "textSize", "" if size == "body" else size)
        margins = self.contentsMargins()
        lines = QFontMetrics(theme.font(size)).size(0, "\n".join("X" * count)).height()
        self.setFixedHeight(lines + _SPARE_PX + margins.top() + margins.bottom())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def shown(self) -> str:
        """As much of the text as there is room for, whole words only."""
        words = self.text().split(" ")
        if self._fits(self.text()):
            return self.text()
        low, high = 0, len(words) - 1  # so many words fit, and with one more they may not
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._fits(_cut(words, middle)) else (low, middle - 1)
        return _cut(words, low)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter,
                self.contentsRect(),
                _FLAGS | int(self.alignment() & Qt.AlignmentFlag.AlignVertical_Mask),
                self.palette(),
                self.isEnabled(),
                self.shown(),
                self.foregroundRole(),
            )

    def _tell(self) -> None:
        self.setToolTip(self.about or ("" if self._fits(self.text()) else self.text()))

    def _fits(self, text: str) -> bool:
        room = self.contentsRect()
        tall = QRect(0, 0, max(1, room.width()), _TALL_PX)
        size = self.fontMetrics().boundingRect(tall, _FLAGS, text)
        return size.height() <= room.height() and size.width() <= room.width()


def _cut(words: list[str], count: int) -> str:
    return " ".join(words[:count]).rstrip(".,:;") + "\u202f…"
