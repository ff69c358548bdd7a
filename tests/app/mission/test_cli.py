"""`lapwing mission`: files and a board in memory, over a real connection with its worker."""

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.mission import cli
from telemetry.configuration.settings.document import SettingsDocument
from telemetry.configuration.settings.files import write_settings
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.missions.files.formats import read_mission, write_mission
from telemetry.missions.mission import Mission
from telemetry.protocol.links.link import Link, LinkError
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from tests.simulation.hitl.lockstep.programs import emulated, needs_posix
from tests.telemetry.configuration.settings.test_cli import BoardLink
from tests.telemetry.missions.made import HOME, mission, square, waypoint
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard

AT = "test:board"
LAND = {"mode": "Land", "end_condition": "None"}


class _Terminal:
    """Runs commands; `out` and `err` are what the last one printed."""

    def __init__(self, catalogue: Catalogue, folder: Path, read: Callable[[], Any]) -> None:
        names = (*SMALL, "PathPlan", "HomeLocation", "GPSPositionSensor")
        self.board = MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in names)
        home = self.board.named("HomeLocation")
        self.board.values[home.object_id, 0] = pack_values(
            home,
            {
                "Latitude": round(HOME.latitude_deg * 1e7),
                "Longitude": round(HOME.longitude_deg * 1e7),
                "Altitude": HOME.altitude_m,
                "Set": "True",
            },
        )
        self.out = self.err = ""
        self._catalogue = catalogue
        self._folder = folder
        self._read = read

    def file(self, made: Mission, name: str = "made.mission") -> str:
        write_mission(self._folder / name, made)
        return self.path(name)

    def path(self, name: str) -> str:
        return str(self._folder / name)

    def run(self, *words: str) -> int:
        parser = argparse.ArgumentParser()
        cli.add_commands(parser.add_subparsers())
        arguments = parser.parse_args(["mission", *words])
        arguments.open_link = self._open
        arguments.definitions = []
        code: int = arguments.run(arguments)
        self.out, self.err = self._read()
        return code

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def _open(self, address: str) -> Link:
        if address != AT:
            raise LinkError("Nothing listens there.")
        return BoardLink(self._catalogue, self.board)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def at(catalogue: Catalogue, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> _Terminal:
    return _Terminal(catalogue, tmp_path, capsys.readouterr)


def test_check(at: _Terminal) -> None:
    assert at.run("check", at.file(square()), "--aircraft", "ar100b", "--json") == 0
    assert at.json["ready"] is True
    assert {f["code"] for f in at.json["findings"]} == {
        "mission-flat-ground",
        "mission-no-switch-position",
    }
    assert at.json["estimate"]["distance_m"] == pytest.approx(247.1, abs=0.2)
    fast = mission(waypoint(0.0, 0.0, velocity=9.0), waypoint(90.0, 0.0, jump_destination=9))
    assert at.run("check", at.file(fast), "--aircraft", "ar100b") == 1
    assert "error: Waypoint 2 jumps to waypoint 10, which does not exist" in at.out
    assert "faster than 8 m/s, its limit" in at.out
    assert at.run("check", at.path("none.mission")) == 1
    assert "none.mission: it cannot be read" in at.err
    assert at.run("check", at.file(square()), "--aircraft", "nothing") == 1
    assert "nothing" in at.err
    assert at.run("check", at.file(square()), "--terrain", at.path("a.hgt")) == 1
    assert "a.hgt: " in at.err


def test_convert(at: _Terminal) -> None:
    made = at.file(square())
    assert at.run("convert", made, at.path("out.xml")) == 0
    assert at.run("convert", at.path("out.xml"), at.path("back.json")) == 0
    back = read_mission(Path(at.path("back.json")))
    assert [w.action for w in back.waypoints] == [w.action for w in square().waypoints]
    assert at.run("convert", made, at.path("out.xml")) == 1
    assert "stays as it is" in at.err
    assert at.run("convert", made, at.path("out.gpx")) == 1
    assert "must end with" in at.err


@pytest.mark.slow
def test_up_and_down(at: _Terminal) -> None:
    assert at.run("upload", at.file(square()), AT, "--json") == 0, at.err
    report = at.json
    assert (report["uploaded"], report["waypoints"], report["actions"]) == (True, 4, 2)
    assert at.run("download", at.path("got.mission"), AT) == 0, at.err
    got = read_mission(Path(at.path("got.mission")))
    assert [w.action for w in got.waypoints] == [w.action for w in square().waypoints]
    assert at.run("download", at.path("got.mission"), AT) == 1
    assert "stays as it is" in at.err


def test_what_is_wrong_is_not_sent(at: _Terminal) -> None:
    made = square()
    action = replace(made.waypoints[0].action, error_destination=9)
    wrong = made.with_waypoint(0, replace(made.waypoints[0], action=action))
    held = dict(at.board.values)
    assert at.run("upload", at.file(wrong), AT, "--json") == 1
    assert at.json["uploaded"] is False
    waypoints = at.board.named("Waypoint").object_id
    assert at.board.values[waypoints, 0] == held[waypoints, 0]
    assert at.run("upload", at.file(square()), "test:nobody", "--wait", "0.1") == 2
    assert "Nothing listens there" in at.err


@pytest.mark.slow
def test_fly(at: _Terminal, catalogue: Catalogue) -> None:
    """A line of 20 m and back in a light wind, then down: as a board of the simulator flies it."""
    short = mission(
        waypoint(15.0, 0.0, 6.0, 4.0), waypoint(15.0, 12.0, 6.0, 4.0), waypoint(0.0, 0.0, **LAND)
    )
    log = at.path("flown.opl")
    code = at.run("fly", at.file(short), "--wind", "1,0", "--record", log, "--json")
    assert code == 0, at.err
    flown = at.json
    assert (flown["completed"], flown["ending"], flown["aircraft"]) == (True, "landed", "ar100b")
    assert [leg["waypoint"] for leg in flown["legs"]] == [1, 2, 3]
    assert 0.0 < flown["largest_cross_track_m"] < 4.0
    assert 50.0 < flown["energy_left_percent"] < 100.0
    track = flown["track"]
    assert len(track["time_s"]) == len(track["height_m"]) == len(track["energy_percent"])
    assert max(track["latitude_deg"]) == pytest.approx(HOME.latitude_deg + 15.0 / 111_200, abs=4e-5)
    assert track["height_m"][-1] < 0.5
    assert flown["legs"][0]["time_s"] < 10.0, "15 m: faster than the next test allows"
    assert Path(log).stat().st_size > 10_000


@pytest.mark.slow
@needs_posix
def test_fly_by_a_firmware(at: _Terminal, tmp_path: Path) -> None:
    """The same plan by a program in lockstep, which is given it as any board is."""
    short = mission(
        waypoint(15.0, 0.0, 6.0, 4.0), waypoint(15.0, 12.0, 6.0, 4.0), waypoint(0.0, 0.0, **LAND)
    )
    firmware = str(emulated(tmp_path))
    assert at.run("fly", at.file(short), "--firmware", firmware, "--json") == 0, at.err
    flown = at.json
    assert (flown["completed"], flown["ending"]) == (True, "landed")
    assert [leg["waypoint"] for leg in flown["legs"]] == [1, 2, 3]
    assert 0.0 < flown["largest_cross_track_m"] < 4.0
    assert at.run("fly", at.file(short), "--firmware", at.path("nothing"), "--json") == 1
    assert "There is no program" in at.err


@pytest.mark.slow
def test_fly_by_the_settings_of_a_board_over_terrain(at: _Terminal, catalogue: Catalogue) -> None:
    """HorizontalVelMax is the fastest of all (VtolPathFollowerSettings, pidcontrolne.cpp); the
    ground rises by 1 m per metre to the north, and maps are believed to 1 m."""
    document = SettingsDocument(Snapshot("the board's", _slow_board(catalogue)))
    write_settings(Path(at.path("board.settings.toml")), document)
    heights = np.full((1201, 1201), 300, ">i2")
    row = 1200 - int((HOME.latitude_deg % 1.0) * 1200)
    heights[:row] += np.int16(93)  # an arc of 3 seconds
    heights.tofile(at.path("N48E009.hgt"))
    there = mission(waypoint(20.0, 0.0, 6.0, 4.0), waypoint(0.0, 0.0, **LAND))
    words = ("--settings", at.path("board.settings.toml"), "--terrain", at.path("N48E009.hgt"))
    assert at.run("fly", at.file(there), "--json", *words) == 1, at.err
    flown = at.json
    assert (flown["ending"], flown["reason"]) == (
        "crashed",
        "It flew into the terrain on the way to waypoint 1.",
    )
    moved_m = (flown["track"]["latitude_deg"][-1] - HOME.latitude_deg) * 111_200
    assert flown["track"]["height_m"][-1] == pytest.approx(moved_m - 1.0, abs=0.3)
    assert 2.0 < moved_m < 0.7 * flown["time_s"], "0.5 m/s, and some over"
    assert flown["left_out"] == ["MixerSettings: it drives another body than ar100b"]


def _slow_board(catalogue: Catalogue) -> dict[tuple[str, int], ObjectValues]:
    """A board of OpenPilot's, with a mixer that would turn the aircraft over."""
    made = {}
    for name, values in (
        ("VtolPathFollowerSettings", {"HorizontalVelMax": 0.5}),
        ("MixerSettings", {"Mixer1Type": "Motor", "Mixer1Vector.Roll": -64}),
        ("HwSettings", {"RM_FlexiPort": "Disabled"}),
    ):
        made[name, 0] = ObjectValues(name, 0, values, catalogue.find(name, DEFAULT_RELEASE))
    return made


def test_what_cannot_be_flown_says_so(at: _Terminal) -> None:
    nowhere = replace(square(), home=None)
    assert at.run("fly", at.file(nowhere)) == 1
    assert "add --home" in at.err
    with pytest.raises(SystemExit):
        at.run("fly", at.file(square()), "--wind", "strong")
