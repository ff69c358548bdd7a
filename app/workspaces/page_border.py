"""Page border: what is taken hold of between two areas of a workspace, to give one more room."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.workspaces.panel_sizes import Border


class PageBorder(QFrame):
    """`on_taken` is called when it is taken hold of, `on_moved` with the pixels that it was moved
    by since then."""

    def __init__(
        self,
        border: Border,
        on_taken: Callable[[], None],
        on_moved: Callable[[Border, int], None],
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self.setObjectName("pageBorder")
        self._on_taken, self._on_moved = on_taken, on_moved
        self._start: int | None = None
        is_upright = border.orientation == "horizontal"
        shape = Qt.CursorShape.SplitHCursor if is_upright else Qt.CursorShape.SplitVCursor
        self.setCursor(shape)
        self.border = border

    def is_alike(self, border: Border) -> bool:
        """Whether that border is moved the same way."""
        return self.border.orientation == border.orientation

    def place(self, border: Border) -> None:
        """Stand between the same two areas, where they stand now."""
        self.border = border
        self.setGeometry(*border.rect)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of it."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._start = self._place_of(event)
            self._on_taken()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move it."""
        if self._start is not None:
            place = self._place_of(event)
            self._on_moved(self.border, place - self._start)
            self._start = place

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of it."""
        self._start = None

    def _place_of(self, event: QMouseEvent) -> int:
        place = event.globalPosition().toPoint()
        return place.x() if self.border.orientation == "horizontal" else place.y()
