"""Field drag and drop: fields handed to another panel, such as a plot.

A command asks every view in sight whether it takes the field and gives it to the one chosen, so
the browser needs to know nothing of the panels that take fields.
"""

from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtWidgets import QApplication, QWidget

from plugins.object_browser.facts import title_of
from plugins.object_browser.rows import TreeNode
from plugins.object_browser.values import ValueNode
from telemetry.protocol.objects.values import is_text
from widgets.plot.fields import FIELD_MIME, FieldTaker


def path_of_field(node: TreeNode | None) -> str:
    """The path that plots and logs know a row by; empty if it is no number of the recording."""
    if not isinstance(node, ValueNode) or node.source.key.is_metadata or is_text(node.field):
        return ""
    return title_of(node, node.source)


def field_mime(path: str) -> QMimeData:
    """What is dragged."""
    mime = QMimeData()
    mime.setData(FIELD_MIME, path.encode())
    return mime


def takers(origin: QWidget, path: str) -> list[tuple[str, QWidget]]:
    """The views in sight outside `origin` that take a field, with their titles, in the order they
    stand.
    """
    found = [widget for widget in _candidates(origin) if _takes(widget, path)]
    return [(_title(view), view) for view in sorted(found, key=_place)]


def give(path: str, widget: QWidget) -> None:
    """Give a field to a view."""
    if isinstance(widget, FieldTaker):
        widget.take_field(path)


def _place(widget: QWidget) -> tuple[int, int]:
    corner = widget.mapToGlobal(QPoint(0, 0))
    return corner.x(), corner.y()


def _candidates(origin: QWidget) -> Iterator[QWidget]:
    for widget in QApplication.allWidgets():
        is_elsewhere = widget is not origin and not origin.isAncestorOf(widget)
        if is_elsewhere and not widget.visibleRegion().isEmpty():
            yield widget


def _takes(widget: QWidget, path: str) -> bool:
    return isinstance(widget, FieldTaker) and widget.takes_field(path)


def _title(widget: QWidget) -> str:
    owner: QWidget | None = widget
    while owner is not None:
        if owner.windowTitle():
            return owner.windowTitle()
        owner = owner.parentWidget()
    return widget.accessibleName() or widget.windowTitle()
