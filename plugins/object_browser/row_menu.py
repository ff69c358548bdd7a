"""Row menu: what can be done with a row."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from plugins.object_browser import field_drop
from plugins.object_browser.button_grid import BUTTONS
from plugins.object_browser.facts import title_of
from plugins.object_browser.model import ObjectModel, source_of
from plugins.object_browser.nodes import SourceNode
from plugins.object_browser.rows import VALUE, TreeNode
from plugins.object_browser.tree_view import ObjectTree
from plugins.object_browser.values import ValueNode


def build_row_menu(
    panel: QWidget, tree: ObjectTree, can_ask: Callable[[str], bool], ask: Callable[[str], None]
) -> QMenu:
    """The menu of the current row. `can_ask` and `ask` take the names of the pane's buttons."""
    menu = QMenu(panel)
    model = tree.model()
    assert isinstance(model, ObjectModel)
    index = tree.currentIndex()
    node = model.node(index)
    source = source_of(node)
    if node is not None and source is not None:
        if isinstance(node, ValueNode):
            _add_plots(menu, panel, node)
            edit = menu.addAction("Edit", tree.edit_current)
            edit.setEnabled(model.can_edit(node))
            menu.addSeparator()
        path = title_of(node, source)
        menu.addAction("Copy path", lambda: copy(path))
        menu.addAction("Copy value", lambda: copy(text_to_copy(node, model)))
        menu.addSeparator()
        for name, title, _ in BUTTONS:
            menu.addAction(title, partial(ask, name)).setEnabled(can_ask(name))
        if can_ask("undo"):
            menu.addAction("Undo", partial(ask, "undo"))
        menu.addSeparator()
    if node is not None and node.has_children:
        menu.addAction("Expand all below", lambda: tree.open_below(index))
    menu.addAction("Expand all", tree.open_all)
    menu.addAction("Collapse all", tree.close_all)
    return menu


def text_to_copy(node: TreeNode, model: ObjectModel) -> str:
    """The value of a row as text; of an object, a line per field."""
    if isinstance(node, SourceNode):
        below = [child for child in node.children if isinstance(child, ValueNode)]
        return "\n".join(f"{child.name}\t{_whole(child, model)}" for child in below)
    return _whole(node, model)


def _whole(node: TreeNode, model: ObjectModel) -> str:
    if isinstance(node, ValueNode) and not node.is_draft(model.scene):
        return node.board_text()
    return node.text(VALUE, model.scene)


def copy(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def _add_plots(menu: QMenu, panel: QWidget, node: ValueNode) -> None:
    path = field_drop.path_of_field(node)
    if not path:
        return
    views = field_drop.takers(panel, path)
    for title, widget in views:
        menu.addAction(f"Plot in {title}", partial(field_drop.give, path, widget))
    if not views:
        menu.addAction("Plot (no plot is open here)").setEnabled(False)
