"""Taking back what was sent, plotting, copying, and the keyboard."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.object_browser.actions import NO_PLOT
from plugins.object_browser.field_drop import takers
from plugins.object_browser.row_menu import build_row_menu
from plugins.object_browser.rows import RATE, VALUE
from plugins.plots.panel import PlotPanel
from telemetry.protocol.objects.metadata import Metadata
from tests.plugins.object_browser.driving import BANK, Browser
from widgets.plot.fields import FIELD_MIME

ROLL_MAX = f"{BANK}.RollMax"


def send(browser: Browser, value: int) -> None:
    browser.select(ROLL_MAX)
    browser.edit(ROLL_MAX, value)
    browser.press("send")
    browser.answer("done", "Applied.")


def menu_of(browser: Browser) -> dict[str, bool]:
    """The entries of the current row's menu, and whether they can be chosen."""
    panel = browser.panel
    menu = build_row_menu(panel, panel.tree, panel.row_actions.can_ask, panel.row_actions.ask)
    return {action.text(): action.isEnabled() for action in menu.actions() if action.text()}


@pytest.fixture
def plot(qtbot: QtBot, browser: Browser) -> PlotPanel:
    """A plot of the same flight, in sight."""
    with ThreadPoolExecutor(1) as jobs:
        context = PanelContext(browser.context.fleet, browser.context.theme, jobs)
        plot = PlotPanel(context)
    qtbot.addWidget(plot)
    plot.resize(400, 300)
    plot.show()
    plot.refresh(10.0)
    QApplication.processEvents()
    return plot


def test_what_was_sent_can_be_undone_and_done_again(browser: Browser) -> None:
    send(browser, 42)
    assert browser.panel.detail.undo_title == "Undo"
    browser.press("undo")
    assert browser.panel.detail.undo_title == ""
    browser.answer("done")
    assert browser.commands.written[-1] == ("send", BANK, {"RollMax": 30}, 0)
    assert browser.text(ROLL_MAX) == "30"
    assert browser.text(BANK) == "Undone"
    assert browser.panel.detail.outcome.text() == "Undone and read back."
    assert browser.panel.detail.undo_title == "Redo"
    browser.press("undo")
    browser.answer("done")
    assert browser.commands.written[-1] == ("send", BANK, {"RollMax": 42}, 0)
    assert (
        browser.panel.detail.outcome.text() == "Done again and read back. Not saved on board yet."
    )
    assert browser.panel.detail.undo_title == "Undo"


def test_undo_of_something_saved_saves_again(browser: Browser) -> None:
    browser.select(ROLL_MAX)
    browser.edit(ROLL_MAX, 42)
    browser.press("save")
    browser.answer("done")
    browser.answer("done")
    browser.press("undo")
    browser.answer("done")
    assert [asked[:2] for asked in browser.commands.written[-2:]] == [
        ("send", BANK),
        ("persist", "Save"),
    ]


def test_saving_later_counts_too(browser: Browser) -> None:
    send(browser, 42)
    browser.press("save")
    browser.answer("done")
    browser.press("undo")
    browser.answer("done")
    assert browser.commands.asked[-1][:2] == ("persist", "Save")


def test_what_was_refused_or_replaced_offers_no_undo(browser: Browser) -> None:
    browser.select(ROLL_MAX)
    browser.edit(ROLL_MAX, 42)
    browser.press("send")
    browser.answer("failed", "Not applied.")
    assert browser.panel.detail.undo_title == ""
    send(browser, 43)
    browser.press("load")
    browser.answer("done")
    browser.answer("done")
    assert browser.panel.detail.undo_title == ""


def test_undo_waits_while_there_are_new_changes(browser: Browser) -> None:
    send(browser, 42)
    browser.edit(ROLL_MAX, 50)
    assert browser.panel.detail.undo_title == ""
    browser.press("revert")
    assert browser.panel.detail.undo_title == "Undo"


@pytest.mark.slow
def test_metadata_is_undone_as_metadata(browser: Browser) -> None:
    browser.panel.bar.metadata.setChecked(True)
    browser.refresh()
    browser.select("AttitudeState@meta")
    before = browser.node("AttitudeState@meta.Flight period").board_value()
    browser.edit("AttitudeState@meta.Flight period", 20)
    browser.press("send")
    browser.answer("done")
    browser.press("undo")
    kind, _name, metadata = browser.commands.asked[-1]
    assert kind == "set_metadata"
    assert isinstance(metadata, Metadata)
    assert metadata.flight.period_ms == before


def test_a_measured_value_chosen_goes_to_the_plot(browser: Browser, plot: PlotPanel) -> None:
    browser.select("AttitudeState.Roll")
    browser.panel.tree.chosen.emit()
    assert plot.view.model.paths == ("AttitudeState.Roll",)
    browser.select(ROLL_MAX)
    assert menu_of(browser)["Plot in Plot"]
    browser.select("Waypoint[2].Position.North")
    browser.panel.tree.chosen.emit()
    assert plot.view.model.paths[-1] == "Waypoint[2].Position.North"


