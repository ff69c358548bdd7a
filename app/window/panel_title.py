"""Panel title bar: a title, which can be edited in place, a menu and a close button."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolButton, QWidget

from widgets.icons import themed_icon
from widgets.parts import make_label, make_row
from widgets.theme import Theme

HEIGHT_PX = 28
_BUTTON_WIDTH_PX = 32


class PanelTitle(QWidget):
    """`on_command` is called with "menu" or "close"."""

    def __init__(self, title: str, on_command: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("panelTitle")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = title
        self._is_shown = True
        self._hint: QWidget | None = None
        self._label = make_label(title, tone="muted")
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = make_row((self._label, 1), margins=(10, 0, 2, 0), spacing=0)
        self.setLayout(self._row)
        self.menu_button = self._button("Panel menu", lambda: on_command("menu"))
        self._close_button = self._button("Close this panel", lambda: on_command("close"))

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._title = title
        self.show_title(self._is_shown)

    def show_title(self, is_shown: bool) -> None:
        """Show the title, or only the buttons."""
        self._is_shown = is_shown
        self._label.setText(self._title if is_shown else "")

    def show_hint(self, hint: QWidget | None) -> None:
        """Let a hint stand beside the title until it goes by itself."""
        if self._hint is not None:
            self._hint.hide()
            self._hint.deleteLater()
        self._hint = hint
        is_alone = hint is None
        across = QSizePolicy.Policy.Ignored if is_alone else QSizePolicy.Policy.Preferred
        self._label.setSizePolicy(across, QSizePolicy.Policy.Preferred)
        self._row.setStretch(0, 1 if is_alone else 0)
        if hint is not None:
            self._row.insertWidget(1, hint, 1)

    def edit(self, on_done: Callable[[str], None]) -> None:
        """Type a new title here; Enter takes it, Esc leaves the old one."""
        entry = _TitleEdit(self._title, self)
        entry.setGeometry(self._label.geometry().adjusted(-6, 1, 0, -1))
        entry.show()
        entry.selectAll()
        entry.setFocus()

        def finish() -> None:
            if entry.isVisible():
                entry.hide()
                if not entry.is_cancelled:
                    on_done(entry.text())
                entry.deleteLater()

        entry.editingFinished.connect(finish)
        entry.left.connect(finish)  # without a change Qt calls no editing finished

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self.setFixedHeight(round(HEIGHT_PX * theme.scale))
        for button, icon in ((self.menu_button, "more"), (self._close_button, "close")):
            button.setIcon(themed_icon(icon, theme, "muted"))
            button.setIconSize(QSize(round(16 * theme.scale), round(16 * theme.scale)))
            button.setMaximumSize(round(_BUTTON_WIDTH_PX * theme.scale), self.height() - 2)

    def _button(self, text: str, run: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setProperty("role", "flat")
        button.setToolTip(text)
        button.setAccessibleName(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(run)
        self._row.addWidget(button)
        return button


class _TitleEdit(QLineEdit):
    left = Signal()
    is_cancelled = False

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.is_cancelled = True
            self.clearFocus()
            return
        super().keyPressEvent(event)
