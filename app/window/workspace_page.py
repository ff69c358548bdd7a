"""Workspace page: one workspace on screen, its panels in docks that split, tab and float."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QHideEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QTabWidget, QWidget

from app.window import panel_layout
from app.window.panel_dock import PanelDock, PanelServices
from app.window.panel_layout import Layout, Tabs
from app.window.workspaces import PanelPlace, Workspace, unused
from widgets.parts import make_button, make_column, make_heading

_SEPARATOR_PX = 5
_FINAL_MS = 50
_MOST_REMEMBERED = 20
_AREA = Qt.DockWidgetArea.LeftDockWidgetArea
_QT = {"horizontal": Qt.Orientation.Horizontal, "vertical": Qt.Orientation.Vertical}


class WorkspacePage(QMainWindow):
    """The docks of one workspace. Panels are built when they are first seen."""

    def __init__(
        self,
        workspace: Workspace,
        services: PanelServices,
        choose_panel: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        self._services = services
        self._shared: dict[str, Any] = {}
        self._workspace = workspace
        self._is_settled = False
        self._is_final = False
        self._is_touched = False
        self._is_disposed = False
        self._handled: set[PanelDock] = set()
        self.before: list[Workspace] = []
        """How the panels stood before each change by the user, the newest last."""
        self._floating_hidden: list[PanelDock] = []
        self.docks: list[PanelDock] = []
        self._arrangement = QTimer(self)
        self._arrangement.setSingleShot(True)
        self._arrangement.timeout.connect(self._follow_arrangement)
        self.setDockNestingEnabled(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.AllowTabbedDocks
            | QMainWindow.DockOption.GroupedDragging
        )
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._empty = _EmptyState(choose_panel)
        self.setCentralWidget(self._empty)
        for place in workspace.panels:
            self._make_dock(place)
        if workspace.layout is not None:
            self._place(workspace.layout)
        self._show_empty_state()

    @property
    def title(self) -> str:
        """The workspace's name."""
        return self._workspace.title

    @property
    def workspace_id(self) -> str:
        """The workspace's id."""
        return self._workspace.id

    @property
    def is_shipped(self) -> bool:
        """Whether the workspace came with Lapwing."""
        return self._workspace.is_shipped

    def rename(self, title: str) -> None:
        """Give the workspace another name."""
        self._workspace = replace(self._workspace, title=title)
        self._is_touched = True

    def dock(self, key: str) -> PanelDock | None:
        """The dock of that key."""
        return next((dock for dock in self.docks if dock.key == key), None)

    def add_panel(
        self, panel_id: str, settings: dict[str, Any] | None = None, title: str = ""
    ) -> PanelDock:
        """Open one more panel at the right of the others."""
        self.remember()
        keys = [dock.key for dock in self.docks]
        key = unused(panel_id.rpartition(".")[2], keys)
        dock = self._make_dock(PanelPlace(key, panel_id, title, settings or {}))
        if docked := [other for other in self.docks[:-1] if not other.isFloating()]:
            # What is split beside a tab becomes a tab, which nobody sees.
            alone = [other for other in docked if not self.tabifiedDockWidgets(other)]
            widest = max(alone or docked, key=lambda other: other.width() * other.height())
            is_wide = widest.width() >= widest.height()
            side = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
            half = (widest.width() if is_wide else widest.height()) // 2
            self.splitDockWidget(widest, dock, side)
            dock.show()
            self.resizeDocks([widest, dock], [half, half], side)
        else:
            self.addDockWidget(_AREA, dock)
        self._show_empty_state()
        self._is_touched = True
        dock.show()
        return dock

    def close_panel(self, dock: PanelDock) -> None:
        """Close a panel; `before` knows how it stood."""
        if dock in self.docks:
            self.remember()
            self._is_touched = True
            self.docks.remove(dock)
            self._handled.discard(dock)
            self.removeDockWidget(dock)
            dock.dispose()
            self._show_empty_state()
            self._arrangement.start()

    def remember(self) -> None:
        """The user is about to change how the panels stand."""
        if self._is_settled and not self._is_disposed:
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
        """The workspace as it stands on screen now, to be kept."""
        if not self._is_settled:
            return self._workspace
        floating = {
            dock.key: (dock.x(), dock.y(), dock.width(), dock.height())
            for dock in self.docks
            if dock.isFloating()
        }
        self._workspace = replace(
            self._workspace,
            panels=tuple(dock.place() for dock in self.docks),
            layout=panel_layout.describe(self._areas()),
            floating=floating,
        )
        return self._workspace

    def take_focus(self, widget: QWidget) -> None:
        """The user has gone to a widget: from now on its panel's configuration is theirs."""
        self._handled.update(dock for dock in self.docks if dock.isAncestorOf(widget))

    def has_changed(self) -> bool:
        """Whether the user has rearranged, renamed or configured anything.

        What a panel changes by itself, such as where a map looks, does not count.
        """
        return self._is_settled and (
            self._is_touched or any(dock.has_changed() for dock in self._handled)
        )

    def dispose(self) -> None:
        """Close all panels."""
        self._is_disposed = True
        for dock in list(self.docks):
            self.close_panel(dock)
        self.deleteLater()

    def event(self, event: QEvent) -> bool:
        """Notice that the user takes hold of a border between panels."""
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonPress:
            self._is_touched = True
            self.remember()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A panel's title is pressed: it may be dragged elsewhere."""
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonPress:
            self.remember()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """Bring back the panels in windows of their own."""
        super().showEvent(event)
        self._settle_once()
        for dock in self._floating_hidden:
            dock.show()
        self._floating_hidden = []

    def hideEvent(self, event: QHideEvent) -> None:
        """Hide the panels in windows of their own together with the page."""
        super().hideEvent(event)
        self._floating_hidden = [d for d in self.docks if d.isFloating() and d.isVisible()]
        for dock in self._floating_hidden:
            dock.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the proportions over again while the window is still finding its size."""
        super().resizeEvent(event)
        if self._is_settled and not self._is_final:
            self._apply_ratios()

    def panel_menu(self, dock: PanelDock) -> QMenu:
        """What can be done with a panel."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Rename", dock.edit_title)
        menu.addAction("Duplicate", partial(self._duplicate, dock))
        move = "Put back" if dock.isFloating() else "Move to own window"
        menu.addAction(move, partial(self._toggle_float, dock))
        vehicles = self._services.fleet.vehicles
        if len(vehicles) > 1 or dock.pinned_vehicle:
            shown = menu.addMenu("Show vehicle")
            for name in ("", *(vehicle.name for vehicle in vehicles)):
                pin = partial(dock.pin_vehicle, name)
                action = shown.addAction(name or "The active one", pin)
                action.setCheckable(True)
                action.setChecked(dock.pinned_vehicle == name)
        menu.addSeparator()
        menu.addAction("Close", partial(self.close_panel, dock))
        return menu

    def _make_dock(self, place: PanelPlace) -> PanelDock:
        def on_command(command: str) -> None:
            if command == "close":
                self.close_panel(dock)
            elif command == "hint":
                self._offer_hint()
            else:
                menu = self.panel_menu(dock)
                corner = dock.titleBarWidget().mapToGlobal(
                    dock.titleBarWidget().rect().bottomRight()
                )
                menu.popup(corner - QPoint(menu.sizeHint().width(), 0))

        dock = PanelDock(place, self._services, on_command, self._shared)
        dock.setParent(self)
        dock.titleBarWidget().installEventFilter(self)
        dock.topLevelChanged.connect(self._take_touch)
        dock.visibilityChanged.connect(self._arrangement.start)
        self.docks.append(dock)
        return dock

    def _duplicate(self, dock: PanelDock) -> None:
        place = dock.place()
        self.add_panel(place.panel, dict(place.settings), place.title)

    def _toggle_float(self, dock: PanelDock) -> None:
        self.remember()
        dock.setFloating(not dock.isFloating())

    def _place(self, area: Layout) -> None:
        first = self._known(panel_layout.first_key(area))
        self.addDockWidget(_AREA, first)
        self._divide(area)
        for key in self._workspace.floating:
            if (dock := self.dock(key)) is not None:
                self.addDockWidget(_AREA, dock)
                dock.setFloating(True)
                dock.setGeometry(*self._workspace.floating[key])

    def _divide(self, area: Layout) -> None:
        """Give every part of an area, whose first dock stands already, its place."""
        if isinstance(area, Tabs):
            for before, key in zip(area.keys, area.keys[1:], strict=False):
                self.tabifyDockWidget(self._known(before), self._known(key))
            return
        for earlier, later in zip(area.children, area.children[1:], strict=False):
            self.splitDockWidget(
                self._known(panel_layout.first_key(earlier)),
                self._known(panel_layout.first_key(later)),
                _QT[area.orientation],
            )
        for child in area.children:
            self._divide(child)

    def _follow_arrangement(self) -> None:
        """Where a tab says a panel's title, its bar does not say it again."""
        for dock in self.docks:
            dock.show_title(dock.isFloating() or not self.tabifiedDockWidgets(dock))
        self._offer_hint()

    def _offer_hint(self) -> None:
        """Show one hint at a time, so that hints do not crowd out what they explain."""
        if any(dock.has_hint and dock.is_showing() for dock in self.docks):
            return
        behind = () if self._is_final else self._keys_behind()
        waiting = [
            dock
            for dock in self.docks
            if dock.wants_hint and not dock.has_hint and dock.key not in behind
        ]
        if waiting:
            waiting[0].show_hint()

    def _keys_behind(self) -> set[str]:
        """What will stand behind another tab once the chosen ones have come to the front."""
        groups = _tabs_of(self._workspace.layout)
        return {key for tabs in groups for key in tabs.keys if key != tabs.current}

    def _take_touch(self) -> None:
        self._is_touched = self._is_touched or self._is_final

    def _settle_once(self) -> None:
        """Take over the kept proportions, now that the page has its real size."""
        if not self._is_settled:
            self._is_settled = True
            for dock in self.docks:
                dock.show()
            self._apply_ratios()
            QTimer.singleShot(_FINAL_MS, self, self._finish)

    def _finish(self) -> None:
        """From now on the user rules. Bring the chosen tabs to the front, now that they stand."""
        self._is_final = True
        for tabs in _tabs_of(self._workspace.layout):
            dock = self.dock(tabs.current)
            if len(tabs.keys) > 1 and dock is not None:
                dock.raise_()

    def _apply_ratios(self) -> None:
        if self._workspace.layout is None:
            return
        sizes: dict[str, tuple[int, int]] = {}
        _leaf_sizes(self._workspace.layout, self.width(), self.height(), sizes)
        docks = [self._known(key) for key in sizes]
        self.resizeDocks(docks, [width for width, _ in sizes.values()], _QT["horizontal"])
        self.resizeDocks(docks, [height for _, height in sizes.values()], _QT["vertical"])

    def _areas(self) -> dict[Tabs, panel_layout.Rect]:
        areas: dict[Tabs, panel_layout.Rect] = {}
        seen: set[str] = set()
        for dock in self.docks:
            if dock.isFloating() or dock.key in seen:
                continue
            group = [dock, *(d for d in self.tabifiedDockWidgets(dock) if isinstance(d, PanelDock))]
            group = [member for member in group if not member.isFloating()]
            seen.update(member.key for member in group)
            # Docks behind another one stand outside the page; that holds when it is hidden, too.
            front = next((d for d in group if d.geometry().intersects(self.rect())), dock)
            box = front.geometry()
            tabs = Tabs(tuple(member.key for member in group), front.key)
            areas[tabs] = (box.x(), box.y(), box.width(), box.height())
        return areas

    def _known(self, key: str) -> PanelDock:
        dock = self.dock(key)
        if dock is None:
            raise KeyError(key)
        return dock

    def _show_empty_state(self) -> None:
        self._empty.setVisible(not self.docks)


