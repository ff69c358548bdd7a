"""What a packed flight may name: what is in it, and left-out videos that are known well."""

import json
from pathlib import Path
from typing import Any

import pytest

from telemetry.recording.logs.reader import read_log
from telemetry.recording.logs.world import read_imu_note, read_world_note, write_world_note
from telemetry.recording.simulated_imu import SimulatedImu
from telemetry.recording.simulated_world import SimulatedWorld
from telemetry.review.flights.file_reference import Fingerprint
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import read_flight
from telemetry.review.flights.packing.contents import FlightToPack, PackageError
from telemetry.review.flights.packing.pack import pack_flight
from telemetry.review.flights.packing.references import can_be_found_beside, harm_of, without_places
from telemetry.review.flights.packing.unpack import unpack_package
from tests.fuzz.hostile_packages import with_file
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, saved


def packed(folder: Path, content: FlightContent | None = None) -> Path:
    log = saved(folder, *attitudes(20), name="a.opl")
    flight = FlightToPack(folder / "a.lapwing", log, content or FlightContent())
    pack_flight(folder / "a.lapwingz", flight, CATALOGUE)
    return folder / "a.lapwingz"


def unpacked(folder: Path, content: FlightContent | None = None) -> dict[str, Any]:
    """The flight's file of what was packed."""
    unpack_package(packed(folder, content), folder / "a")
    value: dict[str, Any] = json.loads((folder / "a" / "a.lapwing").read_text())
    return value


def test_one_that_names_a_file_elsewhere_is_refused_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a look: on Windows one at a share of a stranger's tells him a password's hash."""
    package = packed(tmp_path)
    flight = {
        "format": "lapwing-flight",
        "version": 1,
        "logs": [{"file": {"path": "logs/a.opl", "absolute": str(tmp_path / "a.opl")}}],
    }
    package.write_bytes(with_file(package.read_bytes(), "a.lapwing", json.dumps(flight).encode()))
    monkeypatch.setattr(Fingerprint, "fits", pytest.fail)
    with pytest.raises(PackageError, match=r"its a\.lapwing names a file outside of its folder"):
        unpack_package(package, tmp_path / "out", whole_only=True)
    assert {one.name for one in tmp_path.iterdir()} == {"a.opl", "a.lapwingz"}


def test_a_world_of_the_senders_own_stays_behind_and_its_imu_comes(tmp_path: Path) -> None:
    imu = SimulatedImu(500.0, 1e-3, 1e-5, 1e-2, 1e-4, 0.1, 0.0, 0.0)
    log = saved(tmp_path, *attitudes(20), name="a.opl")
    write_world_note(log, SimulatedWorld(str(tmp_path / "mine"), 3), imu)
    unpacked(tmp_path)
    copy = tmp_path / "a" / "logs" / "a.opl"
    assert (read_world_note(copy), read_imu_note(copy)) == (None, imu)
    recording = read_log(log, CATALOGUE).recording
    assert recording.world is not None
    assert [
        one["name"]
        for one in json.loads((tmp_path / "a" / "manifest.json").read_text())["left_out"]
    ] == ["mine"]


def test_a_shipped_world_comes(tmp_path: Path) -> None:
    log = saved(tmp_path, *attitudes(20), name="a.opl")
    write_world_note(log, SimulatedWorld("field", 7))
    unpacked(tmp_path)
    assert read_world_note(tmp_path / "a" / "logs" / "a.opl") == SimulatedWorld("field", 7)


def test_a_missing_video_that_nobody_knows_is_looked_for_within(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    value = unpacked(tmp_path, FlightContent(videos=(FlightVideo("film", (film,)),)))
    assert value["videos"][0]["files"][0]["path"] == "film.mp4"
    film.write_bytes(b"of somebody else")
    assert read_flight(tmp_path / "a" / "a.lapwing").content.videos[0].problem


def test_paths_of_a_layout_stay_behind(tmp_path: Path) -> None:
    layout = {"title": "Mine/2", "panels": [{"world": str(tmp_path), "url": "https://a.b/{z}"}]}
    value = unpacked(tmp_path, FlightContent(layout=layout))
    assert value["layout"] == {
        "title": "Mine/2",
        "panels": [{"world": "", "url": "https://a.b/{z}"}],
    }


@pytest.mark.parametrize(
    ("text", "is_place"),
    [("/home/a", True), ("\\\\host\\share", True), ("\\a", True), ("C:\\a", True), ("c:/a", True),
     ("a/b", False), ("Roll: all", False), ("C:", False), ("", False)],
)  # fmt: skip
def test_places_are_told_from_words(text: str, is_place: bool) -> None:
    assert without_places({"a": [text]}) == {"a": ["" if is_place else text]}


def test_a_beginning_that_can_be_guessed_tells_no_file() -> None:
    assert not can_be_found_beside(None)
    assert not can_be_found_beside(Fingerprint(1023, "0"))
    assert can_be_found_beside(Fingerprint(1024, "0"))


def test_what_is_no_flight_does_no_harm(tmp_path: Path) -> None:
    for content in (b"", b"[]", b'{"format": "lapwing-flight", "logs": 3}', b"\xff"):
        (tmp_path / "x.lapwing").write_bytes(content)
        assert harm_of(tmp_path / "x.lapwing") == ""
    (tmp_path / "x.lapwing").write_text('{"logs": [{"file": {"path": 5}}]}')
    assert "no way that can be followed" in harm_of(tmp_path / "x.lapwing")
