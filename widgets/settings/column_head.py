"""Column head of a table that is edited in place."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from widgets.parts import make_label
from widgets.settings.editor import MARK_PX


def column_head(text: str, *, over_editors: bool = False) -> QLabel:
    """A muted label. Above bound editors it begins where their boxes do, beside their marks."""
    label = make_label(text, tone="muted")
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
    if over_editors:
        label.setContentsMargins(MARK_PX, 0, 0, 0)
    return label
