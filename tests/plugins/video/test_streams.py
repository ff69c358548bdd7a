"""A simulated camera in the video panel: live, looked back at while it is recorded, in replay."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.testing import QuietCommands
from plugins.video.panel import VideoPanel
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.streams.samples import PictureSample, StreamDescription, StreamKind
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.recording import Recording
from telemetry.review.flights.flight import flight_of
from telemetry.review.flights.streams import take_streams
from telemetry.vehicle.stream_recorder import StreamRecorder
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.immediate import ImmediateJobs
from tests.plugins.video.conftest import Shown
from tests.telemetry.recording.video_files.barcode import picture as numbered
from widgets.theme import hand_theme, load_theme

DOWN = StreamDescription(
    "down",
    StreamKind.PICTURES,
    "Bottom camera",
    30.0,
    attitude_q_wxyz=(0.5**0.5, 0.0, -(0.5**0.5), 0.0),
)
FIRST_S, RATE_HZ = 4.0, 30.0


@dataclass
class Streamed:
    """A simulated flight with a camera that is recorded, as a user sees it."""

    shown: Shown
    track: MediaTrack
    recorder: StreamRecorder
    now: list[float]

    @property
    def badge(self) -> str:
        return self.shown.panel.picture.badge

    def film(self, numbers: range) -> None:
        """Pictures arrive and are recorded; the window ticks."""
        for number in numbers:
            t = FIRST_S + number / RATE_HZ
            self.track.append(t, PictureSample(number * 33_333, number, numbered(number)))
            self.now[0] = t
            self.recorder.catch_up()
        self.tick()

    def tick(self) -> None:
        timeline = self.shown.vehicle.timeline
        timeline.advance(0.0, 0.0, self.now[0])
        self.shown.panel.refresh(timeline.t)


def _panel(qtbot: QtBot, vehicle: Vehicle) -> tuple[Shown, VehicleContext]:
    fleet, theme = Fleet(), load_theme("light")
    fleet.add(vehicle)
    context = VehicleContext(fleet, theme, ImmediateJobs())
    panel = VideoPanel(context)
    hand_theme(panel, theme)
    qtbot.addWidget(panel)
    panel.resize(480, 600)
    panel.show()
    return Shown(panel, vehicle, context, [], qtbot), context


@pytest.fixture
def streamed(qtbot: QtBot, tmp_path: Path, catalogue: Catalogue) -> Iterator[Streamed]:
    now = [0.0]
    recording, track = Recording("sim:x"), MediaTrack(DOWN, memory_bytes=10 * numbered(0).nbytes)
    recording.add_media(track)
    track.is_live = True
    vehicle = Vehicle("x", recording, catalogue, QuietCommands(), elapsed_s=lambda: now[0])
    log = str(tmp_path / "flight.opl")
    vehicle.status = LinkStatus(LinkState.CONNECTED, recording_file=log)
    recorder = StreamRecorder(recording, lambda: log, lambda folder: 1 << 40)
    shown, context = _panel(qtbot, vehicle)
    yield Streamed(shown, track, recorder, now)
    recorder.close()
    context.close()


def test_its_newest_picture_shows_while_the_cursor_is_live(streamed: Streamed) -> None:
    streamed.tick()
    assert streamed.shown.number is None
    streamed.film(range(3))
    assert streamed.shown.number == 2
    assert streamed.badge == "Live"
    assert streamed.shown.panel.bar.videos.currentText() == "Bottom camera"
    (video,) = streamed.shown.flight.videos
    assert video.camera.mount_pitch_deg == pytest.approx(-90.0)
    streamed.film(range(5, 6))
    assert streamed.shown.number == 5
    assert streamed.badge == "Live · 2 of 6 pictures missing"


def test_why_a_camera_sends_nothing_shows_in_the_place_of_its_last_picture(
    streamed: Streamed, qtbot: QtBot
) -> None:
    streamed.film(range(3))
    recording = streamed.shown.vehicle.recording
    recording.stopped_sensors = {"down": "It has stopped.", "front": "It cannot draw."}
    streamed.tick()
    assert streamed.shown.panel.picture.pixels is None
    assert streamed.shown.panel.picture.words == "It has stopped."
    streamed.track.is_live = False
    streamed.shown.flight.videos = ()
    streamed.tick()
    assert "It cannot draw.\n" in streamed.shown.panel.notice.text.text()


def test_a_grey_picture_shows_too(streamed: Streamed) -> None:
    streamed.track.append(1.0, PictureSample(0, 0, np.full((4, 6), 99, np.uint8)))
    streamed.tick()
    pixels = streamed.shown.panel.picture.pixels
    assert pixels is not None
    assert pixels.shape == (4, 6, 3)


def test_why_it_is_not_recorded_is_told(streamed: Streamed) -> None:
    streamed.track.unrecorded = "Not recorded: the disk is full."
    streamed.track.append(1.0, PictureSample(0, 0, numbered(1)))
    streamed.tick()
    assert streamed.badge == "Live · Not recorded: the disk is full."
    streamed.shown.seek(0.5)
    assert streamed.shown.number is None


def test_what_is_not_on_disk_yet_shows_from_memory(streamed: Streamed) -> None:
    streamed.film(range(10))
    streamed.shown.seek(FIRST_S + 8.5 / RATE_HZ)
    assert streamed.shown.number == 8
    assert streamed.badge == ""


@pytest.mark.slow
def test_what_was_recorded_shows_when_looking_back_and_in_replay(
    streamed: Streamed, qtbot: QtBot, tmp_path: Path, catalogue: Catalogue
) -> None:
    streamed.film(range(90))
    shown = streamed.shown
    shown.seek(FIRST_S + 20.5 / RATE_HZ)
    shown.wait_for_frame(20)
    assert streamed.badge == ""
    streamed.film(range(90, 180))
    shown.seek(FIRST_S + 150.5 / RATE_HZ)
    shown.wait_for_frame(150)  # of what was written after it was opened
    streamed.recorder.close()
    streamed.track.is_live = False
    shown.seek(FIRST_S + 179.5 / RATE_HZ)
    shown.wait_for_frame(179)

    recording = Recording("flight.opl")
    attach_streams(recording, streams_beside(tmp_path / "flight.opl"))
    vehicle = Vehicle("flight.opl", recording, catalogue, QuietCommands())
    vehicle.status = LinkStatus(LinkState.REPLAY)
    vehicle.timeline.end_live()
    vehicle.timeline.advance(0.0, 0.0, 20.0)
    take_streams(flight_of(vehicle), recording)  # as who opens flights does
    replayed, context = _panel(qtbot, vehicle)
    replayed.seek(FIRST_S + 77.5 / RATE_HZ)
    replayed.wait_for_frame(77)
    assert replayed.panel.picture.badge == ""
    context.close()
