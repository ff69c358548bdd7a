"""What a plot shows of a flight and how it moves."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from plugins.testing import add, short_flight
from telemetry.recording.recording import Recording
from widgets.plot.curve import Curve
from widgets.plot.export import write_csv
from widgets.plot.model import PlotFrame, PlotModel
from widgets.plot.time_view import LIVE_WINDOW_S, Moment
from widgets.plot.window import Span

FLIGHT = Span(0.0, 20.0)


def replayed(t: float = 10.0) -> Moment:
    return Moment(t, FLIGHT)


def live(stop: float = 20.0) -> Moment:
    return Moment(stop, Span(0.0, stop), is_live=True, can_live=True)


def model_of(*paths: str) -> PlotModel:
    model = PlotModel()
    model.attach(short_flight())
    for path in paths:
        model.add(path)
    return model


def points_of(frame: PlotFrame, index: int = 0) -> tuple[np.ndarray, np.ndarray]:
    assert frame.points is not None
    return frame.points[index]


def test_a_curve_holds_the_samples() -> None:
    x, y = points_of(model_of("AttitudeState.Roll").frame(replayed(), 800))
    np.testing.assert_allclose(x, np.arange(201) / 10)
    np.testing.assert_allclose(y, 10 * np.sin(x), atol=1e-5)


def test_a_replay_shows_all_and_a_live_flight_its_last_minute() -> None:
    model = model_of("AttitudeState.Roll")
    assert model.frame(replayed(), 800).time == FLIGHT
    model = model_of("AttitudeState.Roll")
    assert model.frame(live(), 800).time == Span(20.0 - LIVE_WINDOW_S, 20.0)
    assert model.frame(live(25.0), 800).time == Span(25.0 - LIVE_WINDOW_S, 25.0)


def test_nothing_is_built_when_nothing_moved() -> None:
    model = model_of("AttitudeState.Roll")
    recording = short_flight()
    model.attach(recording)
    assert model.frame(replayed(5.0), 800).points is not None
    assert model.frame(replayed(6.0), 800).points is None
    add(recording, 20.0, "AttitudeState", Roll=1.0)
    assert model.frame(replayed(6.0), 800).points is not None


def test_enums_are_steps_that_hold() -> None:
    model = model_of("FlightStatus.Armed")
    frame = model.frame(replayed(), 800)
    x, y = points_of(frame)
    assert list(x) == [0, 5, 5, 18, 18, 20]
    assert y[0] == y[1] < y[2] == y[3]
    assert y[4] == y[0]
    states = [(s.start, s.stop, s.text) for s in frame.curves[0].states(frame.time, 20.0)]
    assert states == [(0, 5, "Disarmed"), (5, 18, "Armed"), (18, 20, "Disarmed")]


def test_several_enums_do_not_overlap() -> None:
    frame = model_of("FlightStatus.Armed", "SystemAlarms.Alarm.Battery").frame(replayed(), 800)
    assert frame.points is not None
    armed, battery = (y for _, y in frame.points)
    assert np.nanmin(armed) > np.nanmax(battery)


def test_beside_numbers_enums_keep_their_scale() -> None:
    frame = model_of("FlightStatus.Armed", "AttitudeState.Roll").frame(replayed(), 800)
    assert points_of(frame)[1].max() == 2.0


def test_events_are_marked_unless_a_curve_shows_them() -> None:
    shown = model_of("AttitudeState.Roll").frame(replayed(), 800).events
    assert [(event.t, event.text) for event in shown] == [(5.0, "Armed"), (18.0, "Disarmed")]
    assert model_of("FlightStatus.Armed").frame(replayed(), 800).events == ()
    model = model_of("AttitudeState.Roll")
    model.shows_events = False
    assert model.frame(replayed(), 800).events == ()


def test_the_wheel_zooms_at_the_pointer() -> None:
    model = model_of("AttitudeState.Roll")
    model.frame(replayed(), 800)
    model.time.zoom(0.5, 4.0)
    assert model.frame(replayed(), 800).time == Span(2.0, 12.0)
    assert not model.time.is_following


def test_live_the_wheel_changes_the_window_which_goes_on_following() -> None:
    model = model_of("AttitudeState.Roll")
    model.frame(live(), 800)
    model.time.zoom(0.5, 4.0)
    assert model.frame(live(), 800).time == Span(-10.0, 20.0)
    assert model.frame(live(21.0), 800).time == Span(-9.0, 21.0)


def test_panning_rests_until_fitted() -> None:
    model = model_of("AttitudeState.Roll")
    model.frame(live(), 800)
    model.pan(-5.0, 3.0)
    rested = model.frame(live(), 800).time
    assert rested == Span(-45.0, 15.0)
    assert model.frame(live(30.0), 800).time == rested
    model.fit()
    assert model.frame(live(30.0), 800).time == Span(-30.0, 30.0)


def test_values_fit_the_data_unless_set_by_hand() -> None:
    model = model_of("AttitudeState.Roll")
    values = model.frame(replayed(), 800).values
    assert values.start < -10
    assert values.stop > 10
    model.zoom_values(0.5, 0.0)
    by_hand = model.frame(replayed(), 800).values
    assert by_hand.length == pytest.approx(values.length / 2)
    model.add("AttitudeState.Yaw")
    assert model.frame(replayed(), 800).values == by_hand
    model.set_autoscaled(True)
    assert model.frame(replayed(), 800).values.stop > 180


def test_normalised_curves_fill_the_height() -> None:
    model = model_of("AttitudeState.Roll", "AttitudeState.Yaw")
    model.set_normalised(True)
    frame = model.frame(replayed(), 800)
    assert frame.points is not None
    for _, y in frame.points:
        assert (y.min(), y.max()) == pytest.approx((0.0, 1.0))


def test_hidden_curves_cost_nothing_and_do_not_scale() -> None:
    model = model_of("AttitudeState.Roll", "AttitudeState.Yaw")
    model.toggle("AttitudeState.Yaw")
    frame = model.frame(replayed(), 800)
    assert [curve.path for curve in frame.curves] == ["AttitudeState.Roll"]
    assert frame.values.stop < 50


def test_colours_stay_with_their_curves() -> None:
    model = model_of("AttitudeState.Roll", "AttitudeState.Pitch", "AttitudeState.Yaw")
    model.remove("AttitudeState.Pitch")
    assert [curve.series for curve in model.curves] == [0, 2]
    model.add("BaroSensor.Altitude")
    assert [curve.series for curve in model.curves] == [0, 2, 1]
    assert not model.add("BaroSensor.Altitude")


def test_a_field_not_sent_yet_appears_when_it_is() -> None:
    recording = short_flight()
    model = PlotModel()
    model.attach(recording)
    model.add("GyroState.x")
    assert len(points_of(model.frame(replayed(), 800))[0]) == 0
    add(recording, 20.0, "GyroState", x=3.0)
    assert set(points_of(model.frame(replayed(), 800))[1]) == {3.0}


def test_values_at_the_cursor() -> None:
    curve = Curve("AttitudeState.Yaw", 0)
    curve.attach(short_flight())
    assert curve.value_at(-1.0) is None
    assert curve.text_at(-1.0, 0.1) == ""
    assert curve.value_at(10.04) == pytest.approx(90.0)
    assert curve.text_at(10.04, 0.1) == "90.0"
    assert curve.text_at(0.0, 1.0) == "0"
    armed = Curve("FlightStatus.Armed", 0)
    armed.attach(short_flight())
    assert [armed.text_at(t, 0.1) for t in (4.9, 5.0, 18.0)] == ["Disarmed", "Armed", "Disarmed"]


def test_no_minus_stands_before_zero() -> None:
    recording = short_flight()
    add(recording, 20.0, "AttitudeState", Roll=-0.001)
    curve = Curve("AttitudeState.Roll", 0)
    curve.attach(recording)
    assert curve.text_at(20.0, 0.1) == "0.0"


def test_statistics_are_those_of_the_visible_samples() -> None:
    curve = Curve("PositionState.North", 0)
    curve.attach(short_flight())
    figures = curve.statistics(Span(4.95, 10.05))
    assert figures is not None
    assert (figures.count, figures.minimum, figures.maximum) == (51, 5.0, 10.0)
    assert figures.mean == pytest.approx(7.5)
    assert figures.deviation == pytest.approx(math.sqrt((51**2 - 1) / 12) / 10, rel=1e-3)
    assert curve.statistics(Span(30, 40)) is None


def test_tables_hold_what_was_sent_and_nothing_between(tmp_path: Path) -> None:
    curves = [Curve("AttitudeState.Yaw", 0), Curve("BaroSensor.Altitude", 1)]
    columns = []
    for curve in curves:
        curve.attach(short_flight())
        columns.append((curve.path, *curve.samples(Span(0.95, 2.05))))
    path = tmp_path / "plot.csv"
    assert write_csv(path, columns) == 11
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time_s", "AttitudeState.Yaw", "BaroSensor.Altitude"]
    assert [cell for row in rows[1:] for cell in row[2:] if cell] == ["271", "272"]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx([9 + k * 0.9 for k in range(11)])


@pytest.mark.parametrize(
    ("path", "noise", "least"),
    [
        ("AttitudeState.Roll", 0.02, 4.0),
        ("GyroState.x", 0.3, 10.0),
        ("PositionState.Down", 0.05, 2.0),
        ("FlightBatteryState.Voltage", 0.01, 0.5),
    ],
)
def test_an_axis_does_not_show_noise_over_its_whole_height(
    path: str, noise: float, least: float
) -> None:
    """The least spans are those of the interface's design: 4 deg, 10 deg/s, 2 m, 0.5 V."""
    recording = Recording()
    name, _, field = path.partition(".")
    for step in range(200):
        add(recording, step / 10, name, **{field: 11.0 + noise * math.sin(7.0 * step)})
    model = PlotModel()
    model.attach(recording)
    model.add(path)
    values = model.frame(Moment(20.0, Span(0.0, 20.0)), 400).values
    assert values.length >= least
    assert values.length < 2 * least
    assert values.start < 11.0 < values.stop
