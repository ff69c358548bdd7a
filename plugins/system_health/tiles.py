"""Alarm tiles, grouped, in as many columns as there is room for."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from telemetry.base.finding import Level
from telemetry.recording.alarm_texts import GROUPS
from telemetry.recording.alarms import Alarm
from widgets.level_mark import LEVEL_TOKENS, draw_level_mark
from widgets.parts import make_label
from widgets.theme import RADIUS_PX, Theme

TILE_WIDTH_PX, LOW_TILE_WIDTH_PX = 148, 156
TILE_HEIGHT_PX, LOW_TILE_HEIGHT_PX = 44, 28
GAP_PX = 6
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
}


class AlarmTile(QAbstractButton):
    """One alarm: mark, title, severity in a word. Focus and hover show its explanation.

    A low tile leaves the word out where all is well, which its mark says too.
    """

    looked_at = Signal(str)
    left = Signal()
    walked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._alarm: Alarm | None = None
        self.is_low = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCheckable(True)

    @property
    def alarm(self) -> Alarm | None:
        """The alarm shown."""
        return self._alarm

    def show_alarm(self, alarm: Alarm, theme: Theme) -> None:
        """Show `alarm`; repaints only if it or the theme has changed."""
        if alarm == self._alarm and theme is self._theme:
            return
        self._alarm, self._theme = alarm, theme
        self.setAccessibleName(f"{alarm.title}: {severity_word(alarm)}")
        self.setAccessibleDescription(f"{alarm.meaning} {alarm.remedy}")
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Explain while the pointer is here."""
        self._look()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Go back to what was chosen."""
        self.left.emit()
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Explain while the keyboard is here."""
        self._look()
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys walk from tile to tile."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.walked.emit(step)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tile."""
        if self._alarm is None:
            return
        theme, alarm = self._theme, self._alarm
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            body = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            token = LEVEL_TOKENS[alarm.level]
            painter.setBrush(theme.color(f"{token}_soft" if alarm.is_active else "raised"))
            edge = "focus" if self.hasFocus() else token if alarm.is_active else "line"
            edge = "accent" if self.isChecked() and not self.hasFocus() else edge
            is_strong = self.hasFocus() or self.isChecked()
            painter.setPen(QPen(theme.color(edge), 2.0 if is_strong else theme.line_px))
            painter.drawRoundedRect(body, RADIUS_PX, RADIUS_PX)
            side = round((14 if self.is_low else 18) * theme.scale)
            inset = round((7 if self.is_low else 10) * theme.scale)
            mark = QRectF(body.x() + inset, body.center().y() - side / 2, side, side)
            draw_level_mark(painter, mark, alarm.level, theme)
            words = body.adjusted(mark.right() - body.x() + 0.8 * inset, 0, -6, 0)
            if self.is_low:
                self._paint_line(painter, words)
            else:
                self._paint_words(painter, words)

    def _paint_line(self, painter: QPainter, room: QRectF) -> None:
        """Title and word in one line; the word only where something is to be said, and fits."""
        theme, alarm = self._theme, self._alarm
        assert alarm is not None
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("small", bold=True))
        painter.setPen(theme.color("muted" if alarm.level is Level.UNKNOWN else "text"))
        metrics = painter.fontMetrics()
        title = metrics.elidedText(alarm.title, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | middle, title)
        room.setLeft(room.left() + metrics.horizontalAdvance(title) + 8)
        painter.setFont(theme.font("small"))
        word = severity_word(alarm)
        if alarm.is_active and painter.fontMetrics().horizontalAdvance(word) <= room.width():
            painter.setPen(theme.color(LEVEL_TOKENS[alarm.level]))
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, word)

    def _paint_words(self, painter: QPainter, room: QRectF) -> None:
        theme, alarm = self._theme, self._alarm
        assert alarm is not None
        upper = QRectF(room.x(), room.y() + 3, room.width(), room.height() / 2 - 1)
        lower = upper.translated(0, room.height() / 2 - 3)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        is_unused = alarm.level is Level.UNKNOWN
        painter.setFont(theme.font("small", bold=True))
        painter.setPen(theme.color("muted" if is_unused else "text"))
        title = painter.fontMetrics().elidedText(
            alarm.title, Qt.TextElideMode.ElideRight, int(upper.width())
        )
        painter.drawText(upper, flags, title)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color(LEVEL_TOKENS[alarm.level] if alarm.is_active else "muted"))
        painter.drawText(lower, flags, severity_word(alarm))

    def _look(self) -> None:
        if self._alarm is not None:
            self.looked_at.emit(self._alarm.name)


