"""Hostile texts on screen: labels and tool tips show them as they are."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPushButton,
    QToolTip,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from widgets.theme import apply_theme, load_theme

IMAGE = "<img src='file:///etc/hostname'> <b>armed</b>"

pytestmark = pytest.mark.usefixtures("kept_look")


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


def _shown_tip(widget: QWidget) -> QLabel:
    """What Qt shows where the pointer rests on a widget."""
    middle = widget.rect().center()
    rests = QHelpEvent(QEvent.Type.ToolTip, middle, widget.mapToGlobal(middle))
    QApplication.sendEvent(widget, rests)
    tips = [w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel")]
    (tip,) = (w for w in tips if isinstance(w, QLabel) and w.isVisible())
    return tip


@pytest.mark.parametrize("own_style", ["", "padding: 1px"])
def test_a_tool_tip_is_plain_whoever_shows_it(qtbot: QtBot, own_style: str) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, load_theme("dark"))
    window, button, tree = QWidget(), QPushButton("Arm"), QTreeWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(button)
    column.addWidget(tree)
    button.setToolTip(IMAGE)
    button.setStyleSheet(own_style)
    row = QTreeWidgetItem(["row"])
    row.setToolTip(0, f"{IMAGE}\nrow")
    tree.addTopLevelItem(row)
    tree.header().hide()
    window.show()
    tree.setFixedHeight(2 * tree.visualItemRect(row).height())
    for shown_by, text in ((button, IMAGE), (tree.viewport(), f"{IMAGE}\nrow")):
        tip = _shown_tip(shown_by)
        assert (tip.text(), tip.textFormat()) == (text, Qt.TextFormat.PlainText)
        QToolTip.hideText()
        qtbot.waitUntil(lambda: not QToolTip.isVisible())
