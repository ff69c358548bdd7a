"""The strip of a whole flight: where things stand on it and that it repaints only when needed."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from plugins.testing import LENGTH_S, add, short_flight
from telemetry.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.timeline import Timeline
from widgets.seek_track import SeekTrack, column_heights
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

    monkeypatch.setattr("widgets.seek_track.column_heights", heights)
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


def test_what_looks_the_same_at_one_pixel_is_drawn_once(qtbot: QtBot) -> None:
    """A set-up writes a hundred settings in a second, and a live flight is drawn anew each half."""

    def picture(*times: float) -> QImage:
        track, line, _ = make_track(qtbot, short_flight())
        marks = tuple(Event(t, "setting", Level.INFO, f"Kp {t}") for t in times)
        track.show_flight(short_flight(), line, LENGTH_S, marks)
        return track.grab().toImage()

    assert picture(3.0, *(3.0 + n / 1e4 for n in range(100))) == picture(3.0)
    assert picture(3.0, 4.0) != picture(3.0)


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