class _EmptyState(QWidget):
    """What stands in a workspace without panels."""

    def __init__(self, choose_panel: Callable[[], None]) -> None:
        super().__init__()
        words = make_heading("This workspace is empty.")
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        button = make_button("Add a panel", choose_panel, "primary")
        column = make_column(2, words, button, 3, margins=None)
        column.setAlignment(button, Qt.AlignmentFlag.AlignHCenter)
        self.setLayout(column)


def _leaf_sizes(area: Layout, width: int, height: int, sizes: dict[str, tuple[int, int]]) -> None:
    """Work out the pixels of every area from its ratios."""
    if isinstance(area, Tabs):
        sizes[area.keys[0]] = (width, height)
        return
    is_row = area.orientation == "horizontal"
    room = (width if is_row else height) - _SEPARATOR_PX * (len(area.children) - 1)
    for ratio, child in zip(area.sizes, area.children, strict=True):
        share = round(room * ratio / sum(area.sizes))
        _leaf_sizes(child, share if is_row else width, height if is_row else share, sizes)


def _tabs_of(area: Layout | None) -> list[Tabs]:
    if area is None:
        return []
    if isinstance(area, Tabs):
        return [area]
    return [tabs for child in area.children for tabs in _tabs_of(child)]


def _arrangement_of(workspace: Workspace) -> object:
    """What of a workspace is how its panels stand."""
    return (workspace.layout, workspace.floating, {place.key for place in workspace.panels})