class AlarmTiles(QWidget):
    """All tiles under their group titles, laid out in rows."""

    looked_at = Signal(str)
    left = Signal()
    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._tiles: dict[str, AlarmTile] = {}
        self._titles: dict[str, QLabel] = {}
        self._order: list[AlarmTile] = []
        self._is_low = False

    def set_low(self, is_low: bool) -> None:
        """Show one line per tile and no titles, for a low panel."""
        if is_low != self._is_low:
            self._is_low = is_low
            for tile in self._order:
                tile.is_low = is_low
                tile.update()
            self._arrange()

    def show_alarms(self, alarms: Sequence[Alarm], theme: Theme) -> None:
        """Show these alarms; tiles are made anew only if the aircraft knows other alarms."""
        self._theme = theme
        if tuple(self._tiles) != tuple(alarm.name for alarm in alarms):
            self._rebuild(alarms)
        for alarm in alarms:
            self._tiles[alarm.name].show_alarm(alarm, theme)

    def tile(self, name: str) -> AlarmTile:
        """The tile of the alarm `name`."""
        return self._tiles[name]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many columns as fit."""
        super().resizeEvent(event)
        self._arrange()

    def hasHeightForWidth(self) -> bool:
        """More columns need fewer rows."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all groups in `width` logical pixels."""
        return self._places(width)[1]

    def sizeHint(self) -> QSize:
        """Four columns."""
        width = round((4 * TILE_WIDTH_PX + 5 * GAP_PX) * self._theme.scale)
        return QSize(width, self.heightForWidth(width))

    def _rebuild(self, alarms: Sequence[Alarm]) -> None:
        for old in (*self._tiles.values(), *self._titles.values()):
            old.setParent(None)
            old.deleteLater()
        self._tiles, self._titles = {}, {}
        for alarm in alarms:
            tile = AlarmTile(self._theme, self)
            tile.is_low = self._is_low
            tile.looked_at.connect(self.looked_at)
            tile.left.connect(self.left)
            tile.clicked.connect(lambda _checked=False, name=alarm.name: self._choose(name))
            tile.walked.connect(lambda step, name=alarm.name: self._walk(name, step))
            self._tiles[alarm.name] = tile
        for group in GROUPS:
            title = make_label(group, tone="muted", size="small")
            title.setParent(self)
            self._titles[group] = title
        groups = {alarm.name: alarm.group for alarm in alarms}
        self._order = [
            tile for group in GROUPS for name, tile in self._tiles.items() if groups[name] == group
        ]
        for before, after in zip(self._order, self._order[1:], strict=False):
            QWidget.setTabOrder(before, after)
        for tile, alarm in zip(self._tiles.values(), alarms, strict=True):
            tile.show_alarm(alarm, self._theme)
        self._arrange()

    def _choose(self, name: str) -> None:
        for other, tile in self._tiles.items():
            tile.setChecked(other == name and tile.isChecked())
        self.chosen.emit(name if self._tiles[name].isChecked() else "")

    def _walk(self, name: str, step: int) -> None:
        position = self._order.index(self._tiles[name]) + step
        self._order[position % len(self._order)].setFocus(Qt.FocusReason.TabFocusReason)

    def _arrange(self) -> None:
        places, height = self._places(self.width())
        for title in self._titles.values():
            title.setVisible(False)
        for widget, rect in places:
            widget.setGeometry(rect)
            widget.show()
        self.setMinimumHeight(height)

    def _places(self, width: int) -> tuple[list[tuple[QWidget, QRect]], int]:
        """Where each title and tile stands in `width`, and the height of all."""
        scale = self._theme.scale
        least = round((LOW_TILE_WIDTH_PX if self._is_low else TILE_WIDTH_PX) * scale)
        tall = round((LOW_TILE_HEIGHT_PX if self._is_low else TILE_HEIGHT_PX) * scale)
        columns = max(1, (width + GAP_PX) // (least + GAP_PX))
        wide = (width - (columns - 1) * GAP_PX) // columns
        places: list[tuple[QWidget, QRect]] = []
        y = 0
        for title, tiles in self._sections():
            if title is not None:
                title_height = title.sizeHint().height() + 2
                places.append((title, QRect(2, y, width, title_height)))
                y += title_height
            for index, tile in enumerate(tiles):
                x = index % columns * (wide + GAP_PX)
                top = y + index // columns * (tall + GAP_PX)
                places.append((tile, QRect(x, top, wide, tall)))
            y += -(-len(tiles) // columns) * (tall + GAP_PX) + GAP_PX
        return places, max(0, y - 2 * GAP_PX)

    def _sections(self) -> list[tuple[QLabel | None, list[AlarmTile]]]:
        """The tiles under their titles; all together where it is low."""
        if self._is_low:
            return [(None, self._order)]
        sections: list[tuple[QLabel | None, list[AlarmTile]]] = []
        for group, title in self._titles.items():
            tiles = [t for t in self._order if t.alarm is not None and t.alarm.group == group]
            if tiles:
                sections.append((title, tiles))
        return sections


def severity_word(alarm: Alarm) -> str:
    """The severity as a person says it."""
    return {"Uninitialised": "Not used", "OK": "Fine"}.get(alarm.severity, alarm.severity)
