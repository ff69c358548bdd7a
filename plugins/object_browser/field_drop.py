"""Handing fields to another panel, such as a plot: dragged by hand, or by a command.

A command does what the hand would do: it offers the field to every view in sight and drops it on
the one chosen. So the browser needs to know nothing of the views that take fields.
"""

from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from plugins.object_browser.facts import title_of
from plugins.object_browser.rows import Node
from plugins.object_browser.values import ValueNode
from widgets.forms.formats import is_text
from widgets.plot.fields import FIELD_MIME

_COPY = Qt.DropAction.CopyAction
_LEFT = Qt.MouseButton.LeftButton
_PLAIN = Qt.KeyboardModifier.NoModifier


def path_of_field(node: Node | None) -> str:
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
    """The views in sight outside `origin` that would take a field, with their titles, in the order
    they stand.
    """
    mime = field_mime(path)
    found: list[QWidget] = []
    for widget in sorted(_candidates(origin), key=_depth):
        # A part of a view would seem to take what the view takes: Qt asks the parents too.
        if not any(view.isAncestorOf(widget) for view in found) and _takes(widget, mime):
            found.append(widget)
    return [(_title(view), view) for view in sorted(found, key=_place)]


def drop(path: str, widget: QWidget) -> None:
    """Drop a field on a view."""
    mime = field_mime(path)
    if _enter(widget, mime):
        center = widget.rect().center().toPointF()
        QApplication.sendEvent(widget, QDropEvent(center, _COPY, mime, _LEFT, _PLAIN))


def _depth(widget: QWidget) -> int:
    parent = widget.parentWidget()
    return 0 if parent is None else 1 + _depth(parent)


def _place(widget: QWidget) -> tuple[int, int]:
    corner = widget.mapToGlobal(QPoint(0, 0))
    return corner.x(), corner.y()


def _candidates(origin: QWidget) -> Iterator[QWidget]:
    for widget in QApplication.allWidgets():
        is_elsewhere = widget is not origin and not origin.isAncestorOf(widget)
        if widget.acceptDrops() and is_elsewhere and not widget.visibleRegion().isEmpty():
            yield widget


def _takes(widget: QWidget, mime: QMimeData) -> bool:
    is_taken = _enter(widget, mime)
    if is_taken:
        QApplication.sendEvent(widget, QDragLeaveEvent())
    return is_taken


def _enter(widget: QWidget, mime: QMimeData) -> bool:
    event = QDragEnterEvent(widget.rect().center(), _COPY, mime, _LEFT, _PLAIN)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def _title(widget: QWidget) -> str:
    owner: QWidget | None = widget
    while owner is not None:
        if isinstance(owner, QDockWidget):
            return owner.windowTitle()
        owner = owner.parentWidget()
    return widget.accessibleName() or widget.windowTitle()
