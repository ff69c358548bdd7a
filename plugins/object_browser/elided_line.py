"""One line of bold text that fits wherever it stands."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class ElidedLine(QWidget):
    """One line of text; a long name loses its middle, so that object and element stay."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.setToolTip(text)
            self.update()

    def sizeHint(self) -> QSize:
        """As high as the type."""
        return QSize(0, QFontMetrics(self._bold()).height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what fits."""
        room = self.contentsRect()
        with QPainter(self) as painter:
            painter.setFont(self._bold())
            text = painter.fontMetrics().elidedText(
                self._text, Qt.TextElideMode.ElideMiddle, room.width()
            )
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, flags, text)

    def _bold(self) -> QFont:
        font = self.font()
        font.setBold(True)
        return font
