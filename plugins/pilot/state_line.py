"""State line: a statement on one line of a fixed height."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy

from widgets.state_label import FittedStateLabel


class StateLine(FittedStateLabel):
    """Whatever it says takes the same room; what does not fit is in the tool tip."""

    def __init__(self, *, calm: str = "") -> None:
        super().__init__(calm=calm)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._line_px)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._line_px)

    @property
    def _line_px(self) -> int:
        return self.fontMetrics().height() + 2
