"""A flight with a small video, and the panel that shows it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import Json, VehicleContext
from plugins.testing import replayed_vehicle
from plugins.video.panel import VideoPanel
from telemetry.recording.video_files.frame_source import VideoFrame
from telemetry.recording.video_files.writer import VideoEncoding
from telemetry.review.flights.flight import Flight, FlightVideo, flight_of
from telemetry.review.flights.sync import Piece, Sync
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.immediate import ImmediateJobs
from tests.telemetry.recording.video_files.barcode import SIZE, number_in, write_numbered
from widgets.theme import hand_theme, load_theme

FRAMES = 60
RATE_HZ = 30.0
BEGINS_S = 5.0
"""The instant of the flight at which the video begins, where it is synchronised."""


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds of numbered frames."""
    path = tmp_path_factory.mktemp("clips") / "clip.avi"
    return write_numbered(path, FRAMES, VideoEncoding(SIZE, key_every=12))


@dataclass
class Shown:
    """A panel on a flight, as a user drives it."""

    panel: VideoPanel
    vehicle: Vehicle
    context: VehicleContext
    messages: list[str]
    qtbot: QtBot

    @property
    def flight(self) -> Flight:
        return flight_of(self.vehicle)

    @property
    def number(self) -> int | None:
        """The number of the frame on screen; None while there is none."""
        pixels = self.panel.picture.pixels
        return None if pixels is None else number_in(VideoFrame(pixels, 0.0, 0))

    @property
    def sync(self) -> Sync:
        video = self.flight.videos[0]
        assert video.sync is not None
        return video.sync

    def seek(self, t: float) -> None:
        self.vehicle.timeline.seek(t)
        self.panel.refresh(self.vehicle.timeline.t)

    def wait_until(self, is_true: Callable[[], bool]) -> None:
        """Refresh as the station does until something is so."""

        def look() -> bool:
            self.panel.refresh(self.vehicle.timeline.t)
            return is_true()

        self.qtbot.waitUntil(look)

    def wait_for_frame(self, number: int | None) -> None:
        self.wait_until(lambda: self.number == number)


Show = Callable[..., Shown]


def synchronised(begins_s: float = BEGINS_S) -> Sync:
    return Sync((Piece(-begins_s),), method="manual")


def video_of(clip: Path, sync: Sync | None, name: str = "clip") -> FlightVideo:
    return FlightVideo(name, (clip,), sync)


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    """Opens panels on one vehicle."""
    vehicle = replayed_vehicle()
    vehicle.timeline.advance(0.0, 0.0, vehicle.end_s)
    fleet = Fleet()
    fleet.add(vehicle)
    contexts: list[VehicleContext] = []

    def opened(*videos: FlightVideo, settings: Json | None = None) -> Shown:
        messages: list[str] = []
        theme = load_theme("light")
        context = VehicleContext(fleet, theme, ImmediateJobs(), dict(settings or {}))
        context.show_message = messages.append
        contexts.append(context)
        if videos:
            flight_of(vehicle).videos = videos
        panel = VideoPanel(context)
        hand_theme(panel, theme)
        qtbot.addWidget(panel)
        panel.resize(480, 600)
        panel.show()
        shown = Shown(panel, vehicle, context, messages, qtbot)
        panel.refresh(vehicle.timeline.t)
        return shown

    yield opened
    for context in contexts:
        context.close()
