"""Panel group: panels one behind the other below their titles, beside others or as a card."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QEnterEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.shortcuts import take_over
from app.workspaces.card_frame import CardFrame
from app.workspaces.cards import CardMeasure
from app.workspaces.panel_host import PanelHost
from app.workspaces.panel_layout import Rect
from app.workspaces.panel_title import HEIGHT_PX, PanelTitles
from widgets.theme import Theme

_GRIP_PX = 12


class PanelGroup(CardFrame):
    """Shows one of its panels. It keeps none of them: who made them gives them another place."""

    has_line = False

    def __init__(self, hosts: Sequence[PanelHost], theme: Theme) -> None:
        super().__init__(theme)
        self._is_upright = False
        self.is_folded = False
        self.hosts = tuple(hosts)
        self.titles = PanelTitles()
        self.titles.setParent(self)
        self._stack = QStackedWidget(self)
        for host in hosts:
            self._stack.addWidget(host)
            host.on_title = self._show_titles
        self.apply_theme(theme)
        self._show_titles()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its panels."""
        return tuple(host.key for host in self.hosts)

    @property
    def front(self) -> PanelHost:
        """The panel that shows."""
        host = self._stack.currentWidget()
        return host if isinstance(host, PanelHost) else self.hosts[0]

    @property
    def edge_px(self) -> int:
        """The width of what is around it."""
        return self.line_px if self.has_line else 0

    @property
    def least_size(self) -> tuple[int, int]:
        """The width and height, its titles included, at which each of its panels is of use."""
        least = [host.least_size for host in self.hosts]
        edge = 2 * self.edge_px
        width = max(size[0] for size in least) + edge
        return width, max(size[1] for size in least) + self.title_px + edge

    @property
    def title_px(self) -> int:
        """The height of its titles."""
        return round(HEIGHT_PX * self._theme.scale)

    def show_front(self, key: str) -> None:
        """Bring one of its panels to the front."""
        host = next((host for host in self.hosts if host.key == key), None)
        if host is not None:
            self._stack.setCurrentWidget(host)
            self._show_titles()

    def show_titles(self, *, are_shown: bool) -> None:
        """Show the titles, or leave it to what is above to say what this is."""
        if self.titles.isHidden() is are_shown:
            self.titles.setVisible(are_shown)
            self._place()

    def fold(self, *, is_folded: bool, is_upright: bool = False) -> None:
        """Show the titles only, along the side where they are upright; or all of it."""
        self.is_folded = is_folded
        self._is_upright = is_folded and is_upright
        self.titles.show_folded(is_folded=is_folded, is_upright=self._is_upright)
        self._stack.setVisible(not is_folded)
        self._place()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        super().apply_theme(theme)
        self.titles.apply_theme(theme)
        self.setMinimumSize(self.title_px, self.title_px)
        self._place()

    def sizeHint(self) -> QSize:
        """What it needs at least."""
        return QSize(*self.least_size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give titles and panel their places."""
        super().resizeEvent(event)
        self._place()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer is here: its buttons show."""
        super().enterEvent(event)
        self.titles.show_buttons(are_shown=True)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer has gone."""
        super().leaveEvent(event)
        self.titles.show_buttons(are_shown=False)

    def _show_titles(self) -> None:
        titles = [(host.key, host.title) for host in self.hosts]
        self.titles.show_titles(titles, self.front.key)
        self.setWindowTitle(self.front.title)

    def _place(self) -> None:
        line = self.edge_px
        inside = self.rect().adjusted(line, line, -line, -line)
        if self._is_upright:
            self.titles.setGeometry(inside)
            return
        title_px = 0 if self.titles.isHidden() else self.title_px
        self.titles.setGeometry(inside.x(), inside.y(), inside.width(), title_px)
        self._stack.setGeometry(inside.adjusted(0, title_px, 0, 0))
        for part in (self.titles, self._stack):
            self.keep_corners_free(part)


class PanelWindow(PanelGroup):
    """A group in a window of its own, which shows and hides with its page."""

    closed = Signal()
    """The user has closed the window; its panel is to stand elsewhere."""

    def __init__(self, hosts: Sequence[PanelHost], theme: Theme, page: QWidget, rect: Rect) -> None:
        super().__init__(hosts, theme)
        self.setParent(page, Qt.WindowType.Window)
        self.setGeometry(*rect)

    def rect_on_screen(self) -> Rect:
        """Where it stands."""
        box = self.geometry()
        return box.x(), box.y(), box.width(), box.height()

    def event(self, event: QEvent) -> bool:
        """Here, too, the focused control keeps the keys that it uses."""
        return take_over(event) or super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Have the panel put back."""
        super().closeEvent(event)
        self.closed.emit()


class CardGroup(PanelGroup):
    """A group that stands on the stage, with a line around it and a corner to resize it by."""

    has_line = True

    resized = Signal(QSize)
    """The user has drawn it to another size."""

    def __init__(self, hosts: Sequence[PanelHost], theme: Theme) -> None:
        super().__init__(hosts, theme)
        self._grip = _Grip(self)
        self.anchor = "top-left"

    @property
    def measure(self) -> CardMeasure:
        """What it needs of the stage."""
        edge = 2 * self.edge_px
        titles = (self.titles.wanted_width() + edge, self.title_px + edge)
        return CardMeasure(self.least_size, titles)

    def place(self, rect: QRect, anchor: str) -> None:
        """Stand there; it is resized at the corner that is farthest from its anchor."""
        self.anchor = anchor
        self.setGeometry(rect)
        self._place_grip()

    def fold(self, *, is_folded: bool, is_upright: bool = False) -> None:
        """Show the titles only, or all of it."""
        super().fold(is_folded=is_folded, is_upright=is_upright)
        self._grip.setVisible(not is_folded)
        self._place_grip()

    def _place_grip(self) -> None:
        side = round(_GRIP_PX * self._theme.scale)
        x = 0 if "right" in self.anchor else self.width() - side
        y = 0 if "bottom" in self.anchor else self.height() - side
        self._grip.setGeometry(x, y, side, side)
        self._grip.raise_()
        is_falling = ("right" in self.anchor) == ("bottom" in self.anchor)
        shape = Qt.CursorShape.SizeFDiagCursor if is_falling else Qt.CursorShape.SizeBDiagCursor
        self._grip.setCursor(shape)


class _Grip(QWidget):
    """The corner that a card is resized by; it is drawn while the pointer is on it."""

    def __init__(self, card: CardGroup) -> None:
        super().__init__(card)
        self._card = card
        self._start: tuple[QRect, int, int] | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.globalPosition().toPoint()
        self._start = (self._card.geometry(), place.x(), place.y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._start is None:
            return
        rect, x, y = self._start
        place = event.globalPosition().toPoint()
        dx = (place.x() - x) * (-1 if "right" in self._card.anchor else 1)
        dy = (place.y() - y) * (-1 if "bottom" in self._card.anchor else 1)
        least = self._card.least_size
        size = QSize(max(least[0], rect.width() + dx), max(least[1], rect.height() + dy))
        self._card.resized.emit(size)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._start = None

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.underMouse():
            return
        with QPainter(self) as painter:
            painter.setPen(QPen(self.palette().color(self.palette().ColorRole.Mid), 2.0))
            side = self.width()
            for off in (3, 7):
                if self.cursor().shape() is Qt.CursorShape.SizeFDiagCursor:
                    painter.drawLine(off, side, side, off)
                else:
                    painter.drawLine(0, off, side - off, side)
