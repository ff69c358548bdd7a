"""State label: shows a statement and nothing else; its tool tip says of what, since and until."""

from PySide6.QtWidgets import QLabel

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.recording.timeline import format_time
from widgets.labels import set_look

_TONES = {Level.WARNING: "caution", Level.ERROR: "danger"}


class StateLabel(QLabel):
    """A label of state. Without a statement it is hidden, unless it `keeps_room`."""

    def __init__(self, *, wraps: bool = False, keeps_room: bool = False) -> None:
        super().__init__()
        self._keeps_room = keeps_room
        self._shown: Statement | None = None
        self.setWordWrap(wraps)
        self.state(None)

    @property
    def statement(self) -> Statement | None:
        """What is shown."""
        return self._shown

    def state(self, statement: Statement | None) -> None:
        """Show this and nothing of what was shown before."""
        if statement is not None and statement == self._shown:
            return
        self._shown = statement
        self.setText("" if statement is None else statement.text)
        self.setToolTip("" if statement is None else about_statement(statement))
        tone = "muted" if statement is None else _TONES.get(statement.level, "muted")
        set_look(self, "tone", tone)
        if not self._keeps_room:
            self.setVisible(statement is not None)


def about_statement(statement: Statement) -> str:
    """All that is known of a statement, as a tool tip."""
    about = statement.about or "This station"
    since = "" if statement.since_s is None else f", since {format_time(statement.since_s)}"
    until = f" Until {statement.ends}." if statement.ends else ""
    return f"{statement.text}\n{about}{since}.{until}"
