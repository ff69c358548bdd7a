"""Flights as files: what is kept, found again, refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn
from telemetry.review.flights.flight import FlightContent, FlightLog, FlightVideo
from telemetry.review.flights.lapwing_file import FlightFileError, read_flight, write_flight
from telemetry.review.flights.marker import Marker
from telemetry.review.flights.sync import Anchor, Piece, Sync, sync_through

LOOP = Sync((Piece(-3.0, 1.001, medium_end_s=300.0, sigma_s=0.005, confidence=0.97),
             Piece(-3.3, 1.001, 300.0, sigma_s=0.003)), method="horizon",
            offset_sigma_s=0.004, rate_sigma=2e-5, confidence=0.97)  # fmt: skip


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The folder of a flight: two logs, two films, of which one is in two files."""
    folder = tmp_path / "2011-11-20"
    (folder / "DCIM").mkdir(parents=True)
    for number, name in enumerate(["a.opl", "b.opl", "DCIM/1.avi", "DCIM/2.avi", "DCIM/3.avi"]):
        (folder / name).write_bytes(bytes([number]) * (100_000 + number))
    return folder


@pytest.fixture
def content(card: Path) -> FlightContent:
    return FlightContent(
        logs=(FlightLog("b.opl", card / "b.opl", sync=sync_through([Anchor(1.0, 4.0)])),),
        videos=(
            FlightVideo("1", (card / "DCIM/1.avi", card / "DCIM/2.avi"), LOOP),
            FlightVideo(
                "3",
                (card / "DCIM/3.avi",),
                None,
                CameraSettings(
                    90.0,
                    focal_px=(5.0, 5.0),
                    is_fisheye=True,
                    field_of_view_sigma_deg=0.2,
                    mount_sigma_deg=(0.1, 0.1, 0.3),
                ),
                turn=PictureTurn(3, is_mirrored=True),
            ),
        ),
        markers=(Marker(12.5, "Strömungsabriss", "stall"), Marker(20.0)),
        notes="Windy.",
        layout={"title": "Analyse", "panels": {}},
    )


def saved(card: Path, content: FlightContent) -> Path:
    write_flight(card / "x.lapwing", card / "a.opl", content)
    return card / "x.lapwing"


def kept_of(content: FlightContent) -> FlightContent:
    """Without what only a file has."""
    return replace(content, fingerprints={}, as_read={})


