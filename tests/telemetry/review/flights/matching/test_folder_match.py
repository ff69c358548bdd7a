"""A memory card of files as they are, and the command that sorts it."""

import json
import os
from pathlib import Path

import pytest

from app import cli
from telemetry.protocol.objects.values import pack_values
from telemetry.review.flights.lapwing_file import read_flight
from telemetry.review.flights.matching.folder_match import look_at_pictures, match_folder
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, frame, record, saved
from tests.telemetry.recording.video_files.barcode import write_numbered

GPS_TIME = CATALOGUE.find("GPSTime")


def gps_record(ms: int, hour: int) -> bytes:
    """At 2.0 s of a log it is this hour of 2011-11-20, as a receiver tells it."""
    values = {"Year": 2011, "Month": 11, "Day": 20, "Hour": hour, "Minute": 53, "Second": 2}
    return record(ms, frame(GPS_TIME, pack_values(GPS_TIME, values)))


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Two logs with GPS time and a film of each by a clock one hour fast; and what is skipped."""
    for name, hour in (("LOG0001.OPL", 14), ("LOG0002.OPL", 16)):
        saved(tmp_path, *attitudes(20), gps_record(2000, hour), *attitudes(20, 3000), name=name)
    (tmp_path / "DCIM").mkdir()
    for name in ("VID_20111120_155301.avi", "VID_20111120_175300.avi"):
        write_numbered(tmp_path / "DCIM" / name, 60)
    (tmp_path / "LOG0003.OPL").touch()
    (tmp_path / "DCIM" / "VID_20111120_180000.avi").write_bytes(b"RIFF1234AVI LIST")
    (tmp_path / "readme.txt").write_text("mine")
    for path in tmp_path.rglob("*.*"):
        os.utime(path, (0, 0))
    return tmp_path


def test_a_card_is_sorted_and_flights_are_written(
    card: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["flight", "match", str(card), "--json", "--write"]) == 0
    report = json.loads(capsys.readouterr().out)
    found = {Path(one["videos"][0]).name: one for one in report["proposals"]}
    first, second = found["VID_20111120_155301.avi"], found["VID_20111120_175300.avi"]
    assert Path(first["log"]).name == "LOG0001.OPL"
    assert Path(second["log"]).name == "LOG0002.OPL"
    assert "which is 1 h ahead" in first["reasons"][0]
    assert report["skipped"][0].startswith("VID_20111120_180000.avi")
    assert report["skipped"][1] == "LOG0003.OPL is empty and was left out."
    assert [Path(path).name for path in report["written"]] == [
        "LOG0001.lapwing",
        "LOG0002.lapwing",
    ]
    stored = read_flight(card / "LOG0001.lapwing")
    assert stored.content.videos[0].files == (card / "DCIM" / "VID_20111120_155301.avi",)


def test_for_people_it_says_why(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["flight", "match", str(card)]) == 0
    said = capsys.readouterr().out
    assert "VID_20111120_155301.avi: surely of LOG0001.OPL.\n    By the GPS time" in said


def test_what_is_no_folder_is_refused(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["flight", "match", str(card / "readme.txt")]) == 1
    assert "is no folder" in capsys.readouterr().err


def test_a_folder_with_too_much_in_it_is_refused_and_not_looked_at_in_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(5001):
        (tmp_path / str(number)).touch()
    assert cli.main(["flight", "match", str(tmp_path)]) == 1
    assert "more than 5,000 files in it; choose a folder with fewer" in capsys.readouterr().err


@pytest.mark.slow
def test_pictures_that_tell_nothing_change_nothing_and_can_be_cancelled(card: Path) -> None:
    match = match_folder(card, CATALOGUE)
    told: list[float] = []
    looked = look_at_pictures(match, lambda _name, share: told.append(share))
    assert [one.log for one in looked.proposals] == [one.log for one in match.proposals]
    assert told == sorted(told)
    assert told[-1] == 1.0
    stopped = look_at_pictures(match, is_cancelled=lambda: True)
    assert [one.log for one in stopped.proposals] == [one.log for one in match.proposals]
