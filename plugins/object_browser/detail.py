"""The right side: what the selected row is, and the buttons that act on its object."""

import re
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from plugins.object_browser.facts import Fact
from widgets.hold_button import HoldButton
from widgets.theme import Theme

_BREAKS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=\.)")
"""Where a long name may go on in the next line."""

_BUTTONS = (
    ("send", "Send", "Write the changed values to the aircraft. They last until it restarts."),
    ("revert", "Revert", "Forget the changes that were not sent."),
    ("request", "Request", "Ask the aircraft for its present values."),
    ("save", "Save on board", "Keep the values over a restart. Unsent changes are sent first."),
    ("load", "Load", "Take the saved values from the board's flash."),
)
_ERASE_TIP = "Hold: erase the saved values from the board's flash; the object goes to its defaults."


class DetailPane(QFrame):
    """Shows facts and an outcome; `asked` names the button that was pressed."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "plain")
        self._facts: tuple[Fact, ...] = ()
        self._title = QLabel()
        self._title.setProperty("textSize", "title")
        self._title.setWordWrap(True)
        self._description = QLabel()
        self._description.setWordWrap(True)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(6)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._outcome = QLabel()
        self._outcome.setWordWrap(True)
        self._outcome.setMinimumHeight(36)
        self._outcome.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.buttons: dict[str, QPushButton] = {}
        self._erase = HoldButton("Hold to erase", "danger")
        self._build()

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self._description)
        column.addSpacing(4)
        column.addLayout(self._form)
        column.addStretch(1)
        self._inside = inside
        self._scroll = scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        inside.setAutoFillBackground(False)  # the card shows through
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(scroll, 1)
        rows.addWidget(self._build_buttons())
        self.setMinimumWidth(300)

    def _build_buttons(self) -> QWidget:
        foot = QWidget()
        self._grid = QGridLayout(foot)
        self._grid.setContentsMargins(16, 4, 16, 12)
        self._grid.setSpacing(8)
        for name, text, tip in _BUTTONS:
            button = self.buttons[name] = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(self._asker(name))
        self.buttons["send"].setProperty("role", "primary")
        self._erase.setToolTip(_ERASE_TIP)
        self._erase.setMinimumHeight(0)
        self._erase.held.connect(self._asker("erase"))
        self.buttons["erase"] = self._erase
        self.arrange(2)
        return foot

    def arrange(self, columns: int) -> None:
        """Lay the buttons out in so many columns, the outcome above them."""
        self._grid.addWidget(self._outcome, 0, 0, 1, columns)
        for number, button in enumerate(self.buttons.values()):
            self._grid.addWidget(button, 1 + number // columns, number % columns)

    def _asker(self, name: str) -> Callable[[], None]:
        return lambda: self.asked.emit(name)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._erase.apply_theme(theme)

    def show_facts(self, title: str, description: str, facts: tuple[Fact, ...]) -> None:
        """Describe the selected row."""
        self._title.setText(_BREAKS.sub("\N{ZERO WIDTH SPACE}", title))
        self._description.setText(description)
        self._description.setVisible(bool(description))
        if facts == self._facts:
            return
        self._facts = facts
        while self._form.rowCount():
            self._form.removeRow(0)
        for name, text in facts:
            label = QLabel(name)
            label.setProperty("tone", "muted")
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            value = QLabel(text)
            value.setWordWrap(True)
            value.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._form.addRow(label, value)
            label.show()  # at once, so that they count below
            value.show()
        self._fit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        """Leave room for wrapped lines, which a scroll area does not count by itself."""
        layout = self._inside.layout()
        assert layout is not None
        layout.activate()
        height = layout.heightForWidth(self._scroll.viewport().width())
        self._inside.setMinimumHeight(max(0, height))  # -1 while it has no width yet

    def show_outcome(self, text: str, tone: str) -> None:
        """Say what became of the last command, or why none is possible."""
        self._outcome.setText(text)
        if self._outcome.property("tone") != tone:
            self._outcome.setProperty("tone", tone)
            self._outcome.style().unpolish(self._outcome)
            self._outcome.style().polish(self._outcome)

    @property
    def outcome(self) -> str:
        """The sentence above the buttons."""
        return self._outcome.text()

    def enable(self, names: set[str]) -> None:
        """Make exactly these buttons usable."""
        for name, button in self.buttons.items():
            if button.isEnabled() != (name in names):
                button.setEnabled(name in names)
