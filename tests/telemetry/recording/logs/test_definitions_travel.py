"""A flight of an object that no release has: recorded, moved and exported, it opens everywhere."""

import struct
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from app import cli
from simulation.serving.recording_file import open_recording
from telemetry.base.folders import HOME_VARIABLE
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.recording.export.cut import export_opl
from telemetry.recording.export.request import ExportRequest
from telemetry.recording.logs.definitions import definitions_path
from telemetry.recording.logs.reader import read_log
from tests.telemetry.recording.logs.books import attitude, frame

KITE = """<xml><object name="KiteLine" singleinstance="true" settings="false">
<description>Tension of the line.</description>
<field name="Tension" units="N" type="float" elements="1"/>
</object></xml>"""
WINCH = KITE.replace("KiteLine", "KiteWinch").replace("Tension", "Torque")
PULLS = [5.0, 6.0, 7.0, 8.0, 9.0]


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """Definitions of the user who flew."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "kiteline.xml").write_text(KITE)
    (folder / "kitewinch.xml").write_text(WINCH)
    return folder


@pytest.fixture
def own(own_folder: Path) -> Catalogue:
    return load_catalogue([own_folder])


@pytest.fixture
def log(tmp_path: Path, own: Catalogue) -> Path:
    """Recorded with values of one object and a request for another, which was never answered."""
    kite, winch = own.find("KiteLine"), own.find("KiteWinch")
    path = tmp_path / "flown" / "flight.opl"
    path.parent.mkdir()
    asked = Dialect().encode(FrameType.OBJ_REQ, winch.object_id, 0, True)
    with ExitStack() as resources:
        record = open_recording(path, print, resources, catalogue=own)
        assert record is not None
        for n, pull in enumerate(PULLS):
            record(n / 10, attitude(n) + frame(kite, struct.pack("<f", pull)))
            record(n / 10, asked, True)
    return path


@pytest.fixture
def lapwing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command in a home that nobody has used."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "clean"))
    return lambda *words: cli.main([str(word) for word in words])


def pulls_in(log: Path) -> list[float]:
    reading = read_log(log, load_catalogue())
    assert reading.info.unknown_frames == 0
    assert reading.warnings == ()
    values: list[float] = reading.recording.series("KiteLine.Tension")[1].tolist()
    return values


def test_what_was_recorded_opens_in_a_clean_home(log: Path) -> None:
    assert pulls_in(log) == PULLS
    definitions_path(log).unlink()
    assert read_log(log, load_catalogue()).info.unknown_frames == 2 * len(PULLS)


def test_what_is_cut_out_of_it_too_whoever_knew_the_objects(
    log: Path, own: Catalogue, tmp_path: Path
) -> None:
    """The log may be of before definitions were kept: the user's own folder knows them."""
    definitions_path(log).unlink()
    reading = read_log(log, own)
    request = ExportRequest(start_s=0.2, catalogue=reading.catalogue)
    (cut,) = export_opl(reading.recording, tmp_path / "cut", request)
    assert pulls_in(cut) == [6.0, *PULLS[2:]]  # the first is what was known at its beginning


@pytest.mark.slow
def test_the_command_cuts_it_whole(
    log: Path, own_folder: Path, lapwing: Callable[..., int], tmp_path: Path
) -> None:
    definitions_path(log).unlink()
    folder = tmp_path / "clean" / "config" / "definitions"
    folder.parent.mkdir(parents=True)
    own_folder.rename(folder)
    assert lapwing("log", "export", log, "--format", "opl", "--out", tmp_path / "cut") == 0
    (cut,) = (tmp_path / "cut").glob("*.opl")
    assert pulls_in(cut) == PULLS


def test_definitions_are_given_to_a_log_that_came_alone(
    log: Path, own_folder: Path, lapwing: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    definitions_path(log).unlink()
    assert lapwing("log", "info", log) == 0
    assert "10 frames were of objects that no known release defines" in capsys.readouterr().out
    assert lapwing("log", "define", log, own_folder / "kiteline.xml") == 0
    assert "flight.opl shows KiteLine, KiteWinch; kept in" in capsys.readouterr().out
    assert pulls_in(log) == PULLS


def test_those_of_another_log_are_as_good(
    log: Path, lapwing: Callable[..., int], tmp_path: Path
) -> None:
    given = definitions_path(log).rename(tmp_path / "other.opl.definitions.json")
    assert lapwing("log", "define", log, given) == 0
    assert pulls_in(log) == PULLS


@pytest.mark.parametrize(
    "given",
    [
        ("torque.xml", KITE.replace("Tension", "Pull"), "None of the 2 unknown ids of flight.opl"),
        ("torn.xml", KITE[:-30], "A definition file was left out: "),
        ("bomb.xml", '<!DOCTYPE x [<!ENTITY a "b">]><xml/>', "A definition file was left out: "),
        ("x.json", "[" * 100_000, "x.json was left out: it is nested too deeply."),
        ("y.json", '{"format": "lapwing-definitions"}', "another version of Lapwing wrote it"),
        ("gone.xml", "", "gone.xml does not exist."),
    ],
)
def test_what_does_not_fit_or_harms_is_told_and_changes_nothing(
    log: Path,
    lapwing: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    given: tuple[str, str, str],
) -> None:
    name, content, told = given
    definitions_path(log).unlink()
    folder = tmp_path / "given"
    folder.mkdir()
    if content:
        (folder / name).write_text(content)
    assert lapwing("log", "define", log, folder / name) == 1
    assert told in capsys.readouterr().err
    assert not definitions_path(log).exists()
