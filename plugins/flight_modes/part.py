"""A part of the page under a heading, built when it is first looked at."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from widgets.fold import Fold

_View = TypeVar("_View", bound=QWidget)


class LazyFold(Generic[_View]):
    """A fold whose view is made when asked for, so that opening the page takes no time."""

    def __init__(self, title: str, make: Callable[[], _View], is_open: bool = True) -> None:
        self.built: _View | None = None
        self._make = make
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.fold = Fold(title, self._body, is_open)

    @property
    def view(self) -> _View:
        """The view, made now if it was not before."""
        if self.built is None:
            self.built = self._make()
            self._column.addWidget(self.built)
        return self.built

    @property
    def is_due(self) -> bool:
        """Whether it is to be seen and still empty."""
        return self.built is None and self.fold.is_open and not self.fold.isHidden()