def test_without_a_plot_it_is_said(browser: Browser) -> None:
    told: list[str] = []
    browser.context.show_message = told.append
    browser.commands.reason = "Replaying a log: nothing is sent."
    browser.refresh()
    browser.select("AttitudeState.Roll")
    browser.panel.tree.chosen.emit()
    assert told == [NO_PLOT]
    assert menu_of(browser)["Plot (no plot is open here)"] is False


def test_a_plot_takes_what_is_dragged(browser: Browser, plot: PlotPanel) -> None:
    index = browser.model.index_of(browser.node("AttitudeState.Roll"))
    assert browser.model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    assert browser.model.mimeTypes() == [FIELD_MIME]
    assert bytes(browser.model.mimeData([index]).data(FIELD_MIME).data()) == b"AttitudeState.Roll"
    assert [widget for _title, widget in takers(browser.panel, "AttitudeState.Roll")] == [plot.view]
    assert takers(browser.panel, "AttitudeState.Nothing") == []


def test_text_and_objects_are_not_dragged(browser: Browser) -> None:
    for key in ("SystemSettings.VehicleName", "AttitudeState"):
        index = browser.model.index_of(browser.node(key))
        assert not browser.model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled


@pytest.mark.slow
def test_the_menu_copies_and_commands(browser: Browser) -> None:
    browser.select(ROLL_MAX)
    entries = menu_of(browser)
    assert entries["Edit"]
    assert entries["Request"]
    assert not entries["Send"]
    clipboard = QGuiApplication.clipboard()
    for text, copied in (("Copy path", ROLL_MAX), ("Copy value", "30")):
        choose(browser, text)
        assert clipboard.text() == copied
    browser.select("AttitudeState")
    choose(browser, "Copy value")
    assert "Roll\t10.0000" in clipboard.text().splitlines()
    choose(browser, "Request")
    assert browser.commands.asked == [("request", "AttitudeState", 0)]


def choose(browser: Browser, text: str) -> None:
    panel = browser.panel
    menu: QMenu = build_row_menu(
        panel, panel.tree, panel.row_actions.can_ask, panel.row_actions.ask
    )
    next(action for action in menu.actions() if action.text() == text).trigger()


def test_all_is_opened_and_closed(browser: Browser) -> None:
    tree, model = browser.panel.tree, browser.model
    browser.panel.bar.expand_all.trigger()
    assert all(tree.isExpanded(model.index_of(browser.node(k))) for k in (BANK, "Waypoint[1]"))
    browser.panel.bar.collapse_all.trigger()
    assert not tree.isExpanded(model.index_of(browser.node(BANK)))
    assert tree.isExpanded(model.index_of(browser.node("*settings")))
    tree.open_below(model.index_of(browser.node(BANK)))
    assert tree.isExpanded(model.index_of(browser.node(f"{BANK}.RollRatePID")))


def test_keys(browser: Browser, qtbot: QtBot) -> None:
    panel = browser.panel
    tree, search = panel.tree, panel.bar.search
    panel.activateWindow()
    tree.setFocus()
    panel.start_search()
    qtbot.waitUntil(search.hasFocus)
    qtbot.keyClicks(search, "roll")
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert search.text() == ""
    assert search.hasFocus()
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert tree.hasFocus()
    browser.select(BANK)
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert tree.isExpanded(browser.model.index_of(browser.node(BANK)))
    browser.select(ROLL_MAX)
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert tree.is_editing
    editor = QApplication.focusWidget()
    assert editor is not None
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not tree.is_editing
    qtbot.keyClick(tree, Qt.Key.Key_Escape)
    assert not tree.currentIndex().isValid()


def test_an_editor_left_untouched_drafts_nothing(browser: Browser) -> None:
    browser.edit("AttitudeState.Roll", 10.0)
    assert browser.state("AttitudeState") == ""
    index = browser.model.index_of(browser.node("AttitudeState.Roll"), VALUE)
    delegate = browser.panel.tree.itemDelegate()
    editor = delegate.createEditor(QWidget(browser.panel), QStyleOptionViewItem(), index)
    delegate.setEditorData(editor, index)
    browser.refresh(9.0)
    delegate.setModelData(editor, browser.model, index)
    assert browser.state("AttitudeState") == ""


def test_an_object_shows_its_first_values_and_its_rate(browser: Browser) -> None:
    browser.refresh(9.0)
    assert browser.text("AttitudeState").startswith("q1 0.0000  ·  q2")
    assert "Roll 9.0000" in browser.text("AttitudeState")
    assert browser.text("AttitudeState", RATE) == "1.0\N{NARROW NO-BREAK SPACE}Hz"
    assert browser.text(BANK, RATE) == ""
    browser.refresh(10.0)
    assert "Roll 10.0000" in browser.text("AttitudeState", VALUE)
    browser.refresh(30.0)
    assert browser.text("AttitudeState", RATE) == ""
