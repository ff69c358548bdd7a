"""Message bar inside the window: messages stay until they are closed; never a dialog."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QToolButton

from app.messages import Message
from telemetry.base.finding import Level
from widgets.icons import themed_icon
from widgets.labels import set_look, show_text
from widgets.level_mark import LEVEL_TOKENS
from widgets.parts import make_button, make_label, make_row
from widgets.theme import Theme

_LIMIT = 50


class MessageBar(QFrame):
    """Shows the newest message; closing it shows the one before. Hidden when there is none.

    `show_details` is called with a text to be shown at length.
    """

    def __init__(self, theme: Theme, show_details: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self._messages: list[Message] = []
        self._theme = theme
        self._icon = QLabel()
        self._text = make_label(wraps=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._count = make_label(tone="muted")
        self._remedy = make_button("", self._run_remedy)
        self._refusal = make_button("", self.dismiss)
        self._details = make_button("Details", lambda: show_details(self._messages[-1].details))
        self._close = QToolButton()
        self._close.setProperty("role", "flat")
        self._close.setToolTip("Close this message")
        self._close.clicked.connect(self.dismiss)
        buttons = (self._remedy, self._refusal, self._details, self._close)
        parts = (self._icon, (self._text, 1), self._count, *buttons)
        self.setLayout(make_row(*parts, margins=(10, 4, 4, 4)))
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.apply_theme(theme)
        self._show()

    @property
    def messages(self) -> tuple[Message, ...]:
        """What has not been closed yet, oldest first."""
        return tuple(self._messages)

    def add(self, message: Message) -> None:
        """Show a message. One that already stands there is not repeated, nor its topic."""
        others = [m for m in self._messages if m.text != message.text]
        self._messages = [m for m in others if not m.topic or m.topic != message.topic][-_LIMIT:]
        self._messages.append(message)
        self._show()

    def dismiss(self) -> None:
        if self._messages:
            self._messages.pop()
        self._show()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        self._close.setIcon(themed_icon("close", theme))
        self._close.setIconSize(QSize(round(16 * theme.scale), round(16 * theme.scale)))
        self._show()

    def _run_remedy(self) -> None:
        message = self._messages[-1]
        self.dismiss()
        if message.remedy is not None:
            message.remedy()

    def _show(self) -> None:
        self.setVisible(bool(self._messages))
        if not self._messages:
            return
        message = self._messages[-1]
        card = "plain" if message.level is Level.INFO else LEVEL_TOKENS[message.level]
        set_look(self, "card", card)
        name, token = ("info", "text") if card == "plain" else ("warning", card)
        side = round(20 * self._theme.scale)
        self._icon.setPixmap(themed_icon(name, self._theme, token).pixmap(side, side))
        self._text.setText(message.text)
        others = len(self._messages) - 1
        self._count.setText(f"and {others} more" if others else "")
        self._remedy.setText(message.remedy_title)
        self._remedy.setVisible(message.remedy is not None)
        show_text(self._refusal, message.refusal_title)
        self._details.setVisible(bool(message.details))
