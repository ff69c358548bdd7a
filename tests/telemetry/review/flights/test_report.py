"""The report: whole in itself, and nothing in it that was not meant as text."""

import re
from pathlib import Path

import pytest

from app.cli import main
from telemetry.recording.recording import Recording
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.marker import Marker
from telemetry.review.flights.report import report_page
from telemetry.review.flights.sync import Piece, Sync
from tests.telemetry.recording.logs.books import attitudes, saved
from tests.telemetry.review.analysis.summary.test_flight_summary import flown


@pytest.mark.slow
def test_a_page_has_figures_pictures_and_what_was_noted() -> None:
    content = FlightContent(markers=(Marker(61.5, "gust <b>", "wind"),), notes="calm\nthen gusty")
    page = report_page(flown(), content)
    assert "<td class=name>Energy drawn</td><td class=value>8.0 Wh</td>" in page
    assert page.count("<img ") == 4, "way, height, speed and battery; no attitude was recorded"
    assert "<td class=time>1:01.5</td><td>wind</td><td>gust &lt;b&gt;</td>" in page
    assert "calm<br>then gusty" in page
    assert not re.search(r"(src|href)=(?!\"data:)", page), "it refers to nothing outside"


def test_a_log_without_anything_is_a_page_too() -> None:
    page = report_page(Recording(source="<x>.opl"), FlightContent())
    assert "&lt;x&gt;" in page
    assert "Nothing that has to be looked at" in page


def test_what_is_known_of_a_camera_stands_with_how_sure_it_is() -> None:
    """The second one's figures are those that everything begins with: nobody knows them."""
    found = CameraSettings(61.2, field_of_view_sigma_deg=0.21, mount_pitch_deg=-30.0)
    sync = Sync((Piece(3.0, sigma_s=0.004),), method="rotation", offset_sigma_s=0.9)
    first = FlightVideo("nose.mp4", (), sync, found)
    page = report_page(Recording(), FlightContent(videos=(first, FlightVideo("tail.mp4", ()))))
    rows = dict(re.findall("<td class=name>([^<]*)</td><td class=value>([^<]*)</td>", page))
    assert rows["Field of view"] == rows["Mount, pitch"] == "not known"
    assert rows["Time"] == "not synchronised"
    said = page[page.index("nose.mp4") : page.index("tail.mp4")]
    assert "61.2 ± 0.2°</td>" in said
    assert "measured in the film" in said
    assert "as set, not known how sure" in said
    assert "± 4 ms" in said


@pytest.mark.slow
def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.html"
    assert main(["flight", "report", str(saved(tmp_path, *attitudes(21))), str(out)]) == 0
    assert out.read_text().startswith("<!DOCTYPE html>")
    assert main(["flight", "report", str(tmp_path / "gone.lapwing"), str(out)]) == 1
    assert "Cannot read" in capsys.readouterr().err


@pytest.mark.slow
def test_a_log_is_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = saved(tmp_path, *attitudes(21))
    before = log.read_bytes()
    assert main(["flight", "report", str(log), str(log)]) == 1
    assert "is a file of this flight" in capsys.readouterr().err
    assert log.read_bytes() == before
    assert main(["flight", "report", str(log), str(tmp_path / "none" / "r.html")]) == 1
    assert "none/r.html: No such file" in capsys.readouterr().err
