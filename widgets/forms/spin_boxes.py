"""What all boxes for numbers have in common and a style sheet cannot say."""

from PySide6.QtWidgets import QAbstractSpinBox

_INDENT_PX = 6


def indent_text(box: QAbstractSpinBox) -> None:
    """Have the text begin where that of other editors does, and not on the border: padding of
    the box or of the line in it is ignored where the arrows are styled."""
    box.lineEdit().setTextMargins(_INDENT_PX, 0, 0, 0)
