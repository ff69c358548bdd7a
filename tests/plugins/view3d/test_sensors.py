"""What sensors see stands where it is: in the frusta of cameras, as points, as beams."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.testing import add, live_vehicle
from plugins.view3d.flow_vectors import flow_vectors
from plugins.view3d.options import SpaceOptions
from plugins.view3d.panel import SpacePanel
from plugins.view3d.sensors_in_space import frustum_corners
from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamKind,
    StreamSample,
    ValueSample,
)
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.plugins.view3d.drawn import drawn_order
from widgets.scene3d.scene import SpaceScene
from widgets.theme import load_theme

FACES_DOWN = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
"""Pitched by -90 degrees: its line of sight is the body's downward axis."""
SceneAt = Callable[[float], SpaceScene]


def flight() -> Recording:
    """Ten metres high above the origin, turning to the right by 90 degrees in 4 seconds."""
    recording = Recording("test")
    for step in range(41):
        t = step / 10
        place = {"Position.North": 0.0, "Position.East": 0.0, "Position.Down": -10.0}
        add(recording, t, "AttitudeSimulated", **place, q1=1.0, Yaw=22.5 * t)
        add(recording, t, "AttitudeState", Yaw=22.5 * t)
        add(recording, t, "PositionState", Down=-10.0)
    return recording


@pytest.fixture
def recording() -> Recording:
    return flight()


@pytest.fixture
def scene_at(qtbot: QtBot, recording: Recording) -> SceneAt:
    context = VehicleContext(Fleet(), load_theme("dark"), ImmediateJobs(), {"has_opengl": False})
    context.fleet.add(live_vehicle(recording=recording))
    panel = SpacePanel(context)
    qtbot.addWidget(panel, before_close_func=lambda _: context.close())

    def drawn(t: float) -> SpaceScene:
        panel.choose(SpaceOptions(has_opengl=False))
        return drawn_order(qtbot, panel, t).scene

    return drawn


def add_stream(
    recording: Recording, description: StreamDescription, *samples: tuple[float, StreamSample]
) -> MediaTrack:
    track = MediaTrack(description)
    for t, sample in samples:
        track.append(t, sample)
    recording.add_media(track)
    return track


def camera(**details: object) -> StreamDescription:
    lens = {"field_of_view_deg": 90.0}
    about = {"size_px": [4, 2], "lens": lens, **details}
    return StreamDescription(
        "eye", StreamKind.PICTURES, "ViewCamera", 10.0, (0.0, 0.0, 0.1), FACES_DOWN, about
    )


def picture(number: int, first: tuple[int, int, int]) -> PictureSample:
    pixels = np.zeros((2, 4, 3), np.uint8)
    pixels[0, 0] = first
    return PictureSample(number * 100_000, number, pixels)


def test_a_camera_shows_its_picture_where_it_looks(recording: Recording, scene_at: SceneAt) -> None:
    blue_in_bgr = (255, 0, 0)
    add_stream(recording, camera(), (1.0, picture(0, (0, 255, 0))), (2.0, picture(1, blue_in_bgr)))
    scene = scene_at(2.5)
    (shown,) = (one for one in scene.meshes if one.mesh.picture is not None)
    assert shown.mesh.picture is not None
    assert shown.mesh.picture[0, 0].tolist() == [0, 0, 255], "red first, as space has it"
    assert shown.position == pytest.approx((0.0, 0.0, -9.9)), "below the body"
    sight = shown.rotation @ np.array([1.0, 0.0, 0.0])
    assert sight == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    yaw = math.radians(2.5 * 22.5)
    upwards = shown.rotation @ np.array([0.0, 0.0, -1.0])
    assert upwards == pytest.approx([math.cos(yaw), math.sin(yaw), 0.0], abs=1e-6), (
        "the picture's upper edge is ahead"
    )
    before = scene_at(1.5)
    (earlier,) = (one for one in before.meshes if one.mesh.picture is not None)
    assert earlier.mesh.picture is not None
    assert earlier.mesh.picture[0, 0].tolist() == [0, 255, 0]
    assert not [one for one in scene_at(0.5).meshes if one.mesh.picture is not None]


def test_a_frustum_is_as_wide_as_the_lens_sees() -> None:
    corners = frustum_corners(camera())
    assert corners[1] == pytest.approx([1.0, 1.0, -0.5]), "90 degrees wide, half as high"
    focal = camera(lens={"focal_px": [4.0, 4.0], "centre_px": [1.5, 0.5], "field_of_view_deg": 53})
    assert frustum_corners(focal)[2] == pytest.approx([1.0, 0.5, 0.25])
    assert np.isfinite(frustum_corners(camera(lens={}, size_px=[640, 480]))).all()


