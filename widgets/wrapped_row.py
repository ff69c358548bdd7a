"""Wrapped row: parts beside each other, going on below where the line is full."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

_SPACING_PX = 4


class WrappedRow(QLayout):
    """As many lines as the width asks for. A part that expands takes what is left of its line; all
    else is as wide as it asks to be, or as the line, if that is less."""

    def __init__(
        self, *parts: QWidget, spacing: int = _SPACING_PX, is_centred: bool = False
    ) -> None:
        super().__init__()
        self._is_centred = is_centred
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for part in parts:
            self.addWidget(part)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(map(_height, lines)) + self.spacing() * max(0, len(lines) - 1)

    def sizeHint(self) -> QSize:
        """All in one line."""
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown)
        return QSize(width + self.spacing() * max(0, len(shown) - 1), _height(shown))

    def minimumSize(self) -> QSize:
        """The widest part in a line of its own."""
        shown = self._shown()
        width = max((item.minimumSize().width() for item in shown), default=0)
        return QSize(width, _height(shown))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        top = rect.top()
        for line in self._lines(rect.width()):
            height = _height(line)
            self._place(line, QRect(rect.left(), top, rect.width(), height))
            top += height + self.spacing()

    def _place(self, line: list[QLayoutItem], rect: QRect) -> None:
        widths = [min(_width(item), rect.width()) for item in line]
        left_over = rect.width() - sum(widths) - self.spacing() * (len(line) - 1)
        growing = [number for number, item in enumerate(line) if _grows(item)]
        if growing:
            widths[growing[0]] += left_over
        left = rect.left()
        if self._is_centred and not growing:
            left += left_over // 2
        for item, width in zip(line, widths, strict=True):
            item.setGeometry(QRect(left, rect.top(), width, rect.height()))
            left += width + self.spacing()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown():
            if not lines or _width(item) > left:
                lines.append([])
                left = width
            lines[-1].append(item)
            left -= _width(item) + self.spacing()
        return lines

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]


def _grows(item: QLayoutItem) -> bool:
    return bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _width(item: QLayoutItem) -> int:
    """What it asks for; of a part that may be narrower than that, the least."""
    widget = item.widget()
    policy = widget.sizePolicy().horizontalPolicy() if widget else QSizePolicy.Policy.Fixed
    is_free = policy in (QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
    return (item.minimumSize() if is_free else item.sizeHint()).width()


def _height(line: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in line), default=0)
