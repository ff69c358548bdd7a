"""Hostile texts on screen: labels and tool tips show them as they are."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from telemetry.base.statement import Statement
from tests.hostile_texts import HOSTILE
from widgets.forms.tips import plain_tip, wrapped
from widgets.state_label import StateLabel
from widgets.theme import apply_theme, load_theme

IMAGE = "<img src='file:///etc/hostname'> <b>armed</b>"


@pytest.mark.parametrize("rich", [False, True])
def test_a_label_is_plain_unless_it_says_that_it_is_rich(qtbot: QtBot, rich: bool) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, load_theme("dark"))
    label = QLabel(IMAGE)
    label.setProperty("rich", rich)
    qtbot.addWidget(label)
    label.ensurePolished()
    expected = Qt.TextFormat.RichText if rich else Qt.TextFormat.PlainText
    assert label.textFormat() is expected


@pytest.mark.parametrize("text", [*HOSTILE, IMAGE, "a < b\n<b>c</b>"])
def test_a_tool_tip_says_the_text(text: str) -> None:
    tip = plain_tip(text)
    if not GuiQt.mightBeRichText(tip):
        assert tip == text
        return
    document = QTextDocument()
    document.setHtml(tip)
    assert document.toPlainText() == text


def test_what_is_said_of_a_state_is_plain_in_its_tip(qtbot: QtBot) -> None:
    label = StateLabel()
    qtbot.addWidget(label)
    label.state(Statement(IMAGE))
    assert "&lt;img" in label.toolTip()
    assert "&lt;img" in wrapped(IMAGE)
