"""The manual in its window: opened by the menu and by F1, its links, Back, search and pictures."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.help.manual import load_manual
from app.help.text import as_quotation
from app.help.window import ManualWindow
from app.station import Station
from app.workspaces.panel_host import PanelHost
from tests.gui.driving import page_of, run_ticks
from widgets.theme import load_theme

IMAGE = QTextDocument.ResourceType.ImageResource.value


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def window(parent: QWidget) -> ManualWindow:
    return ManualWindow(parent, load_manual(), load_theme("light"))


@pytest.mark.slow
def test_links_lead_to_pages_and_headings_and_back_returns(window: ManualWindow) -> None:
    window.open_at()
    assert "First flight" in window.text.toPlainText()
    window.text.anchorClicked.emit(QUrl("connect.md"))
    assert window.text.toPlainText().startswith("Connect a board")
    window.text.anchorClicked.emit(QUrl("calibrate.md#the-lens-of-a-camera"))
    assert (window.place.page, window.place.heading) == ("calibrate", "The lens of a camera")
    assert window.text.verticalScrollBar().value() > 0
    window.back.click()
    window.back.click()
    assert window.place.page == "index"
    assert not window.back.isEnabled()


def test_nothing_but_the_manual_is_read(window: ManualWindow) -> None:
    window.open_at("connect")
    window.text.anchorClicked.emit(QUrl("https://example.org/index.md"))
    window.text.anchorClicked.emit(QUrl("../README.md"))
    assert window.place.page == "connect"
    read = window.text.loadResource
    picture = read(IMAGE, QUrl("pictures/fly.png"))
    assert isinstance(picture, QImage)
    assert not picture.isNull()
    assert read(IMAGE, QUrl("../resources/icons/lapwing.svg")) is None
    assert read(IMAGE, QUrl("https://example.org/pictures/fly.png")) is None
    assert read(IMAGE, QUrl((load_manual().folder / "pictures/fly.png").as_uri())) is None


def test_a_picture_is_no_wider_than_the_text(window: ManualWindow) -> None:
    window.open_at("first-flight")
    picture = window.text.loadResource(IMAGE, QUrl("pictures/fly.png"))
    assert picture.deviceIndependentSize().width() <= window.text.viewport().width()
    assert not window.text.horizontalScrollBar().maximum()


def test_search_leaves_what_holds_all_words_and_enter_goes_there(
    window: ManualWindow, qtbot: QtBot
) -> None:
    window.open_at()
    qtbot.keyClicks(window.entry, "chessboard")
    rows = [window.list.topLevelItem(i) for i in range(window.list.topLevelItemCount())]
    assert [row.text(0) for row in rows if row is not None and not row.isHidden()] == ["Calibrate"]
    window.entry.returnPressed.emit()
    assert (window.place.page, window.place.heading) == ("calibrate", "The lens of a camera")
    assert window.text.extraSelections()
    window.entry.clear()
    assert all(row is not None and not row.isHidden() for row in rows)
    assert not window.text.extraSelections()


def test_what_a_panel_says_stands_as_it_is_written(window: ManualWindow) -> None:
    words = "=norm(AccelState.x) *all* [of](it) <b>1</b> # 2"
    title = "My *plot* [x](y) <img src=z>"
    window.open_at("tune", title, words)
    assert window.text.toPlainText().startswith(f"{title} {words}\n")
    assert as_quotation("A", "*") == "> **A** \\*\n\n"


def test_another_theme_is_taken_over_at_the_same_place(window: ManualWindow) -> None:
    window.open_at("scripts")
    window.text.go_to("Robots")
    place, text = window.text.verticalScrollBar().value(), window.text.toPlainText()
    assert place > 0
    window.text.apply_theme(load_theme("dark"))
    assert window.text.verticalScrollBar().value() == pytest.approx(place, abs=2)
    assert window.text.toPlainText() == text


@pytest.mark.slow
def test_f1_opens_the_page_on_what_is_under_the_pointer(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    station.window.stack.show_workspace("plan")
    run_ticks(station)
    station.shell.run("panel-help")
    (window,) = station.window.findChildren(ManualWindow)
    assert window.isVisible()
    assert not window.isModal()
    assert window.place.page == "plan"
    host = page_of(station).add_panel("pilot.controllers")
    monkeypatch.setattr(PanelHost, "underMouse", lambda at: at is host)
    station.shell.run("panel-help")
    assert window.place.page == "joystick"
    assert window.text.toPlainText().startswith(f"Controllers {host.help_text}")
    monkeypatch.setattr(PanelHost, "underMouse", lambda _at: False)
    window.close()
    station.shell.run("manual")
    assert window.isVisible()
    assert window.place.page == "joystick", "where it was left"
