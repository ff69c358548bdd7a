"""What CONTRIBUTING.md says is done word by word, in a copy of the tree as somebody clones it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from telemetry.missions.files.formats import write_mission
from tests.telemetry.missions.made import square
from tests.telemetry.recording.logs.books import attitudes, saved
from tests.test_house_rules import ROOT

COPIED = ("app", "plugins", "widgets", "telemetry", "simulation", "resources", "tests")
PLUGIN = '''"""A view of the test."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin("clock", "Clock", "Shows the time of the flight.",
                panels=(Panel("time", "Time", "plugins.clock.panel:ClockPanel"),))
'''
PANEL = '''"""The time at the cursor."""

from PySide6.QtWidgets import QLabel

from plugins.api import Json, PanelContext
from widgets.theme import Theme


class ClockPanel(QLabel):
    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        context.on_close(self.clear)

    def refresh(self, t: float) -> None:
        self.setText(f"{t:.1f} s")

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"color: {theme.color('text').name()}")

    def save_state(self) -> Json:
        return {}
'''
OBJECT = """<xml>
  <object name="ContributedState" singleinstance="true" settings="false" category="State">
    <description>An object of the test</description>
    <field name="Value" units="m" type="float" elements="1"/>
    <access gcs="readwrite" flight="readwrite"/>
    <telemetrygcs acked="false" updatemode="manual" period="0"/>
    <telemetryflight acked="false" updatemode="periodic" period="1000"/>
    <logging updatemode="manual" period="0"/>
  </object>
</xml>
"""

RULE = """  {"id": "spins", "title": "Spins", "value": "spin", "comparison": "above", "than": 90,
   "text": "Spins by {value}"},
"""
VALUE = """    "spin": StationValue("turns in a second", lambda w: _spin(w), "°/s"),
"""
VALUE_FUNCTION = """

def _spin(watched: WatchedFlight) -> WatchedValue:
    gyros = watched.known("GyroState")
    return None if gyros is None else abs(float(gyros["z"]))
"""
SPUN = """
from plugins.testing import add, live_vehicle, short_flight
from telemetry.warnings.flight_watch import FlightWatch
from telemetry.warnings.rule_book import RuleBook

def spun():
    recording = short_flight()
    add(recording, 21.0, "GyroState", z=-120.0)
    rules = [rule for rule in RuleBook().rules if rule.id == "spins"]
    return [note.text for note in FlightWatch(live_vehicle(recording=recording)).step(rules, 21.0)]
"""
SAID = """
import contextlib, io, json, sys
from app.cli import main

def said(words):
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = main(words)
    return code, told.getvalue()

commands = json.loads(sys.argv[1])
told = {name: said(words) for name, words in commands.items()}
print(json.dumps({**told, "spun": spun()}))
"""
EXPORT = '''"""Names of what was recorded, a line each."""

from pathlib import Path

from telemetry.recording.export.request import ExportRequest, file_name, writing_to
from telemetry.recording.recording import Recording


def export_names(recording: Recording, folder: Path, _request: ExportRequest) -> list[Path]:
    path = folder / file_name(recording, "_names.txt")
    with writing_to(folder):
        path.write_text("\\n".join(recording.names()), encoding="utf-8")
    return [path]
'''
MISSION = '''"""Missions as lines of latitude, longitude and height."""

from pathlib import Path

from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.mission import Mission, MissionWaypoint
from telemetry.missions.local_coordinates import MissionHome


def read_lines(path: Path, data: bytes, home: MissionHome | None) -> Mission:
    try:
        rows = [list(map(float, line.split())) for line in data.decode().splitlines()]
        return Mission(tuple(MissionWaypoint(*row[:3]) for row in rows), home)
    except (ValueError, TypeError) as error:
        raise MissionFileError(path, f"it has a line that is no waypoint ({error}).") from None


def write_lines(mission: Mission) -> bytes:
    rows = [(w.latitude_deg, w.longitude_deg, w.height_m) for w in mission.waypoints]
    return "\\n".join(f"{a:.7f} {b:.7f} {c:g}" for a, b, c in rows).encode()
