"""What one test has looked like, the next one does not."""

from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.look import kept_look
from widgets.theme import apply_theme, load_theme


def test_a_look_that_was_being_given_is_given_to_nobody_else(
    qapp: QApplication, qtbot: QtBot
) -> None:
    with kept_look(qapp):
        label = QLabel("shown")
        qtbot.addWidget(label)
        label.show()
        apply_theme(qapp, load_theme("dark"))
    before = qapp.styleSheet(), qapp.font(), qapp.palette()
    for _ in range(20):
        qapp.processEvents()
    assert (qapp.styleSheet(), qapp.font(), qapp.palette()) == before
