"""A live camera in the video panel: shown while the cursor is live, recorded, looked back at."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.testing import QuietCommands
from plugins.video.panel import VideoPanel
from plugins.video.vehicle_camera import camera_of_vehicle
from telemetry.base import clock
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding
from telemetry.review.flights.camera_video import LIVE
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.immediate import ImmediateJobs
from tests.plugins.video.conftest import Shown
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered
from widgets.theme import hand_theme, load_theme

FRAMES = 200
STANDS_S = 1.9


class CameraClock:
    """The flight's clock, by which the machine's speed is nothing: a hundredth of a second passes
    with each frame, when the camera's thread looks twice. Short of the film's end it stands, and
    the camera with it, until `go_on`."""

    def __init__(self) -> None:
        self._looks = 0
        self._goes_on = threading.Event()

    def __call__(self) -> float:
        if threading.current_thread() is not threading.main_thread():
            if self._looks * 0.005 > STANDS_S:
                self._goes_on.wait()
            self._looks += 1
        return self._looks * 0.005

    def go_on(self) -> None:
        self._goes_on.set()


@pytest.fixture
def camera_clock() -> CameraClock:
    return CameraClock()


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A file that stands for a camera: it plays at its own speed, 100 frames a second."""
    encoding = VideoEncoding(SIZE, rate_hz=100.0, encoder="mpeg4")
    return write_numbered(tmp_path / "film.mkv", FRAMES, encoding)


@pytest.fixture
def live(
    qtbot: QtBot,
    tmp_path: Path,
    catalogue: Catalogue,
    camera_clock: CameraClock,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Shown]:
    """A panel on an aircraft whose flight goes on and is recorded, all of it."""
    monkeypatch.setattr("telemetry.review.cameras.camera_recorder.MOST_WAITING", FRAMES)
    recording = Recording("test", clock.wall_now())
    vehicle = Vehicle(
        "test",
        recording,
        catalogue,
        QuietCommands(),
        elapsed_s=camera_clock,
    )
    log = str(tmp_path / "flight.opl")
    vehicle.status = LinkStatus(LinkState.CONNECTED, recording_file=log)
    fleet = Fleet()
    fleet.add(vehicle)
    messages: list[str] = []
    theme = load_theme("light")
    context = VehicleContext(fleet, theme, ImmediateJobs())
    panel = VideoPanel(context)
    hand_theme(panel, theme)
    qtbot.addWidget(panel)
    panel.resize(480, 600)
    panel.show()
    shown = Shown(panel, vehicle, context, messages, qtbot)
    panel.refresh(0.0)
    yield shown
    camera_clock.go_on()
    camera_of_vehicle(vehicle).stop()
    context.close()
    vehicle.status = LinkStatus(LinkState.DISCONNECTED)
    shown.qtbot.waitUntil(lambda: not camera_of_vehicle(vehicle).is_on)


def start(shown: Shown, address: str) -> None:
    shown.panel.notice.camera.click()
    assert shown.panel.camera_strip.isVisible()
    shown.panel.camera_strip.address.setEditText(address)
    shown.panel.camera_strip.start.click()


def go_on(shown: Shown) -> None:
    """The station's clock ticks."""
    vehicle = shown.vehicle
    vehicle.timeline.advance(0.0, 0.0, vehicle.end_s)
    shown.panel.refresh(vehicle.timeline.t)


def recorded_s(file: Path) -> float:
    """How much of a file that is being written can be read."""
    try:
        with closing(open_video([file])) as recorded:
            return recorded.duration_s
    except VideoError:
        return 0.0


@pytest.mark.slow
def test_it_shows_while_live_and_what_was_recorded_when_looking_back(
    live: Shown, film: Path, camera_clock: CameraClock
) -> None:
    start(live, str(film))
    camera = camera_of_vehicle(live.vehicle)

    def is_seen() -> bool:
        go_on(live)
        return camera.frames > 100 and live.number is not None

    live.qtbot.waitUntil(is_seen)
    assert live.panel.picture.badge == "Live"
    (video,) = live.flight.videos
    assert video.sync is not None
    assert (video.name, video.sync.method) == ("Live camera", LIVE)
    assert video.files[0].name == "flight_camera.mkv"
    assert live.panel.save_state()["cameras"] == [str(film)]

    live.qtbot.waitUntil(lambda: recorded_s(video.files[0]) > 0.5)
    begins_s = video.sync.flight_s(0.0)
    assert begins_s is not None
    live.seek(begins_s + 0.205)  # while it goes on being recorded
    live.wait_until(lambda: live.panel.picture.badge == "" and live.number is not None)
    assert live.number == 20

    camera_clock.go_on()
    live.panel.camera_strip.stop.click()
    live.qtbot.waitUntil(lambda: not camera.is_on)
    camera.poll()
    live.vehicle.timeline.go_live()
    go_on(live)
    assert live.flight.videos[0].files == video.files


def test_what_is_recorded_while_no_view_shows_is_in_the_flight_at_the_end(
    live: Shown, film: Path, tmp_path: Path
) -> None:
    start(live, str(film))
    live.panel.hide()
    recorded = tmp_path / "flight_camera.mkv"
    live.qtbot.waitUntil(lambda: recorded.exists() and recorded.stat().st_size > 0)
    assert live.flight.videos == ()
    live.context.close()
    assert [video.name for video in live.flight.videos] == ["Live camera"]


def test_an_address_that_is_none_is_refused_where_it_was_typed(live: Shown) -> None:
    start(live, "front camera")
    assert "is not the address of a camera" in live.panel.camera_strip.status.text()
    assert live.panel.save_state()["cameras"] == []


def test_without_a_live_flight_there_is_no_live_camera(live: Shown, film: Path) -> None:
    live.vehicle.status = LinkStatus(LinkState.REPLAY)
    start(live, str(film))
    assert "connect to an aircraft first" in live.panel.camera_strip.status.text()
    assert not camera_of_vehicle(live.vehicle).is_on


def test_a_camera_that_is_not_recorded_says_so_when_one_looks_back(live: Shown, film: Path) -> None:
    live.vehicle.status = LinkStatus(LinkState.CONNECTED)
    start(live, str(film))

    def is_told() -> bool:
        go_on(live)
        return "The camera is not recorded" in live.panel.picture.badge

    live.qtbot.waitUntil(is_told)
    live.seek(0.0)
    assert "Nothing to look back at" in live.panel.picture.words
    assert flight_of(live.vehicle).videos == ()
