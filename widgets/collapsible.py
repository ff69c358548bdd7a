"""Collapsible group: a heading one presses, and what stands below it."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from PySide6.QtWidgets import QCheckBox, QWidget

from widgets.labels import set_text
from widgets.parts import make_column, make_label, make_row

FOLD_MARGINS: Final = (24, 0, 0, 8)
"""Around what stands in a fold, in pixels: its left side below the heading's text."""

_View = TypeVar("_View", bound=QWidget)


class CollapsibleGroup(QWidget):
    """A heading with an arrow, a note that shows folded too, and a body."""

    def __init__(self, title: str, body: QWidget, is_open: bool = True) -> None:
        super().__init__()
        self.title = title
        self._heading = QCheckBox(title)
        self._heading.setProperty("heading", True)
        self._heading.setToolTip("Press to fold or unfold.")
        self._heading.toggled.connect(body.setVisible)
        self._note = make_label(tone="caution")
        top = make_row((self._heading, 1), self._note)
        self.setLayout(make_column(top, body, spacing=0))
        self._heading.setChecked(is_open)
        body.setVisible(is_open)

    @property
    def is_open(self) -> bool:
        """Whether the body shows."""
        return self._heading.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Collapse or expand."""
        self._heading.setChecked(is_open)

    @property
    def note(self) -> str:
        """What stands beside the title."""
        return self._note.text()

    def set_note(self, text: str) -> None:
        """Say something beside the title, "" for nothing."""
        set_text(self._note, text)


class LazyCollapsible(Generic[_View]):
    """A fold whose view is made when asked for, so that opening the page takes no time."""

    def __init__(self, title: str, make: Callable[[], _View], is_open: bool = True) -> None:
        self.built: _View | None = None
        self._make = make
        self._column = make_column()
        body = QWidget()
        body.setLayout(self._column)
        self.fold = CollapsibleGroup(title, body, is_open)

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
