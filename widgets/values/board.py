"""Value board: tiles in a grid, painted, chosen, moved by drag or with Ctrl and the arrows."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from telemetry.base.finding import Level
from widgets.level_mark import LEVEL_TOKENS, draw_level_mark
from widgets.theme import RADIUS_PX, Theme
from widgets.values.tile import NO_READING, TileReading, TileSpec

_NARROWEST_PX, _LOWEST_PX, _HIGHEST_PX = 150, 84, 150
_GAP_PX = 4
_DRAG_STARTS_PX = 6
_SOFT = {Level.WARNING: "caution_soft", Level.ERROR: "danger_soft"}
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}


@dataclass(frozen=True, slots=True)
class BoardTile:
    """A tile as it is painted."""

    spec: TileSpec
    label: str
    reading: TileReading = NO_READING


class ValueBoard(QWidget):
    """Shows tiles. `moved` asks to put one in the place of another; `edited` to set one; both tell
    numbers of tiles."""

    moved = Signal(int, int)
    edited = Signal(int, QPoint)
    removed = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.tiles: tuple[BoardTile, ...] = ()
        self.boxes: list[QRect] = []
        self._chosen = 0
        self._pressed: QPoint | None = None
        self._dragged = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Values")

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self._lay_out()

    def show_tiles(self, tiles: tuple[BoardTile, ...]) -> None:
        """Paint these."""
        if tiles == self.tiles:
            return
        is_same_shape = [tile.spec.is_wide for tile in tiles] == [
            tile.spec.is_wide for tile in self.tiles
        ]
        self.tiles = tiles
        if not is_same_shape:
            self._lay_out()
        self.update()

    def resizeEvent(self, _event: object) -> None:
        """Find new places."""
        self._lay_out()

    def sizeHint(self) -> QSize:
        """Room for all rows."""
        return QSize(320, max(1, self._rows) * round(_LOWEST_PX * self._theme.scale))

    def minimumSizeHint(self) -> QSize:
        """As wide as one tile, as high as all rows at their lowest."""
        return QSize(round(_NARROWEST_PX * self._theme.scale), self.sizeHint().height())

    def _lay_out(self) -> None:
        """Give each tile a box, row after row; rows share the height."""
        scale = self._theme.scale
        columns = max(1, self.width() // round(_NARROWEST_PX * scale))
        places, row, column = [], 0, 0
        for tile in self.tiles:
            span = min(2 if tile.spec.is_wide else 1, columns)
            if column + span > columns:
                row, column = row + 1, 0
            places.append((row, column, span))
            column += span
        self._rows = row + 1
        height = min(max(self.height() // self._rows, _LOWEST_PX * scale), _HIGHEST_PX * scale)
        width = (self.width() - _GAP_PX) / columns
        self.boxes = [
            QRectF(column * width, row * height, span * width, height)
            .adjusted(_GAP_PX, _GAP_PX, 0, 0)
            .toRect()
            for row, column, span in places
        ]
        self.updateGeometry()
        self.update()

    _rows = 1

    def tile_at(self, position: QPoint) -> int:
        """The number of the tile under a pixel; -1 for none."""
        return next((i for i, box in enumerate(self.boxes) if box.contains(position)), -1)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint all tiles."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("window"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number, (tile, box) in enumerate(zip(self.tiles, self.boxes, strict=False)):
                self._paint_tile(painter, tile, QRectF(box), number)

    def _paint_tile(self, painter: QPainter, tile: BoardTile, box: QRectF, number: int) -> None:
        theme, reading = self._theme, tile.reading
        is_marked = self.hasFocus() and number == self._chosen
        painter.setPen(QPen(theme.color("focus" if is_marked else "line"), 2 if is_marked else 1))
        painter.setBrush(theme.color(_SOFT.get(reading.level, "raised")))
        painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
        inner = box.adjusted(8, 5, -8, -5)
        painter.setFont(theme.font("small"))
        metrics = QFontMetricsF(painter.font())
        row = metrics.height()
        painter.setPen(theme.color("muted"))
        label = metrics.elidedText(tile.label, Qt.TextElideMode.ElideMiddle, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, label)
        foot = QRectF(inner.left(), inner.bottom() - row, inner.width(), row)
        self._paint_word(painter, reading, foot)
        middle = inner.adjusted(0, row, 0, -row)
        if reading.share is not None:
            bar = QRectF(middle.left(), middle.bottom() - 9, middle.width(), 8)
            self._paint_bar(painter, tile, bar)
            middle.adjust(0, 0, 0, -11)
        self._paint_value(painter, reading, middle)

    def _paint_word(self, painter: QPainter, reading: TileReading, foot: QRectF) -> None:
        """Say what the value means: never by colour alone."""
        if not reading.word:
            return
        side = foot.height() * 0.8
        if reading.level >= Level.WARNING:
            mark = QRectF(foot.left(), foot.center().y() - side / 2, side, side)
            draw_level_mark(painter, mark, reading.level, self._theme)
            foot = foot.adjusted(side + 5, 0, 0, 0)
        bad = reading.level >= Level.WARNING
        painter.setPen(self._theme.color("text" if bad else "muted"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        words = QFontMetricsF(painter.font()).elidedText(
            reading.word, Qt.TextElideMode.ElideRight, foot.width()
        )
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_value(self, painter: QPainter, reading: TileReading, box: QRectF) -> None:
        """Paint the digits as large as there is room, at their right end always in one place."""
        theme = self._theme
        small = QFontMetricsF(theme.font("body"))
        unit_px = small.horizontalAdvance(f"\u2009{reading.unit}") if reading.unit else 0.0
        size = max(theme.font_px("body"), round(box.height() * 0.85))
        font = theme.font_of(size, bold=True)
        text_px = QFontMetricsF(font).horizontalAdvance(reading.text)
        room = max(1.0, box.width() - unit_px)
        if text_px > room:
            font = theme.font_of(
                max(theme.font_px("small"), round(size * room / text_px)), bold=True
            )
        painter.setFont(font)
        painter.setPen(theme.color("muted" if reading.level is Level.UNKNOWN else "text"))
        right = box.adjusted(0, 0, -unit_px, 0)
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(right, end, reading.text)
        if reading.unit:
            baseline = box.center().y() + QFontMetricsF(font).ascent() / 2 - 2
            painter.setFont(theme.font("body"))
            painter.setPen(theme.color("muted"))
            left = box.right() - small.horizontalAdvance(reading.unit)
            painter.drawText(QPointF(left, baseline), reading.unit)

    def _paint_bar(self, painter: QPainter, tile: BoardTile, bar: QRectF) -> None:
        theme, spec, share = self._theme, tile.spec, tile.reading.share or 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillRect(bar, theme.color("line"))
        bad = tile.reading.level >= Level.WARNING
        token = LEVEL_TOKENS[tile.reading.level] if bad else "accent"
        painter.fillRect(
            QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), theme.color(token)
        )
        painter.setPen(QPen(theme.color("text"), 1))
        for limit in spec.limits.all:
            if limit is not None and spec.low < limit < spec.high:
                x = bar.left() + (limit - spec.low) / (spec.high - spec.low) * bar.width()
                painter.drawLine(QPointF(x, bar.top() - 2), QPointF(x, bar.bottom() + 2))

    # Hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a tile, and take hold of it."""
        number = self.tile_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and number >= 0:
            self._pressed, self._chosen = event.position().toPoint(), number
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry a tile."""
        position = event.position().toPoint()
        if self._pressed is None:
            return
        if (position - self._pressed).manhattanLength() >= _DRAG_STARTS_PX:
            self._dragged = self._chosen
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Put a tile where it was carried to."""
        target = self.tile_at(event.position().toPoint())
        if self._dragged >= 0 and target not in (-1, self._dragged):
            self._move(self._dragged, target)
        self._pressed, self._dragged = None, -1
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Set a tile."""
        number = self.tile_at(event.position().toPoint())
        if number >= 0:
            self.edited.emit(number, event.globalPosition().toPoint())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Have the owner say what can be done."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        number = self._chosen if by_key else self.tile_at(event.pos())
        self.menu_wanted.emit(number, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows choose, with Ctrl they move; Enter sets, Delete removes."""
        step = _STEPS.get(Qt.Key(event.key()), 0)
        target = self._chosen + step
        if step and 0 <= target < len(self.tiles):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._move(self._chosen, target)
            self._chosen = target
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.tiles:
            box = self.boxes[self._chosen]
            self.edited.emit(self._chosen, self.mapToGlobal(box.bottomLeft()))
        elif event.key() == Qt.Key.Key_Delete and self.tiles:
            self.removed.emit(self._chosen)
            self._chosen = max(0, self._chosen - 1)
        else:
            super().keyPressEvent(event)

    def _move(self, number: int, target: int) -> None:
        self._chosen = target
        self.moved.emit(number, target)
