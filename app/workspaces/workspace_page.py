"""Workspace page: one workspace on screen, its panels beside each other, on the stage and as cards.

What the user wants is one `Workspace` value, which only what the user does changes. What shows
follows from it and from the room there is, anew at every size.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QRubberBand, QWidget

from app.workspaces import arranging, panel_layout
from app.workspaces.arranging import Beside, InOwnWindow, OnStage, Target
from app.workspaces.panel_drag import target_at
from app.workspaces.panel_group import CardGroup, PanelGroup
from app.workspaces.panel_host import PanelHost, PanelServices
from app.workspaces.panel_layout import Rect, Side
from app.workspaces.panel_menu import panel_menu
from app.workspaces.panel_seats import Hands, PanelSeats
from app.workspaces.panel_sizes import Border
from app.workspaces.panel_title import PanelTitles
from app.workspaces.workspace import PanelPlace, Workspace, unused
from widgets.parts import make_button, make_column, make_heading
from widgets.theme import Theme

_MOST_REMEMBERED = 20
_CARD_SIZE = (360, 260)


class WorkspacePage(QWidget):
    """The panels of one workspace. They are built when they are first seen."""

    def __init__(
        self,
        workspace: Workspace,
        services: PanelServices,
        choose_panel: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._services = services
        self._shared: dict[str, Any] = {}
        self._wanted = workspace
        self._is_touched = False
        self._is_disposed = False
        self._handled: set[PanelHost] = set()
        self.before: list[Workspace] = []
        """How the panels stood before each change by the user, the newest last."""
        self._asked: list[str] = []
        self.hosts: list[PanelHost] = []
        self._empty = _EmptyState(choose_panel, self)
        hands = Hands(
            self._connect_group, self._resize_card, self._put_back, self.remember, self._move_border
        )
        self._seats = PanelSeats(self, lambda: services.theme, hands)
        self._connect(self._seats.stage.titles)
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, self)
        self.hosts += [self._made_host(place) for place in workspace.panels]
        self._seat()

    # What there is

    @property
    def title(self) -> str:
        """The workspace's name."""
        return self._wanted.title

    @property
    def workspace_id(self) -> str:
        """The workspace's id."""
        return self._wanted.id

    @property
    def is_shipped(self) -> bool:
        """Whether the workspace came with Lapwing."""
        return self._wanted.is_shipped

    @property
    def wanted(self) -> Workspace:
        """How the user wants the panels to stand."""
        return self._wanted

    def host(self, key: str) -> PanelHost | None:
        """The panel of that key."""
        return next((host for host in self.hosts if host.key == key), None)

    # What the user does

    def rename(self, title: str) -> None:
        """Give the workspace another name."""
        self._wanted = replace(self._wanted, title=title)
        self._is_touched = True

    def add_panel(
        self, panel_id: str, settings: dict[str, Any] | None = None, title: str = ""
    ) -> PanelHost:
        """Open one more panel: on the stage, or in half of the largest area."""
        key = unused(panel_id.rpartition(".")[2], [host.key for host in self.hosts])
        place = PanelPlace(key, panel_id, title, settings or {})
        target: Target = OnStage("right", _CARD_SIZE) if self.has_stage else self._half()
        self.remember()
        self.hosts.append(self._made_host(place))
        self._take(arranging.with_panel(self.wanted, place, target))
        return self.hosts[-1]

    def close_panel(self, host: PanelHost) -> None:
        """Close a panel; `before` knows how it stood."""
        if host not in self.hosts:
            return
        self.remember()
        self.hosts.remove(host)
        self._handled.discard(host)
        self._take(arranging.without_panel(self._wanted, host.key))
        host.dispose()

    def move_panel(self, host: PanelHost, target: Target) -> None:
        """Have a panel stand elsewhere."""
        self._edit(arranging.moved(self._wanted, host.key, target))

    def float_panel(self, host: PanelHost) -> None:
        """Have a panel stand in a window of its own, where it is."""
        corner = host.mapToGlobal(QPoint(0, 0))
        size = host.size().expandedTo(QSize(*host.least_size))
        self.move_panel(host, InOwnWindow((corner.x(), corner.y(), size.width(), size.height())))

    def fold_panel(self, host: PanelHost, *, is_folded: bool) -> None:
        """Fold the tabs of a panel to their titles, or open them."""
        self._asked = [key for key in self._asked if key != host.key]
        if not is_folded:
            self._asked.append(host.key)
        self._edit(arranging.folded(self._wanted, host.key, is_folded=is_folded))

    def choose_panel(self, key: str) -> None:
        """Bring a panel before the others of its tabs, and open them if they are folded."""
        host = self.host(key)
        if host is None:
            return
        if self.is_folded(host):
            self.fold_panel(host, is_folded=False)
        tabs = arranging.group_of(self._wanted, key)
        if tabs is not None and tabs.current != key:
            self._edit(arranging.chosen(self._wanted, key))

    def bring_forward(self, panel: str) -> None:
        """Bring a panel of that kind before the others of its tabs, unless one stands there. It is
        not the user who does it: nothing is to be kept or taken back."""
        hosts = [host for host in self.hosts if host.place().panel == panel]
        groups = {host.key: arranging.group_of(self._wanted, host.key) for host in hosts}
        hidden = [key for key, tabs in groups.items() if tabs is not None and tabs.current != key]
        if hosts and len(hidden) == len(hosts):
            self._wanted = arranging.chosen(self._wanted, hidden[0])
            self._seat()
            self._services.tick.wake()

    def rename_panel(self, host: PanelHost) -> None:
        """Let the user type a new name where the title stands."""
        self.choose_panel(host.key)
        titles = self._titles_of(host)
        if titles is not None:
            titles.edit(host.rename)

    def duplicate_panel(self, host: PanelHost) -> None:
        """Open another one that shows the same."""
        place = host.place()
        self.add_panel(place.panel, dict(place.settings), place.title)

    def remember(self) -> None:
        """The user is about to change how the panels stand."""
        if not self._is_disposed:
            self.before = [*self.before, self.describe()][-_MOST_REMEMBERED:]

    def take_back(self) -> Workspace | None:
        """How the panels stood before the last change, with what they show now; None if nothing
        was changed. Changes after which all stands as before do not count.
        """
        now = self.describe()
        while self.before:
            earlier = self.before.pop()
            if _arrangement_of(earlier) != _arrangement_of(now):
                present = {place.key: place for place in now.panels}
                panels = tuple(present.get(place.key, place) for place in earlier.panels)
                return replace(earlier, panels=panels, title=now.title)
        return None

    def describe(self) -> Workspace:
        """The workspace as the user wants it, with what its panels show now, to be kept."""
        floating = self._seats.window_rects()
        panels = tuple(host.place() for host in self.hosts)
        self._wanted = replace(self._wanted, panels=panels, floating=floating)
        return self._wanted

    def take_focus(self, widget: QWidget) -> None:
        """The user has gone to a widget: from now on its panel's configuration is theirs."""
        self._handled.update(host for host in self.hosts if host.isAncestorOf(widget))

    def has_changed(self) -> bool:
        """Whether the user has rearranged, renamed or configured anything.

        What a panel changes by itself, such as where a map looks, does not count.
        """
        return self._is_touched or any(host.has_changed() for host in self._handled)

    def dispose(self) -> None:
        """Close all panels."""
        self._is_disposed = True
        self._seats.show_windows(are_shown=False)
        for host in self.hosts:
            host.dispose()
        self.deleteLater()

    # What the menu of a panel asks

    def open_menu(self, key: str, place: QPoint) -> None:
        """Open the menu of a panel at a place on the screen."""
        host = self.host(key)
        if host is not None:
            panel_menu(self, host, self._services.fleet, self).popup(place)

    @property
    def has_stage(self) -> bool:
        """Whether a panel fills the workspace."""
        return self._wanted.stage is not None

    def stands(self, host: PanelHost) -> str:
        """Where a panel stands: "stage", "card", "pinned" or "window"."""
        if host in self._seats.stage.hosts:
            return "stage"
        if host.key in self._wanted.floating:
            return "window"
        return "card" if arranging.card_of(self._wanted, host.key) else "pinned"

    def is_folded(self, host: PanelHost) -> bool:
        """Whether only the title of a panel's tabs shows."""
        group = self.group_of(host)
        return group is not None and group.is_folded

    def card_size(self, host: PanelHost) -> tuple[int, int]:
        """The size of a panel as a card, as workspaces state it."""
        scale = self._services.theme.scale
        least = QSize(*host.least_size)
        size = QSize(*_CARD_SIZE).expandedTo(least) if self.is_folded(host) else host.size()
        size = size.boundedTo(self.size() / 2).expandedTo(least)
        return round(size.width() / scale), round(size.height() / scale)

    def group_of(self, host: PanelHost) -> PanelGroup | None:
        """The group that a panel stands in; None on the stage."""
        return self._seats.group_of(host)

    # Events

    def showEvent(self, event: QShowEvent) -> None:
        """Bring back the panels in windows of their own."""
        super().showEvent(event)
        self._seats.show_windows(are_shown=True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Hide the panels in windows of their own together with the page."""
        super().hideEvent(event)
        self._seats.show_windows(are_shown=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what is wanted in the room there is."""
        super().resizeEvent(event)
        self._arrange()

    def apply_theme(self, theme: Theme) -> None:
        """Take over sizes: those of titles first, which places follow from."""
        self._seats.apply_theme(theme)
        self._arrange()

    # Inside

    def _edit(self, wanted: Workspace) -> None:
        if wanted is not self._wanted:
            self.remember()
            self._take(wanted)

    def _take(self, wanted: Workspace) -> None:
        self._wanted = wanted
        self._is_touched = True
        self._seat()
        self._services.tick.wake()

    def _half(self) -> Target:
        """Half of the largest area, for one more panel."""
        largest = self._seats.largest()
        if largest is None:
            return Beside("", "right")
        side: Side = "right" if largest.width() >= largest.height() else "bottom"
        return Beside(largest.keys[0], side)

    def _made_host(self, place: PanelPlace) -> PanelHost:
        host = PanelHost(place, self._services, self._shared)
        host.setParent(self)
        host.hide()
        return host

    def _titles_of(self, host: PanelHost) -> PanelTitles | None:
        group = self.group_of(host)
        return group.titles if group is not None else self._seats.stage.titles

    def _connect(self, titles: PanelTitles) -> None:
        titles.chosen.connect(self.choose_panel)
        titles.menu_wanted.connect(self.open_menu)
        titles.close_wanted.connect(lambda key: self._do(self.close_panel, key))
        titles.dragged.connect(self._show_target)
        titles.dropped.connect(self._drop)

    def _connect_group(self, group: PanelGroup) -> None:
        self._connect(group.titles)
        group.titles.fold_wanted.connect(
            lambda: self.fold_panel(group.front, is_folded=not group.is_folded)
        )

    def _do(self, act: Callable[[PanelHost], None], key: str) -> None:
        host = self.host(key)
        if host is not None:
            act(host)

    def _put_back(self, key: str) -> None:
        host = self.host(key)
        if host is not None and not self._is_disposed:
            self.move_panel(host, Beside("", "right"))

    def _move_border(self, border: Border, by_px: int) -> None:
        layout = self._wanted.layout
        if layout is None:
            return
        sizes = self._seats.ratios_of(layout, self._asked, border, by_px)
        self._is_touched = True
        self._wanted = replace(
            self._wanted, layout=panel_layout.with_sizes(layout, border.path, sizes)
        )
        self._arrange()

    def _resize_card(self, group: CardGroup, size: QSize) -> None:
        card = arranging.card_of(self._wanted, group.keys[0])
        if card is None:
            return
        stated = self._seats.stated_size(card, size)
        self._is_touched = True
        self._wanted = arranging.with_card_size(self._wanted, group.keys[0], stated)
        self._arrange()

    def _show_target(self, key: str, place: QPoint) -> None:
        host = self.host(key)
        if host is None:
            self._band.hide()
            return
        _, rect = self._target(host, place)
        self._band.setGeometry(*rect)
        self._band.show()
        self._band.raise_()

    def _drop(self, key: str, place: QPoint) -> None:
        self._band.hide()
        host = self.host(key)
        if host is None:
            return
        target, _ = self._target(host, place)
        if isinstance(target, InOwnWindow):
            x, y, width, height = target.rect
            corner = self.mapToGlobal(QPoint(x, y))
            target = InOwnWindow((corner.x(), corner.y(), width, height))
        self.move_panel(host, target)

    def _target(self, host: PanelHost, place: QPoint) -> tuple[Target, Rect]:
        here = self.mapFromGlobal(place)
        ground, size = self._seats.ground(), self.card_size(host)
        return target_at(ground, (here.x(), here.y()), size, can_be_stage=host.can_be_stage)

    def _seat(self) -> None:
        """Give every panel the place that it is wanted in."""
        self._seats.seat(self._wanted, self.hosts)
        self._arrange()

    def _arrange(self) -> None:
        """Show what is wanted in the room there is."""
        self._empty.setGeometry(self.rect())
        self._empty.setVisible(not self.hosts)
        self._seats.arrange(self._wanted, self._asked)


class _EmptyState(QWidget):
    """What stands in a workspace without panels."""

    def __init__(self, choose_panel: Callable[[], None], page: QWidget) -> None:
        super().__init__(page)
        words = make_heading("This workspace is empty.")
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        button = make_button("Add a panel", choose_panel, "primary")
        column = make_column(2, words, button, 3, margins=None)
        column.setAlignment(button, Qt.AlignmentFlag.AlignHCenter)
        self.setLayout(column)


def _arrangement_of(workspace: Workspace) -> object:
    """What of a workspace is how its panels stand."""
    keys = {place.key for place in workspace.panels}
    return (workspace.layout, workspace.stage, workspace.cards, workspace.floating, keys)
