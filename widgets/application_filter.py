"""Application event filter: sees every event, for a while."""

from PySide6.QtCore import QCoreApplication, QObject


class ApplicationFilter(QObject):
    """A subclass's `eventFilter` sees all events while it watches: let it watch only while it has
    to, since Python is asked about each of them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_watching = False

    def watch(self, wanted: bool) -> None:
        """Begin or end watching. Asking for what is so already is fine."""
        application = QCoreApplication.instance()
        if wanted == self.is_watching or application is None:
            return
        self.is_watching = wanted
        if wanted:
            application.installEventFilter(self)
        else:
            application.removeEventFilter(self)
            self.forget()

    def forget(self) -> None:
        """Watching has ended: what was seen so far counts no more."""
