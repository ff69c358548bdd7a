"""The tick: rates, hidden views, a time budget, rest when nothing moves or no aircraft is there."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.refreshing.load_meter import Load
from app.refreshing.tick import (
    BUDGET_S,
    FRAME_MS,
    IDLE_MS,
    REST_MS,
    RESTS_AFTER_S,
    StationActivity,
    Tick,
)


class Station:
    """A clock that stands still unless told, and what goes on."""

    def __init__(self) -> None:
        self.now = 100.0
        self.activity = StationActivity.MOVING
        self.tick = Tick(lambda: self.now, lambda _now: self.activity)

    def run(self, seconds: float, frame_s: float = FRAME_MS / 1000) -> None:
        for _ in range(round(seconds / frame_s)):
            self.now += frame_s
            self.tick.run()


def test_views_are_refreshed_at_their_rates(qtbot: QtBot) -> None:
    station, counts = Station(), {60: 0, 20: 0, 5: 0}
    for rate in counts:

        def refresh(rate: int = rate) -> None:
            counts[rate] += 1

        station.tick.add(refresh, rate, lambda: True)
    station.run(2.0)
    assert 110 <= counts[60] <= 126
    assert 37 <= counts[20] <= 42
    assert 9 <= counts[5] <= 11


def test_hidden_views_cost_nothing_and_removed_ones_are_gone(qtbot: QtBot) -> None:
    station, calls = Station(), []
    station.tick.add(lambda: calls.append("hidden"), 60, lambda: False)
    undo = station.tick.add(lambda: calls.append("removed"), 60, lambda: True)
    undo()
    undo()
    station.run(0.5)
    assert calls == []


def test_a_slow_view_does_not_starve_the_others(qtbot: QtBot) -> None:
    station, counts = Station(), {"slow": 0, "other": 0}

    def slow() -> None:
        counts["slow"] += 1
        station.now += 2 * BUDGET_S

    def other() -> None:
        counts["other"] += 1

    station.tick.add(slow, 60, lambda: True)
    station.tick.add(other, 60, lambda: True)
    station.run(1.0)
    assert counts["other"] >= 0.4 * counts["slow"] > 0


def test_it_rests_when_nothing_moves_and_wakes_at_once(qtbot: QtBot) -> None:
    station, calls = Station(), []
    station.tick.add(lambda: calls.append(1), 1, lambda: True)
    station.tick.start()
    station.activity = StationActivity.STILL
    station.run(1.0)
    assert station.tick.interval_ms == IDLE_MS
    station.run(2 * RESTS_AFTER_S, frame_s=IDLE_MS / 1000)
    assert station.tick.interval_ms == IDLE_MS, "an aircraft is there"
    calls.clear()
    station.tick.wake()
    assert station.tick.interval_ms == FRAME_MS
    station.tick.run()
    assert calls == [1]
    station.tick.stop()


def test_without_an_aircraft_it_rests_longer_until_somebody_touches_a_window(qtbot: QtBot) -> None:
    station = Station()
    station.tick.start()
    station.activity = StationActivity.NONE
    station.run(RESTS_AFTER_S, frame_s=IDLE_MS / 1000)
    assert station.tick.interval_ms == IDLE_MS
    station.run(1.0, frame_s=IDLE_MS / 1000)
    assert station.tick.interval_ms == REST_MS
    window = QWidget()
    qtbot.addWidget(window)
    assert station.tick.interval_ms == REST_MS, "what the station does itself is no input"
    QTest.keyClick(window, Qt.Key.Key_A)
    assert station.tick.interval_ms == FRAME_MS
    station.tick.stop()


def test_waking_is_answered_at_once_but_no_more_often_than_frames_come(qtbot: QtBot) -> None:
    station, seen = Station(), []
    station.tick.add(lambda: seen.append(station.now), 60, lambda: True)
    station.tick.start()
    station.tick.wake()
    qtbot.waitUntil(lambda: seen == [100.0])
    for _ in range(3):  # as a mouse moves
        station.now += 0.004
        station.tick.wake()
    assert seen == [100.0], "what is shown waits for its frame"
    station.now = 100.1
    qtbot.waitUntil(lambda: seen[1:] == [100.1])
    station.tick.stop()


def test_under_load_pictures_come_at_their_least_rates_and_alarms_as_ever(qtbot: QtBot) -> None:
    station, counts = Station(), {"display": 0, "map": 0, "alarms": 0}
    rates: tuple[tuple[str, int, int | None], ...]
    rates = (("display", 30, 20), ("map", 20, 5), ("alarms", 5, None))
    for name, rate_hz, least_hz in rates:

        def refresh(name: str = name) -> None:
            counts[name] += 1

        station.tick.add(refresh, rate_hz, lambda: True, least_hz)
    station.run(2.0)
    assert counts == {
        "display": pytest.approx(60, abs=4),
        "map": pytest.approx(40, abs=4),
        "alarms": pytest.approx(10, abs=1),
    }
    assert (station.tick.load, station.tick.detail) == (Load.NORMAL, 1.0)
    station.run(2.2, frame_s=0.025)
    assert (station.tick.load, station.tick.detail) == (Load.HIGH, 1.0)
    station.run(2.2, frame_s=0.025)
    assert station.tick.load is Load.TOO_HIGH
    assert station.tick.detail < 1.0
    counts.update(dict.fromkeys(counts, 0))
    station.run(2.0, frame_s=0.025)
    assert counts == {
        "display": pytest.approx(40, abs=2),
        "map": pytest.approx(10, abs=1),
        "alarms": pytest.approx(10, abs=1),
    }


def test_what_waits_for_the_views_comes_after_all_of_them(qtbot: QtBot) -> None:
    station, done = Station(), []

    def build(name: str) -> None:
        if name not in done:
            done.append(name)
            station.now += 2 * BUDGET_S  # the others follow in later ticks

    for name in ("plot", "map", "table"):
        station.tick.add(partial(build, name), 20, lambda: True)
    station.tick.when_shown(lambda: done.append("rest"))
    station.run(0.2)
    assert done == ["plot", "map", "table", "rest"]


def test_what_waits_for_the_views_has_ticks_at_their_full_rate(qtbot: QtBot) -> None:
    station, called_s = Station(), []
    station.activity = StationActivity.STILL
    station.tick.start()
    station.run(1.0)
    assert station.tick.interval_ms == IDLE_MS
    station.tick.when_shown(lambda: called_s.append(station.now))
    station.tick.run()
    assert station.tick.interval_ms == FRAME_MS
    station.run(3 * FRAME_MS / 1000)
    assert len(called_s) == 1
    assert station.tick.interval_ms == IDLE_MS
    station.tick.stop()


def test_what_waits_for_the_views_is_not_kept_by_slow_ones_for_ever(qtbot: QtBot) -> None:
    station, calls = Station(), []

    def slow() -> None:
        station.now += 2 * BUDGET_S

    for _ in range(3):
        station.tick.add(slow, 60, lambda: True)
    station.tick.when_shown(lambda: calls.append(station.now))
    station.run(2.0)
    asked_s = 100.0
    assert len(calls) == 1
    assert 3.0 <= calls[0] - asked_s < 3.2
