"""Text layout cache: short strings that are drawn again and again, each laid out once."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QStaticText

LEFT, CENTRE, RIGHT = 0.0, 0.5, 1.0
_CACHED_TEXTS = 600


class TextLayoutCache:
    """Draws short strings in one font, keeping each one's layout for the next frame."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        metrics = QFontMetricsF(font)
        self.height = metrics.ascent() + metrics.descent()
        self.cap_height = metrics.capHeight()
        self._ascent = metrics.ascent()
        self._cap_middle = metrics.ascent() - metrics.capHeight() / 2.0
        self._metrics = metrics
        self._texts: dict[str, tuple[QStaticText, float]] = {}

    def width(self, text: str) -> float:
        """The width of `text` in logical pixels."""
        return self._laid_out(text)[1]

    def fits(self, text: str, width: float) -> str:
        """`text`, cut short with an ellipsis where it is wider than `width`."""
        if self.width(text) <= width:
            return text
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def draw(
        self, painter: QPainter, x: float, y: float, text: str, anchor: float = CENTRE
    ) -> None:
        """Write `text` with the middle of its capitals at height `y`.

        `anchor` says which part of it stands at `x`. Digits are all equally wide, so that a
        changing number does not tremble. The painter must have this font and a pen set.
        """
        laid_out, width = self._laid_out(text)
        painter.drawStaticText(QPointF(x - width * anchor, y - self._cap_middle), laid_out)

    def draw_on(
        self, painter: QPainter, x: float, baseline: float, text: str, anchor: float = LEFT
    ) -> None:
        """The same with the letters standing on `baseline`."""
        laid_out, width = self._laid_out(text)
        painter.drawStaticText(QPointF(x - width * anchor, baseline - self._ascent), laid_out)

    def _laid_out(self, text: str) -> tuple[QStaticText, float]:
        found = self._texts.get(text)
        if found is None:
            if len(self._texts) >= _CACHED_TEXTS:
                self._texts.clear()
            laid_out = QStaticText(text)
            laid_out.setTextFormat(Qt.TextFormat.PlainText)
            laid_out.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            laid_out.prepare(font=self.font)
            found = (laid_out, self._metrics.horizontalAdvance(text))
            self._texts[text] = found
        return found
