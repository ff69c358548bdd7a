"""Axis columns beside a plot: where each value axis stands and what is written there."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from widgets.change_detector import ChangeDetector
from widgets.plot.axes import GridLine, value_levels
from widgets.plot.picture import AxisScale, Sheet
from widgets.text_layout_cache import LEFT, RIGHT, TextLayoutCache

_STEP_PX = 12
_GAP_PX = 5
_MINUS = "\u2212"


@dataclass(frozen=True, slots=True)
class AxisColumn:
    """An axis with its labels. `inner_px` is how far its inner edge stands from the plot."""

    axis: AxisScale
    levels: tuple[GridLine, ...]
    inner_px: int
    width_px: int

    def box(self, area: QRectF) -> QRectF:
        """The pixels it takes beside `area`."""
        if self.axis.is_left:
            return QRectF(
                area.left() - self.inner_px - self.width_px,
                area.top(),
                self.width_px,
                area.height(),
            )
        return QRectF(area.right() + self.inner_px, area.top(), self.width_px, area.height())


class AxisColumns:
    """Lays the axes out. Once grown, a column stays while the same kind of numbers comes and
    goes: nothing jumps."""

    def __init__(self) -> None:
        self.columns: tuple[AxisColumn, ...] = ()
        self._widths: dict[str, int] = {}
        self._asked = ChangeDetector()

    def forget(self) -> None:
        """Choose all widths anew."""
        self._widths = {}
        self._asked.forget()

    def lay_out(
        self, axes: tuple[AxisScale, ...], height: float, metrics: QFontMetrics, least_px: int
    ) -> None:
        """Choose labels and widths for a plot of so many pixels in height."""
        if not self._asked.has_changed(axes, height, least_px):
            return
        columns, taken = [], {True: 0, False: 0}
        for axis in axes:
            levels = with_unit(value_levels(axis.span, max(1.0, height), metrics.height()), axis)
            widest = max((metrics.horizontalAdvance(level.text) for level in levels), default=0)
            width = least_px
            while width < widest + _GAP_PX + 2:
                width += _STEP_PX
            before = self._widths.get(axis.name, 0)
            if before - 2 * _STEP_PX <= width <= before:
                width = before
            self._widths[axis.name] = width
            columns.append(AxisColumn(axis, levels, taken[axis.is_left], width))
            taken[axis.is_left] += width
        self.columns = tuple(columns)

    def margin_px(self, *, left: bool) -> int:
        """What all axes of one side take together."""
        return sum(column.width_px for column in self.columns if column.axis.is_left is left)


def with_unit(levels: tuple[GridLine, ...], axis: AxisScale) -> tuple[GridLine, ...]:
    """The labels with true minus signs, the highest with its unit."""
    levels = tuple(GridLine(level.value, level.text.replace("-", _MINUS)) for level in levels)
    if not levels or not axis.unit:
        return levels
    top = levels[-1]
    thin = "" if axis.unit[0] == "°" else "\u2009"
    return (*levels[:-1], GridLine(top.value, f"{top.text}{thin}{axis.unit}"))


def paint_columns(
    painter: QPainter, sheet: Sheet, columns: tuple[AxisColumn, ...], text_cache: TextLayoutCache
) -> None:
    """Paint the numbers of all axes, in the colour of the curve where one has an axis alone."""
    area, metrics = sheet.area, QFontMetrics(text_cache.font)
    above, ascent = metrics.height() / 2, metrics.ascent()
    for column in columns:
        axis, box = column.axis, column.box(area)
        x, anchor = (box.right() - _GAP_PX, RIGHT) if axis.is_left else (box.left() + _GAP_PX, LEFT)
        painter.setPen(axis.color or sheet.theme.color("muted"))
        for level in column.levels:
            share = (level.value - axis.span.start) / axis.span.length
            top = max(0.0, round(area.bottom() - share * area.height()) - above)
            text_cache.draw_on(painter, x, top + ascent, level.text, anchor)


def axis_color(colors: list[QColor], axes: int) -> QColor | None:
    """The colour of an axis with curves of these colours: where there are several axes, that of a
    curve that has it alone."""
    return colors[0] if axes > 1 and len(colors) == 1 else None
