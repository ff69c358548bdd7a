"""The 3-D view shows truth and estimate as they were, and each flight's own trail."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.simulator.scene_panel import ScenePanel
from plugins.testing import add, live_vehicle
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from widgets.scene.scene import Scene, View
from widgets.theme import load_theme


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[View | None]:
    """What the scene was told to show."""
    views: list[View | None] = []
    monkeypatch.setattr(Scene, "show_view", lambda self, view: views.append(view))
    return views


@pytest.fixture
def context() -> Iterator[VehicleContext]:
    context = VehicleContext(Fleet(), load_theme("dark"), ImmediateJobs())
    yield context
    context.close()


def two_flights() -> Recording:
    """Ten seconds north, a restart, and ten seconds east; the estimate is a metre too high."""
    recording = Recording("test")
    for step in range(200):
        t = step / 10
        way = (t, 0.0) if t < 10.0 else (0.0, t - 10.0)
        level = {"q1": 1.0, "q2": 0.0, "q3": 0.0, "q4": 0.0}
        place = {"Position.North": way[0], "Position.East": way[1], "Position.Down": -5.0}
        add(recording, t, "AttitudeSimulated", **place, **level)
        add(recording, t, "AttitudeState", **level)
        add(recording, t, "PositionState", North=way[0], East=way[1], Down=-1.0)
        if step % 10 == 0:
            add(recording, t, "SystemStats", FlightTime=int(1000 * (t % 10.0)) + 500)
    return recording


def test_truth_and_estimate_are_those_of_the_moment(
    qtbot: QtBot, context: VehicleContext, shown: list[View | None]
) -> None:
    panel = ScenePanel(context)
    qtbot.addWidget(panel)
    context.fleet.add(live_vehicle(recording=two_flights()))
    panel.refresh(4.0)
    view = shown[-1]
    assert view is not None
    assert view.truth is not None
    assert view.estimate is not None
    assert list(view.truth.position) == pytest.approx([4.0, 0.0, -5.0])
    assert list(view.estimate.position) == pytest.approx([4.0, 0.0, -6.0]), (
        "its zero is where the aircraft was switched on"
    )
    assert view.silent_s == 0.0


def test_a_trail_begins_with_its_flight(
    qtbot: QtBot, context: VehicleContext, shown: list[View | None]
) -> None:
    panel = ScenePanel(context)
    qtbot.addWidget(panel)
    context.fleet.add(live_vehicle(recording=two_flights()))
    panel.refresh(9.9)
    before = shown[-1]
    assert before is not None
    assert before.trail is not None
    assert before.trail[-1, 0] > 9.0, "the way north"
    panel.refresh(15.0)
    after = shown[-1]
    assert after is not None
    assert after.trail is not None
    assert after.trail[:, 0].max() == 0.0, "nothing of the flight before the restart"
    assert after.trail[-1, 1] == pytest.approx(5.0, abs=0.2)


def test_a_log_without_a_truth_shows_the_estimate(
    qtbot: QtBot, context: VehicleContext, shown: list[View | None]
) -> None:
    panel = ScenePanel(context)
    qtbot.addWidget(panel)
    context.fleet.add(live_vehicle())
    panel.refresh(10.0)
    view = shown[-1]
    assert view is not None
    assert view.truth is None
    assert view.estimate is not None
    panel.refresh(19.9)
    assert len(shown) == 2


def test_from_where_one_looks_is_remembered(qtbot: QtBot, context: VehicleContext) -> None:
    panel = ScenePanel(context)
    qtbot.addWidget(panel)
    panel.restore_state({"azimuth_deg": 90.0, "elevation_deg": 200.0, "distance_m": 40.0})
    assert panel.save_state() == {"azimuth_deg": 90.0, "elevation_deg": 89.0, "distance_m": 40.0}
