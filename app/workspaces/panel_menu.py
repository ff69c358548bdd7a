"""Panel menu: what can be done with a panel of a workspace, and with where it stands."""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.workspaces.arranging import Beside, IntoTabs, OnStage, Target
from app.workspaces.cards import ANCHORS, Anchor
from app.workspaces.panel_host import PanelHost
from app.workspaces.panel_layout import STAGE, Side
from telemetry.vehicle.vehicle import Fleet

_ANCHOR_TITLES: Final = {anchor: anchor.replace("-", " ").capitalize() for anchor in ANCHORS}
_SIDES: Final[tuple[Side, ...]] = ("left", "right", "top", "bottom")


class PanelPlacing(Protocol):
    """What a page can do with a panel."""

    def move_panel(self, host: PanelHost, target: Target) -> None: ...
    def float_panel(self, host: PanelHost) -> None: ...
    def fold_panel(self, host: PanelHost, *, is_folded: bool) -> None: ...
    def rename_panel(self, host: PanelHost) -> None: ...
    def duplicate_panel(self, host: PanelHost) -> None: ...
    def close_panel(self, host: PanelHost) -> None: ...
    def card_size(self, host: PanelHost) -> tuple[int, int]: ...
    def stands(self, host: PanelHost) -> str: ...
    def is_folded(self, host: PanelHost) -> bool: ...
    @property
    def has_stage(self) -> bool: ...


def panel_menu(page: PanelPlacing, host: PanelHost, fleet: Fleet, parent: QWidget) -> QMenu:
    """The menu of a panel."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction("Rename", partial(page.rename_panel, host))
    menu.addAction("Duplicate", partial(page.duplicate_panel, host))
    menu.addSeparator()
    _add_places(menu, page, host)
    _add_vehicles(menu, host, fleet)
    menu.addSeparator()
    menu.addAction("Close", partial(page.close_panel, host))
    return menu


def _add_places(menu: QMenu, page: PanelPlacing, host: PanelHost) -> None:
    stands = page.stands(host)
    if stands in ("card", "pinned"):
        word = "Open" if page.is_folded(host) else "Fold"
        menu.addAction(word, partial(page.fold_panel, host, is_folded=not page.is_folded(host)))
    if page.has_stage and stands != "stage":
        _add_choices(
            menu.addMenu("Move to the stage's" if stands == "card" else "Put on the stage at"),
            [(_ANCHOR_TITLES[a], partial(_put_on_stage, page, host, a)) for a in ANCHORS],
        )
    _add_choices(
        menu.addMenu("Pin at the side"),
        [(s.capitalize(), partial(page.move_panel, host, Beside("", s))) for s in _SIDES],
    )
    if host.can_be_stage and stands != "stage":
        menu.addAction("Use as the stage", partial(page.move_panel, host, IntoTabs(STAGE)))
    if stands == "window":
        menu.addAction("Put back", partial(page.move_panel, host, Beside("", "right")))
    else:
        menu.addAction("Move to own window", partial(page.float_panel, host))


def _add_choices(menu: QMenu, choices: list[tuple[str, Callable[[], object]]]) -> None:
    for title, choose in choices:
        menu.addAction(title, choose)


def _put_on_stage(page: PanelPlacing, host: PanelHost, anchor: Anchor) -> None:
    page.move_panel(host, OnStage(anchor, page.card_size(host)))


def _add_vehicles(menu: QMenu, host: PanelHost, fleet: Fleet) -> None:
    vehicles = fleet.vehicles
    if len(vehicles) < 2 and not host.pinned_vehicle:
        return
    shown = menu.addMenu("Show vehicle")
    for name in ("", *(vehicle.name for vehicle in vehicles)):
        action = shown.addAction(name or "The active one", partial(host.pin_vehicle, name))
        action.setCheckable(True)
        action.setChecked(host.pinned_vehicle == name)
