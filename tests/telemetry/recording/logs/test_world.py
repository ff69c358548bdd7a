"""The world of a simulated flight is known when its log is opened again."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from telemetry.recording.export.cut import export_opl
from telemetry.recording.logs.reader import read_log
from telemetry.recording.logs.world import world_note_path, write_world_note
from telemetry.recording.simulated_imu import SimulatedImu
from telemetry.recording.simulated_world import SimulatedWorld, located_world
from telemetry.vehicle.log_companions import LogCompanions
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, saved

VILLAGE = SimulatedWorld("village:start=church", seed=7, span_m=0.19)
IMU = SimulatedImu(500.0, 1e-4, 2e-5, 4e-3, 1e-4, 0.01, 0.0, 0.005)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return saved(tmp_path, *attitudes(9))


def _world(log: Path) -> SimulatedWorld | None:
    reading = read_log(log, CATALOGUE)
    assert reading.warnings == ()
    return reading.recording.world


def test_a_log_knows_its_world_again_and_so_does_a_part_of_it(log: Path, tmp_path: Path) -> None:
    assert _world(log) is None
    write_world_note(log, VILLAGE)
    assert _world(log) == VILLAGE
    world = _world(log)
    assert world is not None
    assert world.span_m == VILLAGE.span_m
    (part,) = export_opl(read_log(log, CATALOGUE).recording, tmp_path / "cut")
    assert _world(part) == VILLAGE


def test_every_file_of_a_connection_has_it(log: Path, tmp_path: Path) -> None:
    recording = read_log(log, CATALOGUE).recording
    companions = LogCompanions(recording, CATALOGUE)
    companions.finish(str(log))
    assert not world_note_path(log).exists()
    recording.world = VILLAGE
    (tmp_path / "next").mkdir()
    other = saved(tmp_path / "next", *attitudes(3))
    companions.finish(str(other))
    assert _world(other) == VILLAGE


def test_a_folder_is_found_from_elsewhere(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_world_note(log, SimulatedWorld("./mine:start=hall,width_m=3"))
    assert _world(log) == SimulatedWorld(f"{tmp_path / 'mine'}:start=hall,width_m=3")


def test_a_world_of_the_user_is_found_from_elsewhere_and_one_that_ships_keeps_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("mine", "office"):
        (tmp_path / folder).mkdir()
    assert located_world("mine:start=hall") == f"{tmp_path / 'mine'}:start=hall"
    assert located_world("./office") == str(tmp_path / "office")
    for name in ("", "office", "office:start=hall", "nowhere", "x" * 5000):
        assert located_world(name) == name


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": "other"}, "it does not say"),
        ({"version": 2}, "another version"),
        ({"world": ""}, "names no world"),
        ({"world": ["office"]}, "names no world"),
        ({"seed": -1}, "no whole number"),
        ({"seed": True}, "no whole number"),
        ({"span_m": -0.5}, "no width"),
    ],
)
def test_a_note_that_is_none_is_told_and_the_log_opens(
    log: Path, change: dict[str, object], why: str
) -> None:
    write_world_note(log, VILLAGE)
    note = json.loads(world_note_path(log).read_text())
    assert note == note | {"world": VILLAGE.name, "seed": VILLAGE.seed}
    world_note_path(log).write_text(json.dumps({**note, "later": 1, **change}))
    reading = read_log(log, CATALOGUE)
    assert reading.recording.world is None
    assert reading.recording.names() == ("AttitudeState",)
    (warning,) = reading.warnings
    assert warning.startswith(f"{log.name}.world.json was left out: ")
    assert why in warning


def test_the_imu_is_known_again_with_a_world_or_without(log: Path, tmp_path: Path) -> None:
    write_world_note(log, None, IMU)
    reading = read_log(log, CATALOGUE)
    assert (reading.warnings, reading.recording.world, reading.recording.imu) == ((), None, IMU)
    recording = reading.recording
    (tmp_path / "next").mkdir()
    other = saved(tmp_path / "next", *attitudes(3))
    recording.world = VILLAGE
    LogCompanions(recording, CATALOGUE).finish(str(other))
    again = read_log(other, CATALOGUE).recording
    assert (again.world, again.imu) == (VILLAGE, IMU)


@pytest.mark.parametrize("imu", [3, {}, {"rate_hz": "x"}, {**asdict(IMU), "gyro_walk": -1}])
def test_an_imu_that_is_none_is_told(log: Path, imu: object) -> None:
    write_world_note(log, None, IMU)
    note = json.loads(world_note_path(log).read_text())
    world_note_path(log).write_text(json.dumps({**note, "imu": imu}))
    reading = read_log(log, CATALOGUE)
    assert reading.recording.imu is None
    assert "its IMU" in reading.warnings[0]
