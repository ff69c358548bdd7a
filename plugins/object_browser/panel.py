"""The object browser's panel: search and options above, tree left, detail right."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import cast

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from plugins.api import Json, PanelContext
from plugins.object_browser.contents import Contents
from plugins.object_browser.detail import DetailPane
from plugins.object_browser.facts import object_facts, title_of, value_facts
from plugins.object_browser.model import ObjectModel, object_of, source_of
from plugins.object_browser.nodes import GroupNode, Node, Scene, ValueNode, build_groups
from plugins.object_browser.operations import Asked, start_errand
from plugins.object_browser.search import Search
from plugins.object_browser.sources import GLOW_S, Source, SourceKey
from plugins.object_browser.tree_view import ObjectTree
from telemetry.clock import monotonic_s
from telemetry.objects.catalogue import Catalogue
from telemetry.objects.definition import ObjectDefinition
from telemetry.recording.sample import Value
from telemetry.vehicle.vehicle import Vehicle
from widgets.theme import Theme

_NARROW_PX = 820
_SEEK_S = 2.0
_FEW_FOUND = 12
"""A search that finds this few objects opens them all."""

NO_AIRCRAFT = "No aircraft and no log.\nConnect to an aircraft, or open a log, to see its objects."
NO_OBJECTS = "Waiting for the first object.\nWhat the aircraft sends will be listed here."
NOTHING_FOUND = "Nothing is called so.\nSearch for part of an object, a field or a unit."


class BrowserPanel(QWidget):
    """Lists the objects of the vehicle shown. Edits stay drafts until they are sent."""

    def __init__(self, context: PanelContext, clock: Callable[[], float] = monotonic_s) -> None:
        super().__init__()
        self._context = context
        self._clock = clock
        self._vehicle: Vehicle | None = None
        self._contents: Contents | None = None
        self._by_vehicle: dict[Vehicle, tuple[Contents, Scene]] = {}
        self._scene = Scene()
        self._search = Search()
        self._release = ""
        self._releases: dict[int, Future[tuple[str, ...]]] = {}
        self._best: Future[str | None] | None = None
        self._needs_rebuild = True
        self._glowing_until = 0.0
        self._stamp: tuple[object, ...] = ()
        self._sent: dict[SourceKey, dict[str, Value]] = {}
        self.model = ObjectModel(self._scene, context.theme, self)
        self.tree = ObjectTree(self.model, context.theme)
        self.detail = DetailPane()
        self._build()
        self.apply_theme(context.theme)
        if context.settings:
            self.restore_state(context.settings)

    # Building

    def _build(self) -> None:
        self.search_edit = QLineEdit()
        self.search_edit.setPlaceholderText("Search names, fields, units")
        self.search_edit.setClearButtonEnabled(True)
        self.search_edit.setAccessibleName("Search objects")
        self.search_edit.textChanged.connect(self._on_search)
        self.metadata_button = self._toggle("Metadata", "Show how each object is sent and logged")
        self.category_button = self._toggle("Categories", "Group objects by category")
        self.absent_button = self._toggle(
            "All of release",
            "Also list the objects of this release that were not received, in grey",
        )
        self._count = QLabel()
        self._count.setProperty("tone", "muted")
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 8, 8, 8)
        bar.setSpacing(6)
        bar.addWidget(self.search_edit, 1)
        for button in (self.metadata_button, self.category_button, self.absent_button):
            bar.addWidget(button)
        bar.addSpacing(6)
        bar.addWidget(self._count)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.addWidget(self.tree)
        aside = QWidget()
        frame = QVBoxLayout(aside)
        frame.setContentsMargins(4, 0, 8, 8)
        frame.addWidget(self.detail)
        self._splitter.addWidget(aside)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setStretchFactor(1, 0)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setSizes([700, 340])
        self.empty = QLabel(NO_AIRCRAFT)
        self.empty.setProperty("tone", "muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._splitter)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(bar)
        rows.addWidget(self._pages, 1)
        rows.addWidget(self._build_pending())
        self.detail.asked.connect(self._on_asked)
        self._watch_selection()
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search_edit.setFocus)

    def _toggle(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setCheckable(True)
        button.toggled.connect(self._on_option)
        return button

    def _build_pending(self) -> QWidget:
        self.pending = QWidget()
        line = QHBoxLayout(self.pending)
        line.setContentsMargins(12, 4, 8, 6)
        self._pending_text = QLabel()
        self.send_all = QPushButton("Send all")
        self.revert_all = QPushButton("Revert all")
        self.send_all.clicked.connect(self._on_send_all)
        self.revert_all.clicked.connect(self._on_revert_all)
        line.addWidget(self._pending_text, 1)
        line.addWidget(self.revert_all)
        line.addWidget(self.send_all)
        self.pending.hide()
        return self.pending

    def _watch_selection(self) -> None:
        selection = self.tree.selectionModel()
        assert isinstance(selection, QItemSelectionModel)
        selection.currentChanged.connect(self._on_current)

    # What the station calls

    def refresh(self, t: float) -> None:
        """Show every object as it was at `t`; does nothing while nothing moved."""
        vehicle = self._context.vehicle
        if vehicle is not self._vehicle:
            self._take_vehicle(vehicle)
        if vehicle is None or self._contents is None:
            return
        self._poll_errands()
        self._take_answers(vehicle)
        clock_s = self._clock()
        stamp = (
            vehicle.recording.version,
            t,
            self._scene.drafts.version,
            vehicle.commands.refusal(),
        )
        has_glow = self._scene.clock_s < self._glowing_until  # until its end has been shown
        if stamp == self._stamp and not has_glow and not self._needs_rebuild:
            return
        self._stamp = stamp
        self._follow(t, clock_s)
        self.model.refusal = stamp[3]
        if (self._contents.take_in() or self._needs_rebuild) and not self.tree.is_editing:
            self._rebuild(vehicle)
            self._follow(t, clock_s)
        self.tree.repaint_changed()
        self._show_detail()
        self._show_pending()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self.model.apply_theme(theme)
        self.tree.apply_theme(theme)
        self.detail.apply_theme(theme)
        for button in self.findChildren(QToolButton):
            if button.isCheckable():
                button.setMinimumHeight(theme.target_px())
        self.tree.viewport().update()

    def save_state(self) -> Json:
        """What is open, searched, shown, and how wide the columns are."""
        return {
            "search": self.search_edit.text(),
            "open": self.tree.open_keys(),
            "widths": self.tree.widths(),
            "metadata": self.metadata_button.isChecked(),
            "categories": self.category_button.isChecked(),
            "not_received": self.absent_button.isChecked(),
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned; unknown or missing keys are no error."""
        for button, name in (
            (self.metadata_button, "metadata"),
            (self.category_button, "categories"),
            (self.absent_button, "not_received"),
        ):
            button.setChecked(bool(state.get(name, button.isChecked())))
        search, open_keys, widths = state.get("search"), state.get("open"), state.get("widths")
        if isinstance(search, str):
            self.search_edit.setText(search)
        if isinstance(open_keys, list):
            self.tree.set_open_keys({key for key in open_keys if isinstance(key, str)})
        if isinstance(widths, dict):
            self.tree.set_widths(widths)

    # Following the vehicle

    def _take_vehicle(self, vehicle: Vehicle | None) -> None:
        fleet = self._context.fleet.vehicles
        self._by_vehicle = {v: kept for v, kept in self._by_vehicle.items() if v in fleet}
        self._vehicle = vehicle
        self._stamp = ()
        self._release, self._best = "", None
        self._needs_rebuild = True
        self._glowing_until = 0.0
        self._sent = {}
        if vehicle is None:
            self._contents, self._scene = None, Scene()
            self.model.scene = self._scene
            self.tree.show_groups((), set())
            self._show_empty(NO_AIRCRAFT)
            self.pending.hide()
            return
        if vehicle not in self._by_vehicle:
            self._by_vehicle[vehicle] = (Contents(vehicle.recording), Scene())
        self._contents, self._scene = self._by_vehicle[vehicle]
        self.model.scene = self._scene

    def _follow(self, t: float, clock_s: float) -> None:
        """Move every source to the cursor. A seek is no news, so it does not glow."""
        assert self._contents is not None
        assert self._vehicle is not None
        scene = self._scene
        glow = abs(t - scene.t) < _SEEK_S
        scene.t, scene.clock_s = t, clock_s
        recording = self._vehicle.recording
        for source in self._contents.sources():
            if source.follow(recording, t, clock_s, glow=glow):
                scene.drafts.settle(source)
                if glow:
                    self._glowing_until = clock_s + GLOW_S

    def _rebuild(self, vehicle: Vehicle) -> None:
        assert self._contents is not None
        self._needs_rebuild = False
        release = self._release_objects(vehicle)
        entries = self._contents.entries(release, with_metadata=self.metadata_button.isChecked())
        groups = build_groups(entries, self._search, by_category=self.category_button.isChecked())
        self.tree.show_groups(groups, self._found_keys(groups))
        self._show_count(groups)
        if not entries:
            self._show_empty(NO_OBJECTS)
        elif not groups:
            self._show_empty(NOTHING_FOUND)
        else:
            self._pages.setCurrentWidget(self._splitter)

    def _show_empty(self, text: str) -> None:
        self.empty.setText(text)
        self._pages.setCurrentWidget(self.empty)
        self._count.setText("")

    def _found_keys(self, groups: tuple[Node, ...]) -> set[str]:
        """The rows that a search opens: what was found by its fields, if it is not too much."""
        if not self._search.is_active:
            return set()
        headings = list(groups)
        objects: list[Node] = []
        while headings:
            heading = headings.pop()
            for child in heading.children:
                (headings if isinstance(child, GroupNode) else objects).append(child)
        found = {node.key for node in groups}
        if self.category_button.isChecked():
            found |= {child.key for group in groups for child in group.children}
        opened = [node for node in objects if not self._is_named(node)]
        if len(objects) <= _FEW_FOUND:
            opened = objects
        return found | {node.key for node in opened}

    def _is_named(self, node: Node) -> bool:
        owner = object_of(node)
        return owner is not None and self._search.names_object(owner.entry.definition)

    def _show_count(self, groups: tuple[Node, ...]) -> None:
        assert self._contents is not None
        shown = sum(group.count for group in groups if isinstance(group, GroupNode))
        total = self._contents.count
        text = f"{shown} found" if self._search.is_active else f"{total} objects"
        is_wide = self._splitter.orientation() == Qt.Orientation.Horizontal
        self._count.setText(f"{text}  ·  {self._release}" if self._release and is_wide else text)

    def _release_objects(self, vehicle: Vehicle) -> tuple[ObjectDefinition, ...]:
        if not self.absent_button.isChecked() or not self._release:
            return ()
        return vehicle.catalogue.release(self._release)

    def _take_answers(self, vehicle: Vehicle) -> None:
        """Learn which release this is: from the session, or by looking at the ids in a job."""
        assert self._contents is not None
        if vehicle.status.release and vehicle.status.release != self._release:
            self._release = vehicle.status.release
            self._needs_rebuild = True
        if self._release or not self._contents.count or vehicle.is_live:
            return  # a live session says itself, once it has seen enough
        if self._best is None:
            ids = self._contents.object_ids
            self._best = self._context.jobs.submit(vehicle.catalogue.best_release, ids)
        elif self._best.done():
            self._release = self._best.result() or ""
            self._needs_rebuild = bool(self._release)
            self._best = None if self._release else self._best

    # What the user does

    def _on_search(self, text: str) -> None:
        self._search = Search(text)
        self._needs_rebuild = True

    def _on_option(self, _on: bool) -> None:
        self._needs_rebuild = True

    def _on_current(self, _current: QModelIndex, _previous: QModelIndex) -> None:
        self._show_detail()

    def _selected(self) -> tuple[Node | None, Source | None]:
        node = self.model.node(self.tree.currentIndex())
        return node, source_of(node)

    def _on_asked(self, name: str) -> None:
        _node, source = self._selected()
        if source is None or self._vehicle is None:
            return
        if name == "revert":
            for own in self._sources_of_object():
                self._scene.drafts.discard(own)
                self._scene.errands.pop(own.key, None)
        elif name == "send":
            for own in self._sources_of_object():
                if self._scene.drafts.count(own):
                    self._start("send", own)
        else:
            self._start(cast(Asked, name), source)
        self._stamp = ()
        self._repaint_now()

    def _start(self, asked: Asked, source: Source) -> None:
        assert self._vehicle is not None
        self._sent[source.key] = self._scene.drafts.of(source) if asked in ("send", "save") else {}
        errand = start_errand(asked, self._vehicle.commands, source, self._scene.drafts)
        self._scene.errands[source.key] = errand

    def _sources_of_object(self) -> tuple[Source, ...]:
        owner = object_of(self._selected()[0])
        if owner is None:
            return ()
        metadata = owner.entry.metadata
        return owner.entry.sources if metadata is None else (*owner.entry.sources, metadata)

    def _on_send_all(self) -> None:
        assert self._contents is not None
        for source in self._contents.sources():
            if self._scene.drafts.count(source):
                self._start("send", source)
        self._repaint_now()

    def _on_revert_all(self) -> None:
        self._scene.drafts.clear()
        self._repaint_now()

    def _poll_errands(self) -> None:
        has_news = False
        for key, errand in self._scene.errands.items():
            if errand.poll():
                has_news = True
                if errand.state == "done":
                    self._drop_sent(key)
                if errand.state == "failed":
                    self._context.show_message(errand.sentence)
        if has_news:
            self._stamp = ()

    def _drop_sent(self, key: SourceKey) -> None:
        """Drafts that the board has taken are drafts no more, unless edited again meanwhile."""
        sent = self._sent.pop(key, {})
        self._scene.drafts.drop(key, sent)

    def _repaint_now(self) -> None:
        self.tree.repaint_changed()
        self._show_detail()
        self._show_pending()

    # The right and the lower side

    def _show_detail(self) -> None:
        node, source = self._selected()
        owner = object_of(node)
        if node is None or source is None or owner is None:
            self.detail.show_facts(
                "Nothing selected", "Select an object or a field to see what it is.", ()
            )
            self.detail.show_outcome("", "muted")
            self.detail.enable(set())
            return
        if isinstance(node, ValueNode):
            text = node.field.description or self._borrowed_description(node)
            facts = value_facts(node, self._scene)
        else:
            text = owner.entry.definition.description
            facts = object_facts(owner, self._releases_with(owner.entry.definition))
        self.detail.show_facts(title_of(node, source), text, facts)
        self._show_actions(source)

    def _borrowed_description(self, node: ValueNode) -> str:
        """Older versions of an object tell nothing of their fields; the default release does."""
        assert self._vehicle is not None
        try:
            known = self._vehicle.catalogue.find(node.source.definition.name)
        except ValueError:
            return ""
        name = node.field.name
        return known.field_named(name).description if known.has_field(name) else ""

    def _releases_with(self, definition: ObjectDefinition) -> tuple[str, ...] | None:
        object_id = definition.object_id
        if object_id not in self._releases and self._vehicle is not None:
            catalogue: Catalogue = self._vehicle.catalogue
            job = self._context.jobs.submit(catalogue.releases_with, object_id)
            self._releases[object_id] = job
        future = self._releases.get(object_id)
        return future.result() if future is not None and future.done() else None

    def _show_actions(self, source: Source) -> None:
        errand = self._scene.errands.get(source.key)
        refusal = self.model.refusal
        is_dirty = any(self._scene.drafts.count(own) for own in self._sources_of_object())
        if self.tree.refused:
            self.detail.show_outcome(f"Not taken over: {self.tree.refused}.", "danger")
        elif errand is not None and (errand.state == "waiting" or not is_dirty):
            tone = {"waiting": "muted", "done": "ok", "failed": "danger"}[errand.state]
            self.detail.show_outcome(errand.sentence, tone)
        elif refusal is not None:
            self.detail.show_outcome(refusal, "muted")
        elif errand is not None and errand.state == "failed":
            self.detail.show_outcome(errand.sentence, "danger")
        else:
            self.detail.show_outcome("Changes are not sent yet." if is_dirty else "", "muted")
        names: set[str] = {"revert"} if is_dirty else set()
        if refusal is None and (errand is None or errand.state != "waiting"):
            names |= {"send"} if is_dirty else set()
            if not source.key.is_metadata:
                names |= {"request", "save", "load", "erase"}
        self.detail.enable(names)

    def _show_pending(self) -> None:
        keys = self._scene.drafts.keys()
        if self.pending.isHidden() != (len(keys) < 2):
            self.pending.setVisible(len(keys) >= 2)
        if len(keys) >= 2:
            self._pending_text.setText(f"{len(keys)} objects have changes that are not sent.")
            self.send_all.setEnabled(self.model.refusal is None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_PX
        wanted = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._splitter.orientation() != wanted:
            self._splitter.setOrientation(wanted)
            self._splitter.setSizes([500, 260] if is_narrow else [self.width() - 340, 340])
            self.detail.arrange(3 if is_narrow else 2)
            self._needs_rebuild = True

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.tree.scheduleDelayedItemsLayout()
