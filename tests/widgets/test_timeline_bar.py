"""The field for the time: what is typed replaces what stands there, and nothing types along."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.window.main_window import TimelineFlights
from plugins.testing import live_vehicle
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.review.flights.flight import flight_of
from telemetry.review.flights.marker import Marker
from telemetry.vehicle.vehicle import Vehicle
from tests.telemetry.configuration.settings.bench import Bench
from widgets.note_popup import NotePopup
from widgets.seek_track import SeekTrack
from widgets.theme import load_theme
from widgets.timeline_bar import TimelineBar
from widgets.transport import Transport


class Typing:
    def __init__(self, qtbot: QtBot) -> None:
        self.problems: list[str] = []
        self.bar = TimelineBar(load_theme("light"), Transport(), lambda: None, self.problems.append)
        qtbot.addWidget(self.bar)
        self.bar.resize(1000, 56)
        self.vehicle: Vehicle = live_vehicle()
        self.advance(10.0)
        self.bar.show()
        self.bar.activateWindow()
        edit = self.bar.findChild(QLineEdit)
        assert isinstance(edit, QLineEdit)
        self.edit = edit

    def advance(self, last_s: float) -> None:
        self.vehicle.timeline.advance(last_s, 0.0, last_s)
        self.bar.show_flight(TimelineFlights().of(self.vehicle))


@pytest.fixture
def typing(qtbot: QtBot) -> Typing:
    return Typing(qtbot)


def test_typing_replaces_the_time_while_the_flight_goes_on(typing: Typing, qtbot: QtBot) -> None:
    qtbot.mouseClick(typing.edit, Qt.MouseButton.LeftButton)
    typing.advance(12.0)
    qtbot.keyClicks(typing.edit, "0:0")
    typing.advance(13.0)
    qtbot.keyClicks(typing.edit, "4")
    assert typing.edit.text() == "0:04"
    qtbot.keyClick(typing.edit, Qt.Key.Key_Return)
    assert typing.vehicle.timeline.t == 4.0
    assert not typing.edit.hasFocus()


def test_escape_leaves_the_time_as_it_is(typing: Typing, qtbot: QtBot) -> None:
    qtbot.mouseClick(typing.edit, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(typing.edit, "3")
    qtbot.keyClick(typing.edit, Qt.Key.Key_Escape)
    assert typing.vehicle.timeline.mode == "live"
    typing.advance(14.0)
    assert typing.edit.text() == "0:14.0"


def test_a_cursor_that_stands_tells_milliseconds(typing: Typing, qtbot: QtBot) -> None:
    qtbot.mouseClick(typing.edit, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(typing.edit, "0:04.2567")
    qtbot.keyClick(typing.edit, Qt.Key.Key_Return)
    typing.advance(15.0)
    assert typing.vehicle.timeline.mode == "paused"
    assert typing.edit.text() == "0:04.257"


def test_nonsense_is_told_and_moves_nothing(typing: Typing, qtbot: QtBot) -> None:
    qtbot.mouseClick(typing.edit, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(typing.edit, "noon")
    qtbot.keyClick(typing.edit, Qt.Key.Key_Return)
    assert "'noon' is not a time" in typing.problems[0]
    assert typing.vehicle.timeline.mode == "live"


def test_a_note_is_written_where_the_cursor_was(typing: Typing, qtbot: QtBot) -> None:
    flight = flight_of(typing.vehicle)

    def write(words: str, end: Qt.Key) -> None:
        typing.bar.ask_note()
        (popup,) = (p for p in typing.bar.findChildren(NotePopup) if p.isVisible())
        typing.advance(20.0)
        qtbot.keyClicks(popup, words)
        qtbot.keyClick(popup, end)
        assert not popup.isVisible()

    write("never mind", Qt.Key.Key_Escape)
    assert flight.markers == ()
    typing.vehicle.timeline.seek(4.0)
    write("gust: from the left", Qt.Key.Key_Return)
    assert flight.markers == (Marker(4.0, "from the left", "gust"),)
    write("calm", Qt.Key.Key_Return)
    assert flight.markers == (Marker(4.0, "calm"),)


@pytest.mark.slow
def test_a_changed_setting_is_a_mark_in_the_flight(typing: Typing) -> None:
    bench = Bench(load_catalogue())
    typing.bar.show_flight(TimelineFlights().of(bench.vehicle))
    track = typing.bar.findChild(SeekTrack)
    assert isinstance(track, SeekTrack)

    def tips() -> str:
        typing.bar.show_flight(TimelineFlights().of(bench.vehicle))
        return "\n".join(track.tip_at(x) for x in range(0, track.width(), 4))

    assert "Changed" not in tips()
    bench.settings.stage("StabilizationSettingsBank1", "RollMax", 40)
    bench.settings.apply()
    bench.finish()
    assert "Changed StabilizationSettingsBank1.RollMax 55 → 40" in tips()
