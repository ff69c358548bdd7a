"""Arranging: what a user does to the panels of a workspace; each function returns another one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from app.workspaces import panel_layout
from app.workspaces.cards import MOST_CARDS, Anchor, Card
from app.workspaces.panel_layout import STAGE, Rect, Side, Tabs, tabs_of, with_tabs
from app.workspaces.workspace import PanelPlace, Workspace, at_the_right

_HALF = 0.5
_EDGE_SHARE = 0.25
MORE_THAN_HALF = 0.51
"""Half of what is left when the border beside it has its pixels."""


@dataclass(frozen=True, slots=True)
class IntoTabs:
    """As one more tab with a panel, wherever that stands; with STAGE, as one more of the stage."""

    key: str


@dataclass(frozen=True, slots=True)
class Beside:
    """At a side of the area of a panel or of the stage; of the whole page where `key` is "". It
    takes that share of it."""

    key: str
    side: Side
    share: float = 0.0

    @property
    def taken(self) -> float:
        """The share that it takes, the usual one where none is stated."""
        return self.share or (_HALF if self.key else _EDGE_SHARE)


@dataclass(frozen=True, slots=True)
class OnStage:
    """As a card, of that width and height."""

    anchor: Anchor
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class InOwnWindow:
    """In a window of its own."""

    rect: Rect


Target = IntoTabs | Beside | OnStage | InOwnWindow


def groups_of(workspace: Workspace) -> Iterator[Tabs]:
    """All sets of tabs that stand in the page, those of the stage and of cards included."""
    if workspace.stage is not None:
        yield workspace.stage
    yield from (card.tabs for card in workspace.cards)
    yield from (tabs for tabs in tabs_of(workspace.layout) if STAGE not in tabs.keys)


def group_of(workspace: Workspace, key: str) -> Tabs | None:
    """The tabs that a panel is one of; None for one in a window of its own."""
    return next((tabs for tabs in groups_of(workspace) if key in tabs.keys), None)


def card_of(workspace: Workspace, key: str) -> Card | None:
    """The card that a panel stands on, if it does."""
    return next((card for card in workspace.cards if key in card.tabs.keys), None)


def with_panel(workspace: Workspace, place: PanelPlace, target: Target) -> Workspace:
    """The workspace with one more panel."""
    return _put(replace(workspace, panels=(*workspace.panels, place)), place.key, target)


def without_panel(workspace: Workspace, key: str) -> Workspace:
    """The workspace without a panel."""
    panels = tuple(place for place in workspace.panels if place.key != key)
    return replace(_taken_out(workspace, key), panels=panels)


def moved(workspace: Workspace, key: str, target: Target) -> Workspace:
    """The workspace with a panel elsewhere; the same one if it would stand beside itself alone."""
    group = group_of(workspace, key)
    if isinstance(target, IntoTabs | Beside) and target.key:
        beside = group_of(workspace, target.key)
        is_alone = group is not None and group.keys == (key,)
        if beside is not None and beside == group and (is_alone or isinstance(target, IntoTabs)):
            return workspace
        if isinstance(target, Beside) and target.key == key and group is not None:
            target = Beside(next(k for k in group.keys if k != key), target.side)
    return _put(_taken_out(workspace, key), key, target)


def chosen(workspace: Workspace, key: str) -> Workspace:
    """The workspace with a panel before the others of its tabs."""
    return _changed(workspace, key, lambda tabs: replace(tabs, current=key))


def folded(workspace: Workspace, key: str, *, is_folded: bool) -> Workspace:
    """The workspace with the tabs of a panel folded to their titles, or open."""
    return _changed(workspace, key, lambda tabs: replace(tabs, folded=is_folded))


def with_card_size(workspace: Workspace, key: str, size: tuple[int, int]) -> Workspace:
    """The workspace with another size of the card that a panel stands on."""
    cards = tuple(
        replace(card, size=size) if key in card.tabs.keys else card for card in workspace.cards
    )
    return replace(workspace, cards=cards)


def _changed(workspace: Workspace, key: str, change: Callable[[Tabs], Tabs]) -> Workspace:
    def of(tabs: Tabs) -> Tabs:
        return change(tabs) if key in tabs.keys else tabs

    return replace(
        workspace,
        stage=None if workspace.stage is None else of(workspace.stage),
        cards=tuple(replace(card, tabs=of(card.tabs)) for card in workspace.cards),
        layout=with_tabs(workspace.layout, of),
    )


def _taken_out(workspace: Workspace, key: str) -> Workspace:
    unwanted = {key}
    stage = panel_layout.without(workspace.stage, unwanted)
    layout = panel_layout.without(workspace.layout, unwanted)
    cards = tuple(
        replace(card, tabs=tabs)
        for card in workspace.cards
        if isinstance(tabs := panel_layout.without(card.tabs, unwanted), Tabs)
    )
    if stage is None and workspace.stage is not None:
        layout = panel_layout.without(layout, {STAGE})
        for card in cards:
            layout = panel_layout.beside(layout, "", "right", card.tabs, _EDGE_SHARE)
        cards = ()
    floating = {other: rect for other, rect in workspace.floating.items() if other != key}
    stage = stage if isinstance(stage, Tabs) else None
    return replace(workspace, stage=stage, cards=cards, layout=layout, floating=floating)


def _put(workspace: Workspace, key: str, target: Target) -> Workspace:
    alone = Tabs((key,), key)
    if isinstance(target, InOwnWindow):
        return replace(workspace, floating={**workspace.floating, key: target.rect})
    has_room = workspace.stage is not None and len(workspace.cards) < MOST_CARDS
    if isinstance(target, OnStage) and has_room:
        order = 1 + max((card.order for card in workspace.cards), default=0)
        card = Card(alone, target.anchor, target.size, order)
        return replace(workspace, cards=(*workspace.cards, card))
    if isinstance(target, IntoTabs) and target.key == STAGE:
        return _on_stage(workspace, key)
    if isinstance(target, IntoTabs) and group_of(workspace, target.key) is not None:
        return _changed(
            workspace, target.key, lambda tabs: Tabs((*tabs.keys, key), key, tabs.folded)
        )
    if isinstance(target, Beside):
        layout = panel_layout.beside(workspace.layout, target.key, target.side, alone, target.taken)
        return replace(workspace, layout=layout)
    return replace(workspace, layout=at_the_right(workspace.layout, key))


def _on_stage(workspace: Workspace, key: str) -> Workspace:
    """The workspace with a panel as the stage, which is made if there is none."""
    before = workspace.stage.keys if workspace.stage is not None else ()
    workspace = replace(workspace, stage=Tabs((*before, key), key))
    if STAGE in set(panel_layout.keys_of(workspace.layout)):
        return workspace
    stage = Tabs((STAGE,), STAGE)
    layout = panel_layout.beside(workspace.layout, "", "left", stage, _HALF)
    return replace(workspace, layout=layout)
