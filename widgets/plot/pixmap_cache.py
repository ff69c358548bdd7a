"""Pixmap cache of what a widget paints again and again without change."""

from collections.abc import Callable

from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from widgets.change_detector import ChangeDetector


class PixmapCache:
    """Kept once it is asked for a second time: what moves all the time costs no copy."""

    def __init__(self) -> None:
        self._seen = ChangeDetector()
        self._kept: QPixmap | None = None

    def paint(
        self,
        onto: QPainter,
        widget: QWidget,
        looks: tuple[object, ...],
        paint: Callable[[QPainter], None],
    ) -> None:
        """Paint what covers the whole of `widget`. `looks` is all that it depends on, besides the
        size of the widget; `paint` must set every property of its painter that it uses."""
        ratio = onto.device().devicePixelRatio()
        if self._seen.has_changed(widget.size(), ratio, *looks):
            self._kept = None
            paint(onto)
            return
        if self._kept is None:
            self._kept = QPixmap(widget.size() * ratio)
            self._kept.setDevicePixelRatio(ratio)
            with QPainter(self._kept) as painter:
                paint(painter)
        onto.drawPixmap(0, 0, self._kept)
