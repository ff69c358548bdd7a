"""Setting links: the names of settings after a sentence, each of which leads to its setting."""

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from telemetry.base.escaping import markup_attribute, markup_text
from widgets.labels import show_text

_HUMP = re.compile(r"(?<=[a-z.])(?=[A-Z])")


class SettingLinks(QLabel):
    """Takes no room while there are none. `follow` is called with the name that was chosen."""

    def __init__(self, follow: Callable[[str], None]) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self.setProperty("rich", True)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.linkActivated.connect(follow)
        self.hide()

    def show_settings(self, names: Sequence[str]) -> None:
        """Show these ("Object.Field")."""
        self._names = tuple(names)
        color = QGuiApplication.palette().link().color().name()
        show_text(self, " &nbsp; ".join(_link(name, color) for name in names))

    def changeEvent(self, event: QEvent) -> None:
        """Take over new colours: the style sheet has none for links."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and self._names:
            self.show_settings(self._names)


def _link(name: str, color: str) -> str:
    words = _HUMP.sub("&#8203;", markup_text(name))  # where a long name may be broken
    return f'<a href="{markup_attribute(name)}" style="color: {color}">{words}</a>'
