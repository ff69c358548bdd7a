"""State labels: each shows a statement and nothing else; its tool tip says of what, since, until.

The words of a state are given to no other label: a text that somebody once put there stays, and
what it says need not be so any more.
"""

from PySide6.QtWidgets import QAbstractButton, QLabel

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.recording.timeline import format_time
from widgets.fitted_text import FittedText
from widgets.labels import set_look, set_text

_TONES = {Level.WARNING: "caution", Level.ERROR: "danger"}


class StateLabel(QLabel):
    """A label of state. Without a statement it is hidden, unless it `keeps_room`. `calm` is the
    tone of what is no trouble, `size` one of the style sheet's."""

    def __init__(
        self,
        *,
        wraps: bool = False,
        keeps_room: bool = False,
        calm: str = "muted",
        size: str = "",
    ) -> None:
        super().__init__()
        self._keeps_room = keeps_room
        self.calm = calm
        """The tone of what is no trouble, from the next statement on."""
        self._shown: Statement | None = None
        self.setWordWrap(wraps)
        if size:
            self.setProperty("textSize", size)
        set_look(self, "tone", calm)
        if not keeps_room:
            self.hide()

    @property
    def statement(self) -> Statement | None:
        """What is shown."""
        return self._shown

    def state(self, statement: Statement | None) -> None:
        """Show this and nothing of what was shown before."""
        before, self._shown = self._shown, _since(self._shown, statement)
        if before == self._shown:
            return
        show_statement(self, self._shown, self.calm)
        if not self._keeps_room:
            self.setVisible(statement is not None)


class FittedStateLabel(FittedText):
    """A label of state that takes the room it is given, and says by … where words are left out."""

    def __init__(self, *, calm: str = "") -> None:
        super().__init__()
        self._calm = calm
        self._shown: Statement | None = None
        set_look(self, "tone", calm)

    @property
    def statement(self) -> Statement | None:
        """What is shown."""
        return self._shown

    def state(self, statement: Statement | None) -> None:
        """Show this and nothing of what was shown before."""
        before, self._shown = self._shown, _since(self._shown, statement)
        if before == self._shown:
            return
        self.about = "" if self._shown is None else _more_than_words(self._shown)
        set_text(self, "" if self._shown is None else self._shown.text)
        set_look(self, "tone", _tone(self._shown, self._calm))


def show_statement(
    shown_by: QLabel | QAbstractButton, statement: Statement | None, calm: str = ""
) -> None:
    """Have a button, or a label of another kind, show a statement and nothing of one before."""
    set_text(shown_by, "" if statement is None else statement.text, _tone(statement, calm))
    shown_by.setToolTip("" if statement is None else about_statement(statement))


def about_statement(statement: Statement) -> str:
    """All that is known of a statement, as a tool tip."""
    return _more_than_words(statement) or statement.text


def _more_than_words(statement: Statement) -> str:
    """The words with of what, since and until; empty where nothing of that is known."""
    since = "" if statement.since_s is None else f"since {format_time(statement.since_s)}"
    known = ", ".join(filter(None, (statement.about, since)))
    until = f"Until {statement.ends}." if statement.ends else ""
    more = " ".join(filter(None, (f"{known}." if known else "", until)))
    return f"{statement.text}\n{more}" if more else ""


def _since(before: Statement | None, now: Statement | None) -> Statement | None:
    return None if now is None else now.after(before)


def _tone(statement: Statement | None, calm: str) -> str:
    return calm if statement is None else _TONES.get(statement.level, calm)
