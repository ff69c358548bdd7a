"""Stage of a workspace: the one panel that fills it, chosen among those that may."""

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.workspaces.card_frame import CardFrame
from app.workspaces.cards import GAP_PX
from app.workspaces.panel_host import PanelHost
from app.workspaces.panel_layout import Rect
from app.workspaces.panel_title import HEIGHT_PX, PanelTitles
from widgets.theme import Theme


class StageArea(QWidget):
    """Shows one of its panels to every edge, and their titles in a corner where there are several.
    It keeps none of them."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hosts: tuple[PanelHost, ...] = ()
        self._free = QRect()
        self._stack = QStackedWidget(self)
        self.titles = PanelTitles()
        self._corner = CardFrame(theme, self)
        self._corner.setObjectName("stageTitles")
        self.titles.setParent(self._corner)
        self.hide()

    @property
    def hosts(self) -> tuple[PanelHost, ...]:
        """Its panels."""
        return self._hosts

    @property
    def front(self) -> PanelHost | None:
        """The panel that shows."""
        host = self._stack.currentWidget()
        return host if isinstance(host, PanelHost) else None

    @property
    def least_size(self) -> tuple[int, int]:
        """The width and height at which each of its panels is of use."""
        least = [host.least_size for host in self._hosts] or [(0, 0)]
        return max(size[0] for size in least), max(size[1] for size in least)

    def seat(self, hosts: Sequence[PanelHost]) -> None:
        """Have these panels, and no others."""
        if self._hosts == tuple(hosts):
            return
        self._hosts = tuple(hosts)
        for host in hosts:
            if self._stack.indexOf(host) < 0:
                self._stack.addWidget(host)
            host.on_title = self._show_titles
        self._show_titles()

    def show_front(self, key: str) -> None:
        """Bring one of its panels to the front."""
        host = next((host for host in self._hosts if host.key == key), None)
        if host is not None:
            self._stack.setCurrentWidget(host)
            host.show_free_area(self._free)
            self._show_titles()

    @property
    def covered_by_titles(self) -> tuple[Rect, ...]:
        """Where its titles stand, if they do."""
        if len(self._hosts) < 2:
            return ()
        corner = self._corner.geometry()
        return ((corner.x(), corner.y(), corner.width(), corner.height()),)

    def show_free_area(self, area: QRect) -> None:
        """Tell the panel in front which part of it no card covers."""
        self._free = area
        if self.front is not None:
            self.front.show_free_area(area)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        self._corner.apply_theme(theme)
        self._show_titles()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the panel all of the room."""
        super().resizeEvent(event)
        self._stack.setGeometry(self.rect())

    def _show_titles(self) -> None:
        titles = [(host.key, host.title) for host in self._hosts]
        self.titles.show_titles(titles, self.front.key if self.front else "")
        self._corner.setVisible(len(titles) > 1)
        self.titles.apply_theme(self._theme)
        self.place_titles()

    def place_titles(self) -> None:
        """Have the titles stand in their corner, as wide as they are."""
        gap = round(GAP_PX * self._theme.scale)
        line, height = self._corner.line_px, round(HEIGHT_PX * self._theme.scale)
        width = self.titles.wanted_width()
        self._corner.setGeometry(gap, gap, width + 2 * line, height + 2 * line)
        self.titles.setGeometry(line, line, width, height)
        self._corner.keep_corners_free(self.titles)
        self._corner.raise_()
