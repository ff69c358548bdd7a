"""A flight's video with instruments: which frame, at which time, and what stands beside it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from pytestqt.qtbot import QtBot

from app.background_jobs import JobCancelled
from app.exporting.video_template import Instrument, VideoTemplate
from app.plugin_loading.loader import find_plugins
from app.video.export import VideoExportRequest, export_video
from app.video.views import ViewSpace
from app.workspaces.workspace import PanelPlace
from plugins.testing import add
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError, VideoFrame
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding
from telemetry.review.cameras.picture_turn import PictureTurn
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.playback.sound import SoundBlock, open_sound
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.telemetry.recording.video_files.barcode import SIZE, number_in, write_numbered
from widgets.theme import load_theme

DISPLAY = PanelPlace("display", "flight_display.display")
Pixels = npt.NDArray[np.int_]
BESIDE = VideoTemplate("beside", "", 0.25)
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
    request = VideoExportRequest(out, video, BESIDE, [DISPLAY], WIDE, 0.5, 1.4)
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
    request = VideoExportRequest(
        tmp_path / "out.mkv", None, BESIDE, [DISPLAY], (160, 120), 1.0, 1.2
    )
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
            VideoExportRequest(out, video, BESIDE, [DISPLAY], WIDE, progress=cancel),
            vehicle,
            shared,
        )
    unknown = FlightVideo("v.avi", video.files)
    with pytest.raises(VideoError, match="not synchronised"):
        export_video(VideoExportRequest(out, unknown, BESIDE, [], WIDE), vehicle, shared)
    with pytest.raises(VideoError, match="Nothing was filmed"):
        export_video(VideoExportRequest(out, video, BESIDE, [], WIDE, 90.0, 95.0), vehicle, shared)
    with pytest.raises(VideoError, match="by the encoder nonsense"):
        export_video(
            VideoExportRequest(out, video, BESIDE, [], WIDE, encoder="nonsense"), vehicle, shared
        )
    assert list(tmp_path.iterdir()) == []


def written(
    template: VideoTemplate,
    video: FlightVideo | None,
    vehicle: Vehicle,
    shared: ViewSpace,
    out: Path,
) -> list[Pixels]:
    """Frames of the flight's second second, exactly as they were put together."""
    size = (2 * SIZE[0], 2 * SIZE[1])
    request = VideoExportRequest(out, video, template, (), size, 1.0, 1.2, "ffv1")
    export_video(request, vehicle, shared)
    return [frame.pixels.astype(int) for frame in read(out)]


@pytest.mark.slow
def test_an_instrument_changes_its_place_and_nothing_else(
    vehicle: Vehicle, shared: ViewSpace, video: FlightVideo, tmp_path: Path
) -> None:
    """A horizon of half the picture's height, an eighth of it off its lower right corner, but for
    the colours beside its edge, which the reader makes of those of both sides."""
    horizon = Instrument("a", "horizon", "bottom right", 0.5, 0.5)
    with_it = VideoTemplate("own", "", instruments=(horizon,), margin=0.125)
    plain = replace(with_it, instruments=(replace(horizon, opacity=0.0),))
    shown = written(with_it, video, vehicle, shared, tmp_path / "shown.mkv")
    hidden = written(plain, video, vehicle, shared, tmp_path / "hidden.mkv")
    (height, width), side = shown[0].shape[:2], SIZE[1]
    edges = height - side // 4 - side, height - side // 4, width - side // 4 - side
    place = (slice(edges[0], edges[1]), slice(edges[2], edges[2] + side))
    around = (slice(edges[0] - 2, edges[1] + 2), slice(edges[2] - 2, edges[2] + side + 2))
    for one, other in zip(shown, hidden, strict=True):
        assert np.abs(one[place] - other[place]).mean() > 20
        one[around] = other[around]
        assert np.array_equal(one, other)


def test_without_a_video_instruments_stand_on_black(
    vehicle: Vehicle, shared: ViewSpace, tmp_path: Path
) -> None:
    speed = Instrument("a", "speed", "top left", 0.5, 0.2)
    template = VideoTemplate("own", "", instruments=(speed,))
    frames = written(template, None, vehicle, shared, tmp_path / "out.mkv")
    foot = frames[0][SIZE[1] :]
    assert frames[0].max() > 100
    assert foot.max() <= 2, "black, as far as video knows it"


def test_a_picture_that_hangs_upside_down_is_turned(
    vehicle: Vehicle, shared: ViewSpace, video: FlightVideo, tmp_path: Path
) -> None:
    plain = VideoTemplate("own", "", 0.25)
    upright = written(plain, video, vehicle, shared, tmp_path / "a.mkv")
    turned = replace(video, turn=PictureTurn(2))
    (first, *_) = written(plain, turned, vehicle, shared, tmp_path / "b.mkv")
    assert np.abs(first - upright[0][::-1, ::-1]).mean() < 3
    assert np.abs(first - upright[0]).mean() > 20


def test_without_a_video_no_more_is_written_than_was_recorded(
    vehicle: Vehicle, shared: ViewSpace, tmp_path: Path
) -> None:
    """A mistyped end once asked for thirty pictures a second of 30 000 years."""
    last_s = vehicle.recording.last_s
    out = tmp_path / "out.mkv"
    plain = VideoExportRequest(out, None, BESIDE, [], (64, 64), last_s - 0.1, 1e12)
    assert export_video(plain, vehicle, shared) == 4
    with pytest.raises(VideoError, match="Nothing was filmed or recorded"):
        export_video(replace(plain, start_s=1e308, end_s=None), vehicle, shared)


def test_instruments_without_room_are_refused(
    vehicle: Vehicle, shared: ViewSpace, tmp_path: Path
) -> None:
    many = tuple(Instrument(f"a{i}", "speed", "top left", 1.5, 0.2) for i in range(9))
    with pytest.raises(VideoError, match="template own have no room in a picture of"):
        written(
            VideoTemplate("own", "", instruments=many), None, vehicle, shared, tmp_path / "o.mkv"
        )


def test_a_panel_that_there_is_not_is_named(
    vehicle: Vehicle, shared: ViewSpace, tmp_path: Path
) -> None:
    lost = Instrument("a", "panel", "top left", 0.5, 0.5, panel="lost.panel")
    with pytest.raises(VideoError, match=r"own shows the panel 'lost.panel', which there is not"):
        written(
            VideoTemplate("own", "", instruments=(lost,)), None, vehicle, shared, tmp_path / "o.mkv"
        )
    assert list(tmp_path.glob("*.mkv*")) == []
