"""Basic widgets: labels, headings, buttons, rows and columns of every panel and page."""

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

STRETCH: Final = 1
"""An empty place in a row or column that takes what is left over."""
PAGE_MARGINS: Final = (16, 12, 16, 12)
"""Around what stands on a page, in pixels: left, top, right, bottom."""

LayoutPart = QWidget | QLayout | tuple[QWidget | QLayout, int] | int
"""What stands in a row or column: as it is, with its share of what is left over, or STRETCH."""
Margins = int | tuple[int, int, int, int] | None


def make_label(text: str = "", *, tone: str = "", size: str = "", wraps: bool = False) -> QLabel:
    """A text in a tone ("muted", "caution", …) and size ("title", …) of the style sheet."""
    label = QLabel(text)
    if tone:
        label.setProperty("tone", tone)
    if size:
        label.setProperty("textSize", size)
    if wraps:
        label.setWordWrap(True)
    return label


def make_heading(text: str) -> QLabel:
    """The title of a part of a page."""
    return make_label(text, size="title")


def make_button(text: str, act: Callable[[], object], role: str = "") -> QPushButton:
    """A button that calls `act` without arguments; `role` is one of the style sheet's."""
    button = QPushButton(text)
    if role:
        button.setProperty("role", role)
    button.clicked.connect(lambda _is_checked: act())
    return button


def make_row(*parts: LayoutPart, margins: Margins = 0, spacing: int = -1) -> QHBoxLayout:
    """Parts beside each other. `margins` are one for all sides, or those of left, top, right and
    bottom; None and -1 are what the style has."""
    row = QHBoxLayout()
    _fill(row, parts, margins, spacing)
    return row


def make_column(*parts: LayoutPart, margins: Margins = 0, spacing: int = -1) -> QVBoxLayout:
    """Parts below each other, otherwise as a row."""
    column = QVBoxLayout()
    _fill(column, parts, margins, spacing)
    return column


def _fill(
    layout: QBoxLayout, parts: tuple[LayoutPart, ...], margins: Margins, spacing: int
) -> None:
    if margins is not None:
        sides = (margins,) * 4 if isinstance(margins, int) else margins
        layout.setContentsMargins(*sides)
    if spacing >= 0:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            layout.addStretch(part)
            continue
        content, share = part if isinstance(part, tuple) else (part, 0)
        if isinstance(content, QWidget):
            layout.addWidget(content, share)
        else:
            layout.addLayout(content, share)


def make_scrolled(layout: QLayout) -> QScrollArea:
    """Parts that scroll where there is too little room for them, so that none lies on another."""
    content = QWidget()
    content.setLayout(layout)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(content)
    return area


def clear_layout(layout: QLayout) -> None:
    """Remove everything from a layout and free its widgets."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()
