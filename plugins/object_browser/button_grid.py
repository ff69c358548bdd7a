"""Button grid: what acts on the selected object, in as many columns as fit."""

from functools import partial

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from widgets.hold_button import HoldButton
from widgets.parts import make_button, make_grid
from widgets.theme import Theme

BUTTONS = (
    ("send", "Send", "Write the changed values to the aircraft. They last until it restarts."),
    ("revert", "Revert", "Forget the changes that were not sent."),
    ("request", "Request", "Ask the aircraft for its present values."),
    ("save", "Save on board", "Keep the values over a restart. Unsent changes are sent first."),
    ("load", "Load", "Take the saved values from the board's flash."),
)
"""What each asks for, its title, and what helps with it."""
_ERASE_TIP = "Hold: erase the saved values from the board's flash; the object goes to its defaults."
_MOST_COLUMNS = 3
_GAP_PX = 8
# Beside each other even where it is narrow; the application's sheet pads for wide windows.
_TIGHT = "QPushButton { padding-left: 4px; padding-right: 4px; }"


class ButtonGrid(QWidget):
    """Six buttons; `asked` names the one that was pressed."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._columns = 0
        self.buttons: dict[str, QPushButton] = {}
        self._grid = make_grid(self, spacing=_GAP_PX)
        for name, text, tip in BUTTONS:
            role = "primary" if name == "send" else ""
            self.buttons[name] = make_button(text, partial(self.asked.emit, name), role, tip)
        erase = HoldButton("Hold to erase", "danger")
        erase.setToolTip(_ERASE_TIP)
        erase.held.connect(partial(self.asked.emit, "erase"))
        self.buttons["erase"] = erase
        for button in self.buttons.values():
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            button.setStyleSheet(_TIGHT)
        self._arrange(2)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        for button in self.buttons.values():
            button.setMinimumHeight(theme.target_px())
        self._fit()

    def enable(self, names: set[str]) -> None:
        """Make exactly these buttons usable."""
        for name, button in self.buttons.items():
            if button.isEnabled() != (name in names):
                button.setEnabled(name in names)

    @property
    def columns(self) -> int:
        """How many buttons stand beside each other."""
        return self._columns

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many columns as fit."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit again when the type has another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        widest = max(button.sizeHint().width() for button in self.buttons.values())
        fitting = (self.width() + _GAP_PX) // (widest + _GAP_PX)
        columns = min(max(1, fitting), _MOST_COLUMNS)
        if columns != self._columns:
            self._arrange(columns)

    def _arrange(self, columns: int) -> None:
        self._columns = columns
        for column in range(_MOST_COLUMNS):
            self._grid.setColumnStretch(column, int(column < columns))
        for number, button in enumerate(self.buttons.values()):
            self._grid.addWidget(button, number // columns, number % columns)
