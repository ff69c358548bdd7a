"""The object browser in a narrow panel: names and values, a menu, a drawer."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from plugins.object_browser.detail import DetailPane
from plugins.object_browser.panel import BrowserPanel
from plugins.object_browser.rows import AGE, DEFAULT, NAME, RATE, UNIT, VALUE
from tests.plugins.object_browser.driving import BANK, Browser
from tests.plugins.object_browser.fakes import make_recording
from widgets.theme import apply_theme, load_theme

ROLL_MAX = f"{BANK}.RollMax"


def place(browser: Browser, width: int, height: int = 400) -> None:
    """Give the panel a size, as a dock does."""
    browser.panel.setMinimumSize(1, 1)  # a top window would grow to its hint
    browser.panel.resize(width, height)
    QApplication.processEvents()
    browser.refresh()


def columns(browser: Browser) -> set[int]:
    tree = browser.panel.tree
    return {column for column in range(6) if not tree.isColumnHidden(column)}


def shown_buttons(panel: BrowserPanel) -> list[QAbstractButton]:
    buttons = panel.findChildren(QAbstractButton)
    return [button for button in buttons if button.isVisible() and button.text()]


def is_cut(button: QAbstractButton, panel: QWidget) -> bool:
    """Whether a button's words do not fit in it, or it in the panel."""
    left = button.mapTo(panel, QPoint(0, 0)).x()
    words = button.fontMetrics().horizontalAdvance(button.text())
    is_inside = left >= 0 and left + button.width() <= panel.width()
    return words > button.width() or not is_inside


def test_columns_follow_the_width(browser: Browser) -> None:
    place(browser, 1366)
    assert columns(browser) == {NAME, VALUE, UNIT, DEFAULT, AGE, RATE}
    place(browser, 700)
    assert columns(browser) == {NAME, VALUE, UNIT, AGE}
    place(browser, 300)
    assert columns(browser) == {NAME, VALUE}
    place(browser, 1366)
    assert columns(browser) == {NAME, VALUE, UNIT, DEFAULT, AGE, RATE}


def test_where_it_is_narrow_units_stand_with_the_values(browser: Browser) -> None:
    node = browser.node(ROLL_MAX)
    assert browser.model.look(node, VALUE).text == "30"
    place(browser, 250)
    assert browser.model.look(node, VALUE).text == "30\N{NARROW NO-BREAK SPACE}°"


@pytest.mark.slow
@pytest.mark.usefixtures("kept_look")
@pytest.mark.parametrize("name", ["light", "sunlight"])  # dark has the type of light
@pytest.mark.parametrize("scale", [0.8, 1.5])
@pytest.mark.parametrize("width", [240, 400])
def test_no_button_is_cut(
    qtbot: QtBot, qapp: QApplication, name: str, scale: float, width: int
) -> None:
    theme = load_theme(name, scale)
    apply_theme(qapp, theme)
    browser = Browser(qtbot, make_recording())
    browser.panel.apply_theme(theme)
    browser.panel.detail.set_open(True)
    place(browser, width, 700)
    browser.select(ROLL_MAX)
    browser.edit(ROLL_MAX, 42)
    QApplication.processEvents()
    assert browser.panel.minimumSizeHint().width() <= 240
    assert browser.panel.width() == width
    buttons = shown_buttons(browser.panel)
    assert {"Send", "Revert", "Save on board", "Hold to erase"} <= {b.text() for b in buttons}
    assert [b.text() for b in buttons if is_cut(b, browser.panel)] == []


def test_a_cut_button_would_be_found(browser: Browser) -> None:
    place(browser, 1366)
    button = browser.panel.detail.buttons["request"]
    button.setFixedWidth(10)
    assert is_cut(button, browser.panel)


def test_the_options_move_into_one_menu(browser: Browser) -> None:
    texts = {"Metadata", "Categories", "All of release"}
    place(browser, 1366)
    assert texts <= {button.text() for button in shown_buttons(browser.panel)}
    place(browser, 300)
    assert not texts & {button.text() for button in shown_buttons(browser.panel)}
    entries = {action.text(): action for action in browser.panel.bar.menu.actions()}
    entries["Metadata"].trigger()
    browser.refresh()
    assert browser.has("AttitudeState@meta")
    assert "5 objects  ·  LibrePilot-next-2019-02" in entries


def test_the_drawer_shows_a_line_until_it_is_opened(browser: Browser) -> None:
    detail = browser.panel.detail
    place(browser, 300)
    assert detail.isHidden()
    browser.select(ROLL_MAX)
    assert detail.isVisible()
    closed = detail.height()
    assert closed < 60
    assert not detail.buttons["request"].isVisible()
    detail.set_open(True)
    QApplication.processEvents()
    assert detail.height() > 2 * closed
    assert detail.buttons["request"].isVisible()
    browser.panel.tree.left.emit()
    assert detail.isHidden()
    place(browser, 1366)
    assert detail.isVisible()


def test_a_closed_drawer_still_tells_an_outcome(browser: Browser) -> None:
    place(browser, 300)
    browser.select(ROLL_MAX)
    browser.edit(ROLL_MAX, 42)
    drawer = browser.panel.drawer
    assert drawer is not None
    assert drawer.isVisible()
    drawer.apply.click()
    browser.answer("done")
    QApplication.processEvents()
    assert browser.panel.detail.undo.isVisible()
    assert browser.panel.detail.outcome.text() == "Applied and read back. Not saved on board yet."


def test_the_drawer_stays_as_it_was_left(browser: Browser, qtbot: QtBot) -> None:
    browser.panel.detail.set_open(True)
    other = Browser(qtbot, make_recording())
    assert not other.panel.detail.is_open
    other.panel.restore_state(browser.panel.save_state())
    assert isinstance(other.panel.detail, DetailPane)
    assert other.panel.detail.is_open
