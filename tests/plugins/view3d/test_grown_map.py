"""The map that another view of the workspace builds stands in the 3-D view as ground."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from plugins.api import GROWN_MAP, VehicleContext
from plugins.testing import live_vehicle
from plugins.view3d.panel import SpacePanel
from telemetry.recording.recording import Recording
from telemetry.review.mapping.grown_map import GrownMap
from telemetry.review.mapping.heights import add_points
from telemetry.review.mapping.picture import ShownMap, make_picture
from telemetry.review.mapping.recorded_poses import PoseSource
from telemetry.review.mapping.space_pose import SpacePose
from tests.plugins.view3d.drawn import drawn_order
from tests.plugins.view3d.test_panel import two_flights
from widgets.scene3d.scene import PlacedMesh

STEP_M = 0.7


def step_north(recording: Recording, source: PoseSource) -> ShownMap:
    """Level, with a step at 2 m north."""
    grown = GrownMap(0.5)
    north, east = (part.ravel() for part in np.meshgrid(np.arange(0.25, 4, 0.5), np.arange(3) / 2))
    points = np.column_stack([north, east, np.where(north > 2.0, -STEP_M, 0.0)])
    add_points(grown, points, SpacePose(np.array([0.0, 0.0, -5.0]), np.eye(3)))
    picture = make_picture(grown, ((0, 0, 0), (255, 255, 255)))
    assert picture is not None
    return ShownMap(recording, source, picture)


def shown(qtbot: QtBot, panel: SpacePanel) -> PlacedMesh | None:
    meshes = drawn_order(qtbot, panel, 4.0).scene.meshes
    return next((one for one in meshes if one.mesh.picture is not None), None)


def test_it_stands_where_it_was_seen(qtbot: QtBot, context: VehicleContext) -> None:
    recording = two_flights()
    context.fleet.add(live_vehicle(recording=recording))
    context.shared[GROWN_MAP] = step_north(recording, PoseSource.TRUTH)
    mesh = shown(qtbot, SpacePanel(context))
    assert mesh is not None
    vertices = mesh.mesh.vertices + np.array(mesh.position)
    is_high = vertices[:, 0] > 2.0
    assert vertices[is_high, 2] == pytest.approx(-STEP_M, abs=0.05)
    assert vertices[~is_high, 2] == pytest.approx(0.0, abs=0.05)
    assert mesh.mesh.uv is not None
    assert mesh.mesh.uv[is_high, 1].max() < mesh.mesh.uv[~is_high, 1].min(), "north is above"
    assert len(mesh.mesh.triangles) == 2 * 7 * 2


def test_what_an_aircraft_believes_counts_from_where_it_was_switched_on(
    qtbot: QtBot, context: VehicleContext
) -> None:
    """As its own ghost does: five metres above the ground, in that flight."""
    recording = two_flights()
    context.fleet.add(live_vehicle(recording=recording))
    context.shared[GROWN_MAP] = step_north(recording, PoseSource.ESTIMATE)
    mesh = shown(qtbot, SpacePanel(context))
    assert mesh is not None
    assert mesh.position == pytest.approx((0.0, 0.0, -5.0), abs=0.05)


def test_a_map_of_another_flight_and_one_switched_off_do_not_show(
    qtbot: QtBot, context: VehicleContext
) -> None:
    recording = two_flights()
    context.fleet.add(live_vehicle(recording=recording))
    context.shared[GROWN_MAP] = step_north(Recording("other"), PoseSource.TRUTH)
    assert shown(qtbot, SpacePanel(context)) is None
    context.shared[GROWN_MAP] = step_north(recording, PoseSource.TRUTH)
    panel = SpacePanel(context)
    panel.restore_state({"has_map": False})
    assert shown(qtbot, panel) is None
