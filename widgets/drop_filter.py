"""Drop filter: has a widget take what is dragged onto it."""

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

_Dropped = TypeVar("_Dropped")
_DRAGS = (QEvent.Type.DragEnter, QEvent.Type.Drop)


class DropFilter(QObject, Generic[_Dropped]):
    """`find` says what of a drag is for the widget, something false if nothing is; `take` is called
    with it when it is dropped."""

    def __init__(
        self,
        widget: QWidget,
        find: Callable[[QDropEvent], _Dropped | None],
        take: Callable[[_Dropped], object],
    ) -> None:
        super().__init__(widget)
        self._find = find
        self._take = take
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Welcome what the widget can take, and take it."""
        if event.type() not in _DRAGS or not isinstance(event, QDropEvent):
            return False
        found = self._find(event)
        if found:
            if event.type() is QEvent.Type.Drop:
                self._take(found)
            event.acceptProposedAction()
        return bool(found)


def dropped_files(drag: QDropEvent) -> list[Path]:
    """The files on this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in drag.mimeData().urls() if url.isLocalFile()]
