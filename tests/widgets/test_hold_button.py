"""Held buttons that act on a board: nothing moves them while the pointer is over them."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from widgets.hold_button import HoldButton
from widgets.parts import make_column, make_scrolled


def point_at(button: QWidget) -> None:
    middle = QPointF(button.rect().center())
    entered = QEnterEvent(middle, middle, QPointF(button.mapToGlobal(button.rect().center())))
    QApplication.sendEvent(button, entered)


def point_elsewhere(button: QWidget) -> None:
    QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))
    QApplication.processEvents()


def place(button: QWidget) -> QPoint:
    QApplication.processEvents()
    return button.mapToGlobal(QPoint())


class Page:
    """Two held buttons below a line that comes and goes, scrolled as all pages are."""

    def __init__(self, qtbot: QtBot) -> None:
        self.line = QLabel("The board is away.\nThis is not.\nWait for it.")
        self.above = QLabel("Board\n" * 20)
        self.restart, self.erase = HoldButton("Restart"), HoldButton("Erase")
        below = QLabel("Tasks\n" * 40)
        self.content = QWidget()
        parts = (QPushButton("First"), self.line, self.above, self.restart, self.erase, below)
        self.content.setLayout(make_column(*parts, QPushButton("Last")))
        self.area: QScrollArea = make_scrolled(self.content, keeps_width=True)
        qtbot.addWidget(self.area)
        self.area.resize(300, 240)
        self.line.hide()
        self.area.show()
        self.area.ensureWidgetVisible(self.restart)


def test_what_comes_above_moves_it_only_once_the_pointer_has_left(qtbot: QtBot) -> None:
    page = Page(qtbot)
    before = place(page.restart)
    point_at(page.restart)
    page.line.show()
    assert place(page.restart) == before
    point_elsewhere(page.restart)
    assert place(page.restart) != before


def test_a_page_at_its_end_does_not_get_shorter(qtbot: QtBot) -> None:
    page = Page(qtbot)
    page.area.verticalScrollBar().setValue(page.area.verticalScrollBar().maximum())
    before = place(page.erase)
    point_at(page.erase)
    page.above.hide()
    assert place(page.erase) == before
    height = page.content.height()
    point_elsewhere(page.erase)
    assert page.content.height() < height


def test_a_button_that_is_disabled_by_what_it_did_takes_the_page_nowhere(qtbot: QtBot) -> None:
    """The focus went on to the next widget, and the page was scrolled to that."""
    page = Page(qtbot)
    page.area.activateWindow()
    page.restart.setFocus()
    before = place(page.restart)
    for button in (page.restart, page.erase):
        button.setEnabled(False)
    assert place(page.restart) == before
    for button in (page.restart, page.erase):
        button.setEnabled(True)
    assert page.area.focusWidget() is page.restart


def test_a_button_that_goes_leaves_its_page_alive(qtbot: QtBot) -> None:
    page = Page(qtbot)
    point_at(page.restart)
    page.restart.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    layout = page.content.layout()
    assert isinstance(layout, QVBoxLayout)
    assert layout.isEnabled()
    assert page.erase.focusPolicy() is Qt.FocusPolicy.StrongFocus
