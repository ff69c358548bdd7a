"""Level icon: the mark of a level in a list."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from telemetry.base.finding import Level
from widgets.level_mark import draw_level_mark
from widgets.theme import Theme


def level_icon(level: Level, theme: Theme) -> QIcon:
    """The mark in the colours of the theme."""
    pixmap = QPixmap(28, 28)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        draw_level_mark(painter, pixmap.rect().toRectF().adjusted(2, 2, -2, -2), level, theme)
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)  # in its own colour, in a row that is chosen, too
    return icon
