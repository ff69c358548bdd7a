"""The automatic synchronisation in the panel: a job, its suggestion, one click to accept."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from plugins.video.search_card import describe, liveliest_axis, liveliest_stretch
from plugins.video.sync_strip import FOUND as NOT_TAKEN_OVER
from telemetry.base.statement import Statement
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.synchronisation.camera_estimate import CameraEstimate
from telemetry.review.flights.synchronisation.suggestion import (
    SyncSuggestion,
    TurningCompared,
)
from tests.immediate import ImmediateJobs
from tests.plugins.video.conftest import Show, Shown, synchronised, video_of

FIND = "telemetry.review.flights.synchronisation.find_sync.find_sync"
TIMES = np.arange(0.0, 60.0, 0.1)
TURNING = np.zeros((600, 3))
TURNING[300:400, 2] = 30 * np.sin(TIMES[300:400])
CAMERA = CameraEstimate(61.2, 0.24, (1.5, -8.0, 0.0), (0.1, 0.1, 0.2))
FOUND = SyncSuggestion(
    Sync((Piece(-5.0, sigma_s=0.006),), (), "rotation+horizon", 0.004, 2e-5, 0.98),
    compared=TurningCompared(TIMES, TURNING + 1.0, TURNING),
    camera=CAMERA,
)


@dataclass
class Search:
    """Stands in for the search, which takes a third of a video's duration."""

    finds: SyncSuggestion = FOUND
    raises: Exception | None = None
    progress: Callable[[float], None] = lambda _share: None
    is_cancelled: Callable[[], bool] = lambda: False
    files: list[tuple[Path, ...]] = field(default_factory=list)

    def __call__(
        self,
        files: tuple[Path, ...],
        _recording: object,
        _camera: object,
        progress: Callable[[float], None],
        is_cancelled: Callable[[], bool],
    ) -> SyncSuggestion:
        self.files.append(files)
        self.progress, self.is_cancelled = progress, is_cancelled
        progress(0.4)
        if self.raises:
            raise self.raises
        return self.finds


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Search:
    search = Search()
    monkeypatch.setattr(FIND, search)
    return search


def opened(show: Show, clip: Path) -> Shown:
    shown = show(video_of(clip, synchronised(3.0)))
    shown.panel.bar.sync.click()
    shown.wait_until(lambda: shown.panel.sync_strip.search.start.isVisible())
    shown.seek(5.55)
    return shown


def test_what_was_found_is_accepted_by_one_click(show: Show, clip: Path, search: Search) -> None:
    shown = opened(show, clip)
    card = shown.panel.sync_strip.search
    card.start.click()
    shown.wait_until(card.accept.isVisible)
    assert search.files == [(clip,)]
    for words in (
        "−5.000 s",
        "±6 ms",
        "±20 ppm",
        "98 %",
        "rotation+horizon",
        "61.2 ± 0.2° (was 60°",
    ):
        assert words in card.text.text()
    assert shown.sync == synchronised(3.0), "not before it is accepted"
    log, picture = card.chart.lines
    assert (picture.name, log.name) == ("Picture", "Log")
    assert 30.0 in log.x
    assert len(log.x) < len(TIMES)
    card.accept.click()
    shown.wait_for_frame(16)
    assert shown.sync == FOUND.sync
    camera = shown.flight.videos[0].camera
    assert (camera.mount_pitch_deg, camera.mount_sigma_deg) == (-8.0, (0.1, 0.1, 0.2))
    shown.panel.sync_strip.undo.click()
    assert shown.sync == synchronised(3.0)
    assert shown.flight.videos[0].camera == CameraSettings()


def test_no_press_gives_the_focus_away_and_three_lines_have_their_room(
    show: Show, clip: Path, search: Search
) -> None:
    """A button that is hidden or disabled after its press would hand it on: to the offset."""
    shown = opened(show, clip)
    strip = shown.panel.sync_strip
    strip.search.start.click()
    shown.wait_until(strip.search.accept.isVisible)
    for button in (strip.search.accept, strip.undo):
        assert not button.focusPolicy() & Qt.FocusPolicy.ClickFocus
        button.click()
        shown.panel.refresh(5.55)
        assert not strip.offset.hasFocus()
    strip.status.state(Statement("one line\nand a second\nand a third"))
    assert strip.status.heightForWidth(strip.status.width()) <= strip.status.minimumHeight()


def test_the_answer_stands_where_it_was_asked_for_and_one_way_stands_out(
    show: Show, clip: Path, search: Search
) -> None:
    """Above what was found, which may be higher than the panel."""
    shown = opened(show, clip)
    strip = shown.panel.sync_strip
    card, ways = strip.search, strip.search.begin
    # Another way than the one it runs by is not urged, as soon as the panel has looked.
    shown.wait_until(lambda: card.start.property("role") == "")
    shown.flight.videos = (video_of(clip, None),)
    shown.wait_until(lambda: card.start.property("role") == "primary")
    card.start.click()
    shown.wait_until(card.accept.isVisible)
    assert ways.isAncestorOf(card.accept)
    assert ways.y() < card.y()
    assert not card.start.isVisible()
    card.discard.click()
    shown.wait_until(card.start.isVisible)


