"""The keyboard does not go to the next button where the one that has it is disabled."""

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from widgets.kept_focus import enable
from widgets.parts import make_row


def test_the_heir_has_the_keyboard_and_not_the_next_button(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    heir, cancel, start = (QPushButton(text) for text in ("File", "Cancel", "Start"))
    window.setLayout(make_row(heir, cancel, start))
    window.show()
    cancel.setFocus()
    enable(start, True, heir)
    assert window.focusWidget() is cancel
    enable(cancel, False, heir)
    assert not cancel.isEnabled()
    assert window.focusWidget() is heir
