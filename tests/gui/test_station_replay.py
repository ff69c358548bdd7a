"""Flights in the whole window: opened, replayed, scrubbed back, chosen among several."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtWidgets import (
    QAbstractButton,
    QLineEdit,
    QListWidget,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from app.station import StartOptions, Station
from plugins.configure.panel import ConfigurePanel
from plugins.testing import LENGTH_S, live_vehicle
from telemetry.review.flights.flight import flight_of
from tests.dropping import drop_onto
from tests.gui.conftest import MakeStation
from tests.gui.driving import listed, replay, run_ticks, text_button, told
from widgets.seek_track import SeekTrack


@pytest.mark.slow
def test_replay_by_keys(station: Station, qtbot: QtBot) -> None:
    vehicle = replay(station)
    line, window = vehicle.timeline, station.window
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert line.t == 0.0
    qtbot.keyClick(window, Qt.Key.Key_Right)
    assert line.t == pytest.approx(0.1)
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert line.t == pytest.approx(1.1)
    qtbot.keyClick(window, Qt.Key.Key_Comma)
    assert line.t == pytest.approx(1.0)
    qtbot.keyClick(window, Qt.Key.Key_I)
    line.seek(3.0)
    qtbot.keyClick(window, Qt.Key.Key_O)
    assert (line.selection, line.loop) == ((1.0, 3.0), None)
    qtbot.keyClick(window, Qt.Key.Key_R)
    assert line.loop == (1.0, 3.0)
    qtbot.keyClick(window, Qt.Key.Key_M)
    qtbot.keyClick(window, Qt.Key.Key_4)
    assert [marker.category for marker in flight_of(vehicle).markers] == ["gust"]
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert line.mode == "playing"
    qtbot.keyClick(window, Qt.Key.Key_L)
    assert line.rate == 2.0
    qtbot.keyClick(window, Qt.Key.Key_J)
    assert line.rate == -1.0
    qtbot.keyClick(window, Qt.Key.Key_K)
    assert line.mode == "paused"
    qtbot.keyClick(window, Qt.Key.Key_End)
    assert line.t == LENGTH_S


@pytest.mark.slow
def test_letters_go_into_a_text_field(station: Station, qtbot: QtBot) -> None:
    line = replay(station).timeline
    field = QLineEdit(station.window)
    field.show()
    field.setFocus()
    qtbot.keyClicks(field, "jkl m")
    qtbot.keyClick(field, Qt.Key.Key_Left)
    assert field.text() == "jkl m"
    assert line.mode == "paused"
    assert field.cursorPosition() == 4


@pytest.mark.slow
def test_letters_typed_in_configure_do_not_drive_the_timeline(
    station: Station, qtbot: QtBot
) -> None:
    line = replay(station).timeline
    line.seek(5.0)
    station.window.stack.show_workspace("configure")
    run_ticks(station)
    (panel,) = station.window.findChildren(ConfigurePanel)
    tried = [station.window, *panel.findChildren(QListWidget), *panel.findChildren(QPushButton)]
    for widget in (tried[0], tried[1], next(b for b in tried[2:] if b.isVisible())):
        widget.setFocus()
        qtbot.keyClick(widget, Qt.Key.Key_J)
        assert line.mode == "paused", widget
    qtbot.keyClick(station.window, Qt.Key.Key_T)
    assert station.appearance.theme.name == "light"
    station.window.stack.show_workspace("fly")
    qtbot.keyClick(station.window, Qt.Key.Key_J)
    assert line.mode == "playing"


@pytest.mark.slow
def test_a_typed_time_moves_the_cursor(station: Station, qtbot: QtBot) -> None:
    line = replay(station).timeline
    (entry,) = station.window.timeline_bar.findChildren(QLineEdit)
    entry.setFocus()
    entry.selectAll()
    qtbot.keyClicks(entry, "0:07.5")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert line.t == 7.5
    entry.setFocus()
    entry.selectAll()
    qtbot.keyClicks(entry, "soon")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert line.t == 7.5
    assert "not a time" in told(station)


@pytest.mark.slow
def test_dragging_the_track_rebuilds_the_state(station: Station, qtbot: QtBot) -> None:
    vehicle = replay(station)
    (track,) = station.window.timeline_bar.findChildren(SeekTrack)
    middle = QPoint(track.width() // 2, track.height() // 2)
    qtbot.mousePress(track, Qt.MouseButton.LeftButton, pos=middle)
    assert vehicle.timeline.t == pytest.approx(LENGTH_S / 2, abs=0.2)
    tip = track.tip_at(track.x_of(8.0))
    assert "Battery: Warning" in tip


@pytest.mark.slow
def test_a_live_flight_is_scrubbed_back_while_it_goes_on(station: Station, qtbot: QtBot) -> None:
    vehicle = live_vehicle()
    station.fleet.add(vehicle)
    run_ticks(station)
    assert vehicle.timeline.mode == "live"
    (track,) = station.window.timeline_bar.findChildren(SeekTrack)
    live = text_button(station.window.timeline_bar, "LIVE")
    assert live.isChecked()
    at_4_s = QPoint(round(track.x_of(4.0)), track.height() // 2)
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=at_4_s)
    run_ticks(station)
    t = vehicle.timeline.t
    assert t == pytest.approx(4.0, abs=0.1)
    assert not live.isChecked()
    from plugins.testing import add

    add(vehicle.recording, 25.0, "PositionState", North=1.0)
    run_ticks(station)
    assert vehicle.timeline.t == t
    live.click()
    run_ticks(station)
    assert vehicle.timeline.t == 25.0


@pytest.mark.slow
def test_the_active_aircraft_is_chosen_in_the_toolbar(station: Station) -> None:
    first, second = live_vehicle("sim:a"), live_vehicle("sim:b")
    station.fleet.add(first)
    station.fleet.add(second)
    run_ticks(station)
    menu = station.window.toolbar.vehicle_menu
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()][:2] == ["sim:a", "sim:b"]
    menu.actions()[0].trigger()
    run_ticks(station)
    assert station.fleet.active is first
    buttons = station.window.toolbar.findChildren(QAbstractButton)
    assert any("sim:a" in button.text() for button in buttons)
    assert station.window.toolbar.link_button.text() == "Connected"


@pytest.mark.slow
def test_a_log_is_opened_by_dropping_it(station: Station, qtbot: QtBot, shared_logs: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(shared_logs / "librepilot-next-session.opl"))])
    drop_onto(station.window, data)
    qtbot.waitUntil(lambda: station.fleet.active is not None)
    assert station.fleet.active is not None
    assert station.fleet.active.name == "librepilot-next-session.opl"
    assert station.preferences.current.recent_logs[0].endswith("librepilot-next-session.opl")


@pytest.mark.parametrize("content", [b"", b"\xff\xd8\xff\xe0JFIF not a log"])
def test_a_wrong_file_is_a_message_in_the_window(
    station: Station, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "wrong.opl"
    path.write_bytes(content)
    station.open_log(path)
    qtbot.waitUntil(lambda: bool(listed(station)))
    (message,) = [line.message for line in station.window.messages.lines()]
    assert "wrong.opl" in message.text
    assert message.details == ""
    assert station.fleet.active is None


@pytest.mark.slow
def test_the_command_line_chooses_time_and_workspace(
    make_station: MakeStation, qtbot: QtBot, shared_logs: Path
) -> None:
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    station = make_station(
        StartOptions(
            target=str(log), workspace="analyse", at_s=300.0, theme="dark", size=(1200, 700)
        )
    )
    qtbot.waitUntil(lambda: station.fleet.active is not None)
    assert station.window.stack.current_id == "analyse"
    assert station.fleet.active is not None
    assert station.fleet.active.timeline.t == 300.0
    assert station.appearance.theme.name == "dark"
    assert station.preferences.current.theme == "light", "the wish is for this time only"
