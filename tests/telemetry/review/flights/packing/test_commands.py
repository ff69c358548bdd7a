"""`lapwing flight pack`, `verify` and `unpack` as typed."""

import json
from pathlib import Path

import pytest

from app import cli
from telemetry.recording.logs.world import write_world_note
from telemetry.recording.simulated_world import SimulatedWorld
from tests.telemetry.recording.logs.books import attitudes, saved


def flight(*words: object) -> int:
    return cli.main(["flight", *map(str, words)])


@pytest.fixture
def package(tmp_path: Path) -> Path:
    log = saved(tmp_path, *attitudes(20), name="a.opl")
    assert flight("pack", log, tmp_path / "a.lapwingz") == 0
    return tmp_path / "a.lapwingz"


def damage(package: Path) -> None:
    """The log, whose name stands before it."""
    data = bytearray(package.read_bytes())
    data[data.index(b"logs/a.opl") + 60] ^= 0x10
    package.write_bytes(data)


def test_a_whole_one_is_told_so_and_unpacked(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flight("verify", package) == 0
    assert "whole    logs/a.opl" in capsys.readouterr().out
    assert flight("unpack", package, "--out", package.parent / "out") == 0
    assert (package.parent / "out" / "logs" / "a.opl").is_file()


def test_of_a_damaged_one_each_file_is_told(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(package)
    assert flight("verify", package, "--json") == 1
    states = {one["path"]: one["state"] for one in json.loads(capsys.readouterr().out)["files"]}
    assert states == {"a.lapwing": "whole", "definitions.json": "whole", "logs/a.opl": "damaged"}
    assert flight("unpack", package, "--out", package.parent / "out") == 1
    assert "--whole-only" in capsys.readouterr().err
    assert not (package.parent / "out").exists()
    assert flight("unpack", package, "--out", package.parent / "out", "--whole-only") == 1
    assert (package.parent / "out" / "a.lapwing").is_file()
    assert not (package.parent / "out" / "logs" / "a.opl").exists()


def test_nothing_is_written_over(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = package.read_bytes()
    assert flight("pack", package.parent / "a.opl", package) == 1
    assert flight("unpack", package, "--out", package.parent) == 1
    assert package.read_bytes() == before
    assert "stays as it is" in capsys.readouterr().err


def test_what_is_no_flight_is_not_packed(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = package.parent, package.parent / "out.lapwingz"
    video = folder / "a.mp4"
    video.write_bytes(b"no log")
    for given, words in (
        (package, "is packed already. 'lapwing flight unpack' unpacks it."),
        (folder, "is a folder. Name the log, or a flight's .lapwing file"),
        (video, "is a video."),
        (folder / "gone.opl", "is not there"),
    ):
        assert flight("pack", given, out) == 1
        assert words in capsys.readouterr().err
    assert not out.exists()


def test_what_the_system_refuses_is_named(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, folder = package.parent / "b.lapwingz", package.parent / "none"
    assert flight("unpack", missing, "--out", package.parent / "out") == 1
    assert f"{missing}: No such file" in capsys.readouterr().err
    assert flight("unpack", package, "--out", folder / "out") == 1
    assert f"{folder}: No such file" in capsys.readouterr().err
    assert flight("pack", package.parent / "a.opl", folder / "a.lapwingz") == 1
    assert f"{folder}/" in capsys.readouterr().err


def test_other_commands_say_that_it_is_packed(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flight("export", package, "--out", package.parent / "x") == 1
    assert "is a packed flight. Unpack it first" in capsys.readouterr().err


def test_a_world_that_stays_behind_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = saved(tmp_path, *attitudes(20), name="a.opl")
    write_world_note(log, SimulatedWorld(f"{tmp_path / 'mine'}:width_m=3"))
    assert flight("pack", log, tmp_path / "a.lapwingz") == 0
    assert f"The world {tmp_path / 'mine'} that a.opl was flown in" in capsys.readouterr().out
