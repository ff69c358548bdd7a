"""A flight's video with instruments: which frame, at which time, and what stands beside it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.background_jobs import JobCancelled
from app.plugin_loading.loader import find_plugins
from app.video.arrangement import arrange
from app.video.export import VideoExportRequest, export_video
from app.video.views import ViewSpace
from app.workspaces.workspace import PanelPlace
from plugins.testing import add
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError, VideoFrame
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.playback.sound import SoundBlock, open_sound
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.telemetry.recording.video_files.barcode import SIZE, number_in, write_numbered
from widgets.theme import load_theme

DISPLAY = PanelPlace("display", "flight_display.display")
WIDE = (SIZE[0] * 4, SIZE[1] * 2)
"""The picture twice as large, and as much beside it for views."""


@pytest.fixture
def vehicle() -> Vehicle:
    """Two seconds of a log: first level, after one second rolled by 60 degrees."""
    recording = Recording(source="a.opl")
    for step in range(21):
        roll = 60.0 if step > 10 else 0.0
        add(recording, step / 10, "AttitudeState", q1=1.0, Roll=roll)
    flown = Vehicle("a", recording, load_catalogue(), RefusedCommands("A log"))
    flown.timeline.end_live()
    flown.timeline.advance(0.0, 0.0, 2.0)
    return flown


@pytest.fixture
def shared(vehicle: Vehicle, qtbot: QtBot, tmp_path: Path) -> Iterator[ViewSpace]:
    fleet = Fleet()
    fleet.add(vehicle)
    with ThreadPoolExecutor(1) as jobs:
        yield ViewSpace(fleet, load_theme("dark"), jobs, find_plugins(tmp_path).panels)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> FlightVideo:
    """60 frames; the first was taken half a second before the log began."""
    encoding = VideoEncoding(SIZE, key_every=12, sound_hz=8000)
    path = write_numbered(tmp_path_factory.mktemp("film") / "v.avi", 60, encoding)
    return FlightVideo("v.avi", (path,), Sync((Piece(0.5),)))


def read(path: Path) -> list[VideoFrame]:
    source = open_video([path])
    found = [source.frame_at(time_s) for time_s in source.times().tolist()]
    source.close()
    return [frame for frame in found if frame is not None]


def picture_number(frame: VideoFrame) -> int | None:
    shown = frame.pixels[::2, : 2 * SIZE[0] : 2]
    return number_in(VideoFrame(shown, frame.time_s, frame.number))


def _pitch(sound: SoundBlock, start_s: float) -> float:
    """The strongest frequency of half a second, in Hz."""
    first = round(start_s * sound.rate_hz)
    part = sound.samples[first : first + sound.rate_hz // 2]
    strength = np.abs(np.fft.rfft(part))
    return float(np.fft.rfftfreq(len(part), 1 / sound.rate_hz)[strength.argmax()])


@pytest.mark.slow
def test_every_frame_of_the_span_stands_at_its_time_with_the_views_of_then(
    vehicle: Vehicle, shared: ViewSpace, video: FlightVideo, tmp_path: Path
) -> None:
    """From 0.5 s of the flight on: frame 30 of the video; the roll at 1.1 s changes the view."""
    out = tmp_path / "out.mp4"
    request = VideoExportRequest(out, video, [DISPLAY], WIDE, 0.5, 1.4)
    assert export_video(request, vehicle, shared) == 28
    frames = read(out)
    assert [picture_number(frame) for frame in frames] == list(range(30, 58))
    assert [frame.time_s for frame in frames] == pytest.approx(
        [n / 30 for n in range(28)], abs=1e-3
    )
    sound = open_sound([out]).samples(0.0, 0.9)
    assert _pitch(sound, 0.0) == pytest.approx(880, abs=20), "as from one second of the video on"
    views = [frame.pixels[:, 2 * SIZE[0] :].astype(int) for frame in frames]
    before = np.abs(views[15] - views[1]).mean()
    after = np.abs(views[25] - views[1]).mean()
    assert after > 5 * before, "the horizon of the view has turned"


def test_without_a_video_the_views_are_shown_alone(
    vehicle: Vehicle, shared: ViewSpace, tmp_path: Path
) -> None:
    request = VideoExportRequest(tmp_path / "out.mkv", None, [DISPLAY], (160, 120), 1.0, 1.2)
    assert export_video(request, vehicle, shared) == 7


def test_what_is_refused_or_cancelled_leaves_no_file(
    vehicle: Vehicle, shared: ViewSpace, video: FlightVideo, tmp_path: Path
) -> None:
    def cancel(done_s: float, _total_s: float) -> None:
        if done_s > 0.2:
            raise JobCancelled

    out = tmp_path / "out.mp4"
    with pytest.raises(JobCancelled):
        export_video(
            VideoExportRequest(out, video, [DISPLAY], WIDE, progress=cancel), vehicle, shared
        )
    unknown = FlightVideo("v.avi", video.files)
    with pytest.raises(VideoError, match="not synchronised"):
        export_video(VideoExportRequest(out, unknown, [], WIDE), vehicle, shared)
    with pytest.raises(VideoError, match="Nothing was filmed"):
        export_video(VideoExportRequest(out, video, [], WIDE, 90.0, 95.0), vehicle, shared)
    with pytest.raises(VideoError, match="by the encoder nonsense"):
        export_video(VideoExportRequest(out, video, [], WIDE, encoder="nonsense"), vehicle, shared)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("size", "picture", "views", "expected"),
    [
        ((1280, 720), (640, 480), 3, (0, 0, 960, 720)),
        ((1280, 720), (1280, 720), 2, (0, 90, 960, 540)),
        ((1280, 720), (640, 480), 0, (160, 0, 960, 720)),
    ],
)
def test_the_picture_keeps_its_aspect_and_views_fill_the_rest(
    size: tuple[int, int],
    picture: tuple[int, int],
    views: int,
    expected: tuple[int, int, int, int],
) -> None:
    found = arrange(size, picture, views)
    assert found.picture is not None
    assert found.picture.getRect() == expected
    assert len(found.views) == views
    for view in found.views:
        assert view.left() == expected[2]
        assert view.right() == size[0] - 1
    if views:
        assert found.views[-1].bottom() == size[1] - 1


def test_no_colour_is_shared_by_two_parts() -> None:
    """Encoders keep one colour for two pixels each way."""
    for views in range(4):
        for picture in ((641, 479), (333, 1000), None):
            found = arrange((1278, 714), picture, views)
            parts = [*found.views, *([found.picture] if found.picture else [])]
            edges = [number for part in parts for number in part.getRect()]
            assert all(number % 2 == 0 for number in edges), (views, picture)
