"""Row menu: what can be done with a row."""

from collections.abc import Callable

from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from plugins.object_browser import field_drop
from plugins.object_browser.facts import title_of
from plugins.object_browser.model import ObjectModel, source_of
from plugins.object_browser.nodes import SourceNode
from plugins.object_browser.rows import VALUE, TreeNode
from plugins.object_browser.tree_view import ObjectTree
from plugins.object_browser.values import ValueNode

_ASKED = (
    ("send", "Send"),
    ("revert", "Revert"),
    ("request", "Request"),
    ("save", "Save on board"),
    ("load", "Load"),
)


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
            edit = _add(menu, "Edit", tree.edit_current)
            edit.setEnabled(model.can_edit(node))
            menu.addSeparator()
        path = title_of(node, source)
        _add(menu, "Copy path", lambda: copy(path))
        _add(menu, "Copy value", lambda: copy(text_to_copy(node, model)))
        menu.addSeparator()
        for name, title in _ASKED:
            _add(menu, title, _asker(ask, name)).setEnabled(can_ask(name))
        if can_ask("undo"):
            _add(menu, "Undo", _asker(ask, "undo"))
        menu.addSeparator()
    if node is not None and node.has_children:
        _add(menu, "Expand all below", lambda: tree.open_below(index))
    _add(menu, "Expand all", tree.open_all)
    _add(menu, "Collapse all", tree.close_all)
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
        _add(menu, f"Plot in {title}", _dropper(path, widget))
    if not views:
        _add(menu, "Plot (no plot is open here)", lambda: None).setEnabled(False)


def _dropper(path: str, widget: QWidget) -> Callable[[], None]:
    return lambda: field_drop.give(path, widget)


def _asker(ask: Callable[[str], None], name: str) -> Callable[[], None]:
    return lambda: ask(name)


def _add(menu: QMenu, text: str, run: Callable[[], object]) -> QAction:
    action = menu.addAction(text)
    action.triggered.connect(lambda _checked=False: run())
    return action
