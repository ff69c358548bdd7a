"""Setting links: the names of settings after a sentence, each of which leads to its setting."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from telemetry.base.escaping import markup_attribute, markup_text
from widgets.labels import show_text


class SettingLinks(QLabel):
    """Takes no room while there are none. `follow` is called with the name that was chosen."""

    def __init__(self, follow: Callable[[str], None]) -> None:
        super().__init__()
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
        links = (f'<a href="{markup_attribute(n)}">{markup_text(n)}</a>' for n in names)
        show_text(self, " &nbsp; ".join(links))
