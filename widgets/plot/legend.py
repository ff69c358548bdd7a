"""Plot legend: each curve's colour, name, and value at the cursor, above the plot or beside it."""

import re
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from widgets.forms.tips import wrapped
from widgets.plot.fields import LOG_DOT
from widgets.text_layout_cache import TextLayoutCache
from widgets.theme import Theme

_SWATCH_PX = 11
_GAP_PX = 5
_BETWEEN_PX = 8
_ROW_GAP_PX = 3
_NO_LIMIT_PX = 10_000
_NARROWEST_PX = 130
_SHORTEST_LABEL_PX = 54
_SIGN, _MINUS = re.compile(r"-(?=\d)"), "\u2212"
_TIP = "Click a curve's name to hide or show it; right click for more."
_WIDEST_AGE = "  88\u2009min old"
_MORE_DIGITS = "00"
_BETWEEN_FIGURES = "   "


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One curve. `widest` is the longest text its value may take, to keep the layout still.

    `age` says how old a value is that no longer tells what is; empty for one that does. `problem`
    says why there is nothing to show.
    """

    path: str
    label: str
    value: str
    unit: str
    color: QColor
    is_shown: bool = True
    widest: str = "-000.000"
    age: str = ""
    problem: str = ""


class PlotLegend(QWidget):
    """Entries side by side in cells of constant width, or one below the other in a column beside
    the plot. Click shows and hides a curve.

    `entries` are what is shown, `cells` where, in pixels. Rows for which there is no room are
    reached with the wheel: what counts is the plot below.
    """

    toggled = Signal(str)
    menu_wanted = Signal(str, QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text_cache = TextLayoutCache(theme.font("small"))
        self._title = ""
        self.entries: tuple[LegendEntry, ...] = ()
        self.cells: list[QRect] = []
        self._has_title = False
        self._aged: set[str] = set()
        self._most_px = self._most_width_px = _NO_LIMIT_PX
        self._is_column = False
        self._column_px = 0
        self._scrolled = 0
        self._is_one_line = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self._text_cache = TextLayoutCache(theme.font("small"))
        self._column_px = 0
        self._lay_out()

    def show_entries(self, title: str, entries: tuple[LegendEntry, ...]) -> None:
        """Show these curves; `title` is what their names have in common."""
        if title == self._title and entries == self.entries:
            return
        # Room for an age is made when a value first gets old, and kept: nothing jumps later.
        paths = {entry.path for entry in entries}
        aged = self._aged & paths | {entry.path for entry in entries if entry.age}
        shape = [(entry.label, entry.unit, entry.widest) for entry in entries]
        old_shape = [(entry.label, entry.unit, entry.widest) for entry in self.entries]
        is_same_shape = title == self._title and shape == old_shape and aged == self._aged
        if paths != {entry.path for entry in self.entries} or aged != self._aged:
            self._column_px = 0
        self._title, self.entries, self._aged = title, entries, aged
        if not is_same_shape:
            self._lay_out()
        self.update()

    def sizeHint(self) -> QSize:
        """As high as the rows that the entries need, or as many of them as may stand there; as a
        column, as wide as the entries, or as it may be."""
        if self._is_column:
            return QSize(min(self._column_px, self._most_width_px), self._row_px)
        row = self._row_px
        fitting = max(self._most_px, self._line_px) // row * row
        return QSize(100, max(min(self._content_px, fitting), self._line_px))

    def take_one_line(self, is_one_line: bool) -> None:
        """Be one line of text high, without what the names have in common; or as high as a button
        at least."""
        if is_one_line != self._is_one_line:
            self._is_one_line = is_one_line
            self._lay_out()

    def take_column(self, is_column: bool) -> None:
        """Stand beside the plot, as high as that; or above it."""
        self._is_column = is_column
        across, up = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored
        self.setSizePolicy(across if is_column else up, up if is_column else across)
        self._lay_out()

    def limit_height(self, most_px: int) -> None:
        """Take no more than so much, and at least one row."""
        if most_px != self._most_px:
            self._most_px = most_px
            self._lay_out()

    def limit_width(self, most_px: int) -> None:
        """As a column, take no more than so much."""
        if most_px != self._most_width_px:
            self._most_width_px = most_px
            self._lay_out()

    @property
    def hidden(self) -> tuple[LegendEntry, ...]:
        """The entries below those that show."""
        pairs = zip(self.entries, self.cells, strict=False)
        return tuple(entry for entry, cell in pairs if cell.bottom() >= self._shown_px)

    @property
    def _shown_px(self) -> int:
        """The height that entries show in: a column keeps its last row to say how many do not."""
        is_full = self._is_column and self._content_px > self.height()
        return self.height() - (self._row_px if is_full else 0)

    @property
    def _row_px(self) -> int:
        return QFontMetrics(self._theme.font("small")).height() + _ROW_GAP_PX

    @property
    def _line_px(self) -> int:
        """The height of a single row."""
        return self._row_px if self._is_one_line else self._theme.target_px()

    @property
    def _content_px(self) -> int:
        lowest = max((cell.bottom() + 1 for cell in self.cells), default=0)
        return lowest + self._scrolled * self._row_px

    def entry_at(self, position: QPoint) -> LegendEntry | None:
        """The curve under a pixel."""
        for entry, cell in zip(self.entries, self.cells, strict=False):
            if cell.contains(position):
                return entry
        return None

    def event(self, event: QEvent) -> bool:
        """Say why a curve shows nothing, or what can be done with it."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        entry = self.entry_at(event.pos())
        words = _TIP
        if entry is not None:
            words = "\n".join(filter(None, (entry.path, entry.problem, _TIP)))
        QToolTip.showText(event.globalPos(), wrapped(words), self)
        return True

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Find new places for the entries."""
        self._lay_out()

    def _lay_out(self) -> None:
        """Give every entry a cell: in one row, without the title if need be, else in columns."""
        if self._is_column:
            self._lay_out_column()
            return
        self._scrolled = 0
        has_title = bool(self._title) and not self._is_one_line
        title_px = self._width(self._title) + _BETWEEN_PX if has_title else 0
        widths = [self._cell_width(entry) for entry in self.entries]
        room = self.width() - _GAP_PX
        self._has_title = bool(title_px) and title_px + sum(widths) <= room
        left = _GAP_PX + (title_px if self._has_title else 0)
        if sum(widths) <= room:
            height = self._line_px
            starts = [left + sum(widths[:index]) for index in range(len(widths))]
            self.cells = [
                QRect(x, 0, width, height) for x, width in zip(starts, widths, strict=True)
            ]
        else:
            width = max(widths)
            least = max((self._least_width(entry) for entry in self.entries), default=0)
            if width > room // 2 >= max(_NARROWEST_PX, least):
                width = room // 2  # two columns, long names cut
            self.cells = _columns(width, len(widths), room, self._row_px)
        self._scroll_to(0)
        if self.sizeHint().height() != self.height():
            self.updateGeometry()
        self.update()

    def _lay_out_column(self) -> None:
        """One below the other; the value below its name where they do not fit beside each other.
        The column stays as wide: the plot does not jump while it is zoomed or measured."""
        if not self._column_px and self.entries:
            widest = max(self._cell_width(entry) for entry in self.entries)
            self._column_px = widest + _GAP_PX + self._width(_MORE_DIGITS)
        width = self.sizeHint().width() - _GAP_PX
        least = max((self._least_width(entry) for entry in self.entries), default=0)
        height = self._row_px * (2 if least > width else 1)
        self._has_title = False
        self.cells = _columns(width, len(self.entries), width, height)
        scrolled, self._scrolled = self._scrolled, 0
        self._scroll_to(scrolled)
        if self.sizeHint().width() != self.width():
            self.updateGeometry()
        self.update()

    def _scroll_to(self, row: int) -> None:
        """Let the rows begin with this one, or with the last that leaves no room empty."""
        room = self._shown_px if self._is_column else self.sizeHint().height()
        rows_out = self._content_px - room
        row = max(0, min(row, -(-rows_out // self._row_px)))
        for cell in self.cells:
            cell.translate(0, (self._scrolled - row) * self._row_px)
        self._scrolled = row
        self.update()

    def _width(self, text: str) -> int:
        return round(self._text_cache.width(text))

    def _cell_width(self, entry: LegendEntry) -> int:
        label = self._width(entry.label)
        value = self._value_width(entry)
        return _SWATCH_PX + label + value + 2 * _GAP_PX + _BETWEEN_PX

    def _least_width(self, entry: LegendEntry) -> int:
        """The width below which a name is not worth reading."""
        label = min(self._width(entry.label), _SHORTEST_LABEL_PX)
        value = self._value_width(entry)
        return _SWATCH_PX + label + value + 2 * _GAP_PX + _BETWEEN_PX

    def _value_width(self, entry: LegendEntry) -> int:
        value = self._width(f"{_with_minus(entry.widest)}{_unit(entry)}")
        if entry.path in self._aged:
            value += self._width(_WIDEST_AGE) + _GAP_PX
        return value

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint title and entries."""
        theme = self._theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("plot_background"))
            painter.setFont(theme.font("small"))
            metrics = QFontMetrics(painter.font())
            if self._has_title and self.cells:
                painter.setPen(theme.color("muted"))
                box = QRect(_GAP_PX, 0, self.width(), self.cells[0].height())
                painter.drawText(box, _LEFT, self._title)
            corner = self.more_rect
            for entry, cell in zip(self.entries, self.cells, strict=False):
                shown = QRect(cell)
                if self._is_column and not 0 <= cell.top() <= cell.bottom() < self._shown_px:
                    continue
                if cell.intersects(corner):
                    shown.setRight(corner.left() - 1)
                self._paint_entry(painter, metrics, entry, shown)
            if not corner.isEmpty():
                painter.setPen(theme.color("muted"))
                painter.drawText(corner, Qt.AlignmentFlag.AlignCenter, self._more)

    @property
    def _more(self) -> str:
        return f"▾ {len(self.hidden)} more"

    @property
    def more_rect(self) -> QRect:
        """Where it says how many more entries there are; empty where all show."""
        width = self._width(self._more) + 2 * _GAP_PX if self.hidden else 0
        return QRect(self.width() - width, self.height() - self._row_px, width, self._row_px)

    def _paint_entry(
        self, painter: QPainter, metrics: QFontMetrics, entry: LegendEntry, cell: QRect
    ) -> None:
        theme = self._theme
        color = entry.color if entry.is_shown else theme.color("disabled")
        left = cell.left() + _SWATCH_PX + _GAP_PX
        right = cell.right() - _BETWEEN_PX + 2
        line, value_line = QRect(cell), QRect(cell)
        if has_value_below := self._is_column and cell.height() > self._row_px:
            line.setHeight(self._row_px)
            value_line.setTop(line.bottom() + 1)
        painter.setPen(QPen(color, 3))
        middle = line.center().y()
        painter.drawLine(cell.left() + 1, middle, cell.left() + _SWATCH_PX - 2, middle)
        painter.setPen(theme.color("muted" if entry.is_shown else "disabled"))
        value_px = 0 if has_value_below else self._value_width(entry) + _GAP_PX
        label = self.shortened(metrics, entry.label, max(right - value_px - left, 24))
        above = (line.height() - metrics.height() + 1) // 2
        self._text_cache.draw_on(painter, left, line.top() + above + metrics.ascent(), label)
        if entry.is_shown:
            painter.setPen(theme.color("muted" if entry.age else "text"))
            left += 0 if has_value_below else self._width(label) + _GAP_PX
            box = QRect(left, value_line.top(), right - left, value_line.height())
            age = f"  {entry.age}" if entry.age else ""
            text = f"{_with_minus(entry.value)}{_unit(entry)}{age}"
            while metrics.horizontalAdvance(text) > box.width():
                # A part of a number is another number: whole figures only.
                text = text.rpartition(_BETWEEN_FIGURES)[0]
            painter.drawText(box, _RIGHT, text)

    def shortened(self, metrics: QFontMetrics, label: str, room: int) -> str:
        """A name in so many pixels; of which log it is, at its end, stays as long as it can."""
        if self._width(label) <= room:
            return label
        name, dot, log = label.partition(LOG_DOT)
        name_room = room - self._width(dot + log)
        middle = Qt.TextElideMode.ElideMiddle
        if not dot or name_room < _SHORTEST_LABEL_PX:
            return metrics.elidedText(label, middle, room)
        return metrics.elidedText(name, middle, name_room) + dot + log

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show or hide the curve under the pointer."""
        entry = self.entry_at(event.position().toPoint())
        if entry is not None and event.button() == Qt.MouseButton.LeftButton:
            self.toggled.emit(entry.path)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Bring other rows into sight, where not all of them are."""
        before = self._scrolled
        self._scroll_to(before + (-1 if event.angleDelta().y() > 0 else 1))
        event.setAccepted(self._scrolled != before)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Have the owner say what can be done with the curve."""
        entry = self.entry_at(event.pos())
        self.menu_wanted.emit(entry.path if entry else "", event.globalPos())
        event.accept()


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _columns(width: int, count: int, room: int, height: int) -> list[QRect]:
    """Cells of equal width, row after row."""
    per_row = max(1, room // max(1, width))
    width = min(width, room)
    return [
        QRect(_GAP_PX + index % per_row * width, index // per_row * height, width, height)
        for index in range(count)
    ]


def _with_minus(number: str) -> str:
    return _SIGN.sub(_MINUS, number)


def _unit(entry: LegendEntry) -> str:
    """The unit after its thin space; degree signs stand at the number."""
    return f"\u2009{entry.unit}" if entry.unit and entry.unit[0] != "°" else entry.unit
