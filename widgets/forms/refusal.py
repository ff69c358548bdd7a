"""Refusal of what was typed: says why where it was typed, instead of putting the old back."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QToolTip, QWidget

from widgets.forms.tips import wrapped

_SHOWN_MS = 8000


def say_refused(editor: QWidget, sentence: str) -> None:
    """Show a sentence below `editor` for a while."""
    editor.setToolTip(wrapped(sentence))
    if editor.isVisible():
        corner = editor.mapToGlobal(QPoint(0, editor.height()))
        QToolTip.showText(corner, wrapped(sentence), editor, editor.rect(), _SHOWN_MS)
