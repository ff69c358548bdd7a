"""`lapwing sync` on input that is wrong; what it finds is tested on films, beside the simulator."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.synchronisation.camera_estimate import CameraEstimate
from telemetry.review.flights.synchronisation.cli import suggestion_lines
from telemetry.review.flights.synchronisation.suggestion import SyncSuggestion
from tests.telemetry.recording.logs.books import attitudes, record, saved, stats


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve seconds in which nothing moves."""
    path = tmp_path_factory.mktemp("video") / "still.avi"
    picture = np.random.default_rng(1).integers(0, 255, (48, 64, 3), dtype=np.uint8)
    with VideoWriter(path, VideoEncoding((64, 48), 5)) as writer:
        for number in range(60):
            writer.frame(picture, number / 5)
    return path


def test_a_log_without_attitude_is_not_found_and_says_so(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = saved(tmp_path, *(record(1000 * n, stats(1000 * n)) for n in range(30)))
    assert main(["sync", str(video), str(log), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["found"] is False
    assert "no attitude" in found["reason"]
    keys = ("offset_s", "rate", "offset_sigma_s", "rate_sigma", "confidence", "method", "pieces")
    assert [found[key] for key in keys] == [None] * len(keys)


def test_a_camera_that_lies_on_the_ground_is_not_found(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sync", str(video), str(saved(tmp_path, *attitudes(300)))]) == 1
    assert capsys.readouterr().out.startswith("Not found. ")


@pytest.mark.parametrize(
    ("videos", "options", "words"),
    [
        (["absent.avi"], [], "absent.avi"),
        (["flight.opl"], [], "flight.opl"),
        (["still.avi"], ["--field-of-view", "5"], "--field-of-view lies between"),
    ],
    ids=["missing", "no video", "field of view"],
)
def test_bad_input_is_one_sentence(
    videos: list[str],
    options: list[str],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = saved(tmp_path, *attitudes(30))
    files = [str(tmp_path / name) for name in videos]
    assert main(["sync", *files, str(log), *options]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert words in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    ("film", "log"), [("absent.avi", "flight.opl"), ("absent.avi", "absent.opl")]
)
def test_a_file_that_cannot_be_read_is_json_too(
    film: str, log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path, *attitudes(30))
    assert main(["sync", str(tmp_path / film), str(tmp_path / log), "--json"]) == 1
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert found["found"] is False
    assert found["offset_s"] is None
    assert found["reason"] == told.err.strip()
    assert "absent" in found["reason"]


def test_a_suggestion_is_told_in_words() -> None:
    pieces = (
        Piece(-3.5, 1.004, medium_end_s=60.0, sigma_s=0.004, confidence=0.95),
        Piece(-3.9, 1.004, medium_start_s=60.0, sigma_s=0.01, confidence=0.9),
    )
    lines = suggestion_lines(
        SyncSuggestion(
            Sync(pieces, method="rotation", confidence=0.9),
            camera=CameraEstimate(60.23, 0.2, (0, -8, 0), (0.1, 0.1, 0.3)),
        )
    )
    assert lines[:2] == [
        "video = -3.500 s + 1.004000 x log   from 0.00 s to 60.00 s of the video, "
        "exact to 0.0040 s, confidence 0.95",
        "video = -3.900 s + 1.004000 x log   from 60.00 s to the end of the video, "
        "exact to 0.0100 s, confidence 0.90",
    ]
    assert "Field of view: 60.2 ± 0.2 degrees." in lines
    assert "Mount: roll 0.0 ± 0.1, pitch -8.0 ± 0.1, yaw 0.0 ± 0.3 degrees." in lines


@pytest.mark.parametrize("sync", [None, Sync((Piece(-3.5, 1.004),), method="rotation")])
def test_where_nothing_is_synchronised_is_told(sync: Sync | None) -> None:
    suggestion = SyncSuggestion(sync, "It fits nowhere.", note="From 3 to 9 s nothing is known.")
    assert suggestion_lines(suggestion)[-1] == suggestion.note
    assert suggestion.as_json()["note"] == suggestion.note
