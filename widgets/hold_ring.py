"""Progress ring that fills while something is held still, with a few letters in its middle."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from widgets.theme import PaintedWidget, Theme

_WIDTH_PX = 10.0


class HoldRing(PaintedWidget):
    """Shows a share of 0 to 1; whole ones in the colour of what is done."""

    def __init__(self) -> None:
        super().__init__()
        self.share = 0.0
        """How full it is."""
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(112, 112)

    def set_share(self, share: float, text: str) -> None:
        """Fill it so far, and write this inside."""
        share = round(min(max(share, 0.0), 1.0), 2)
        if (share, text) != (self.share, self._text):
            self.share, self._text = share, text
            self.setAccessibleName(f"Held: {round(100 * share)} %")
            self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        side = min(self.width(), self.height()) - _WIDTH_PX - 2.0
        ring = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        painter.setPen(QPen(theme.color("line"), _WIDTH_PX))
        painter.drawEllipse(ring)
        pen = QPen(theme.color("ok" if self.share >= 1.0 else "accent"), _WIDTH_PX)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawArc(ring, 90 * 16, -round(360 * 16 * self.share))
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("display", bold=True))
        painter.drawText(ring, Qt.AlignmentFlag.AlignCenter, self._text)
