"""Exports, findings, warnings and mission formats of a plugin from outside, by every door.

The example of CONTRIBUTING (examples/plugin) lies in the user's plugin folder.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import main
from app.diagnostics.doctor import examine
from app.exporting.choice import export_shapes
from app.plugin_loading.contributions import PluginContributions
from app.plugin_loading.loader import find_plugins
from plugins.testing import add, live_vehicle, short_flight
from telemetry.base.finding import Level
from telemetry.base.folders import HOME_VARIABLE, Folders
from telemetry.base.installation import ROOT
from telemetry.base.registry import contributions
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import is_mission, read_mission, write_mission
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.export.formats import FORMATS
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.search import find_everything, finding_kinds
from telemetry.warnings.flight_watch import FlightWatch
from telemetry.warnings.rule_book import RuleBook
from tests.telemetry.missions.made import mission, square
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, frame, record, saved

EXAMPLE = ROOT / "examples" / "plugin" / "lapwing_height"
FAILING = """
from plugins.api import *
PLUGIN = Plugin(
    "sad", "Sad", "Fails in every way.",
    exports=(LogExport("sad", "Sad", "lapwing_test_sad:nothing"), LogExport("csv", "Mine", "a:b")),
    findings=(Finder((FindingKind("sad", "Sadness"),), "lapwing_test_sad:fail"),),
    warnings=(WarningRule("low", "Low", "sadness", RuleComparison.ABOVE, "Sad", than=1.0),),
    warning_values=(WarningValue("sadness", "how sad", "lapwing_test_sad:fail"),),
    mission_formats=(MissionFile(".sad", "", "lapwing_test_gone:read", "lapwing_test_sad:fail"),),
)

def fail(*_arguments):
    raise ZeroDivisionError("no luck")
"""


@pytest.fixture
def plugins_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The plugin folder of a user; what stands there is unloaded."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = Folders.under(tmp_path / "home").plugins
    folder.mkdir(parents=True)
    yield folder
    for name in [name for name in sys.modules if name.startswith(("lapwing_height", "lapwing_t"))]:
        del sys.modules[name]


@pytest.fixture
def told(plugins_folder: Path) -> Iterator[list[str]]:
    """What is told while the example's contributions are there."""
    shutil.copytree(EXAMPLE, plugins_folder / EXAMPLE.name)
    sentences: list[str] = []
    found = find_plugins(plugins_folder)
    assert found.failures == ()
    with contributions(lambda: PluginContributions(found, sentences.append)):
        yield sentences


@pytest.fixture
def failing(plugins_folder: Path) -> Iterator[list[str]]:
    """The same for a plugin that fails."""
    (plugins_folder / "lapwing_test_sad.py").write_text(FAILING)
    sentences: list[str] = []
    found = find_plugins(plugins_folder)
    assert found.failures == ()
    with contributions(lambda: PluginContributions(found, sentences.append)):
        yield sentences


def climbing() -> Recording:
    """At 8 s it climbs by 200 m within a second."""
    recording = short_flight()
    for t in range(21, 30):
        add(recording, float(t), "BaroSensor", Altitude=300.0 if t < 25 else 500.0)
    return recording


def test_the_tables_hold_it_while_it_is_there_only(told: list[str]) -> None:
    assert "heights" in FORMATS
    assert "Heights as text" in [shape.title for shape in export_shapes()]
    assert "Steep climb" in [kind.title for kind in finding_kinds()]
    assert told == []
    with contributions(lambda: PluginContributions(find_plugins(), told.append)):
        assert "heights" not in FORMATS
    assert "heights" in FORMATS


