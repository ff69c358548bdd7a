"""The map panel on a recorded flight."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import PLACE_ACTIONS, PanelContext, PlaceAction
from plugins.map.panel import MapPanel
from plugins.testing import add, catalogue, live_vehicle, replayed_vehicle
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.flight import FlightVideo, flight_of
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.immediate import ImmediateJobs
from widgets.map.menu import build_menu
from widgets.map.projection import GeoPoint, distance_m
from widgets.theme import load_theme

THERE = GeoPoint(48.9461, 9.4301)


@pytest.fixture
def context() -> Iterator[PanelContext]:
    context = PanelContext(Fleet(), load_theme("light"), ImmediateJobs())
    yield context
    context.close()


@pytest.fixture
def panel(qtbot: QtBot, context: PanelContext) -> MapPanel:
    panel = MapPanel(context)
    qtbot.addWidget(panel)
    panel.resize(600, 400)
    panel.show()
    return panel


def test_the_track_is_strong_up_to_the_cursor(panel: MapPanel, context: PanelContext) -> None:
    context.fleet.add(replayed_vehicle())
    for t, past in ((0.0, 1), (10.0, 101), (20.0, 201), (5.0, 51)):
        panel.refresh(t)
        line = panel.canvas.scene.tracks[0]
        assert (line.past, len(line.x)) == (past, 201)
        active = panel.canvas.scene.active
        assert active is not None
        assert active.heading_deg == pytest.approx(t * 9 % 360, abs=0.01)


def test_a_replay_rests_and_a_live_flight_is_followed(
    panel: MapPanel, context: PanelContext
) -> None:
    context.fleet.add(replayed_vehicle())
    panel.refresh(10.0)
    assert not panel.canvas.is_following
    context.fleet.add(live_vehicle())
    panel.refresh(10.0)
    assert panel.canvas.is_following


def test_other_vehicles_are_shown_too(panel: MapPanel, context: PanelContext) -> None:
    context.fleet.add(live_vehicle("one"))
    context.fleet.add(live_vehicle("two"))
    panel.refresh(10.0)
    scene = panel.canvas.scene
    assert {(mark.name, mark.is_active) for mark in scene.vehicles} == {
        ("one", True),
        ("two", False),
    }
    assert len(scene.tracks) == 2


@pytest.mark.parametrize("make", [live_vehicle, replayed_vehicle])
def test_the_ground_that_the_camera_sees(
    panel: MapPanel, context: PanelContext, make: Callable[[], Vehicle]
) -> None:
    said: list[str] = []
    context.show_message = said.append
    vehicle = make()
    context.fleet.add(vehicle)
    add(vehicle.recording, 20.1, "AttitudeState", Roll=0.0, Pitch=0.0, Yaw=90.0)
    add(vehicle.recording, 20.1, "PositionState", North=0.0, East=0.0, Down=-40.0)
    panel.refresh(20.2)
    assert panel.canvas.scene.camera is None, "nobody has asked for it"
    panel.canvas.choose_options(replace(panel.canvas.options, camera_view=True))
    panel.refresh(20.3)
    assert panel.canvas.scene.camera is None
    assert "Nothing is known of a camera" in said[0]
    below = CameraSettings(field_of_view_deg=90.0, mount_pitch_deg=-90.0)
    flight_of(vehicle).videos = (FlightVideo("Wing", (), camera=below),)
    panel.refresh(20.4)
    ground, mark = panel.canvas.scene.camera, panel.canvas.scene.active
    assert ground is not None
    assert mark is not None
    assert ground.title == "Wing"
    ends = [distance_m(mark.place, corner) for corner in ground.corners]
    assert max(ends) == pytest.approx(40.0 * math.hypot(1.0, 9 / 16), rel=0.01)
    assert min(ends) == pytest.approx(40.0 * 9 / 16, rel=0.01)
    panel.grab()
    assert panel.save_state()["camera_view"] is True
    add(vehicle.recording, 21.0, "AttitudeState", Roll=0.0, Pitch=75.0, Yaw=0.0)
    panel.refresh(21.1)
    turned = panel.canvas.scene.camera
    assert turned is not None
    assert turned.title == "Wing, to 10 × height"


def test_a_commanded_place_is_the_target(panel: MapPanel, context: PanelContext) -> None:
    vehicle = live_vehicle()
    context.fleet.add(vehicle)
    panel.refresh(20.0)
    assert panel.canvas.scene.target is None
    status = {"Armed": "Armed", "FlightMode": "PositionHold", "ControlChain.PathFollower": "True"}
    add(vehicle.recording, 21.0, "FlightStatus", **status)
    add(vehicle.recording, 21.0, "PathDesired", End=(100.0, 0.0, -10.0))
    panel.refresh(21.0)
    target = panel.canvas.scene.target
    assert target is not None
    assert target.latitude_deg == pytest.approx(48.9466 + 100 / 111_319.5, abs=1e-6)


def test_no_aircraft_is_no_error(panel: MapPanel) -> None:
    panel.refresh(0.0)
    assert panel.canvas.scene.vehicles == ()


def test_state_returns(panel: MapPanel, context: PanelContext, qtbot: QtBot) -> None:
    context.fleet.add(replayed_vehicle())
    panel.refresh(10.0)
    panel.canvas.zoom_by(-2)
    state = panel.save_state()
    other = PanelContext(context.fleet, context.theme, context.jobs, settings=state)
    again = MapPanel(other)
    qtbot.addWidget(again)
    again.resize(600, 400)
    again.refresh(10.0)
    assert again.save_state() == state
    other.close()


def test_the_real_flight(panel: MapPanel, context: PanelContext, shared_logs: Path) -> None:
    path = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    vehicle = replayed_vehicle()
    vehicle.recording = read_log(path, catalogue()).recording
    context.fleet.add(vehicle)
    panel.refresh(200.0)
    active = panel.canvas.scene.active
    assert active is not None
    assert active.place.latitude_deg == pytest.approx(32.966, abs=1e-3)
    assert active.place.longitude_deg == pytest.approx(-117.0656, abs=1e-3)


def test_the_track_is_coloured_on_request(panel: MapPanel, context: PanelContext) -> None:
    context.fleet.add(replayed_vehicle())
    panel.refresh(20.0)
    assert panel.canvas.scene.shading is None
    plain = panel.canvas.grab().toImage()
    panel.canvas.choose_track_color("height")
    panel.refresh(20.0)
    shading = panel.canvas.scene.shading
    assert shading is not None
    assert shading.title == "Height"
    assert panel.canvas.grab().toImage() != plain
    assert panel.save_state()["track_color"] == "height"
    panel.canvas.choose_track_color("")
    panel.refresh(20.0)
    assert panel.canvas.grab().toImage() == plain


def test_a_followed_aircraft_is_seen_near_whatever_else_there_is(
    panel: MapPanel, context: PanelContext
) -> None:
    context.fleet.add(live_vehicle("here"))
    panel.refresh(10.0)
    usual = panel.canvas.view.metres_per_px
    lost = live_vehicle("without home", Recording())
    add(lost.recording, 0.0, "PositionState", North=1.0)
    context.fleet.add(lost)
    panel.refresh(0.0)
    assert panel.canvas.view.metres_per_px < 2 * usual, "not the whole world between the two"


def test_a_log_is_looked_at_alone(panel: MapPanel, context: PanelContext) -> None:
    far = live_vehicle("far away", Recording())
    add(far.recording, 0.0, "HomeLocation", Latitude=0, Longitude=0, Set="True")
    add(far.recording, 0.0, "PositionState", North=1.0)
    context.fleet.add(far)
    panel.refresh(0.0)
    context.fleet.add(replayed_vehicle())
    panel.refresh(-1.0)  # before anything is known of where it is, but its track is
    assert panel.canvas.scene.active is None
    assert panel.canvas.view.metres_per_px < 1.0


def test_the_menu_offers_what_another_panel_can_do_at_the_place(
    panel: MapPanel, context: PanelContext
) -> None:
    asked: list[tuple[float, float]] = []

    def offer(latitude_deg: float, longitude_deg: float) -> list[PlaceAction]:
        place = (latitude_deg, longitude_deg)
        return [PlaceAction("Go to here …", lambda: asked.append(place))]

    def titles() -> list[str]:
        menu = build_menu(panel, panel.canvas, THERE, panel.canvas.entries_at(THERE))
        found = [action.text() for action in menu.actions()]
        for action in menu.actions()[:1]:
            action.trigger()
        menu.close()
        return found

    assert "Go to here …" not in titles()
    context.shared[PLACE_ACTIONS] = offer
    assert titles()[0] == "Go to here …"
    assert asked == [(THERE.latitude_deg, THERE.longitude_deg)]
