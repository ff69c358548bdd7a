"""Row actions of the browser's user: commands to the aircraft, editing, plotting, the menu."""

from typing import cast

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.object_browser import field_drop
from plugins.object_browser.browsed_vehicle import BrowsedVehicle
from plugins.object_browser.commands import Asked
from plugins.object_browser.detail import DetailPane
from plugins.object_browser.model import ObjectModel, object_of, source_of
from plugins.object_browser.row_menu import build_row_menu
from plugins.object_browser.rows import TreeNode
from plugins.object_browser.tree_view import ObjectTree
from plugins.object_browser.values import ValueNode

NO_PLOT = "No plot is open here. Add a plot panel, then choose the field again or drag it there."


class RowActions(QObject):
    """Acts on the current row of a tree. `done` says that something was asked of the aircraft or
    taken back; `viewed` is the aircraft, None while there is none.
    """

    done = Signal()

    def __init__(
        self, panel: QWidget, tree: ObjectTree, detail: DetailPane, context: PanelContext
    ) -> None:
        super().__init__(panel)
        self.viewed: BrowsedVehicle | None = None
        self._panel = panel
        self._tree = tree
        self._detail = detail
        self._context = context

    def ask(self, name: str) -> None:
        """Do what a button of the detail pane is called."""
        viewed, node = self.viewed, self._current()
        source, owner = source_of(node), object_of(node)
        if viewed is None or source is None or owner is None:
            return
        edits, all_sources = viewed.edits, owner.all_sources()
        if name == "revert":
            for own in all_sources:
                edits.discard(own)
        elif name == "send":
            edits.send(all_sources)
        elif name == "undo":
            edits.undo(all_sources)
        elif name == "save":
            edits.send([source], save=True)
        else:
            edits.ask(cast(Asked, name), source)
        self.done.emit()

    def can_ask(self, name: str) -> bool:
        """Whether the button of that name can be pressed."""
        return self._detail.buttons[name].isEnabled()

    def choose(self) -> None:
        """Enter or a double click: edit settings, plot what is measured, open the rest."""
        tree, node = self._tree, self._current()
        path = field_drop.path_of_field(node)
        views = field_drop.takers(self._panel, path) if path else []
        is_measured = isinstance(node, ValueNode) and node.is_measured
        if is_measured and views:
            field_drop.give(path, views[0][1])
        elif tree.edit_current():
            return
        elif node is not None and node.has_children:
            index = tree.currentIndex()
            tree.setExpanded(index, not tree.isExpanded(index))
        elif views:
            field_drop.give(path, views[0][1])
        elif path:
            self._context.show_message(NO_PLOT)

    def open_menu(self, at: QPoint) -> None:
        """Show what can be done with the current row."""
        menu = build_row_menu(self._panel, self._tree, self.can_ask, self.ask)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._tree.viewport().mapToGlobal(at))

    def _current(self) -> TreeNode | None:
        model = self._tree.model()
        assert isinstance(model, ObjectModel)
        return model.node(self._tree.currentIndex())
