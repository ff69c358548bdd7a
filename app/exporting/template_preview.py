"""Template preview: where a video template has its picture, views and instruments."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy

from app.exporting.arrangement import Arrangement, arrange, usual_size
from app.exporting.video_template import VideoTemplate
from widgets.theme import PaintedWidget, Theme

_SCREEN = (1280, 720)
_HEIGHT_PX = 150
_ELIDED = Qt.TextElideMode.ElideRight


class TemplatePreview(PaintedWidget):
    """Draws the places in outline, in the shape of the film that is made, or a screen's."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._template: VideoTemplate | None = None
        self._views: tuple[str, ...] = ()
        self._size = _SCREEN
        self._found: Arrangement | None = None
        self.setAccessibleName("Preview of the template")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high for every template: nothing below it moves."""
        return QSize(_HEIGHT_PX * 16 // 9, _HEIGHT_PX)

    def show_template(
        self,
        template: VideoTemplate,
        views: tuple[str, ...],
        size: tuple[int, int] | None,
        *,
        has_film: bool,
    ) -> None:
        """Draw this one, with these views beside the picture, and a film of a usual shape."""
        self._template, self._views = template, views
        self._size = size or usual_size(template, _SCREEN)
        film = self._size if template.strip_share is None else _SCREEN
        self._found = arrange(template, self._size, film if has_film else None, len(views))
        self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """See PaintedWidget."""
        template, found = self._template, self._found
        if template is None or found is None:
            return
        scale = min(self.width() / self._size[0], self.height() / self._size[1])
        painter.scale(scale, scale)
        painter.setFont(theme.font_of(round(theme.font_px("small") / scale)))
        painter.fillRect(QRect(0, 0, *self._size), theme.color("readout"))
        if found.picture is not None:
            painter.fillRect(found.picture, theme.color("raised"))
        names = (*self._views, *(one.shows for one in template.instruments))
        for name, place in zip(names, (*found.views, *found.instruments), strict=True):
            painter.fillRect(place, theme.color("line"))
            painter.fillRect(place.adjusted(4, 4, -4, -4), theme.color("surface"))
            painter.setPen(theme.color("text"))
            text = painter.fontMetrics().elidedText(name, _ELIDED, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
