"""What is dragged onto a widget and dropped there, as Qt delivers it."""

from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


def drop_onto(widget: QWidget, data: QMimeData) -> None:
    """Drag and drop it; what is not welcome is not dropped."""
    left, no_key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy, at = Qt.DropAction.CopyAction, QPoint(9, 9)
    entering = QDragEnterEvent(at, copy, data, left, no_key)
    entering.ignore()
    QCoreApplication.sendEvent(widget, entering)
    if entering.isAccepted():
        QCoreApplication.sendEvent(widget, QDropEvent(QPointF(at), copy, data, left, no_key))
