"""Labels, headings and buttons as every panel and page has them, and layouts that are refilled."""

from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QLayout, QPushButton


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


def clear_layout(layout: QLayout) -> None:
    """Remove everything from a layout and free its widgets."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()
