"""What lies around the flight: the simulator's worlds, the ground of the place, the plan."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.testing import add, live_vehicle, short_flight
from plugins.view3d.options import SpaceOptions
from plugins.view3d.panel import SpacePanel
from plugins.view3d.place_ground import PlaceRequest, make_place_ground
from plugins.view3d.world_space import read_world
from telemetry.base.earth.tangent_plane import plane_at
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.geofences import Fence, FenceKind
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import Mission, MissionWaypoint
from telemetry.recording.simulated_world import SimulatedWorld
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.plugins.view3d.drawn import drawn_order
from widgets.map.projection import GeoPoint, project
from widgets.scene3d.camera_modes import CameraMode, SeenAircraft
from widgets.scene3d.scene import Place, SpaceScene
from widgets.theme import load_theme

HOME = MissionHome(48.9466, 9.43, 270.0)
ORIGIN = plane_at(HOME.latitude_deg, HOME.longitude_deg)
SceneOf = Callable[[SpaceOptions], SpaceScene]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def context(said: list[str]) -> VehicleContext:
    context = VehicleContext(Fleet(), load_theme("dark"), ImmediateJobs(), {"has_opengl": False})
    context.show_message = said.append
    context.fleet.add(live_vehicle())
    return context


@pytest.fixture
def panel(qtbot: QtBot, context: VehicleContext) -> SpacePanel:
    panel = SpacePanel(context)
    qtbot.addWidget(panel, before_close_func=lambda _: context.close())
    return panel


@pytest.fixture
def scene_of(qtbot: QtBot, panel: SpacePanel) -> SceneOf:
    def drawn(options: SpaceOptions) -> SpaceScene:
        panel.choose(replace(options, has_opengl=False))
        return drawn_order(qtbot, panel, 10.0).scene

    return drawn


def test_a_world_is_all_of_its_triangles_in_its_light(scene_of: SceneOf) -> None:
    from simulation.worlds.make_scene import make_scene
    from simulation.worlds.world_file import load_world

    level = scene_of(SpaceOptions())
    scene = scene_of(SpaceOptions(world="corridor"))
    there = make_scene(load_world("corridor"))
    solid = [mesh for mesh in scene.meshes if not mesh.is_carrier]
    assert sum(len(one.mesh.triangles) for one in solid) >= len(there.triangles()[1])
    assert scene.light.to_sun == there.light.to_sun != level.light.to_sun


def test_the_world_that_a_flight_is_in_shows_by_itself(
    scene_of: SceneOf, context: VehicleContext
) -> None:
    level = scene_of(SpaceOptions())
    context.vehicle.recording.world = SimulatedWorld("corridor")
    assert scene_of(SpaceOptions()).light.to_sun != level.light.to_sun
    assert scene_of(SpaceOptions(world="")).light.to_sun == level.light.to_sun


def test_a_world_that_cannot_be_read_is_told_and_the_flight_shows(
    scene_of: SceneOf, said: list[str]
) -> None:
    scene = scene_of(SpaceOptions(world="atlantis"))
    assert any(mesh.is_carrier for mesh in scene.meshes)
    assert len(said) == 1
    assert "atlantis" in said[0]


ROCK = """
title = "A rock"

[ground]
reach_m = 500.0
down_m = 20.0

[boxes.rock]
position_m = [0.0, 0.0, 20.0]
size_m = [100.0, 100.0, 20.0]

