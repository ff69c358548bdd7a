"""Basic widgets: labels, headings, buttons, rows and columns of every panel and page."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from widgets.tab_order import RowScrollArea

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


def make_button(text: str, act: Callable[[], object], role: str = "", tip: str = "") -> QPushButton:
    """A button that calls `act` without arguments; `role` is one of the style sheet's."""
    button = QPushButton(text)
    button.setToolTip(tip)
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
    _set_margins(layout, margins)
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


def _set_margins(layout: QLayout, margins: Margins) -> None:
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))


def make_grid(
    parent: QWidget | None = None,
    *,
    margins: Margins = 0,
    spacing: int | tuple[int, int] = -1,
    shares: Mapping[int, int] = MappingProxyType({}),
) -> QGridLayout:
    """A grid, of `parent` if there is one. `spacing` is one for both directions, or that across
    and that down; `shares` says which columns take what is left over. Otherwise as a row."""
    grid = QGridLayout(parent)
    _set_margins(grid, margins)
    across, down = (spacing, spacing) if isinstance(spacing, int) else spacing
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    for column, share in shares.items():
        grid.setColumnStretch(column, share)
    return grid


def make_scrolled(
    content: QLayout | QWidget, *, has_frame: bool = False, keeps_width: bool = False
) -> QScrollArea:
    """Parts that scroll where there is too little room for them, so that none lies on another;
    those that keep the width of the place only down."""
    if isinstance(content, QLayout):
        layout, content = content, QWidget()
        content.setLayout(layout)
    area = RowScrollArea()
    area.setWidgetResizable(True)
    if not has_frame:
        area.setFrameShape(QFrame.Shape.NoFrame)
    if keeps_width:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    return area


def clear_layout(layout: QLayout) -> None:
    """Remove everything from a layout and free its widgets."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()