def test_scans_stand_where_the_aircraft_was_when_they_were_taken(
    recording: Recording, scene_at: SceneAt
) -> None:
    about = StreamDescription(
        "lidar",
        StreamKind.SCANS,
        "Lidar",
        1.0,
        details={"directions": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "longest_m": 30.0},
    )
    scans = [
        (t, ScanSample(round(t * 1e6), number, np.array([2.0, np.nan], np.float32)))
        for number, t in enumerate((0.05, 2.05))
    ]
    add_stream(recording, about, *scans)
    clouds = scene_at(3.0).clouds
    points = np.concatenate([cloud.points for cloud in clouds])
    yaws = np.radians(22.5 * np.array([2.05, 0.05]))  # between the samples of the truth
    expected = np.column_stack((2 * np.cos(yaws), 2 * np.sin(yaws), np.full(2, -10.0)))
    np.testing.assert_allclose(points, expected, atol=1e-5)
    assert clouds[0].size_px > clouds[1].size_px, "the newest stands out"
    again = scene_at(3.1).clouds
    assert [a is b for a, b in zip(clouds, again, strict=True)] == [True, True], "uploaded once"


def test_one_distance_is_a_beam_and_none_is_none(recording: Recording, scene_at: SceneAt) -> None:
    about = StreamDescription(
        "sonar",
        StreamKind.VALUES,
        "Sonar",
        10.0,
        attitude_q_wxyz=FACES_DOWN,
        details={"names": ["range"], "units": ["m"]},
    )
    add_stream(
        recording,
        about,
        (1.0, ValueSample(0, 0, np.array([9.5]))),
        (2.0, ValueSample(1, 1, np.array([np.nan]))),
    )
    ends = [line.line.points[-1].tolist() for line in scene_at(1.5).lines]
    assert [0.0, 0.0, -0.5] in [pytest.approx(end, abs=1e-4) for end in ends]
    assert len(scene_at(2.5).lines) == len(ends) - 1


def test_flow_is_an_arrow_across_the_line_of_sight(recording: Recording, scene_at: SceneAt) -> None:
    names = ["integration time", "flow x", "flow y"]
    about = StreamDescription(
        "flow",
        StreamKind.VALUES,
        "Flow",
        10.0,
        attitude_q_wxyz=FACES_DOWN,
        details={"names": names, "units": ["us", "rad", "rad"]},
    )
    add_stream(recording, about, (0.0, ValueSample(0, 0, np.array([100_000.0, 0.0, 0.2]))))
    (arrow,) = (one.line.points for one in scene_at(0.0).lines if one.width_px == 3.0)
    way = arrow[1] - arrow[0]
    assert way[0] < 0.0, "what is flown over to the north moves to the south"
    assert way[1:] == pytest.approx([0.0, 0.0], abs=1e-5)
    still = ValueSample(0, 0, np.zeros(3))
    assert flow_vectors(about, still) is None, "nothing was integrated"


def test_flow_of_a_ring_is_told_for_each_camera() -> None:
    about = StreamDescription(
        "ring",
        StreamKind.VALUES,
        "Ring",
        10.0,
        details={
            "names": [f"camera {i} {name}" for i in range(2) for name in ("right", "down", "full")],
            "units": ["counts", "counts", ""] * 2,
            "azimuths_rad": [0.0, math.pi / 2],
            "focal_px": [20.0, 20.0],
            "counts_per_px": 100,
        },
    )
    found = flow_vectors(about, ValueSample(0, 0, np.array([200.0, 0, 0, 200.0, 100.0, 0])))
    assert found is not None
    np.testing.assert_allclose(found.sights, [[1, 0, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose(found.ways, [[0, 1, 0], [-1, 0, 0.5]], atol=1e-12)
    lost = flow_vectors(about, ValueSample(0, 0, np.full(6, np.nan)))
    assert lost is None


def test_what_is_recorded_only_is_read_by_a_job(recording: Recording, scene_at: SceneAt) -> None:
    class Recorded:
        """Where the samples were recorded."""

        def sample(self, index: int) -> StreamSample:
            return picture(index, (0, 0, 255))

    track = MediaTrack(camera(), Recorded())
    track.extend(np.array([1.0]), np.array([0]), np.array([0]))
    recording.add_media(track)
    scenes = [scene_at(1.5 + number / 100) for number in range(3)]
    shown = [one for one in scenes[-1].meshes if one.mesh.picture is not None]
    assert len(shown) == 1
