"""What the parts of the flight display draw with: pens, brushes and letters, made once per size."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QStaticText

from widgets.display_units import DisplayUnits
from widgets.instruments.layout import Layout
from widgets.theme import Theme

LEFT, CENTRE, RIGHT = 0.0, 0.5, 1.0
_CACHED_TEXTS = 600


class Letters:
    """Draws short strings in one font, keeping each one's layout for the next frame."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        metrics = QFontMetricsF(font)
        self.height = metrics.ascent() + metrics.descent()
        self.cap_height = metrics.capHeight()
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


class Ink:
    """The theme's colours and the letters for one layout."""

    def __init__(self, theme: Theme, layout: Layout) -> None:
        self.theme = theme
        self.layout = layout
        self.small = Letters(theme.font_of(max(10, layout.px(12))))
        self.body = Letters(theme.font_of(max(10, layout.px(14)), bold=True))
        self.large = Letters(theme.font_of(max(12, layout.px(20)), bold=True))
        self._pens: dict[tuple[str, float], QPen] = {}
        self._brushes: dict[str, QBrush] = {}

    @property
    def units(self) -> DisplayUnits:
        """The units that values are shown in."""
        return self.theme.units

    def px(self, length: float) -> int:
        """A length of the reference window in this one, at least one pixel."""
        return self.layout.px(length)

    def color(self, token: str) -> QColor:
        """The theme's colour of `token`."""
        return self.theme.color(token)

    def brush(self, token: str) -> QBrush:
        """A brush of one of the theme's colours."""
        brush = self._brushes.get(token)
        if brush is None:
            brush = self._brushes[token] = QBrush(self.theme.color(token))
        return brush

    def pen(self, token: str, width: float = 1.0) -> QPen:
        """A flat-ended pen; `width` is for the reference window and grows in bold themes."""
        pen = self._pens.get((token, width))
        if pen is None:
            pixels = max(1.0, width * self.layout.unit) * (1.4 if self.theme.is_bold else 1.0)
            pen = QPen(self.theme.color(token), pixels)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            self._pens[(token, width)] = pen
        return pen

    def write(
        self,
        painter: QPainter,
        letters: Letters,
        token: str,
        texts: Sequence[tuple[float, float, str]],
        anchor: float = CENTRE,
    ) -> None:
        """Write several texts (x, y, text) in one font and colour."""
        painter.setFont(letters.font)
        painter.setPen(self.pen(token))
        for x, y, text in texts:
            letters.draw(painter, x, y, text, anchor)
