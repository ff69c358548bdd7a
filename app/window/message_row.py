"""Message row: one line of the message list, in a room of its own that stays as it is."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QFrame, QToolButton, QWidget

from app.message_list import MessageLine
from widgets.alarm_explanation import LevelMark
from widgets.fitted_text import FittedText
from widgets.icons import themed_icon
from widgets.labels import set_text, show_text
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.theme import Theme

_SIDE_PX = 20
_CLOSE_PX = 28
_TALL_PX = 10_000


class MessageRow(QFrame):
    """Shows a line. `on_close(line)` closes it, `show_details(text)` shows a text at length."""

    def __init__(
        self,
        theme: Theme,
        line: MessageLine,
        on_close: Callable[[MessageLine], None],
        show_details: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._line = line
        self._on_close = on_close
        self._text_px = 0
        self.is_blank = False
        self._mark = LevelMark(theme, line.message.level, round(_SIDE_PX * theme.scale))
        self._text = make_label(wraps=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._about = FittedText()
        self._about.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        for name, look in (("tone", "muted"), ("textSize", "small")):
            self._about.setProperty(name, look)
        self._details = make_button("Details", lambda: show_details(self._line.message.details))
        self._refusal = make_button("", lambda: on_close(self._line))
        self._remedy = make_button("", self._run_remedy)
        self._close = QToolButton()
        side = round(_CLOSE_PX * theme.scale)
        self._close.setProperty("role", "flat")
        self._close.setToolTip("Close this message")
        self._close.setIcon(themed_icon("close", theme))
        self._close.setIconSize(QSize(round(14 * theme.scale), round(14 * theme.scale)))
        self._close.setFixedSize(side, side)
        self._close.clicked.connect(lambda _checked: on_close(self._line))
        self._buttons: tuple[QAbstractButton, ...] = (self._details, self._refusal, self._remedy)
        for button in (*self._buttons, self._close):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        top = Qt.AlignmentFlag.AlignTop
        words = make_column(
            self._text, make_row((self._about, 1), *self._buttons, spacing=6), STRETCH, spacing=2
        )
        row = make_row((words, 1), margins=(10, 6, 6, 6), spacing=10)
        row.insertWidget(0, self._mark, alignment=top)
        row.addWidget(self._close, alignment=top)
        self._row = row
        self.setLayout(row)

    @property
    def number(self) -> int:
        """Of the line that it shows."""
        return self._line.number

    def show_line(self, line: MessageLine, now: float) -> None:
        """Show the line as it is at `now`."""
        self._line = line
        message = line.message
        self._mark.show_level(message.level)
        set_text(self._text, message.text, "muted" if line.is_over else "")
        set_text(self._about, _about(line, now))
        show_text(self._refusal, message.refusal_title)
        show_text(self._remedy, message.remedy_title if message.remedy is not None else "")
        self._details.setVisible(bool(message.details))

    def hold_still(self, width_px: int) -> None:
        """Keep this width, and the height that it needs in it, from now on."""
        for part in (self, *self.findChildren(QWidget)):
            part.ensurePolished()
        self._about.setMinimumHeight(self._about.fontMetrics().height())
        self.setFixedSize(width_px, self._row.heightForWidth(width_px))
        self._row.activate()
        self._text_px = self._text.height()

    def has_room_for(self, line: MessageLine) -> bool:
        """Whether its words can be shown in the height that is kept."""
        return self._words_px(line.message.text) <= self._text_px

    def leave_blank(self) -> None:
        """Its line is gone; what stands below stays where it is."""
        self.is_blank = True
        for child in self.findChildren(QWidget):
            child.hide()

    def _words_px(self, words: str) -> int:
        room = QRect(0, 0, self._text.width(), _TALL_PX)
        wrapped = int(Qt.TextFlag.TextWordWrap)
        return self._text.fontMetrics().boundingRect(room, wrapped, words).height()

    def _run_remedy(self) -> None:
        remedy = self._line.message.remedy
        self._on_close(self._line)
        if remedy is not None:
            remedy()


def _about(line: MessageLine, now: float) -> str:
    """Whose it is, how often it was told, and how long ago last."""
    often = f"{line.count} times" if line.count > 1 else ""
    age = _age(now - line.told_s)
    when = f"over, {age}" if line.is_over else age
    return "  ·  ".join(filter(None, (line.message.about, often, when)))


def _age(seconds: float) -> str:
    whole = max(0, int(seconds))
    if whole < 5:
        return "just now"
    if whole < 60:
        return f"{whole}\u2009s ago"
    return f"{whole // 60}\u2009min ago" if whole < 3600 else f"{whole // 3600}\u2009h ago"
