"""Object browser panel: search and options above, the tree, and the selected row."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QItemSelectionModel, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from plugins.api import Json, VehicleContext
from plugins.object_browser.actions import RowActions
from plugins.object_browser.browsed_vehicle import BrowsedVehicle
from plugins.object_browser.describe import Describer
from plugins.object_browser.detail import DetailPane
from plugins.object_browser.filter_bar import FilterBar
from plugins.object_browser.model import ObjectModel, source_of
from plugins.object_browser.nodes import GroupNode, build_groups
from plugins.object_browser.rows import TreeNode
from plugins.object_browser.search import Search
from plugins.object_browser.search_matches import found_keys
from plugins.object_browser.tree_view import ObjectTree
from telemetry.base.clock import monotonic_s
from telemetry.vehicle.vehicle import Vehicle
from widgets.parts import make_label
from widgets.settings.drawer import Drawer
from widgets.theme import Theme

SIDE_BY_SIDE_PX = 960
_ASIDE_PX = 340
_DRAWER_SHARE = 0.58
_LEAST_PX = (160, 160)

NO_OBJECTS = "Waiting for the first object.\nWhat the aircraft sends will be listed here."
NOTHING_FOUND = "Nothing is called so.\nSearch for part of an object, a field or a unit."
ALL_DEFAULT = "No setting known here differs from the defaults of this firmware."


class BrowserPanel(QWidget):
    """Lists the objects of the vehicle shown. Edits stay drafts until they are sent."""

    def __init__(self, context: VehicleContext, clock: Callable[[], float] = monotonic_s) -> None:
        super().__init__()
        self._context = context
        self._clock = clock
        self._theme = context.theme
        self._vehicle: Vehicle | None = None
        self._viewed: BrowsedVehicle | None = None
        self._by_vehicle: dict[Vehicle, BrowsedVehicle] = {}
        self._search = Search()
        self._needs_rebuild = True
        self._not_default: dict[int, frozenset[str]] = {}
        self._stamp: tuple[object, ...] = ()
        self.model = ObjectModel(context.theme, self)
        self.tree = ObjectTree(self.model, context.theme)
        self.detail = DetailPane(context.theme)
        self.bar = FilterBar()
        self.drawer: Drawer | None = None
        self.row_actions = RowActions(self, self.tree, self.detail, context)
        self._describer = Describer(self.detail, context.jobs)
        self._build()
        self._connect()
        if context.settings:
            self.restore_state(context.settings)

    def _build(self) -> None:
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.addWidget(self.tree)
        self._splitter.addWidget(self.detail)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setStretchFactor(1, 0)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setSizes([700, _ASIDE_PX])
        self.empty = make_label(NO_OBJECTS, tone="muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.setMargin(12)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._splitter)
        rows = self._column = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.bar)
        rows.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.bar.search.textChanged.connect(self._on_search)
        self.bar.search.left.connect(self.tree.setFocus)
        self.bar.options_changed.connect(self._rebuild_later)
        self.bar.expand_all.triggered.connect(self.tree.open_all)
        self.bar.collapse_all.triggered.connect(self.tree.close_all)
        self.detail.asked.connect(self.row_actions.ask)
        self.detail.resized.connect(self._share)
        self.tree.chosen.connect(self.row_actions.choose)
        self.tree.left.connect(self._on_left)
        self.tree.customContextMenuRequested.connect(self.row_actions.open_menu)
        self.row_actions.done.connect(self._on_done)
        selection = self.tree.selectionModel()
        assert isinstance(selection, QItemSelectionModel)
        selection.currentChanged.connect(lambda _now, _before: self._show_detail())

    # What the station calls

    def start_search(self) -> None:
        """Go to the search."""
        self.bar.search.setFocus()
        self.bar.search.selectAll()

    def refresh(self, t: float) -> None:
        """Show every object as it was at `t`; does nothing while nothing moved."""
        vehicle = self._context.vehicle
        if vehicle is not self._vehicle:
            self._take_vehicle(vehicle)
        viewed = self._viewed
        if viewed is None:
            return
        self._take_answers(viewed)
        self._show_drawer()
        refusal = viewed.vehicle.commands.refusal()
        version = viewed.vehicle.recording.version
        stamp = (version, t, viewed.edits.version, refusal)
        if stamp == self._stamp and not viewed.is_glowing and not self._needs_rebuild:
            return
        self._stamp = stamp
        clock_s = self._clock()
        self._needs_rebuild |= viewed.contents.take_in()
        viewed.follow(t, clock_s)
        self.model.refusal = refusal
        self._needs_rebuild |= self._lists_other_settings(viewed)
        if self._needs_rebuild and not self.tree.is_editing:
            self._rebuild(viewed)
            viewed.follow(t, clock_s)
        self._repaint()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.model.apply_theme(theme)
        self.tree.viewport().update()
        self._arrange()

    def save_state(self) -> Json:
        """What is open, searched, shown, and how wide the columns are."""
        return {
            "search": self.bar.search.text(),
            "open": self.tree.open_keys(),
            "widths": self.tree.widths(),
            "metadata": self.bar.metadata.isChecked(),
            "categories": self.bar.categories.isChecked(),
            "not_received": self.bar.absent.isChecked(),
            "not_default": self.bar.not_default.isChecked(),
            "detail": self.detail.is_open,
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned; unknown or missing keys are no error."""
        for option, name in (
            (self.bar.metadata, "metadata"),
            (self.bar.categories, "categories"),
            (self.bar.absent, "not_received"),
            (self.bar.not_default, "not_default"),
        ):
            option.setChecked(bool(state.get(name, option.isChecked())))
        self.detail.set_open(bool(state.get("detail", self.detail.is_open)))
        search, open_keys, widths = state.get("search"), state.get("open"), state.get("widths")
        if isinstance(search, str):
            self.bar.search.setText(search)
        if isinstance(open_keys, list):
            self.tree.set_open_keys({key for key in open_keys if isinstance(key, str)})
        if isinstance(widths, dict):
            self.tree.set_widths(widths)

    # Following the vehicle

    def _take_vehicle(self, vehicle: Vehicle) -> None:
        fleet = self._context.fleet.vehicles
        self._by_vehicle = {v: kept for v, kept in self._by_vehicle.items() if v in fleet}
        self._vehicle = vehicle
        self._stamp = ()
        self._needs_rebuild = True
        if self.drawer is not None:
            self._column.removeWidget(self.drawer)
            self.drawer.deleteLater()
            self.drawer = None
        if vehicle not in self._by_vehicle:
            self._by_vehicle[vehicle] = BrowsedVehicle(vehicle, self._context.jobs)
        self._viewed = self.row_actions.viewed = self._by_vehicle[vehicle]
        self.model.scene = self._viewed.scene
        self.drawer = Drawer(self._viewed.edits.settings)
        self.drawer.hide()
        self._column.addWidget(self.drawer)

    def _show_drawer(self) -> None:
        """Settings that are unsent or were changed, on whichever page, while there are any."""
        drawer = self.drawer
        if drawer is None:
            return
        drawer.refresh()
        if drawer.isHidden() != drawer.is_idle:
            drawer.setVisible(not drawer.is_idle)

    def _take_answers(self, viewed: BrowsedVehicle) -> None:
        moved = viewed.edits.poll()
        for progress in moved:
            if progress.state == "failed":
                self._context.show_message(progress.sentence)
        if moved:
            self._stamp = ()
        if viewed.learn_release():
            self._needs_rebuild = True

    def _lists_other_settings(self, viewed: BrowsedVehicle) -> bool:
        """Whether other fields differ from their defaults than are listed, where only those are."""
        if not self.bar.not_default.isChecked():
            return False
        return viewed.not_default(self._search).fields != self._not_default

    def _rebuild(self, viewed: BrowsedVehicle) -> None:
        self._needs_rebuild = False
        by_category = self.bar.categories.isChecked()
        entries = viewed.entries(
            with_metadata=self.bar.metadata.isChecked(), with_absent=self.bar.absent.isChecked()
        )
        found = viewed.not_default(self._search) if self.bar.not_default.isChecked() else None
        self._not_default = found.fields if found is not None else {}
        groups = build_groups(entries, found or self._search, by_category=by_category)
        self.tree.show_groups(groups, found_keys(groups, self._search, by_category=by_category))
        shown = sum(group.count for group in groups if isinstance(group, GroupNode))
        is_part = self._search.is_active or found is not None
        count = f"{shown} found" if is_part else f"{viewed.contents.count} objects"
        self.bar.show_count(count if entries and groups else "", viewed.release)
        if not entries:
            self._show_empty(NO_OBJECTS)
        elif not groups:
            is_searched = self._search.is_active or found is None
            self._show_empty(NOTHING_FOUND if is_searched else ALL_DEFAULT)
        else:
            self._pages.setCurrentWidget(self._splitter)

    def _show_empty(self, text: str) -> None:
        self.empty.setText(text)
        self._pages.setCurrentWidget(self.empty)

    def _repaint(self) -> None:
        self.tree.repaint_changed()
        self._show_detail()

    def _show_detail(self) -> None:
        viewed = self._viewed
        if viewed is None:
            return
        node = self._selected()
        is_shown = not self.detail.is_drawer or source_of(node) is not None
        if self.detail.isHidden() == is_shown:
            self.detail.setVisible(is_shown)
            self._share()
        if is_shown:
            self._describer.show(node, viewed, self.model.refusal, self.tree.refused)

    def _selected(self) -> TreeNode | None:
        return self.model.node(self.tree.currentIndex())

    # What the user does

    def _on_search(self, text: str) -> None:
        self._search = Search(text)
        self._rebuild_later()

    def _rebuild_later(self) -> None:
        self._needs_rebuild = True

    def _on_left(self) -> None:
        """Esc: end the search, else let go of the row."""
        if self.bar.search.text():
            self.bar.search.clear()
        else:
            self.tree.setCurrentIndex(self.model.index(-1, 0))

    def _on_done(self) -> None:
        """A command was given: show at once what becomes of it."""
        self._stamp = ()
        self._repaint()

    # Its shape

    def minimumSizeHint(self) -> QSize:
        """Small: what does not fit beside the tree goes below it."""
        return QSize(*_LEAST_PX) * self._theme.scale

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put everything where there is room for it."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Make room for another size of type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.tree.scheduleDelayedItemsLayout()

    def _arrange(self) -> None:
        """Beside each other, or a drawer below the tree; options in a row, or in a menu."""
        width, scale = self.width(), self._theme.scale
        is_drawer = width < SIDE_BY_SIDE_PX * scale
        wanted = Qt.Orientation.Vertical if is_drawer else Qt.Orientation.Horizontal
        if self._splitter.orientation() != wanted or self.detail.is_drawer != is_drawer:
            self._splitter.setOrientation(wanted)
            self.detail.set_drawer(is_drawer)
            self._show_detail()
            self._share()

    def _share(self) -> None:
        """Divide the room between the tree and what the row is."""
        is_drawer = self.detail.is_drawer
        whole = self._splitter.height() if is_drawer else self._splitter.width()
        part = round(_ASIDE_PX * self._theme.scale)
        if is_drawer:
            part = min(round(whole * _DRAWER_SHARE), self.detail.maximumHeight())
        self._splitter.setSizes([whole - part, part])
