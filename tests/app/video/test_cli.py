"""`lapwing video export`: what is asked for in words."""

import signal
from contextlib import suppress
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.cli import main
from app.video.views import DrawnView
from telemetry.base.folders import HOME_VARIABLE
from telemetry.recording.video_files.reader import open_video
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import write_flight
from telemetry.review.flights.sync import Sync
from tests.telemetry.recording.logs.books import attitudes, saved
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered

pytestmark = pytest.mark.usefixtures("kept_look")


@pytest.fixture
def flight(tmp_path: Path) -> Path:
    log = saved(tmp_path, *attitudes(21))
    film = write_numbered(tmp_path / "film.avi", 30)
    path = tmp_path / "day.lapwing"
    video = FlightVideo("film.avi", (film,), Sync())
    write_flight(path, log, FlightContent(videos=(video,)))
    return path


@pytest.mark.slow
def test_a_flight_is_written_with_views_of_the_workspace(
    flight: Path, tmp_path: Path, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.mp4"
    words = ["--size", f"{SIZE[0]}x{SIZE[1]}", "--from", "0.2", "--to", "0.6"]
    assert main(["video", "export", str(flight), str(out), *words, "--views", "display"]) == 0
    assert "13 frames written" in capsys.readouterr().out
    assert len(open_video([out]).times()) == 13


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--size", "big"], "'big' is not a size"),
        (["--views", "altimeter"], "There is no view 'altimeter'"),
        (["--video", "other.avi"], "has no video 'other.avi'; it has film.avi"),
        (["--from", "soon"], "'soon' is not a time"),
        (["--template", "lost"], "There is no template 'lost'; choose among beside, corners"),
        (["--template", "race", "--views", "display"], "race has no room for views. Leave --views"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    flight: Path,
    tmp_path: Path,
    words: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["video", "export", str(flight), str(tmp_path / "o.mp4"), *words]) == 1
    err = capsys.readouterr().err
    assert sentence in err
    assert "Traceback" not in err


def test_templates_are_listed_and_what_is_wrong_with_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    assert main(["video", "templates"]) == 0
    told = capsys.readouterr().out
    assert "race         Race: sticks, speed and a plot\n" in told
    folder = tmp_path / "data" / "video-templates"
    assert f"Your own stand in {folder}." in told
    folder.mkdir(parents=True)
    (folder / "own.toml").write_text('title = "Own"\ncolour = "red"\n')
    assert main(["video", "templates"]) == 1
    assert "own.toml, line 2: Unknown key 'colour' in the file" in capsys.readouterr().err


@pytest.mark.parametrize("own", ["film.avi", "flight.opl", "day.lapwing", "link.avi"])
def test_the_files_of_the_flight_are_never_written_over(
    flight: Path, own: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A film cannot be filmed again."""
    path = flight.parent / own
    if not path.exists():
        path.symlink_to(flight.parent / "film.avi")
    before = path.read_bytes()
    assert main(["video", "export", str(flight), str(path)]) == 1
    assert f"{own} is a file of this flight" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.slow
def test_ctrl_c_ends_it_while_a_view_is_painted(
    flight: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python raises it in whatever runs, and Qt drops what is raised in a paint event."""
    drawn = DrawnView.drawn

    def interrupted(view: DrawnView, t: float) -> object:
        with suppress(KeyboardInterrupt):  # as Qt does
            signal.raise_signal(signal.SIGINT)
        return drawn(view, t)

    monkeypatch.setattr(DrawnView, "drawn", interrupted)
    before = signal.getsignal(signal.SIGINT)
    words = ["video", "export", str(flight), str(tmp_path / "out.mp4"), "--views", "display"]
    assert main(words) == 130
    assert not list(tmp_path.glob("out.mp4*"))
    assert signal.getsignal(signal.SIGINT) is before
