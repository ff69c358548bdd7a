"""How far another log is from the flight under the cursor, as curves."""

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from plugins.testing import catalogue, short_flight
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.review.flights.sync import Piece, Sync
from tests.immediate import ImmediateJobs
from widgets.display_units import DisplayUnits
from widgets.plot.menu import build_menu
from widgets.plot.model import OtherLog, PlotModel
from widgets.plot.plot_state import curves_state, restore_curves
from widgets.plot.time_view import Moment
from widgets.plot.view import PlotView
from widgets.plot.window import Span
from widgets.theme import load_theme

MOMENT = Moment(10.0, Span(0.0, 20.0))
TWIN = "simulated twin"
NORTH = f"PositionState.North @ {TWIN} \u2212 this flight"


def say(recording: Recording, t: float, name: str, **values: object) -> None:
    definition = catalogue().find(name, DEFAULT_RELEASE)
    recording.append(t, definition, 0, pack_values(definition, values))


def model_of(
    flight: Recording, other: Recording, *paths: str, sync: Sync | None = None
) -> PlotModel:
    model = PlotModel()
    model.attach(flight)
    for path in paths:
        model.add(path)
    model.others = (OtherLog(TWIN, other, sync or Sync()),)
    model.frame(MOMENT, 800)
    model.subtract(TWIN)
    return model


def test_the_difference_lies_where_both_clocks_say_and_is_the_other_less_the_flight() -> None:
    later = Sync((Piece(-5.0, 1.0),))
    paths = ("PositionState.North", "FlightStatus.Armed")
    model = model_of(short_flight(), short_flight(), *paths, sync=later)
    frame = model.frame(MOMENT, 800)
    assert model.paths[2:] == (NORTH,), "options have no difference"
    assert frame.points is not None
    x, y = frame.points[2]
    is_known = np.isfinite(y)
    assert x[is_known][0] == pytest.approx(5.0)
    assert y[is_known] == pytest.approx(-5.0, abs=1e-5), "it flies 1 m/s and began 5 s later"
    curve = frame.curves[2]
    assert (curve.unit, curve.log) == ("m", TWIN)
    assert curve.value_at(12.0) == pytest.approx(-5.0, abs=1e-5)
    model.others = (OtherLog(TWIN, short_flight(), Sync()),)  # dragged to where it belongs
    assert model.frame(MOMENT, 800).curves[2].value_at(12.0) == pytest.approx(0.0, abs=1e-5)
    model.others = ()
    assert "not open" in model.frame(MOMENT, 800).curves[2].problem
    model.subtract(TWIN)
    assert len(model.curves) == 2


def test_angles_differ_by_the_short_way_also_between_samples() -> None:
    flight, other = Recording("flight"), Recording("other")
    for t, yaw in ((0.0, 179.0), (1.0, 179.0), (2.0, 170.0)):
        say(flight, t, "AttitudeState", Yaw=yaw)
    for t, yaw in ((0.5, 178.0), (1.5, -178.0), (2.5, -178.0)):
        say(other, t, "AttitudeState", Yaw=yaw)
    model = model_of(flight, other, "AttitudeState.Yaw")
    curve = model.frame(MOMENT, 800).curves[1]
    assert curve.value_at(1.0) == pytest.approx(1.0)  # 180 lies halfway between 178 and 182
    assert curve.value_at(2.0) == pytest.approx(12.0)
    assert np.isnan(curve.value_at(0.5) or 0.0), "nothing is known before the other one's begin"


def test_in_flight_nothing_is_told_before_the_other_one_has_come_so_far() -> None:
    flight, other = Recording("flight"), Recording("other")
    model = model_of(flight, other, "PositionState.North")
    for t in (0.0, 1.0, 2.0):
        say(flight, t, "PositionState", North=10.0)
    say(other, 0.0, "PositionState", North=11.0)
    say(other, 1.5, "PositionState", North=14.0)
    curve = model.frame(MOMENT, 800).curves[1]
    assert (curve.count, curve.value_at(1.0)) == (2, pytest.approx(3.0))
    say(other, 2.5, "PositionState", North=18.0)
    assert model.frame(MOMENT, 800).curves[1].count == 3
    assert curve.value_at(2.0) == pytest.approx(6.0)
    say(other, 30.0, "PositionState", North=18.0)
    say(flight, 20.0, "PositionState", North=10.0)
    model.frame(MOMENT, 800)
    assert np.isnan(curve.value_at(20.0) or 0.0), "no line over a silence"


def test_a_difference_of_temperatures_is_no_temperature() -> None:
    """32 °F are no part of a difference."""
    flight, other = Recording("flight"), Recording("other")
    for t in (0.0, 1.0):
        say(flight, t, "BaroSensor", Temperature=20.0)
        say(other, t, "BaroSensor", Temperature=30.0)
    model = model_of(flight, other, "BaroSensor.Temperature")
    model.units = DisplayUnits("test", "Test", {"°C": "°F"})
    curve = model.frame(MOMENT, 800).curves[1]
    assert (curve.value_at(1.0), curve.unit) == (pytest.approx(18.0), "°F")


def test_the_menu_offers_it_the_legend_names_it_and_a_workspace_keeps_it(qtbot: QtBot) -> None:
    view = PlotView(load_theme("light"), ImmediateJobs())
    qtbot.addWidget(view)
    view.add_paths(["PositionState.North"])
    view.show_others((OtherLog(TWIN, short_flight(), Sync()),))
    parent = QWidget()
    qtbot.addWidget(parent)

    def action() -> QAction:
        menu = build_menu(parent, view, "")
        (offers,) = [m for m in menu.findChildren(QMenu) if m.title() == "Difference from"]
        (found,) = offers.actions()
        return found

    action().trigger()
    assert view.model.paths == ("PositionState.North", NORTH)
    assert action().isChecked()
    view.show_moment(short_flight(), MOMENT)
    assert [entry.label for entry in view.legend.entries] == [
        "North",
        f"North · {TWIN} \u2212 this flight",
    ]
    assert view.legend.entries[0].color != view.legend.entries[1].color
    kept = PlotModel()
    restore_curves(kept, curves_state(view.model))
    assert kept.curves[1].is_difference
