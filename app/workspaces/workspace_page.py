"""Workspace page: one workspace on screen, its panels beside each other, on the stage and as cards.

What the user wants is one `Workspace` value, which only what the user does changes. What shows
follows from it and from the room there is, anew at every size.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QRubberBand, QWidget

from app.workspaces import arranging, panel_layout, panel_sizes
from app.workspaces.arranging import Beside, InOwnWindow, OnStage, Target
from app.workspaces.cards import Card, free_area, growth, place_cards
from app.workspaces.page_border import PageBorder
from app.workspaces.panel_drag import DropGround, target_at
from app.workspaces.panel_group import CardGroup, PanelGroup, PanelWindow
from app.workspaces.panel_host import PanelHost, PanelServices
from app.workspaces.panel_layout import STAGE, Layout, Rect, Side, Tabs
from app.workspaces.panel_menu import panel_menu
from app.workspaces.panel_sizes import Areas, Border, Measures
from app.workspaces.panel_title import HEIGHT_PX, PanelTitles
from app.workspaces.stage_area import StageArea
from app.workspaces.workspace import PanelPlace, Workspace, unused
from widgets.parts import make_button, make_column, make_heading
from widgets.theme import Theme

_MOST_REMEMBERED = 20
_FIRST = 1000
"""What the user asked for comes before all that has an order of its own."""
_CARD_SIZE = (360, 260)
_LEAST_PX = 120
"""The least width of a panel where there is no stage: there the user has divided all of the page,
and that stays so in a small window, too."""


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
        self._groups: dict[tuple[str, ...], PanelGroup] = {}
        self._cards: dict[tuple[str, ...], CardGroup] = {}
        self._windows: dict[str, PanelWindow] = {}
        self._borders: dict[tuple[tuple[int, ...], int], PageBorder] = {}
        self._empty = _EmptyState(choose_panel, self)
        self._stage = StageArea(services.theme, self)
        self._connect(self._stage.titles)
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
        floating = {key: window.rect_on_screen() for key, window in self._windows.items()}
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
        for window in self._windows.values():
            window.hide()
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
        if host in self._stage.hosts:
            return "stage"
        if host.key in self._windows:
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
        return next((group for group in self._every_group() if host in group.hosts), None)

    # Events

    def showEvent(self, event: QShowEvent) -> None:
        """Bring back the panels in windows of their own."""
        super().showEvent(event)
        for window in self._windows.values():
            window.show()

    def hideEvent(self, event: QHideEvent) -> None:
        """Hide the panels in windows of their own together with the page."""
        super().hideEvent(event)
        for window in self._windows.values():
            window.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what is wanted in the room there is."""
        super().resizeEvent(event)
        self._arrange()

    def apply_theme(self, theme: Theme) -> None:
        """Take over sizes: those of titles first, which places follow from."""
        self._stage.apply_theme(theme)
        for group in self._every_group():
            group.apply_theme(theme)
        self._arrange()

    # Inside

    def _every_group(self) -> list[PanelGroup]:
        return [*self._groups.values(), *self._cards.values(), *self._windows.values()]

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
        alone = [group for group in self._groups.values() if len(group.hosts) == 1]
        every = alone or list(self._groups.values())
        if not every:
            return Beside("", "right")
        largest = max(every, key=lambda group: group.width() * group.height())
        side: Side = "right" if largest.width() >= largest.height() else "bottom"
        return Beside(largest.keys[0], side)

    def _made_host(self, place: PanelPlace) -> PanelHost:
        host = PanelHost(place, self._services, self._shared)
        host.setParent(self)
        host.hide()
        return host

    def _titles_of(self, host: PanelHost) -> PanelTitles | None:
        group = self.group_of(host)
        return group.titles if group is not None else self._stage.titles

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

    def _seat(self) -> None:
        """Give every panel its place in the group that it is wanted in, and show them."""
        wanted = self._wanted
        pinned = {t.keys for t in panel_layout.tabs_of(wanted.layout) if STAGE not in t.keys}
        cards = {card.tabs.keys for card in wanted.cards}
        staged = wanted.stage.keys if wanted.stage is not None else ()
        for kind, wanted_keys in ((self._groups, pinned), (self._cards, cards)):
            for keys in [keys for keys in kind if keys not in wanted_keys]:
                self._free(kind.pop(keys))
        for key in [key for key in self._windows if key not in wanted.floating]:
            self._free(self._windows.pop(key))
        for host in self._stage.hosts:
            if host.key not in staged:
                host.setParent(self)
        self._stage.seat(self._hosts_of(staged))
        theme = self._services.theme
        for keys in sorted(pinned - set(self._groups)):
            self._groups[keys] = group = PanelGroup(self._hosts_of(keys), theme)
            group.setParent(self)
            self._connect_group(group)
        for keys in sorted(cards - set(self._cards)):
            self._cards[keys] = card = CardGroup(self._hosts_of(keys), theme)
            card.setParent(self)
            self._connect_group(card)
            card.resized.connect(partial(self._resize_card, card))
        for key in sorted(set(wanted.floating) - set(self._windows)):
            window = PanelWindow(self._hosts_of((key,)), theme, self, wanted.floating[key])
            self._windows[key] = window
            self._connect_group(window)
            window.closed.connect(partial(self._put_back, key))
            window.setVisible(self.isVisible())
        self._arrange()

    def _free(self, group: PanelGroup) -> None:
        """Take the panels out of a group that is no longer wanted."""
        for host in group.hosts:
            if host in self.hosts and group.isAncestorOf(host):
                host.setParent(self)
        group.hide()
        group.deleteLater()

    def _hosts_of(self, keys: tuple[str, ...]) -> list[PanelHost]:
        found = (self.host(key) for key in keys)
        return [host for host in found if host is not None]

    def _put_back(self, key: str) -> None:
        host = self.host(key)
        if host is not None and not self._is_disposed:
            self.move_panel(host, Beside("", "right"))

    def _arrange(self) -> None:
        """Give everything its place in the room there is."""
        self._empty.setGeometry(self.rect())
        self._empty.setVisible(not self.hosts)
        self._stage.setVisible(self.has_stage)
        self._arrange_areas()
        self._arrange_cards()

    def _arrange_areas(self) -> None:
        areas = self._areas()
        for tabs, (rect, is_upright) in areas.places.items():
            if STAGE in tabs.keys:
                self._stage.setGeometry(*rect)
                continue
            group = self._groups[tabs.keys]
            group.setGeometry(*rect)
            group.show_titles(are_shown=not self._says_title_of(group))
            group.fold(is_folded=tabs.folded, is_upright=is_upright)
            group.show_front(tabs.current)
            group.show()
        self._place_borders(areas.borders)

    def _says_title_of(self, group: PanelGroup) -> bool:
        """Whether the name of the workspace is that of its only panel, too."""
        return len(self.hosts) == 1 and self.hosts[0].title == self.title and not group.is_folded

    def _areas(self) -> Areas:
        layout = self._wanted.layout
        if layout is None:
            return Areas({}, ())
        return panel_sizes.areas_of(
            self._fitted(layout), (0, 0, self.width(), self.height()), self._measures
        )

    def _fitted(self, layout: Layout) -> Layout:
        size = (self.width(), self.height())
        return panel_sizes.folded_to_fit(layout, size, self._measures, self._asked)

    @property
    def _title_px(self) -> int:
        return round(HEIGHT_PX * self._services.theme.scale)

    @property
    def _measures(self) -> Measures:
        def least(tabs: Tabs) -> tuple[int, int]:
            if not self.has_stage:
                return (_LEAST_PX, _LEAST_PX // 2)
            return (self._stage if STAGE in tabs.keys else self._groups[tabs.keys]).least_size

        return Measures(least, self._title_px)

    def _place_borders(self, borders: tuple[Border, ...]) -> None:
        now = {(border.path, border.index): border for border in borders}
        for place in [place for place in self._borders if place not in now]:
            self._borders.pop(place).deleteLater()
        for place, border in now.items():
            if place in self._borders and not self._borders[place].is_alike(border):
                self._borders.pop(place).deleteLater()
            if place not in self._borders:
                shown = PageBorder(border, self.remember, self._move_border, self)
                self._borders[place] = shown
                shown.show()
            self._borders[place].place(border)

    def _move_border(self, border: Border, by_px: int) -> None:
        layout = self._wanted.layout
        if layout is None:
            return
        size = (self.width(), self.height())
        sizes = panel_sizes.moved_border(self._fitted(layout), border, by_px, size, self._measures)
        self._is_touched = True
        self._wanted = replace(
            self._wanted, layout=panel_layout.with_sizes(layout, border.path, sizes)
        )
        self._arrange()

    def _arrange_cards(self) -> None:
        stage, wanted = self._stage, self._wanted
        if wanted.stage is None:
            return
        stage.place_titles()
        stage.show_front(wanted.stage.current)
        size, scale = (stage.width(), stage.height()), self._services.theme.scale
        measures = {tabs: group.measure for tabs, group in self._card_groups()}
        places = place_cards(
            self._by_wish(wanted.cards),
            size,
            measures,
            scale,
            stage.covered_by_titles,
        )
        for tabs, group in self._card_groups():
            place, card = places[tabs], arranging.card_of(wanted, tabs.current)
            group.setVisible(place.rect is not None)
            if place.rect is None or card is None:
                continue
            x, y, width, height = place.rect
            group.fold(is_folded=place.is_folded)
            group.show_front(tabs.current)
            group.place(QRect(stage.x() + x, stage.y() + y, width, height), card.anchor)
            group.raise_()
        covered = [place.rect for place in places.values() if place.rect is not None]
        stage.show_free_area(QRect(*free_area(size, [*covered, *stage.covered_by_titles])))

    def _card_groups(self) -> list[tuple[Tabs, CardGroup]]:
        return [(card.tabs, self._cards[card.tabs.keys]) for card in self._wanted.cards]

    def _by_wish(self, cards: tuple[Card, ...]) -> list[Card]:
        """The cards, those that the user asked for before the others."""
        wishes = {key: place for place, key in enumerate(self._asked, 1)}
        return [
            replace(card, order=card.order - _FIRST * max(wishes.get(k, 0) for k in card.tabs.keys))
            for card in cards
        ]

    def _resize_card(self, group: CardGroup, size: QSize) -> None:
        card = arranging.card_of(self._wanted, group.keys[0])
        if card is None:
            return
        stage = (self._stage.width(), self._stage.height())
        scale = self._services.theme.scale
        factor = scale * (growth(stage, scale) if card.grows else 1.0)
        stated = (round(size.width() / factor), round(size.height() / factor))
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
        ground = DropGround(
            (self.width(), self.height()),
            [(group.keys[0], _rect_of(group)) for group in self._groups.values()],
            [(card.keys[0], _rect_of(card)) for card in self._cards.values() if card.isVisible()],
            _rect_of(self._stage) if self.has_stage else None,
        )
        size = self.card_size(host)
        return target_at(ground, (here.x(), here.y()), size, can_be_stage=host.can_be_stage)


def _rect_of(widget: QWidget) -> Rect:
    return widget.x(), widget.y(), widget.width(), widget.height()


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
