"""Output bars: what each output would be given, in percent and as a pulse in microseconds."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy

from widgets.forms.formats import THIN_SPACE
from widgets.theme import PaintedWidget, Theme

_NAME_PX, _PERCENT_PX, _PULSE_PX = 120.0, 62.0, 76.0


@dataclass(frozen=True, slots=True)
class OutputBar:
    """One output. `value` is -1 to 1, and 0 to 1 unless it `is_two_sided`."""

    output: int
    name: str
    value: float
    is_two_sided: bool
    pulse_us: float | None


class OutputBars(PaintedWidget):
    """A row for each output: number, name, bar, percent, pulse."""

    def __init__(self) -> None:
        super().__init__()
        self.bars: tuple[OutputBar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("What each output would be given")

    def sizeHint(self) -> QSize:
        return QSize(420, round(self._row_px() * max(1, len(self.bars))))

    def minimumSizeHint(self) -> QSize:
        return QSize(320, self.sizeHint().height())

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        super().apply_theme(theme)
        self.updateGeometry()

    def show_bars(self, bars: Sequence[OutputBar]) -> None:
        """Show these outputs from top to bottom."""
        if tuple(bars) == self.bars:
            return
        is_higher = len(bars) != len(self.bars)
        self.bars = tuple(bars)
        if is_higher:
            self.updateGeometry()
        self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setFont(theme.font("body"))
        if not self.bars:
            painter.setPen(theme.color("muted"))
            text = "No output drives a motor or a servo."
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, text)
        for row, bar in enumerate(self.bars):
            self._paint_row(painter, row, bar, theme)

    def _row_px(self) -> float:
        return 1.7 * self._theme.font_px("body") if self._theme else 24.0

    def _paint_row(self, painter: QPainter, row: int, bar: OutputBar, theme: Theme) -> None:
        high, scale = self._row_px(), theme.scale
        top = row * high
        name_px, percent_px = _NAME_PX * scale, _PERCENT_PX * scale
        pulse_px = _PULSE_PX * scale
        painter.setPen(theme.color("text"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        number = 26.0 * scale
        painter.drawText(QRectF(0.0, top, number - 8.0, high), right, str(bar.output))
        painter.drawText(QRectF(number, top, name_px - number, high), left, bar.name)
        wide = self.width() - name_px - percent_px - pulse_px
        field = QRectF(name_px, top + 0.25 * high, max(20.0, wide), 0.5 * high)
        self._paint_bar(painter, field, bar, theme)
        painter.setPen(theme.color("text"))
        percent = f"{100.0 * bar.value:.0f}{THIN_SPACE}%"
        painter.drawText(QRectF(field.right(), top, percent_px, high), right, percent)
        pulse = "" if bar.pulse_us is None else f"{bar.pulse_us:.0f}{THIN_SPACE}µs"
        box = QRectF(field.right() + percent_px, top, pulse_px, high)
        painter.drawText(box, right, pulse)

    def _paint_bar(self, painter: QPainter, field: QRectF, bar: OutputBar, theme: Theme) -> None:
        painter.setPen(theme.color("line"))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(field, 3.0, 3.0)
        zero = field.center().x() if bar.is_two_sided else field.left()
        reach = field.width() * (0.5 if bar.is_two_sided else 1.0)
        end = zero + reach * min(max(bar.value, -1.0), 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        filled = QRectF(min(zero, end), field.top() + 1, abs(end - zero), field.height() - 2)
        painter.drawRoundedRect(filled, 2.0, 2.0)
        if bar.is_two_sided:
            painter.fillRect(
                QRectF(zero - 0.5, field.top(), 1.0, field.height()), theme.color("text")
            )