def test_the_command_line_exports_in_its_format(
    plugins_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(EXAMPLE, plugins_folder / EXAMPLE.name)
    log = saved(tmp_path, *attitudes(3))
    words = ["log", "export", str(log), "--format", "heights", "--out", str(tmp_path / "out")]
    assert main(words) == 1
    assert capsys.readouterr().err.strip().endswith("there are no heights to write.")
    assert main([*words[:3], "--format", "nonsense", *words[5:]]) == 1
    assert "'heights'" in capsys.readouterr().err, "among what may be chosen"


def test_its_findings_are_among_those_of_a_flight(told: list[str]) -> None:
    (steep,) = (one for one in find_everything(climbing()) if one.finding.code == "steep")
    assert (steep.t, steep.end_s, steep.title) == (24.0, 25.0, "Steep climb")
    assert steep.finding.text == "Climbed at 200.0 m/s"
    assert steep.finding.level is Level.WARNING


@pytest.mark.slow
def test_the_report_of_the_command_line_has_them(plugins_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, plugins_folder / EXAMPLE.name)
    baro = CATALOGUE.find("BaroSensor", DEFAULT_RELEASE)
    heights = [frame(baro, pack_values(baro, {"Altitude": up})) for up in (270.0, 271.0, 299.0)]
    log = saved(tmp_path, *(record(1000 * n, one) for n, one in enumerate(heights)))
    assert main(["flight", "report", str(log), str(tmp_path / "page.html")]) == 0
    assert "Climbed at 28.0 m/s" in (tmp_path / "page.html").read_text("utf-8")


def test_its_rules_are_told_by_its_values(told: list[str]) -> None:
    book = RuleBook()
    rule = next(rule for rule in book.rules if rule.id == "height.ceiling")
    assert book.is_shipped(rule.id), "the user's changes can be taken back"
    vehicle = live_vehicle(recording=climbing())
    (note,) = FlightWatch(vehicle).step([rule], vehicle.recording.last_s)
    assert note.text == "Climbed 230 m"
    assert told == []


def test_its_missions_are_known_read_and_written(told: list[str], tmp_path: Path) -> None:
    path = tmp_path / "field.waypoints.csv"
    write_mission(path, square())
    assert is_mission(path)
    places = [(round(w.latitude_deg, 6), w.height_m) for w in square().waypoints]
    read = read_mission(path)
    assert [(round(w.latitude_deg, 6), w.height_m) for w in read.waypoints] == places
    with pytest.raises(MissionFileError, match="it has no waypoints"):
        write_mission(path, mission())


def test_the_command_line_converts_its_missions(plugins_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, plugins_folder / EXAMPLE.name)
    write_mission(tmp_path / "a.mission", square())
    files = [str(tmp_path / name) for name in ("a.mission", "b.waypoints.csv", "c.mission")]
    assert main(["mission", "convert", *files[:2]]) == 0
    assert main(["mission", "convert", *files[1:]]) == 0
    assert len(json.loads(Path(files[2]).read_text("utf-8"))["waypoints"]) == 4


def test_what_fails_is_said_with_a_remedy_and_nothing_else_fails(
    failing: list[str], tmp_path: Path
) -> None:
    with pytest.raises(ExportError, match=r"of the plugin Sad failed .*Correct or uninstall"):
        FORMATS["sad"].export(short_flight(), tmp_path, ExportRequest())
    findings = find_everything(short_flight())
    assert {"arming", "sad"} <= {one.finding.code for one in findings}
    (sad,) = (one for one in findings if one.finding.code == "sad")
    assert "ZeroDivisionError: no luck" in sad.finding.text
    assert "Correct or uninstall" in sad.finding.remedy
    path = tmp_path / "a.sad"
    path.write_bytes(b"?")
    with pytest.raises(MissionFileError, match=r"ModuleNotFoundError.*Correct or uninstall"):
        read_mission(path)
    with pytest.raises(MissionFileError, match=r"no luck.*Correct or uninstall"):
        write_mission(path, square())
    assert FORMATS["csv"].title == "CSV tables"
    assert failing == ["'csv' in the exports of the plugin Sad is taken; rename it there."]


def test_a_value_that_fails_is_unknown_and_told_once(failing: list[str]) -> None:
    rule = next(rule for rule in RuleBook().rules if rule.id == "sad.low")
    vehicle = live_vehicle()
    watch = FlightWatch(vehicle)
    for t in (1.0, 2.0, 3.0):
        assert watch.step([rule], t) == []
        assert "no luck" in watch.readings(rule).problem
    assert len([text for text in failing if "no luck" in text]) == 1


def test_doctor_names_what_fails(failing: list[str], tmp_path: Path) -> None:
    texts = [
        finding.text
        for finding in examine(Folders.under(tmp_path / "home"))
        if finding.code == "Plugins" and finding.level is Level.WARNING
    ]
    assert any("lapwing_test_sad:nothing of the plugin Sad failed (Attr" in text for text in texts)
    assert any("lapwing_test_gone:read of the plugin Sad failed" in text for text in texts)
    assert any("'csv' in the exports of the plugin Sad is taken" in text for text in texts)


@pytest.mark.parametrize(
    "entry",
    [
        "exports=('heights',)",
        "findings=(Finder((), 'a:b'),)",
        "warnings=(WarningRule('a', 'A', 'armed', 'above', 'A', than='x'),)",
        "mission_formats=(LogFormat('.a', 'A', 'a:b'),)",
    ],
)
def test_a_manifest_that_makes_no_sense_leaves_the_plugin_out(
    plugins_folder: Path, entry: str
) -> None:
    text = f"from plugins.api import *\nPLUGIN = Plugin('odd', 'Odd', 'Is odd.', {entry})"
    (plugins_folder / "lapwing_test_odd.py").write_text(text)
    (failure,) = find_plugins(plugins_folder).failures
    assert failure.name == "lapwing_test_odd"