'''

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the bytecode of what is not changed, but for files of it that are being written; and
    with everything in it that is contributed."""
    folder = tmp_path_factory.mktemp("clone")
    for name in COPIED:
        ignored = shutil.ignore_patterns("*.pyc.*")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("main.py", "lapwing.py", "lapwing_packages.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    for add in (add_view, add_warning, add_export_format, add_mission_format):
        add(folder)
    return folder


def add_view(clone: Path) -> None:
    folder = clone / "plugins" / "clock"
    folder.mkdir()
    (folder / "__init__.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "panel.py").write_text(PANEL, encoding="utf-8")


def add_warning(clone: Path) -> None:
    insert(clone / "resources/warnings/shipped.json", '  {"id": "link-lost"', RULE)
    values = clone / "telemetry/warnings/station_values.py"
    insert(values, '    "armed": StationValue(', VALUE)
    insert(values, "\n\ndef _armed(", VALUE_FUNCTION)


def add_export_format(clone: Path) -> None:
    folder = clone / "telemetry/recording/export"
    (folder / "names.py").write_text(EXPORT, encoding="utf-8")
    table = folder / "formats.py"
    insert(
        table,
        "from telemetry.recording.export.request",
        "from telemetry.recording.export.names import export_names\n",
    )
    insert(table, '    ExportFormat("csv"', '    ExportFormat("names", "Names", export_names),\n')


def add_mission_format(clone: Path) -> None:
    folder = clone / "telemetry/missions/files"
    (folder / "lines.py").write_text(MISSION, encoding="utf-8")
    table = folder / "formats.py"
    imported = "from telemetry.missions.files.lines import read_lines, write_lines\n"
    insert(table, "from telemetry.missions.files.lapwing_json", imported)
    row = '    MissionFormat(".lines", "Lines", read_lines, write_lines),\n'
    insert(table, '    MissionFormat(".kml"', row)


def run(clone: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    environ = {**os.environ, "LAPWING_HOME": str(clone / "home")}
    for name in [name for name in environ if name.startswith(("PYTEST_", "COV_"))]:
        del environ[name]
    return subprocess.run(
        [sys.executable, *command],
        cwd=clone, env=environ, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def insert(path: Path, before: str, text: str) -> None:
    """Put text before another that stands once in a file."""
    old = path.read_text(encoding="utf-8")
    assert old.count(before) == 1
    path.write_text(old.replace(before, f"{text}{before}"), encoding="utf-8")


HELD = {
    r"tests/contracts/.*\bclock\b.*": 6,
    r"tests/telemetry/warnings/test_flight_watch\.py::.*every_name.*": 1,
    r"tests/contracts/test_tables\.py::.*an_export.*\[names\]": 2,
    r"tests/contracts/test_tables\.py::.*mission.*\blines\b.*": 2,
    r"tests/fuzz/test_parsers\.py::.*corpus_is.*mission-lines.*": 1,
}
"""The tests that hold what was added to its contract, and how many they are."""


def test_what_is_added_is_found_and_held_to_its_contract(clone: Path) -> None:
    words = "clock or every_name or (an_export and names) or (mission and lines)"
    files = ("tests/contracts", "tests/telemetry/warnings/test_flight_watch.py", "tests/fuzz")
    done = run(clone, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *files, "-k", words)
    assert done.returncode == 0, done.stdout + done.stderr
    for name, count in HELD.items():
        passed = re.findall(rf"^PASSED {name}$", done.stdout, re.MULTILINE)
        assert len(passed) == count, (name, done.stdout)


@pytest.fixture(scope="module")
def answers(clone: Path) -> dict[str, Any]:
    """What one process of the clone says to several commands: its code and its output."""
    definitions = clone / "home" / "config" / "definitions"
    definitions.mkdir(parents=True)
    (definitions / "contributedstate.xml").write_text(OBJECT, encoding="utf-8")
    log = saved(clone, *attitudes(3))
    write_mission(clone / "a.mission", square())
    commands = {
        "doctor": ["doctor"],
        "show": ["objects", "show", "ContributedState"],
        "export": ["log", "export", str(log), "--format", "names", "--out", str(clone / "out")],
        "convert": ["mission", "convert", "a.mission", "b.lines"],
    }
    done = run(clone, "-c", SPUN + SAID, json.dumps(commands))
    assert done.returncode == 0, done.stderr
    answered: dict[str, Any] = json.loads(done.stdout)
    return answered


def test_an_object_is_known_by_its_file(clone: Path, answers: dict[str, Any]) -> None:
    _code, doctor = answers["doctor"]
    config = next(line.split()[-1] for line in doctor.splitlines() if "Folder config" in line)
    assert Path(config) == clone / "home" / "config"
    code, shown = answers["show"]
    assert code == 0
    assert "Value" in shown


def test_a_warning_is_told(answers: dict[str, Any]) -> None:
    assert answers["spun"] == ["Spins by 120 °/s"]


def test_an_export_format_is_offered(clone: Path, answers: dict[str, Any]) -> None:
    assert answers["export"][0] == 0
    assert (clone / "out" / "flight_names.txt").read_text(encoding="utf-8") == "AttitudeState"


def test_a_mission_format_is_read_and_written(clone: Path, answers: dict[str, Any]) -> None:
    assert answers["convert"][0] == 0
    assert len((clone / "b.lines").read_text(encoding="utf-8").splitlines()) == 4
