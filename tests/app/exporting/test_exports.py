"""Exports from the window: what is offered, what becomes of it, and calling it off."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.background_jobs import BackgroundJobs, JobControl
from app.exporting.choice import ExportChoice, ExportShape, export_shapes
from app.exporting.exports import Exports
from app.exporting.overlay import ExportOverlay
from app.messages import Messages
from app.workspaces.workspace import PanelPlace
from plugins.testing import add
from telemetry.base.folders import Folders
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.reader import open_video
from telemetry.review.flights.flight import FlightVideo, flight_of
from telemetry.review.flights.sync import Sync
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.vehicle import Vehicle
from tests.immediate import ImmediateJobs
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, saved
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered
from tests.waiting import wait_until
from widgets.theme import load_theme

DISPLAY = PanelPlace("display", "flight_display.display")
THEME = load_theme("dark")
BROWSER = PanelPlace("browser", "object_browser.browser")


def shape(name: str) -> ExportShape:
    return next(one for one in export_shapes() if one.name == name)


@pytest.fixture
def vehicle(tmp_path: Path) -> Vehicle:
    """A log of two seconds with a video that is synchronised."""
    log = saved(tmp_path, *attitudes(21))
    flown = Vehicle("day", read_log(log, CATALOGUE).recording, CATALOGUE, RefusedCommands("A log"))
    flown.timeline.end_live()
    flown.timeline.advance(0.0, 0.0, 2.0)
    film = write_numbered(tmp_path / "film.avi", 30)
    flight_of(flown).log = log
    flight_of(flown).videos = (FlightVideo("film.avi", (film,), Sync()),)
    return flown


@pytest.fixture
def messages() -> Messages:
    return Messages()


@pytest.fixture
def jobs(messages: Messages) -> Iterator[BackgroundJobs]:
    with ThreadPoolExecutor(1) as pool:
        yield BackgroundJobs(pool, messages)


def told(messages: Messages) -> str:
    return " ".join(message.text for message in messages.take())


def test_a_log_goes_into_a_folder_and_it_is_said(
    vehicle: Vehicle, messages: Messages, tmp_path: Path
) -> None:
    jobs = BackgroundJobs(ImmediateJobs(), messages)
    choice = ExportChoice(shape("csv"), span=(0.5, 1.0))
    Exports(jobs, messages).start(vehicle, choice, tmp_path / "out")
    jobs.poll()
    assert told(messages) == f"1 file written to {tmp_path / 'out'}."
    assert len((tmp_path / "out" / "AttitudeState.csv").read_text().splitlines()) == 7
    Exports(jobs, messages).start(vehicle, ExportChoice(shape("gpx")), tmp_path / "out")
    jobs.poll()
    assert "does not tell where on earth" in told(messages)


@pytest.mark.slow
def test_a_video_is_drawn_by_another_process(
    vehicle: Vehicle, jobs: BackgroundJobs, messages: Messages, tmp_path: Path
) -> None:
    out = tmp_path / "out.mp4"
    choice = ExportChoice(shape("mp4"), (0.2, 0.4), None, "film.avi", SIZE, (DISPLAY,))
    Exports(jobs, messages).start(vehicle, choice, out)
    assert jobs.can_cancel
    wait_until(lambda: jobs.poll() or not jobs.is_busy)
    assert told(messages) == f"7 frames written to {out}."
    assert len(open_video([out]).times()) == 7


@pytest.mark.slow
def test_instruments_alone_are_drawn_where_no_video_is_synchronised(
    vehicle: Vehicle, messages: Messages, tmp_path: Path
) -> None:
    (video,) = flight_of(vehicle).videos
    flight_of(vehicle).videos = (replace(video, sync=None),)
    jobs = BackgroundJobs(ImmediateJobs(), messages)
    out = tmp_path / "out.mp4"
    choice = ExportChoice(shape("mp4"), (0.2, 0.4), None, "", SIZE, template="minimal")
    Exports(jobs, messages).start(vehicle, choice, out)
    jobs.poll()
    assert told(messages) == f"7 frames written to {out}."


def test_a_video_of_the_flight_is_not_written_over(vehicle: Vehicle, messages: Messages) -> None:
    jobs = BackgroundJobs(ImmediateJobs(), messages)
    (video,) = flight_of(vehicle).videos
    before = video.files[0].read_bytes()
    choice = ExportChoice(shape("mp4"), None, None, "", SIZE, (DISPLAY,))
    Exports(jobs, messages).start(vehicle, choice, video.files[0])
    jobs.poll()
    assert video.files[0].name in told(messages)
    assert video.files[0].read_bytes() == before


@pytest.mark.slow
def test_why_a_video_could_not_be_drawn_is_said(
    vehicle: Vehicle, messages: Messages, tmp_path: Path
) -> None:
    jobs = BackgroundJobs(ImmediateJobs(), messages)
    choice = ExportChoice(shape("mp4"), None, None, "other.avi", SIZE, (DISPLAY,))
    Exports(jobs, messages).start(vehicle, choice, tmp_path / "out.mp4")
    jobs.poll()
    assert "has no video 'other.avi'; it has film.avi" in told(messages)


def test_a_job_that_is_called_off_says_so_and_no_more(
    jobs: BackgroundJobs, messages: Messages
) -> None:
    control = JobControl()

    def work() -> None:
        while True:
            control.report(1, 4)

    jobs.submit(
        work, "Exporting day", lambda _result: pytest.fail("it never ends"), control=control
    )
    assert jobs.can_cancel
    wait_until(lambda: control.fraction == 0.25)
    jobs.cancel()
    wait_until(lambda: jobs.poll() or not jobs.is_busy)
    assert told(messages) == "Exporting day: cancelled."


def test_only_what_a_shape_makes_use_of_is_asked_for(vehicle: Vehicle, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.show()
    vehicle.timeline.in_s, vehicle.timeline.out_s = 0.5, 1.5
    chosen: list[ExportChoice] = []
    views = [(BROWSER, "Objects"), (DISPLAY, "Flight display")]
    overlay = ExportOverlay(window, vehicle, views, chosen.append, THEME)
    assert overlay.rate.isVisible()
    assert not overlay.video.isVisible()
    overlay.shape.setCurrentIndex(overlay.shape.findText("Video with instruments"))
    assert not overlay.rate.isVisible()
    assert overlay.chosen_views.isVisible()
    qtbot.mouseClick(overlay.export, Qt.MouseButton.LeftButton)
    (choice,) = chosen
    assert choice.span == (0.5, 1.5), "what lies between in and out stands first"
    assert choice.video == "film.avi"
    assert choice.views == (DISPLAY,)
    assert choice.template == "beside"


def test_a_template_without_a_strip_asks_for_no_views(vehicle: Vehicle, qtbot: QtBot) -> None:
    """All panels of the workspace go with it: a map over the picture has the tiles of theirs."""
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    views = [(BROWSER, "Objects"), (DISPLAY, "Flight display")]
    overlay = ExportOverlay(window, vehicle, views, lambda _choice: None, THEME)
    overlay.shape.setCurrentIndex(overlay.shape.findText("Video with instruments"))
    overlay.template.setCurrentIndex(overlay.template.findText("Instruments in the corners"))
    assert not overlay.chosen_views.isVisible()
    assert overlay.preview.isVisible()
    choice = overlay.choice()
    assert (choice.template, choice.views, choice.size) == ("corners", None, None)
    assert choice.workspace == (BROWSER, DISPLAY)


def test_a_template_that_is_not_right_is_said_to_be_left_out(
    vehicle: Vehicle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    own = Folders.of_user(os.environ).video_templates
    own.mkdir(parents=True)
    (own / "mine.toml").write_text('title = "Mine"\n[instruments.a]\nshows = "clock"\n')
    overlay = ExportOverlay(window, vehicle, [], lambda _choice: None, THEME)
    assert not overlay.left_out.isVisible(), "of a video alone"
    overlay.shape.setCurrentIndex(overlay.shape.findText("Video with instruments"))
    assert overlay.template.findText("Mine") < 0
    assert overlay.left_out.isVisible()
    tops = overlay.shape.y(), overlay.template.y()
    overlay.template.setCurrentIndex(overlay.template.findText("Instruments in the corners"))
    qtbot.waitUntil(lambda: not overlay.chosen_views.isVisible())
    assert (overlay.shape.y(), overlay.template.y()) == tops, "no template moves the rows above it"
    assert "Left out: mine.toml, line 3" in overlay.left_out.text()
    (own / "mine.toml").unlink()
    overlay = ExportOverlay(window, vehicle, [], lambda _choice: None, THEME)
    overlay.shape.setCurrentIndex(overlay.shape.findText("Video with instruments"))
    assert not overlay.left_out.isVisible()


def test_frames_are_offered_only_where_a_video_is_synchronised(qtbot: QtBot) -> None:
    recording = Recording()
    add(recording, 0.0, "AttitudeState")
    window = QWidget()
    qtbot.addWidget(window)
    bare = Vehicle("bare", recording, load_catalogue(), RefusedCommands("A log"))
    overlay = ExportOverlay(window, bare, [], lambda _choice: None, THEME)
    titles = [overlay.shape.itemText(row) for row in range(overlay.shape.count())]
    assert not any("SLAM" in title for title in titles)
    assert "CSV tables" in titles
