"""Labels and other widgets that get another text or look, only where it is another."""

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget


def set_text(label: QLabel | QAbstractButton, text: str, tone: str | None = None) -> None:
    """Show a text, in another tone if one is given; for the same text again Qt would lay the whole
    window out anew."""
    if label.text() != text:
        label.setText(text)
    if tone is not None:
        set_look(label, "tone", tone)


def show_text(label: QLabel | QAbstractButton, text: str, tone: str | None = None) -> None:
    """Show a text likewise, and the label only if there is one."""
    set_text(label, text, tone)
    label.setVisible(bool(text))


def set_look(widget: QWidget, name: str, value: object) -> None:
    """Give a widget another look of the style sheet, by the property that stands for it: "tone"."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
