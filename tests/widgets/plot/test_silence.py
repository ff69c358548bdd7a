"""Nothing is drawn where nothing is known, and values that no longer hold are told apart."""

from pathlib import Path

import numpy as np
import pytest

from plugins.testing import add, catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from widgets.plot.curve import Curve
from widgets.plot.peaks import Floats
from widgets.plot.readout import age_text
from widgets.plot.silence import common_silences
from widgets.plot.window import Span

ALL = Span(0.0, 100.0)


def flight(step_s: float = 0.1, silent: tuple[float, float] = (40.0, 60.0)) -> Recording:
    """Attitude for 100 s with a silence; height without one, so the recording has no gap."""
    recording = Recording()
    add(recording, 0.0, "HomeLocation", Latitude=489_466_000)
    add(recording, 0.0, "WaypointActive", Index=1)
    for t in np.arange(0.0, 100.0 + step_s / 2, step_s).tolist():
        if not silent[0] < t < silent[1]:
            add(recording, t, "AttitudeState", Roll=t)
        add(recording, t, "BaroSensor", Altitude=t)
    add(recording, 100.0, "WaypointActive", Index=2)
    return recording


def curve_of(recording: Recording, path: str) -> Curve:
    curve = Curve(path, 0)
    curve.attach(recording)
    return curve


def drawn_over(points: tuple[Floats, Floats], t: float) -> bool:
    """Whether a line is drawn at a time."""
    x, y = points
    right = int(x.searchsorted(t, "right"))
    if not 0 < right < len(x):
        return False
    return bool(np.isfinite(y[right - 1]) and np.isfinite(y[right]))


@pytest.mark.parametrize("columns", [2000, 300, 50])
def test_no_line_is_drawn_through_a_silence(columns: int) -> None:
    points = curve_of(flight(), "AttitudeState.Roll").points(ALL, columns, 100.0)
    assert [drawn_over(points, t) for t in (20.0, 41.0, 50.0, 59.0, 80.0)] == [
        True,
        False,
        False,
        False,
        True,
    ]
    assert np.nanmin(points[1]) == 0.0
    assert np.nanmax(points[1]) == pytest.approx(100.0)
    assert np.all(np.diff(points[0]) >= 0)


def test_a_pause_within_the_usual_is_drawn_through() -> None:
    recording = flight(silent=(40.0, 41.5))
    assert drawn_over(curve_of(recording, "AttitudeState.Roll").points(ALL, 2000, 100.0), 40.7)
    slow = curve_of(flight(step_s=8.0, silent=(0.0, 0.0)), "AttitudeState.Roll")
    assert drawn_over(slow.points(ALL, 2000, 100.0), 50.0)


def test_buckets_do_not_reach_over_a_silence() -> None:
    recording = Recording()
    attitude = catalogue().find("AttitudeState")
    times = np.concatenate((np.linspace(0, 40, 50_000), np.linspace(60, 100, 50_000)))
    rows = np.zeros(100_000, attitude.dtype)
    rows["Roll"] = np.where(times < 50, 1.0, 2.0)
    recording.extend(attitude, 0, times, rows)
    for span in (ALL, Span(30.0, 70.0), Span(39.9, 60.1)):
        x, y = curve_of(recording, "AttitudeState.Roll").points(span, 700, 100.0)
        assert set(y[(x < 50) & np.isfinite(y)]) == {1.0}
        assert set(y[(x > 50) & np.isfinite(y)]) == {2.0}
        assert np.isnan(y).sum() == 1


def test_settings_hold_and_what_is_sent_on_change_does_too() -> None:
    recording = flight()
    home = curve_of(recording, "HomeLocation.Latitude")
    assert drawn_over(home.points(ALL, 2000, 100.0), 50.0)
    assert home.age_if_old(99.0) is None
    assert home.silences(ALL, 100.0) is None
    x, y = curve_of(recording, "WaypointActive.Index").points(ALL, 2000, 100.0)
    assert list(y[x < 100.0]) == [1.0]
    assert drawn_over((x, y), 99.0)
    assert y[int(x.searchsorted(99.9)) - 1] == 1.0


def test_what_is_sent_on_change_ends_with_the_recording_going_silent() -> None:
    recording = Recording()
    add(recording, 0.0, "WaypointActive", Index=1)
    for t in (*range(11), *range(50, 61)):
        add(recording, float(t), "BaroSensor", Altitude=1.0)
    curve = curve_of(recording, "WaypointActive.Index")
    x, _ = curve.points(Span(0.0, 60.0), 600, 60.0)
    assert x[-1] == pytest.approx(10.1)
    assert curve.age_if_old(9.0) is None
    assert curve.age_if_old(30.0) == 30.0
    assert curve.age_if_old(55.0) == 55.0


def test_a_value_grows_old_and_new_again() -> None:
    curve = curve_of(flight(), "AttitudeState.Roll")
    ages = [curve.age_if_old(t) for t in (39.0, 41.9, 45.0, 59.9, 60.5)]
    assert ages == [None, None, pytest.approx(5.0), pytest.approx(19.9), None]
    assert curve_of(flight(), "BaroSensor.Altitude").age_if_old(45.0) is None


def test_silences_grow_with_a_live_recording() -> None:
    recording = flight(silent=(0.0, 0.0))
    curve = curve_of(recording, "AttitudeState.Roll")
    assert curve.silences(Span(0.0, 200.0), 100.0) == []
    times_s = float(recording.series("AttitudeState.Roll")[0][-1])
    for t in (110.0, 120.0, 120.1):
        add(recording, t, "BaroSensor", Altitude=1.0)
    curve.attach(recording)
    assert curve.silences(Span(0.0, 200.0), 120.1) == [Span(times_s, 120.1)]
    add(recording, 121.0, "AttitudeState", Roll=1.0)
    curve.attach(recording)
    assert curve.silences(Span(0.0, 200.0), 121.0) == [Span(times_s, 121.0)]
    x, y = curve.points(Span(0.0, 200.0), 900, 121.0)
    assert not drawn_over((x, y), 110.0)


def test_only_what_all_curves_lack_is_a_common_silence() -> None:
    ones, others = [Span(0, 10), Span(20, 30)], [Span(5, 25)]
    assert common_silences([ones, others]) == (Span(5, 10), Span(20, 25))
    assert common_silences([ones, []]) == ()
    assert common_silences([]) == ()


def test_ages_are_told_in_a_word() -> None:
    ages = [age_text(age).replace("\u2009", " ") for age in (4.6, 180.0, 8000.0)]
    assert ages == ["5 s old", "3 min old", "2 h old"]


@pytest.mark.slow
def test_the_real_flight_has_its_gap(shared_logs: Path) -> None:
    path = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    recording = read_log(path, catalogue()).recording
    whole = Span(recording.first_s, recording.last_s)
    for name in ("AttitudeState.Roll", "BaroSensor.Altitude", "FlightStatus.FlightMode"):
        curve = curve_of(recording, name)
        points = curve.points(whole, 500, whole.stop)
        assert drawn_over(points, 120.0)
        assert not any(drawn_over(points, t) for t in (300.0, 500.0, 700.0)), name
        assert curve.age_if_old(500.0) is not None
