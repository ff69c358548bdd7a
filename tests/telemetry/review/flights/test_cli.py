"""`lapwing flight` as typed."""

from pathlib import Path

import pytest

from app import cli
from telemetry.review.flights.lapwing_file import read_flight
from tests.telemetry.recording.logs.books import attitudes, saved
from tests.telemetry.recording.video_files.barcode import write_numbered


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Two logs, a film, and a file that nothing was written to."""
    saved(tmp_path, *attitudes(20), name="a.opl")
    saved(tmp_path, *attitudes(10), name="b.opl")
    write_numbered(tmp_path / "film.avi", 3)
    (tmp_path / "empty.avi").touch()
    return tmp_path


def new(card: Path, *names: str) -> int:
    return cli.main(["flight", "new", str(card / "x.lapwing"), *(str(card / n) for n in names)])


def test_a_flight_of_logs_and_videos_is_written(
    card: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new(card, "film.avi", "empty.avi", "a.opl", "b.opl") == 0
    said = capsys.readouterr()
    assert said.out.endswith("x.lapwing: a.opl, 1 more, and 1 video.\n")
    assert said.err.splitlines() == [
        "empty.avi is empty and was left out.",
        "b.opl is not aligned: The logs have no field in common that moves (attitude, gyros or "
        "height of the barometer).",
    ]
    stored = read_flight(card / "x.lapwing")
    assert stored.log == card / "a.opl"
    assert [video.files for video in stored.content.videos] == [(card / "film.avi",)]
    assert [log.path for log in stored.content.logs] == [card / "b.opl"]


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["film.avi"], "A flight needs a log"),
        (["none.opl"], "Cannot read "),
        (["a.opl", "torn.avi"], "torn.avi"),
    ],
)
def test_what_cannot_be_a_flight_is_refused_and_leaves_nothing(
    card: Path, names: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (card / "torn.avi").write_bytes(b"RIFF1234AVI LIST")
    assert new(card, *names) == 1
    assert reason in capsys.readouterr().err
    assert not (card / "x.lapwing").exists()


def test_a_flight_is_never_written_over(card: Path) -> None:
    (card / "x.lapwing").write_text("mine")
    assert new(card, "a.opl") == 1
    assert (card / "x.lapwing").read_text() == "mine"