[starts.top]
position_m = [0.0, 0.0, 0.0]
"""


@pytest.mark.slow
def test_an_eye_flies_down_beside_what_the_aircraft_stands_on(
    qtbot: QtBot, panel: SpacePanel, scene_of: SceneOf, tmp_path: Path
) -> None:
    (tmp_path / "world.toml").write_text(ROCK)
    scene_of(SpaceOptions(world=str(tmp_path)))
    panel.show()
    view, rig = panel.view, panel.view.rig
    rig.look_from(150.0)
    view.look_through(CameraMode.FREE)
    rig.speed_mps = 100.0

    def place() -> Place:
        return rig.eye(SeenAircraft((0.0, 0.0, 0.0))).position

    assert math.hypot(*place()[:2]) > 100.0, "beside the rock"
    qtbot.keyPress(view, Qt.Key.Key_Q)
    qtbot.waitUntil(lambda: place()[2] > 19.0)
    qtbot.keyRelease(view, Qt.Key.Key_Q)
    assert place()[2] < 20.0


def test_the_surface_of_a_world_is_ground_and_what_stands_on_it(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text(ROCK)
    world = read_world(str(tmp_path))
    assert world.surface_m((0.0, 0.0, -5.0)) == pytest.approx(0.0), "the rock's top"
    assert world.surface_m((0.0, 90.0, -5.0)) == pytest.approx(20.0), "the ground beside it"
    assert world.surface_m((0.0, 90.0, 25.0)) == pytest.approx(20.0), "above who is below it"
    assert world.surface_m((0.0, 9e3, 0.0)) == math.inf, "beyond the world"


def write_heights(folder: Path) -> Path:
    """N48E009: a slope that rises by 100 m for each arc minute to the north."""
    rows = np.linspace(6000.0, 0.0, 1201)[:, None] * np.ones(1201)
    path = folder / "N48E009.hgt"
    path.write_bytes(rows.astype(">i2").tobytes())
    return path


def write_tiles(folder: Path, zoom: int) -> Path:
    """Red tiles around home at one zoom level."""
    x, y = (int(value * 2**zoom) for value in project(GeoPoint(ORIGIN.latitude_deg, 9.43)))
    image = QImage(256, 256, QImage.Format.Format_RGB32)
    image.fill(QColor(255, 0, 0))
    one = folder / "one.png"
    folder.mkdir()
    assert image.save(str(one))
    for column in range(x - 3, x + 4):
        (folder / str(zoom) / str(column)).mkdir(parents=True)
        for row in range(y - 3, y + 4):
            (folder / str(zoom) / str(column) / f"{row}.png").hardlink_to(one)
    return folder


def test_the_ground_of_a_place_has_its_heights(tmp_path: Path) -> None:
    request = PlaceRequest("", str(write_heights(tmp_path)), ORIGIN, 270.0, (0.5, 0.5, 0.5))
    ground = make_place_ground(request, tmp_path)
    rise = 100.0 / 1855.3  # an arc minute of a sphere of the equator's radius
    for north in (-500.0, 0.0, 300.0):
        down = ground.down_m(north, 20.0)
        assert down == pytest.approx(-rise * north, abs=1.0)
        assert ground.drawn.top_m(north, 20.0) == pytest.approx(-rise * north, abs=1.5)
    for mesh in ground.meshes:
        north, _, down = mesh.mesh.vertices.T
        np.testing.assert_allclose(down, -rise * north, atol=1.5)
    inner, outer = (mesh.mesh for mesh in ground.meshes)
    corners = outer.vertices[outer.triangles].mean(axis=1)
    assert np.abs(corners[:, :2]).max(axis=1).min() > np.abs(inner.vertices[:, :2]).max() - 1.0, (
        "the coarse square leaves the fine one's place free"
    )


def test_map_tiles_lie_on_the_ground_where_they_belong(tmp_path: Path) -> None:
    spec = str(write_tiles(tmp_path / "tiles", 16))
    ground = make_place_ground(PlaceRequest(spec, "", ORIGIN, 270.0, (0.5, 0.5, 0.5)), tmp_path)
    inner = ground.meshes[0].mesh
    assert inner.picture is not None
    assert inner.uv is not None
    high, wide = inner.picture.shape[:2]
    column, row = (inner.uv * (wide, high)).astype(int).T
    assert (inner.picture[row.clip(0, high - 1), column.clip(0, wide - 1)] == (255, 0, 0)).all()
    north_most, south_most = inner.vertices[:, 0].argmax(), inner.vertices[:, 0].argmin()
    assert inner.uv[north_most, 1] < inner.uv[south_most, 1], "north is at the picture's top"
    assert ground.down_m(0.0, 0.0) is None, "which tells no heights"


def test_a_file_that_is_no_height_map_is_told(
    scene_of: SceneOf, said: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "N48E009.hgt"
    path.write_bytes(b"no")
    scene_of(SpaceOptions(terrain=str(path)))
    qtbot.waitUntil(lambda: bool(scene_of(SpaceOptions(terrain=str(path))) and said))
    assert "N48E009.hgt" in said[0]


def test_plan_fences_and_target_stand_where_they_are(
    scene_of: SceneOf, context: VehicleContext
) -> None:
    bare = scene_of(SpaceOptions())
    places = [to_latitude_longitude(HOME, *point) for point in ((30.0, 0.0), (30.0, 40.0))]
    waypoints = tuple(MissionWaypoint(*place, height_m=25.0) for place in places)
    fence = Fence((places[1],), FenceKind.STAY_OUTSIDE, 10.0, 5.0, 60.0)
    mission_draft_of(context.fleet).edit("Test", Mission(waypoints, HOME, (fence,)))
    scene = scene_of(SpaceOptions())
    assert [label.text for label in scene.labels] == ["1", "2"]
    assert scene.labels[1].place == pytest.approx((30.0, 40.0, -25.0), abs=0.1)
    glassy = [mesh.mesh for mesh in scene.meshes if mesh.opacity < 1.0]
    walls = max(glassy, key=lambda mesh: len(mesh.vertices)).vertices
    assert (walls[:, 2].min(), walls[:, 2].max()) == (-60.0, -5.0)
    away = np.hypot(walls[:, 0] - 30.0, walls[:, 1] - 40.0)
    np.testing.assert_allclose(away, 10.0, atol=0.1)
    hidden = scene_of(SpaceOptions(has_plan=False))
    assert len(hidden.meshes) == len(bare.meshes)


def test_the_wind_is_an_arrow_that_points_where_the_air_goes(
    qtbot: QtBot, context: VehicleContext
) -> None:
    recording = short_flight()
    add(recording, 20.0, "WindVelocityActual", North=0.0, East=8.0)
    context.fleet.add(live_vehicle("other", recording))
    context.settings["vehicle"] = "other"
    panel = SpacePanel(context)
    qtbot.addWidget(panel, before_close_func=lambda _: context.close())
    scene = drawn_order(qtbot, panel, 20.0).scene
    (arrow,) = (mesh for mesh in scene.meshes if mesh.scale not in (1.0,))
    assert arrow.rotation[:, 0] == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)
    assert "Wind 8.0\u2009m/s  270°" in panel.view.words


def test_a_track_by_height_has_colours_from_low_to_high(scene_of: SceneOf) -> None:
    scene = scene_of(SpaceOptions(track_color="height"))
    (track,) = (one for one in scene.lines if one.strong is not None)
    colours = np.asarray(track.line.colours)
    assert colours.shape == (201, 3)
    assert len(np.unique(colours, axis=0)) == 12
    (plain,) = (one for one in scene_of(SpaceOptions()).lines if one.strong is not None)
    assert np.asarray(plain.line.colours).shape == (3,)