def test_each_piece_is_told_with_its_place_and_how_sure_it_is() -> None:
    pieces = (
        Piece(-5.0, 1.0, 0.0, 38.0, sigma_s=0.006, confidence=0.98),
        Piece(-12.5, 1.0, 38.0, math.inf, sigma_s=0.011, confidence=0.9),
    )
    camera = replace(CAMERA, mount_deg=(-0.01, -8.0, 0.0))
    found = replace(FOUND, sync=replace(FOUND.sync, pieces=pieces))
    text = describe(replace(found, camera=camera), CameraSettings())
    assert "1: from 0.0 s to 38.0 s, offset −5.000 s ±6 ms" in text
    assert "2: from 38.0 s to the end, offset −12.500 s ±11 ms" in text
    assert "roll 0.0 ±" in text, "no −0.0"


def test_nothing_is_said_to_be_certain() -> None:
    sure = replace(FOUND, sync=replace(FOUND.sync, confidence=0.9999))
    assert "confidence 99 %" in describe(sure, CameraSettings())


def test_beside_what_was_found_it_is_not_said_that_there_is_nothing(
    show: Show, clip: Path, search: Search
) -> None:
    shown = opened(show, clip)
    shown.flight.videos = (video_of(clip, None),)
    strip = shown.panel.sync_strip
    shown.wait_until(lambda: strip.status.text().startswith("Not synchronised."))
    strip.search.start.click()
    shown.wait_until(strip.search.accept.isVisible)
    assert strip.search.text.text().startswith("Found")
    assert strip.status.text() == NOT_TAKEN_OVER
    strip.search.discard.click()
    shown.wait_until(lambda: strip.status.text().startswith("Not synchronised."))


def test_what_was_found_of_another_video_says_so(show: Show, clip: Path, search: Search) -> None:
    shown = opened(show, clip)
    strip = shown.panel.sync_strip
    strip.search.start.click()
    shown.wait_until(strip.search.accept.isVisible)
    shown.flight.videos = (*shown.flight.videos, video_of(clip, None, "other"))
    shown.panel.bar.video_chosen.emit("other")
    shown.wait_until(lambda: strip.search.text.text().startswith("clip: Found"))
    assert strip.status.text().startswith("Not synchronised."), "it is another's that was found"


def test_not_found_says_why_and_offers_nothing(show: Show, clip: Path, search: Search) -> None:
    search.finds = SyncSuggestion(None, "The camera does not move.")
    shown = opened(show, clip)
    card = shown.panel.sync_strip.search
    card.start.click()
    shown.wait_until(card.discard.isVisible)
    assert card.text.text() == "Not found. The camera does not move."
    assert not card.accept.isVisible()
    assert not card.chart.isVisible()
    card.discard.click()
    shown.wait_until(card.start.isVisible)


@pytest.mark.parametrize("suggestion", [FOUND, SyncSuggestion(None, "It fits nowhere.")])
def test_where_nothing_is_synchronised_is_told(suggestion: SyncSuggestion) -> None:
    note = "From 3 to 9 s nothing is known."
    told = describe(suggestion, CameraSettings())
    assert describe(replace(suggestion, note=note), CameraSettings()) == f"{told} {note}"


def test_a_file_that_cannot_be_read_is_a_reason(show: Show, clip: Path, search: Search) -> None:
    search.raises = VideoError("clip.avi is gone. Choose where it is now.")
    shown = opened(show, clip)
    shown.panel.sync_strip.search.start.click()
    shown.wait_until(shown.panel.sync_strip.search.text.isVisible)
    assert "clip.avi is gone" in shown.panel.sync_strip.search.text.text()


def test_it_shows_its_progress_and_can_be_cancelled(show: Show, clip: Path, search: Search) -> None:
    shown = opened(show, clip)
    jobs = shown.context.jobs
    assert isinstance(jobs, ImmediateJobs)
    jobs.is_held = True
    card = shown.panel.sync_strip.search
    card.start.click()
    shown.wait_until(card.progress.isVisible)
    card.cancel.click()
    shown.wait_until(card.start.isVisible)
    jobs.release()
    shown.panel.refresh(5.0)
    assert search.is_cancelled()
    assert not card.accept.isVisible(), "nobody waits for it any more"


def test_the_plot_shows_where_most_was_turned() -> None:
    assert FOUND.compared is not None
    assert liveliest_axis(FOUND.compared) == 2
    shown = liveliest_stretch(FOUND.compared, 2)
    times = TIMES[shown]
    assert times[0] <= 30.0
    assert times[-1] >= 39.9
    assert times[-1] - times[0] == pytest.approx(20.0)
