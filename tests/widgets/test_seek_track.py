"""The strip of a whole flight: where things stand on it and that it repaints only when needed."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.testing import LENGTH_S, add, short_flight
from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import Timeline
from widgets.event_popup import EventPopup
from widgets.seek_picture import VideoExtent, column_heights, poor_links
from widgets.seek_track import SeekTrack
from widgets.theme import load_theme


def make_track(
    qtbot: QtBot, recording: Recording | None
) -> tuple[SeekTrack, Timeline, list[float]]:
    sought: list[float] = []
    track = SeekTrack(load_theme("light"), sought.append)
    qtbot.addWidget(track)
    track.resize(600, 56)
    line = Timeline(can_live=False)
    if recording is not None:
        line.advance(0.0, recording.first_s, recording.last_s)
    track.show_flight(recording, line, recording.last_s if recording else 0.0, ())
    track.show()
    return track, line, sought


def test_every_pixel_is_a_time(qtbot: QtBot) -> None:
    track, _, _ = make_track(qtbot, short_flight())
    assert track.time_at(-50) == 0.0
    assert track.time_at(10_000) == LENGTH_S
    for t in (0.0, 5.0, 12.3, LENGTH_S):
        assert track.time_at(track.x_of(t)) == pytest.approx(t, abs=LENGTH_S / 500)


def test_what_happened_is_told_under_the_pointer(qtbot: QtBot) -> None:
    track, _, _ = make_track(qtbot, short_flight())
    assert "Armed" in track.tip_at(track.x_of(5.0))
    assert "Battery: Warning" in track.tip_at(track.x_of(8.0))
    assert track.tip_at(track.x_of(14.0)).count("\n") == 0


def test_gaps_are_empty_and_slow_links_are_not() -> None:
    recording = Recording()
    for t in (*np.arange(0.0, 20.0, 1.0), *np.arange(40.0, 60.0, 0.1)):
        add(recording, float(t), "PositionState", North=1.0)
    heights = column_heights(recording, np.linspace(0.0, 60.0, 601))
    assert np.all(heights[:190] > 0), "one sample a second is no gap"
    assert np.all(heights[220:380] == 0)
    assert heights[450] > 0.9


def test_the_empty_strip_says_what_to_do(qtbot: QtBot) -> None:
    track, _, sought = make_track(qtbot, None)
    before = track.grab().toImage()
    assert sought == []
    filled, _, _ = make_track(qtbot, short_flight())
    assert filled.grab().toImage() != before


def test_only_the_cursor_is_painted_anew_while_playing(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[object] = []

    def heights(*arguments: Any) -> Any:
        drawn.append(arguments)
        return column_heights(*arguments)

    monkeypatch.setattr("widgets.seek_picture.column_heights", heights)
    recording = short_flight()
    track, line, _ = make_track(qtbot, recording)
    track.grab()
    assert len(drawn) == 1
    line.seek(4.0)
    track.show_flight(recording, line, recording.last_s, ())
    track.grab()
    assert len(drawn) == 1
    line.select(2.0, 6.0)
    track.show_flight(recording, line, recording.last_s, ())
    track.grab()
    assert len(drawn) == 2


def changes(*times: float) -> tuple[Event, ...]:
    return tuple(Event(t, "setting", Level.INFO, f"Kp {t}") for t in times)


def popup_of(track: SeekTrack) -> EventPopup:
    (popup,) = track.window().findChildren(EventPopup)
    return popup


def test_events_close_together_are_one_mark_that_opens_as_a_list(qtbot: QtBot) -> None:
    track, line, sought = make_track(qtbot, short_flight())
    track.show_flight(short_flight(), line, LENGTH_S, changes(3.0, 3.1, 3.2, 15.0))
    alone, together = (QPoint(track.x_of(t), 6) for t in (15.0, 3.0))
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=alone)
    assert sought.pop() == 15.0
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=together)
    popup = popup_of(track)
    assert [popup.item(row).text().split()[-1] for row in range(3)] == ["3.0", "3.1", "3.2"]
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert sought == [3.1]
    assert not popup.isVisible()


def test_a_marker_is_never_hidden_among_other_events(qtbot: QtBot) -> None:
    track, line, sought = make_track(qtbot, short_flight())
    marker = Event(3.05, "marker", Level.INFO, "gust")
    track.show_flight(short_flight(), line, LENGTH_S, (*changes(3.0, 3.1, 3.2), marker))
    place = QPoint(track.x_of(3.05), 6)
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=place)
    assert sought == [3.05]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_finding_has_the_mark_of_its_level_and_is_gone_to(qtbot: QtBot, theme: str) -> None:
    track, line, sought = make_track(qtbot, short_flight())
    track.apply_theme(load_theme(theme))
    place = QPoint(track.x_of(14.0) + 2, 9)
    plain = track.grab().toImage()
    looks = []
    for level in (Level.INFO, Level.WARNING, Level.ERROR):
        found = Event(14.0, "finding", level, "Vibration: of 20 m/s²")
        track.show_flight(short_flight(), line, LENGTH_S, (found,))
        looks.append(track.grab(QRect(place.x() - 12, 0, 24, 18)).toImage())
    assert len({bytes(look.constBits()) for look in looks}) == 3
    assert track.grab().toImage() != plain
    assert "Vibration" in track.tip_at(track.x_of(14.0))
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=place)
    assert sought == [14.0]


def test_the_list_goes_away_without_a_choice(qtbot: QtBot) -> None:
    track, line, sought = make_track(qtbot, short_flight())
    track.show_flight(short_flight(), line, LENGTH_S, changes(3.0, 3.1))
    track.setFocus()
    line.seek(3.0)
    qtbot.keyClick(track, Qt.Key.Key_Return)
    popup = popup_of(track)
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert sought == []


def wheel(track: SeekTrack, x: float, turns: int) -> None:
    place, sides = QPointF(x, 20.0), QPoint(0, 120 * turns)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(
        track,
        QWheelEvent(place, track.mapToGlobal(place), QPoint(), sides, Qt.MouseButton.NoButton, none,
                    Qt.ScrollPhase.NoScrollPhase, False),
    )  # fmt: skip


def test_the_wheel_zooms_at_the_pointer_and_never_seeks(qtbot: QtBot) -> None:
    track, _, sought = make_track(qtbot, short_flight())
    x = track.x_of(8.0)
    wheel(track, x, 5)
    assert track.time_at(x) == pytest.approx(8.0, abs=0.05)
    first, last = track.window_s or (0.0, 0.0)
    assert last - first == pytest.approx(LENGTH_S * 0.8**5, rel=0.01)
    wheel(track, x, 100)
    assert track.window_s is not None
    assert track.window_s[1] - track.window_s[0] >= 0.5
    wheel(track, x, -200)
    assert track.window_s is None
    assert sought == []


def test_the_middle_button_pans_and_a_double_click_fits(qtbot: QtBot) -> None:
    recording = short_flight()
    track, line, sought = make_track(qtbot, recording)
    wheel(track, track.x_of(10.0), 5)
    before = track.time_at(300)
    middle = Qt.MouseButton.MiddleButton
    qtbot.mousePress(track, middle, pos=QPoint(300, 20))
    qtbot.mouseMove(track, QPoint(350, 20))
    qtbot.mouseRelease(track, middle, pos=QPoint(350, 20))
    assert track.time_at(350) == pytest.approx(before, abs=0.05)
    line.seek(9.0)
    track.show_flight(recording, line, LENGTH_S, ())
    qtbot.mousePress(track, Qt.MouseButton.LeftButton, pos=QPoint(100, 20))
    qtbot.mouseDClick(track, Qt.MouseButton.LeftButton, pos=QPoint(100, 20))
    assert track.window_s is None
    assert sought[-1] == 9.0, "the cursor is where it was before the first click"


def test_it_opens_on_what_is_worth_looking_at(qtbot: QtBot) -> None:
    recording = short_flight()
    track, line, _ = make_track(qtbot, recording)
    line.focus = (5.0, 15.0)
    track.show_flight(recording, line, LENGTH_S, ())
    assert track.window_s == pytest.approx((4.6, 15.4))
    track.fit()
    track.show_flight(recording, line, LENGTH_S, ())
    assert track.window_s is None, "opened once, it is the user's"
    track.fit()
    assert track.window_s == pytest.approx((4.6, 15.4))
    line.seek(19.0)
    track.show_flight(recording, line, LENGTH_S, ())
    first, last = track.window_s or (0.0, 0.0)
    assert first < 19.0 < last, "a cursor that moves stays in sight"


def test_a_live_flight_reaches_the_right_edge_also_zoomed(qtbot: QtBot) -> None:
    recording = short_flight()
    track, _, _ = make_track(qtbot, recording)
    line = Timeline()
    for end_s in (20.0, 21.0, 30.0):
        line.advance(end_s, 0.0, end_s)
        track.show_flight(recording, line, end_s, ())
        assert track.x_of(end_s) == track.width() - 10
        if end_s == 20.0:
            wheel(track, track.x_of(end_s), 5)
    assert track.window_s == pytest.approx((30.0 - LENGTH_S * 0.8**5, 30.0), abs=0.05)


def test_in_and_out_are_drawn_with_shift_and_dragged_at_their_handles(qtbot: QtBot) -> None:
    recording = short_flight()
    line = Timeline(can_live=False)
    line.advance(0.0, 0.0, LENGTH_S)

    def choose(in_s: float | None, out_s: float | None) -> None:
        line.in_s, line.out_s = in_s, out_s

    track = SeekTrack(load_theme("light"), line.seek, choose)
    qtbot.addWidget(track)
    track.resize(600, 56)

    def drag(start: float, end: float, modifier: Qt.KeyboardModifier) -> None:
        track.show_flight(recording, line, LENGTH_S, ())
        left, y = Qt.MouseButton.LeftButton, 25
        qtbot.mousePress(track, left, modifier, QPoint(track.x_of(start), y))
        qtbot.mouseMove(track, QPoint(track.x_of(end), y))
        qtbot.mouseRelease(track, left, modifier, QPoint(track.x_of(end), y))

    drag(4.0, 12.0, Qt.KeyboardModifier.ShiftModifier)
    assert line.selection == pytest.approx((4.0, 12.0), abs=0.05)
    drag(12.0, 9.0, Qt.KeyboardModifier.NoModifier)
    assert line.selection == pytest.approx((4.0, 9.0), abs=0.05)
    drag(4.0, 15.0, Qt.KeyboardModifier.NoModifier)
    assert line.selection == pytest.approx((9.0, 15.0), abs=0.05)
    assert line.t == 0.0
    drag(2.0, 3.0, Qt.KeyboardModifier.NoModifier)
    assert line.t == pytest.approx(3.0, abs=0.05)


def test_videos_stand_where_they_cover_the_flight(qtbot: QtBot) -> None:
    recording = short_flight()
    track, line, _ = make_track(qtbot, recording)
    before = track.grab().toImage()
    video = VideoExtent("cam.avi", ((2.0, 7.0), (7.5, 12.0)))
    track.show_flight(recording, line, LENGTH_S, (), (video,))
    after = track.grab().toImage()
    assert after != before
    color = load_theme("light").color("commanded").name()
    columns = {x for x in range(600) for y in range(56) if after.pixelColor(x, y).name() == color}
    assert min(columns) == pytest.approx(track.x_of(2.0), abs=1)
    assert max(columns) == pytest.approx(track.x_of(12.0), abs=1)
    assert track.x_of(7.25) not in columns
    assert "cam.avi" in track.tip_at(track.x_of(5.0))


def test_a_poor_radio_link_is_told_and_a_good_one_is_not() -> None:
    recording = Recording()
    for t, quality in ((0.0, 128), (1.0, 120), (2.0, 90), (3.0, 30), (4.0, 128)):
        add(recording, t, "OPLinkStatus", LinkQuality=quality)
    assert poor_links(recording, 5.0) == [(2.0, 3.0, 90 / 128), (3.0, 4.0, 30 / 128)]


def interrupted() -> Recording:
    """A minute, four minutes of silence, another minute; and ten seconds of silence in the last."""
    recording = Recording()
    for t in (*np.arange(0.0, 60.0, 0.5), *np.arange(300.0, 330.0, 0.5), *np.arange(340, 360, 0.5)):
        add(recording, float(t), "PositionState", North=1.0)
    return recording


def test_long_silences_of_a_log_are_folded_and_short_ones_are_not(qtbot: QtBot) -> None:
    track, _, _ = make_track(qtbot, interrupted())
    silence_px = track.x_of(299.0) - track.x_of(60.0)
    minute_px = track.x_of(59.5) - track.x_of(0.0)
    assert 5 < silence_px < 20
    assert minute_px > 250
    assert track.x_of(340.0) - track.x_of(330.0) > 40
    for t in (0.0, 30.0, 59.0, 301.0, 359.0):
        assert track.time_at(track.x_of(t)) == pytest.approx(t, abs=0.5)


def test_a_live_flight_is_not_folded(qtbot: QtBot) -> None:
    recording = interrupted()
    track, _, _ = make_track(qtbot, recording)
    line = Timeline()
    line.advance(0.0, 0.0, 360.0)
    track.show_flight(recording, line, 360.0, (Event(1.0, "marker", Level.INFO, "M"),))
    assert track.x_of(299.0) - track.x_of(60.0) > 300