def change(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_everything_comes_back(card: Path, content: FlightContent) -> None:
    stored = read_flight(saved(card, content))
    assert (stored.log, stored.problem) == (card / "a.opl", "")
    assert kept_of(stored.content) == content


def test_how_exact_a_synchronisation_of_an_older_file_is_holds_for_all_its_pieces(
    card: Path, content: FlightContent
) -> None:
    path = saved(card, content)
    kept = json.loads(path.read_text())
    sync = kept["videos"][0]["sync"]
    for piece in sync["pieces"]:
        del piece["sigma_s"], piece["confidence"]
    path.write_text(
        json.dumps({**kept, "videos": [{**kept["videos"][0], "sync": {**sync, "sigma_s": 0.005}}]})
    )
    (video,) = read_flight(path).content.videos
    assert video.sync is not None
    assert [piece.sigma_s for piece in video.sync.pieces] == [0.005, 0.005]
    assert LOOP.sigma_s == 0.005, "the largest of its pieces'"


def test_a_moved_folder_is_found(card: Path, content: FlightContent, tmp_path: Path) -> None:
    saved(card, content)
    moved = card.rename(tmp_path / "moved")
    stored = read_flight(moved / "x.lapwing")
    assert stored.log == moved / "a.opl"
    assert [video.problem for video in stored.content.videos] == ["", ""]
    assert stored.content.videos[0].files[1] == moved / "DCIM/2.avi"


def test_a_flights_file_that_was_moved_alone_finds_all_where_it_was(
    card: Path, content: FlightContent, tmp_path: Path
) -> None:
    path = saved(card, content).rename(tmp_path / "x.lapwing")
    assert read_flight(path).log == card / "a.opl"


@pytest.mark.parametrize("name", ["a.opl", "renamed.opl"])
def test_a_moved_file_is_known_by_its_content(
    card: Path, content: FlightContent, name: str
) -> None:
    write_flight(card / "x.lapwing", card / "DCIM/1.avi", content)
    (card / "DCIM/1.avi").rename(card / name)
    assert read_flight(card / "x.lapwing").log == card / name


def test_another_file_in_its_place_is_not_taken(card: Path, content: FlightContent) -> None:
    path = saved(card, content)
    (card / "DCIM/3.avi").write_bytes(b"another film" * 10_000)
    video = read_flight(path).content.videos[1]
    assert video.problem == "3.avi is not where it was, nor beside the flight's file."


def test_a_recording_that_has_grown_since_is_still_the_one(
    card: Path, content: FlightContent
) -> None:
    path = saved(card, content)
    with (card / "a.opl").open("ab") as file:
        file.write(b"more")
    assert read_flight(path).problem == ""


def test_missing_files_lose_nothing(card: Path, content: FlightContent, tmp_path: Path) -> None:
    path = saved(card, content)
    first = path.read_text()
    for name in ("a.opl", "b.opl", "DCIM/2.avi"):
        (card / name).rename(tmp_path / Path(name).name)
    stored = read_flight(path)
    assert stored.problem == "a.opl is not where it was, nor beside the flight's file."
    assert [log.problem != "" for log in stored.content.logs] == [True]
    assert [video.problem != "" for video in stored.content.videos] == [True, False]
    write_flight(path, stored.log, stored.content)
    assert path.read_text() == first


def test_what_a_newer_version_added_is_kept(card: Path, content: FlightContent) -> None:
    path = saved(card, content)
    value = json.loads(path.read_text())
    value["scans"] = [{"name": "lidar"}]
    value["videos"][1]["colour"] = "warm"
    value["markers"][0]["by"] = "Ada"
    change(path, **value)
    stored = read_flight(path)
    fewer = replace(stored.content, videos=stored.content.videos[1:], notes="Calm.")
    again = json.loads(json.dumps(write_flight(path, stored.log, fewer).as_read))
    assert again == json.loads(path.read_text())
    assert again["scans"] == [{"name": "lidar"}]
    assert again["videos"][0]["colour"] == "warm"
    assert again["markers"][0]["by"] == "Ada"
    assert again["notes"] == "Calm."


def test_what_belonged_to_another_synchronisation_is_not_kept(
    card: Path, content: FlightContent
) -> None:
    path = saved(card, content)
    value = json.loads(path.read_text())
    value["videos"][0]["sync"]["curve"] = [1, 2]
    change(path, **value)
    stored = read_flight(path)
    assert write_flight(path, stored.log, stored.content).as_read["videos"][0]["sync"]["curve"]
    video = replace(stored.content.videos[0], sync=LOOP.shifted(0.1))
    other = replace(stored.content, videos=(video, *stored.content.videos[1:]))
    assert "curve" not in write_flight(path, stored.log, other).as_read["videos"][0]["sync"]


def test_the_version_before_stays_beside(card: Path, content: FlightContent) -> None:
    path = saved(card, content)
    before = path.read_bytes()
    saved(card, replace(content, notes="Calm."))
    assert (card / "x.lapwing.previous").read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "other"}, 'does not say "format"'),
        ({"version": 2}, "a newer Lapwing wrote it"),
        ({"version": True}, "no version number"),
        ({"logs": []}, "names no log"),
        ({"logs": [{"name": "a"}]}, "the file of the first log is no object"),
        ({"logs": [{"file": {"path": "a\0"}}]}, "is no path"),
        ({"markers": [{"t": "now"}]}, "a marker, t is no number"),
        ({"videos": [{"files": [{"path": "a"}], "sync": {"pieces": []}}]}, "at least one piece"),
        ({"videos": [{"files": [{"path": "a"}]}] * 2}, "two are called 'a'"),
        ({"markers": [{"t": 1e308}]}, "a marker, t is larger than"),
        (
            {"videos": [{"files": [{"path": "a"}], "sync": {"pieces": [{"offset_s": -1e308}]}}]},
            "video 1, offset_s is larger than",
        ),
        ({"layout": 7}, "the layout is no object"),
        *(
            ({"videos": [{"files": [{"path": "a"}], "turn": turn}]}, f"video 1, turn{reason}")
            for turn, reason in (
                (7, " is no object"),
                ({"quarter_turns": 4, "is_mirrored": False}, ": quarter_turns is none of"),
                ({"quarter_turns": 1}, ", is_mirrored is neither"),
            )
        ),
        *(
            (
                {"videos": [{"files": [{"path": "a"}], "camera": camera}]},
                f"video 1(:|,) {next(iter(camera))}",
            )
            for camera in (
                {"field_of_view_deg": 0},
                {"field_of_view_deg": 180},
                {"shutter_s": -1},
                {"focal_px": [500]},
                {"focal_px": [0, 500]},
                {"centre_px": [1, 2, 3]},
                {"distortion": [0.1] * 1000},
                {"is_fisheye": 1},
                {"field_of_view_sigma_deg": -1},
                {"field_of_view_sigma_deg": [1]},
                {"mount_sigma_deg": [1, 1]},
                {"mount_sigma_deg": 1},
                {"distortion_sigma": [0.1]},
            )
        ),
    ],
)
def test_what_is_no_flight_is_refused_with_the_reason(
    card: Path, content: FlightContent, changes: dict[str, Any], reason: str
) -> None:
    path = saved(card, content)
    change(path, **changes)
    with pytest.raises(FlightFileError, match=reason) as refusal:
        read_flight(path)
    assert str(refusal.value).startswith("x.lapwing cannot be opened as a flight: ")
