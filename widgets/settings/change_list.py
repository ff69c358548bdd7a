"""Change list: what was changed on an aircraft since connecting, the newest first."""

from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from telemetry.configuration.settings.configuration import Configuration
from telemetry.recording.timeline import format_time
from widgets.settings.pending_list import show_as_table, shown_value

_HEADINGS = ("Setting", "Before", "", "After", "When", "Changed in", "Saved on board")


class ChangeList(QTreeWidget):
    """A row for each change: the value before and after, when, from where, saved or not."""

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self._settings = settings
        self._seen = -1
        show_as_table(self, _HEADINGS)

    def refresh(self) -> None:
        """Show the changes so far."""
        settings = self._settings
        if settings.changes.version == self._seen:
            return
        self._seen = settings.changes.version
        self.clear()
        for change in reversed(settings.changes.entries):
            before, after = (
                shown_value(settings, change.address, change.path, value)
                for value in (change.before, change.after)
            )
            saved = "saved" if change.is_saved else "not saved"
            texts = [change.setting, before, "→", after, format_time(change.t), change.page, saved]
            self.addTopLevelItem(QTreeWidgetItem(texts))
