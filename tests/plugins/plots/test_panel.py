"""The plot panel: its timeline and its state."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.plots.panel import PlotPanel
from plugins.plots.xy_panel import XyPanel
from plugins.testing import catalogue, live_vehicle, replayed_vehicle, short_flight
from telemetry.recording.logs.reader import read_log
from telemetry.review.flights.flight import FlightLog
from telemetry.review.flights.marker_editing import marking_of
from telemetry.review.flights.sync import Piece, Sync
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.immediate import ImmediateJobs
from widgets.plot.window import Span
from widgets.theme import load_theme


@pytest.fixture
def context() -> Iterator[PanelContext]:
    context = PanelContext(Fleet(), load_theme("light"), ImmediateJobs())
    yield context
    context.close()


def make_panel(qtbot: QtBot, context: PanelContext) -> PlotPanel:
    panel = PlotPanel(context)
    qtbot.addWidget(panel)
    panel.resize(500, 260)
    panel.show()
    return panel


def take(context: PanelContext, vehicle: Vehicle) -> Vehicle:
    context.fleet.add(vehicle)
    vehicle.timeline.advance(0.0, vehicle.recording.first_s, vehicle.recording.last_s)
    return vehicle


def test_live_the_window_follows(qtbot: QtBot, context: PanelContext) -> None:
    panel = make_panel(qtbot, context)
    vehicle = take(context, live_vehicle())
    panel.view.add_paths(["AttitudeState.Roll"])
    panel.refresh(vehicle.timeline.t)
    assert panel.view.model.span == Span(-40.0, 20.0)


def test_a_click_moves_the_timeline(qtbot: QtBot, context: PanelContext) -> None:
    panel = make_panel(qtbot, context)
    vehicle = take(context, live_vehicle())
    panel.refresh(20.0)
    panel.view.seek_wanted.emit(7.5)
    assert (vehicle.timeline.t, vehicle.timeline.mode) == (7.5, "paused")


def test_a_double_click_leaves_the_timeline_alone(qtbot: QtBot, context: PanelContext) -> None:
    panel = make_panel(qtbot, context)
    vehicle = take(context, live_vehicle())
    panel.view.seek_wanted.emit(7.5)
    panel.view.seek_undone.emit()
    assert (vehicle.timeline.t, vehicle.timeline.mode) == (20.0, "live")
    vehicle.timeline.seek(3.0)
    panel.view.seek_wanted.emit(7.5)
    panel.view.seek_undone.emit()
    assert vehicle.timeline.t == 3.0


def test_seeking_without_an_aircraft_is_no_error(qtbot: QtBot, context: PanelContext) -> None:
    panel = make_panel(qtbot, context)
    panel.refresh(0.0)
    panel.view.seek_wanted.emit(7.5)
    panel.view.seek_undone.emit()


def test_state_returns(qtbot: QtBot, context: PanelContext) -> None:
    take(context, replayed_vehicle())
    panel = make_panel(qtbot, context)
    panel.view.add_paths(["AttitudeState.Roll", "AttitudeState.Pitch", "FlightStatus.Armed"])
    panel.view.remove_path("AttitudeState.Roll")
    model = panel.view.model
    model.toggle("FlightStatus.Armed")
    model.time.set_window(30.0)
    panel.refresh(10.0)
    model.zoom_values(0.5, 1.0)
    model.shows_events = False
    state = panel.save_state()
    context.settings.update(state)
    again = make_panel(qtbot, context)
    assert again.save_state() == state
    assert [curve.series for curve in again.view.model.curves] == [1, 2]


def test_bare_paths_are_enough(qtbot: QtBot, context: PanelContext) -> None:
    panel = make_panel(qtbot, context)
    panel.restore_state({"fields": ["AttitudeState.Roll", 5, None, "AttitudeState.Roll"]})
    assert panel.view.model.paths == ("AttitudeState.Roll",)


def test_two_plots_have_their_own_fields(qtbot: QtBot, context: PanelContext) -> None:
    take(context, replayed_vehicle())
    one, two = make_panel(qtbot, context), make_panel(qtbot, context)
    one.view.add_paths(["AttitudeState.Roll"])
    assert two.view.model.paths == ()


def test_plots_of_a_workspace_show_the_same_time(qtbot: QtBot, context: PanelContext) -> None:
    take(context, replayed_vehicle())
    other = PanelContext(context.fleet, context.theme, context.jobs)
    one, two = make_panel(qtbot, context), make_panel(qtbot, context)
    elsewhere, alone = make_panel(qtbot, other), make_panel(qtbot, context)
    alone.restore_state({"linked": False})
    panels = (one, two, elsewhere, alone)

    def spans() -> list[Span | None]:
        for panel in panels:
            panel.refresh(10.0)
        return [panel.view.model.span for panel in panels]

    assert spans() == [Span(0.0, 20.0)] * 4
    one.view.model.time.zoom(0.5, 10.0)
    assert spans() == [Span(5.0, 15.0), Span(5.0, 15.0), Span(0.0, 20.0), Span(0.0, 20.0)]
    two.view.model.pan(2.0, 0.0)
    assert spans()[:2] == [Span(7.0, 17.0)] * 2
    two.view.link_time(False)
    two.view.model.time.zoom(0.5, 10.0)
    assert spans()[0] == Span(7.0, 17.0)
    assert not two.save_state()["linked"]


def test_a_pinned_plot_keeps_its_own_time(qtbot: QtBot, context: PanelContext) -> None:
    take(context, replayed_vehicle())
    other = PanelContext(context.fleet, context.theme, context.jobs, shared=context.shared)
    one, two = make_panel(qtbot, context), make_panel(qtbot, other)
    assert two.view.model.time is one.view.model.time
    other.settings["vehicle"] = "flight.opl"
    two.refresh(10.0)
    assert two.view.model.time is not one.view.model.time


@pytest.mark.slow
def test_the_real_flight(qtbot: QtBot, context: PanelContext, shared_logs: Path) -> None:
    vehicle = replayed_vehicle()
    path = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    vehicle.recording = read_log(path, catalogue()).recording
    take(context, vehicle)
    panel = make_panel(qtbot, context)
    panel.view.add_paths(["AttitudeState.Yaw", "FlightStatus.FlightMode"])
    panel.refresh(100.0)
    values = [entry.value for entry in panel.view.legend.entries]
    sample = vehicle.recording.latest("AttitudeState", 100.0)
    assert sample is not None
    assert float(values[0]) == pytest.approx(sample["Yaw"], abs=0.6)
    assert values[1] == "PositionHold"


def test_markers_of_the_flight_stand_in_the_plot(qtbot: QtBot, context: PanelContext) -> None:
    panel = make_panel(qtbot, context)
    vehicle = take(context, replayed_vehicle())
    panel.view.add_paths(["AttitudeState.Roll"])

    def marked() -> list[tuple[str, float]]:
        panel.refresh(vehicle.timeline.t)
        events = panel.view.canvas.picture.events
        return [(event.text, event.t) for event in events if event.color == "selected"]

    assert marked() == []
    for t in (9.0, 4.0):
        marking_of(vehicle).add(t, category="gust" if t == 9.0 else "")
    assert marked() == [("Marker 1", 4.0), ("gust", 9.0)]
    panel.view.model.shows_events = False
    panel.view.touch()
    assert marked() == []


def test_a_log_dragged_in_a_plot_is_synchronised_anew(qtbot: QtBot, context: PanelContext) -> None:
    take(context, replayed_vehicle())
    panel = make_panel(qtbot, context)
    flight = context.flight
    assert flight is not None
    sync = Sync((Piece(2.0, 1.01),))
    flight.logs = (FlightLog("second.opl", Path("second.opl"), short_flight(), sync),)
    panel.view.add_paths(["PositionState.North"])
    panel.refresh(10.0)
    panel.view.compare("second.opl")
    panel.refresh(10.0)
    ghost = panel.view.model.curves[1]
    assert ghost.value_at(10.0) == pytest.approx(12.1)
    panel.view.log_shifted.emit("second.opl", 3.0)
    panel.refresh(10.0)
    assert flight.logs[0].sync.medium_s(13.0) == pytest.approx(sync.medium_s(10.0))
    assert ghost.value_at(13.0) == pytest.approx(12.1)
    flight.logs = ()
    panel.refresh(10.0)
    assert ghost.value_at(13.0) is None


def test_what_is_compared_is_drawn_beside_each_curve_and_goes_with_the_comparison(
    qtbot: QtBot, context: PanelContext
) -> None:
    def shown(compared: str) -> list[str]:
        flight.compared = compared
        panel.refresh(10.0)
        return list(panel.view.model.paths)

    take(context, replayed_vehicle())
    panel, flight = make_panel(qtbot, context), context.flight
    assert flight is not None
    flight.logs = (FlightLog("b.opl", Path("b.opl"), short_flight()),)
    panel.view.add_paths(["PositionState.North"])
    assert shown("") == ["PositionState.North"], "a log that joins is not drawn by itself"
    assert shown("b.opl") == ["PositionState.North", "PositionState.North @ b.opl"]
    own, beside = panel.view.model.curves
    assert own.series == beside.series
    panel.view.add_paths(["PositionState.East"])
    panel.view.remove_path("PositionState.North @ b.opl")
    assert shown("b.opl")[1:] == ["PositionState.East", "PositionState.East @ b.opl"]
    assert shown("") == ["PositionState.North", "PositionState.East"]


def test_an_xy_plot_shows_the_time_of_the_plots(qtbot: QtBot, context: PanelContext) -> None:
    vehicle = take(context, replayed_vehicle())
    plot = make_panel(qtbot, context)
    xy = XyPanel(context)
    qtbot.addWidget(xy)
    xy.restore_state({"x": "PositionState.East", "y": "PositionState.North", "color": 5})
    assert xy.save_state() == {"x": "PositionState.East", "y": "PositionState.North", "color": ""}
    plot.refresh(vehicle.timeline.t)
    plot.view.model.time.show(Span(5.0, 10.0))
    xy.refresh(vehicle.timeline.t)
    points = xy.view.canvas.picture.points
    assert points is not None
    assert (points.times[0], points.times[-1]) == (5.0, 10.0)
