"""Panel seats: the groups, cards, windows and borders of a page, made and placed as it is wanted.

Everything here follows from a workspace and from the room there is; nothing of it is kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from app.workspaces import panel_layout, panel_sizes
from app.workspaces.cards import Card, free_area, growth, place_cards
from app.workspaces.page_border import PageBorder
from app.workspaces.panel_drag import DropGround
from app.workspaces.panel_group import CardGroup, PanelGroup, PanelWindow
from app.workspaces.panel_host import PanelHost
from app.workspaces.panel_layout import STAGE, Layout, Rect, Tabs
from app.workspaces.panel_sizes import Border, Measures
from app.workspaces.panel_title import HEIGHT_PX
from app.workspaces.stage_area import StageArea
from app.workspaces.workspace import Workspace
from widgets.theme import Theme

_FIRST = 1000
"""What the user asked for comes before all that has an order of its own."""
_HALF = 0.5
_LEAST_PX = 120
"""The least width of a panel where there is no stage: there the user has divided all of the page,
and that stays so in a small window, too."""

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hands:
    """What the page has done with what the user's hands do: a group that was made, a card drawn to
    another size, a window that was closed, a border that is taken hold of and moved."""

    connect: Callable[[PanelGroup], None]
    resize_card: Callable[[CardGroup, QSize], None]
    put_back: Callable[[str], None]
    take_border: Callable[[], None]
    move_border: Callable[[Border, int], None]


class PanelSeats:
    """`page` is what all of it stands in, `theme` the present one."""

    def __init__(self, page: QWidget, theme: Callable[[], Theme], hands: Hands) -> None:
        self._page, self._theme, self._hands = page, theme, hands
        self.stage = StageArea(theme(), page)
        self._groups: dict[Keys, PanelGroup] = {}
        self._cards: dict[Keys, CardGroup] = {}
        self._windows: dict[str, PanelWindow] = {}
        self._borders: dict[tuple[tuple[int, ...], int], PageBorder] = {}

    def group_of(self, host: PanelHost) -> PanelGroup | None:
        """The group that a panel stands in; None on the stage."""
        return next((group for group in self._every_group() if host in group.hosts), None)

    def largest(self) -> PanelGroup | None:
        """The largest of the areas beside each other, one without tabs if there is one."""
        alone = [group for group in self._groups.values() if len(group.hosts) == 1]
        every = alone or list(self._groups.values())
        return max(every, key=lambda group: group.width() * group.height(), default=None)

    def window_rects(self) -> dict[str, Rect]:
        """Where the panels in windows of their own stand on the screen."""
        return {key: window.rect_on_screen() for key, window in self._windows.items()}

    def show_windows(self, *, are_shown: bool) -> None:
        """Show or hide them with their page."""
        for window in self._windows.values():
            window.setVisible(are_shown)

    def ground(self) -> DropGround:
        """What a panel can be dropped on."""
        return DropGround(
            (self._page.width(), self._page.height()),
            [(group.keys[0], _rect_of(group)) for group in self._groups.values()],
            [(card.keys[0], _rect_of(card)) for card in self._cards.values() if card.isVisible()],
            _rect_of(self.stage) if self.stage.hosts else None,
        )

    def apply_theme(self, theme: Theme) -> None:
        """Take over sizes: those of titles, which places follow from."""
        self.stage.apply_theme(theme)
        for group in self._every_group():
            group.apply_theme(theme)

    # Who stands together

    def seat(self, wanted: Workspace, hosts: Sequence[PanelHost]) -> None:
        """Give every panel its place in the group that it is wanted in."""
        by_key = {host.key: host for host in hosts}
        pinned = {t.keys for t in panel_layout.tabs_of(wanted.layout) if STAGE not in t.keys}
        cards = {card.tabs.keys for card in wanted.cards}
        staged = wanted.stage.keys if wanted.stage is not None else ()
        for key in [key for key in self._windows if key not in wanted.floating]:
            self._free(self._windows.pop(key), hosts)
        for keys in [keys for keys in self._groups if keys not in pinned]:
            self._free(self._groups.pop(keys), hosts)
        for keys in [keys for keys in self._cards if keys not in cards]:
            self._free(self._cards.pop(keys), hosts)
        for host in self.stage.hosts:
            if host.key not in staged:
                host.setParent(self._page)
        self.stage.seat([by_key[key] for key in staged])
        for keys in sorted(pinned - set(self._groups)):
            self._groups[keys] = self._made(PanelGroup([by_key[k] for k in keys], self._theme()))
        for keys in sorted(cards - set(self._cards)):
            card = CardGroup([by_key[key] for key in keys], self._theme())
            card.resized.connect(partial(self._hands.resize_card, card))
            self._cards[keys] = card
            self._made(card)
        for key in sorted(set(wanted.floating) - set(self._windows)):
            self._make_window(by_key[key], wanted.floating[key])

    def _made(self, group: PanelGroup) -> PanelGroup:
        group.setParent(self._page)
        self._hands.connect(group)
        return group

    def _make_window(self, host: PanelHost, rect: Rect) -> None:
        window = PanelWindow([host], self._theme(), self._page, rect)
        self._windows[host.key] = window
        self._hands.connect(window)
        window.closed.connect(partial(self._hands.put_back, host.key))
        window.setVisible(self._page.isVisible())

    def _free(self, group: PanelGroup, hosts: Sequence[PanelHost]) -> None:
        """Take the panels out of a group that is no longer wanted."""
        for host in group.hosts:
            if host in hosts and group.isAncestorOf(host):
                host.setParent(self._page)
        group.hide()
        group.deleteLater()

    def _every_group(self) -> list[PanelGroup]:
        return [*self._groups.values(), *self._cards.values(), *self._windows.values()]

    # Where they stand

    def arrange(self, wanted: Workspace, asked: Sequence[str]) -> None:
        """Give everything its place in the room there is; what was `asked` for folds last."""
        self.stage.setVisible(wanted.stage is not None)
        if wanted.layout is not None:
            self._arrange_areas(wanted, wanted.layout, asked)
        else:
            self._place_borders(())
        if wanted.stage is not None:
            self._arrange_cards(wanted.cards, wanted.stage, asked)

    def ratios_of(
        self, layout: Layout, asked: Sequence[str], border: Border, by_px: int
    ) -> tuple[float, ...]:
        """The ratios of a border's split once it was moved by so many pixels."""
        shown = self._folded(layout, asked)
        return panel_sizes.moved_border(shown, border, by_px, self._size, self._measures)

    def stated_size(self, card: Card, size: QSize) -> tuple[int, int]:
        """The size of a card as workspaces state it, of that on the screen."""
        scale = self._theme().scale
        stage = (self.stage.width(), self.stage.height())
        factor = scale * (growth(stage, scale) if card.grows else 1.0)
        return round(size.width() / factor), round(size.height() / factor)

    @property
    def _size(self) -> tuple[int, int]:
        return self._page.width(), self._page.height()

    @property
    def _measures(self) -> Measures:
        def least(tabs: Tabs) -> tuple[int, int]:
            if not self.stage.hosts:
                return (_LEAST_PX, _LEAST_PX // 2)
            return (self.stage if STAGE in tabs.keys else self._groups[tabs.keys]).least_size

        return Measures(least, round(HEIGHT_PX * self._theme().scale))

    def _folded(self, layout: Layout, asked: Sequence[str]) -> Layout:
        """The layout with what has to fold; also where a panel that wants half of the page, and has
        that by its ratio, would be left with less by the least sizes of others."""
        shares, measures = dict(panel_sizes.shares_of(layout)), self._measures
        half = self._size[0] // 2, self._size[1] // 2

        def least(tabs: Tabs) -> tuple[int, int]:
            width, height = measures.least(tabs)
            hosts = self._groups[tabs.keys].hosts if tabs.keys in self._groups else ()
            if shares.get(tabs, 0.0) < _HALF or not any(host.wants_half for host in hosts):
                return width, height
            return max(width, half[0]), max(height, half[1])

        return panel_sizes.folded_to_fit(layout, self._size, replace(measures, least=least), asked)

    def _arrange_areas(self, wanted: Workspace, layout: Layout, asked: Sequence[str]) -> None:
        shown = self._folded(layout, asked)
        areas = panel_sizes.areas_of(shown, (0, 0, *self._size), self._measures)
        for tabs, (rect, is_upright) in areas.places.items():
            if STAGE in tabs.keys:
                self.stage.setGeometry(*rect)
                continue
            group = self._groups[tabs.keys]
            group.setGeometry(*rect)
            group.show_titles(are_shown=not _says_title_of(wanted, group))
            group.fold(is_folded=tabs.folded, is_upright=is_upright)
            group.show_front(tabs.current)
            group.show()
        self._place_borders(areas.borders)

    def _place_borders(self, borders: tuple[Border, ...]) -> None:
        now = {(border.path, border.index): border for border in borders}
        for place in [place for place in self._borders if place not in now]:
            self._borders.pop(place).deleteLater()
        for place, border in now.items():
            if place in self._borders and not self._borders[place].is_alike(border):
                self._borders.pop(place).deleteLater()
            if place not in self._borders:
                hands = self._hands
                shown = PageBorder(border, hands.take_border, hands.move_border, self._page)
                self._borders[place] = shown
                shown.show()
            self._borders[place].place(border)

    def _arrange_cards(self, cards: Sequence[Card], staged: Tabs, asked: Sequence[str]) -> None:
        stage, scale = self.stage, self._theme().scale
        stage.place_titles()
        stage.show_front(staged.current)
        size, taken = (stage.width(), stage.height()), stage.covered_by_titles
        measures = {card.tabs: self._cards[card.tabs.keys].measure for card in cards}
        places = place_cards(_by_wish(cards, asked), size, measures, scale, taken)
        for card in cards:
            place, group = places[card.tabs], self._cards[card.tabs.keys]
            group.setVisible(place.rect is not None)
            if place.rect is None:
                continue
            x, y, width, height = place.rect
            group.fold(is_folded=place.is_folded)
            group.show_front(card.tabs.current)
            group.place(QRect(stage.x() + x, stage.y() + y, width, height), card.anchor)
            group.raise_()
        covered = [place.rect for place in places.values() if place.rect is not None]
        stage.show_free_area(QRect(*free_area(size, [*covered, *taken])))


def _by_wish(cards: Sequence[Card], asked: Sequence[str]) -> list[Card]:
    """The cards, those that the user asked for before the others, the last one first."""
    wishes: Mapping[str, int] = {key: place for place, key in enumerate(asked, 1)}
    return [
        replace(card, order=card.order - _FIRST * max(wishes.get(k, 0) for k in card.tabs.keys))
        for card in cards
    ]


def _says_title_of(wanted: Workspace, group: PanelGroup) -> bool:
    """Whether the name of the workspace is that of its only panel, too."""
    is_only = len(wanted.panels) == 1 and not group.is_folded
    return is_only and group.front.title == wanted.title


def _rect_of(widget: QWidget) -> Rect:
    return widget.x(), widget.y(), widget.width(), widget.height()
