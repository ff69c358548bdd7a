"""The 3-D view shows truth and estimate as they were at the cursor, and remembers how one looks."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QRect, QRectF
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.testing import add, live_vehicle, short_flight
from plugins.view3d.panel import SpacePanel
from telemetry.recording.recording import Recording
from telemetry.recording.simulated_world import SimulatedWorld
from tests.plugins.view3d.drawn import drawn_order
from widgets.scene3d.camera_modes import CameraMode
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.scene import SpaceScene

ROOF = """title = "A roof"
[ground]
reach_m = 50.0
[boxes.house]
position_m = [0.0, 0.0, 0.0]
size_m = [20.0, 20.0, 2.9]
[starts.there]
position_m = [15.0, 0.0, 0.0]
"""


def two_flights(aside_m: float = 0.0) -> Recording:
    """Ten seconds north, a restart, and ten seconds east; the estimate is a metre too high, and so
    far west; GPS has a fix in the second flight."""
    recording = Recording("test")
    for step in range(200):
        t = step / 10
        way = (t, 0.0) if t < 10.0 else (0.0, t - 10.0)
        level = {"q1": 1.0, "q2": 0.0, "q3": 0.0, "q4": 0.0}
        place = {"Position.North": way[0], "Position.East": way[1] + aside_m, "Position.Down": -5.0}
        add(recording, t, "AttitudeSimulated", **place, **level)
        add(recording, t, "AttitudeState", **level)
        add(recording, t, "PositionState", North=way[0], East=way[1], Down=-1.0)
        add(recording, t, "GPSPositionSensor", Status="NoFix" if t < 10.0 else "Fix3D")
        if step % 10 == 0:
            add(recording, t, "SystemStats", FlightTime=int(1000 * (t % 10.0)) + 500)
    return recording


def bodies(scene: SpaceScene) -> dict[bool, tuple[float, float, float]]:
    """Where the aircraft are, by whether they are opaque."""
    return {mesh.opacity >= 1.0: mesh.position for mesh in scene.meshes if mesh.is_carrier}


def longest_step_m(scene: SpaceScene) -> float:
    lines = [one.line.points for one in scene.lines if len(one.line.points) > 100]
    return float(
        max(np.nanmax(np.linalg.norm(np.diff(line[:, :2], axis=0), axis=1)) for line in lines[1:])
    )


def test_truth_and_estimate_are_those_of_the_moment(qtbot: QtBot, context: VehicleContext) -> None:
    context.fleet.add(live_vehicle(recording=two_flights()))
    order = drawn_order(qtbot, SpacePanel(context), 4.0)
    found = bodies(order.scene)
    assert found[True] == pytest.approx((4.0, 0.0, -5.0))
    assert found[False] == pytest.approx((4.0, 0.0, -6.0)), (
        "its zero is where the aircraft was switched on"
    )


def test_an_observer_stands_behind_where_it_began_and_height_is_above_what_is_below(
    qtbot: QtBot, context: VehicleContext, tmp_path: Path
) -> None:
    (tmp_path / "world.toml").write_text(ROOF, encoding="utf-8")
    context.fleet.add(live_vehicle(recording=two_flights()))
    context.settings = {"world": str(tmp_path), "camera": "observer", "has_opengl": False}
    panel = SpacePanel(context)
    order = drawn_order(qtbot, panel, 4.0)
    assert order.eye.position == pytest.approx((-6.0, 0.0, -4.6)), "on the roof"
    assert "2.1\u2009m high" in panel.view.words
    _, _, depth_m = order.eye.project(np.array([[4.0, 0.0, -5.0]]), *order.size)[0]
    assert depth_m > 9.0


def test_without_a_fix_only_the_height_is_compared(qtbot: QtBot, context: VehicleContext) -> None:
    """PositionState keeps its north and east until GPS has a fix (filterlla.c of LibrePilot does
    not update them before): indoors they say nothing of where the aircraft is."""
    context.fleet.add(live_vehicle(recording=two_flights(aside_m=8.0)))
    panel = SpacePanel(context)
    for t in (9.0, 15.5):
        found = bodies(drawn_order(qtbot, panel, t).scene)
        assert found[True][2] - found[False][2] == pytest.approx(1.0)
        away_m = found[True][1] - found[False][1]
        assert away_m == pytest.approx(0.0 if t < 10.0 else 8.0)
        assert ("Place not estimated: no GPS fix yet" in panel.view.words) is (t < 10.0)
    assert "Estimate 8.1\u2009m off" in panel.view.words


def test_an_aircraft_in_a_world_is_as_large_as_it_is_there(
    qtbot: QtBot, context: VehicleContext
) -> None:
    recording = two_flights()
    context.fleet.add(live_vehicle(recording=recording))
    panel = SpacePanel(context)
    for span_m in (0.19, 2.0):
        recording.world = SimulatedWorld("nowhere", span_m=span_m)
        order = drawn_order(qtbot, panel, 4.0 + span_m)
        body = next(mesh for mesh in order.scene.meshes if mesh.is_carrier)
        wide = float(np.ptp(body.mesh.vertices[:, 1])) * body.scale
        assert wide == pytest.approx(span_m)
        away_m = float(np.linalg.norm(np.subtract(order.eye.position, body.position)))
        assert 3.0 < away_m / span_m < 8.0, "all of it is seen, and some of what is around it"


def test_an_estimate_alone_is_the_aircraft(qtbot: QtBot, context: VehicleContext) -> None:
    context.fleet.add(live_vehicle())
    panel = SpacePanel(context)
    found = bodies(drawn_order(qtbot, panel, 10.0).scene)
    assert found == {True: pytest.approx((10.0, -10.0, -10.0), abs=1e-6)}
    later = bodies(drawn_order(qtbot, panel, 3.0).scene)
    assert later == {True: pytest.approx((3.0, -3.0, -3.0), abs=1e-6)}, "back in time as well"
    assert "3.0\u2009m high" in panel.view.words


def test_a_truth_that_nobody_told_is_none(qtbot: QtBot, context: VehicleContext) -> None:
    """LibrePilot on a board sends AttitudeSimulated full of zeros (logs of its branch "next")."""
    recording = short_flight()
    for t in (20.0, 20.1):
        add(recording, t, "AttitudeSimulated")
    context.fleet.add(live_vehicle(recording=recording))
    panel = SpacePanel(context)
    found = bodies(drawn_order(qtbot, panel, 20.1).scene)
    assert found == {True: pytest.approx((20.0, -20.0, -20.0), abs=1e-6)}
    assert not any("Estimate" in line for line in panel.view.words)


def test_a_flight_after_a_restart_is_not_joined(qtbot: QtBot, context: VehicleContext) -> None:
    context.fleet.add(live_vehicle(recording=two_flights()))
    assert longest_step_m(drawn_order(qtbot, SpacePanel(context), 15.0).scene) < 1.0


def test_the_future_is_faint(qtbot: QtBot, context: VehicleContext) -> None:
    context.fleet.add(live_vehicle())
    scene = drawn_order(qtbot, SpacePanel(context), 10.0).scene
    (track,) = (line for line in scene.lines if line.strong is not None)
    assert track.strong == 100
    assert len(track.line.points) == 201


def test_a_target_that_is_reached_does_not_hide_the_aircraft(
    qtbot: QtBot, context: VehicleContext
) -> None:
    recording = short_flight()
    steered = {"Armed": "Armed", "ControlChain.PathFollower": "True"}
    add(recording, 20.0, "FlightStatus", **steered)
    add(recording, 20.0, "PathDesired", **{"End.North": 7.0, "End.East": 8.0, "End.Down": -9.0})
    context.fleet.add(live_vehicle(recording=recording))
    meshes = drawn_order(qtbot, SpacePanel(context), 20.0).scene.meshes
    (target,) = (mesh for mesh in meshes if mesh.position == pytest.approx((7.0, 8.0, -9.0)))
    sight = LineOfSight([target.mesh])
    assert sight.free_share((-5.0, 0.1, 0.1), (5.0, 0.1, 0.1)) == 1.0
    assert sight.free_share((-5.0, 0.5, 0.1), (5.0, 0.5, 0.1)) < 1.0, "its edges are there"


def test_an_attitude_without_a_place_is_told_to_be_that(
    qtbot: QtBot, context: VehicleContext
) -> None:
    recording = Recording("bench")
    add(recording, 0.0, "AttitudeState", Roll=20.0)
    context.fleet.add(live_vehicle(recording=recording))
    panel = SpacePanel(context)
    assert len(bodies(drawn_order(qtbot, panel, 0.5).scene)) == 1
    assert panel.view.words == ("Place not known",)


def test_a_log_without_a_place_says_so(qtbot: QtBot, context: VehicleContext) -> None:
    context.fleet.add(live_vehicle(recording=Recording("empty")))
    panel = SpacePanel(context)
    qtbot.addWidget(panel)
    panel.refresh(1.0)
    assert "No position or attitude yet" in panel.view.words[0]


def test_how_one_looks_is_remembered_and_as_version_0_1_0_kept_it(
    qtbot: QtBot, context: VehicleContext
) -> None:
    panel = SpacePanel(context)
    qtbot.addWidget(panel)
    panel.restore_state({"azimuth_deg": 90.0, "elevation_deg": 200.0, "distance_m": 40.0})
    kept = {"azimuth_deg": 90.0, "elevation_deg": 89.0, "distance_m": 40.0, "camera": "orbit"}
    assert kept.items() <= panel.save_state().items()
    assert panel.save_state()["has_opengl"] is False
    panel.strip.camera.setCurrentText("Cockpit")
    panel.strip.camera.activated.emit(2)
    panel.view.show_inset(CameraMode.CHASE)
    state = panel.save_state()
    assert (state["camera"], state["inset"]) == ("cockpit", "chase")
    panel.restore_state({"camera": [], "inset": 3, "distance_m": "far", "has_plan": "no"})
    assert panel.save_state()["distance_m"] == 40.0
    assert panel.options.has_plan is True


def test_the_menu_chooses_what_shows(qtbot: QtBot, context: VehicleContext) -> None:
    context.fleet.add(live_vehicle())
    panel = SpacePanel(context)
    qtbot.addWidget(panel)
    menu = panel.strip.menu

    def choose(*titles: str) -> None:
        menu.aboutToShow.emit()
        actions = menu.actions()
        for title in titles[:-1]:
            below = next(action for action in actions if action.text() == title).menu()
            assert isinstance(below, QMenu)
            actions = below.actions()
        next(action for action in actions if action.text() == titles[-1]).trigger()

    choose("Wind")
    choose("Colour of the track", "Height")
    choose("World", "office")
    choose("Second view", "Ground observer")
    assert panel.save_state()["inset"] == "observer"
    chosen = panel.options
    assert (chosen.has_wind, chosen.track_color, chosen.world) == (False, "height", "office")
    choose("World", "None")
    choose("Draw without OpenGL")
    assert (panel.options.world, panel.options.has_opengl) == ("", True)
    choose("Draw without OpenGL")
    assert panel.options.has_opengl is False
    kept = panel.save_state()
    assert (kept["has_wind"], kept["track_color"]) == (False, "height")


@pytest.mark.parametrize("camera", list(CameraMode))
def test_the_aircraft_stands_in_what_no_card_covers(
    qtbot: QtBot, context: VehicleContext, camera: CameraMode
) -> None:
    context.fleet.add(live_vehicle(two_flights()))
    panel = SpacePanel(context)
    panel.resize(800, 500)
    panel.view.look_through(camera)
    drawn_order(qtbot, panel, 5.0)
    free = QRect(450, 20, 300, 400)
    panel.show_free_area(free)
    card = panel.strip.geometry()
    assert (card.left() - free.left(), free.bottom() - card.bottom()) == (8, 8)
    assert card.size() == panel.strip.sizeHint(), "no wider than what stands in it"
    order = drawn_order(qtbot, panel, 5.1)
    place = np.array([bodies(order.scene)[True]])
    x, y, _ = order.eye.project(place, panel.view.width(), panel.view.height())[0]
    seen_free = free.adjusted(0, 0, 0, -panel.strip.height() - 8)
    if camera.looks_at_aircraft:
        assert (x, y) == pytest.approx(QRectF(seen_free).center().toTuple(), abs=25)
    else:
        assert np.allclose(order.eye.to_eye @ order.eye.to_eye.T, np.eye(3)), "it looks straight"
    panel.show_free_area(panel.rect())
    order = drawn_order(qtbot, panel, 5.2)
    assert np.allclose(order.eye.to_eye @ order.eye.to_eye.T, np.eye(3))


def test_the_hint_of_the_camera_is_whole_or_not_there(
    qtbot: QtBot, context: VehicleContext
) -> None:
    panel = SpacePanel(context)
    qtbot.addWidget(panel)
    panel.resize(800, 500)
    panel.show()
    hint = panel.strip.hint
    for width, has_room in ((700, True), (300, False), (700, True)):
        panel.show_free_area(QRect(50, 20, width, 400))
        QCoreApplication.processEvents()
        assert hint.isVisible() is has_room
        assert panel.strip.geometry().right() <= 50 + width - 8
        assert not has_room or hint.width() >= hint.sizeHint().width()
