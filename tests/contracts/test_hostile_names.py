"""Hostile names in every format that is written, each read by its own reader: none acts.

A format that has no reader here fails the first test.
"""

import csv
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml

from app import cli
from plugins.testing import add, short_flight
from telemetry.base.finding import Level
from telemetry.base.folders import HOME_VARIABLE
from telemetry.configuration.settings.files import WRITERS, read_settings, write_settings
from telemetry.missions.files.formats import MISSION_FORMATS, write_mission
from telemetry.missions.geofences import Fence
from telemetry.missions.mission import Mission
from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from telemetry.recording.events import Event
from telemetry.recording.export import web_map
from telemetry.recording.export.formats import FORMATS
from telemetry.recording.export.request import ExportRequest
from telemetry.recording.recording import RecordedColumns, Recording
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.lapwing_file import read_flight, write_flight
from telemetry.review.flights.marker import Marker
from telemetry.review.flights.report import write_report
from tests.hostile_texts import ACTED, CHROMIUM, HOSTILE, PageText, formulas, shown_by_browser
from tests.telemetry.configuration.settings.documents import one
from tests.telemetry.missions.made import square
from tests.telemetry.recording.export.ros.reading import read_mcap, read_rosbag2
from tests.telemetry.recording.logs.books import CATALOGUE
from widgets.plot.export import write_csv

Texts = list[str]


def _csv(path: Path) -> Texts:
    with path.open(newline="", encoding="utf-8") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not formulas(cells)
    return [cell.removeprefix("'") for cell in cells]


def _parquet(path: Path) -> Texts:
    import pyarrow.parquet

    columns = pyarrow.parquet.read_table(path).to_pydict()
    return [*columns, *(str(value) for column in columns.values() for value in column)]


def _matlab(path: Path) -> Texts:
    from scipy.io import loadmat

    status = loadmat(path, simplify_cells=True).get("FlightStatus", {})
    units = (str(value) for name, value in status.items() if name.endswith("_unit"))
    return [*(str(option) for option in status.get("FlightMode_options", ())), *units]


def _xml(path: Path) -> Texts:
    return [
        text
        for element in ElementTree.parse(path).iter()
        for text in (element.text or "", *element.attrib.values())
    ]


def _json(path: Path) -> Texts:
    return _leaves(json.loads(path.read_text("utf-8")))


def _toml(path: Path) -> Texts:
    return _leaves(tomllib.loads(path.read_text("utf-8")))


def _leaves(value: object) -> Texts:
    if isinstance(value, dict):
        return [text for entry in value.items() for part in entry for text in _leaves(part)]
    if isinstance(value, list):
        return [text for entry in value for text in _leaves(entry)]
    return [str(value)]


def _html(path: Path) -> Texts:
    """Of a map the texts are in its script, which a browser runs."""
    page = PageText(path.read_text("utf-8"))
    assert not {"onerror", "onload"} & set(page.attributes)
    return [page.text]


def _numbers(path: Path) -> Texts:
    if path.suffix != ".yaml":
        np.loadtxt(path, delimiter="," if path.suffix == ".csv" else None)
    return []


def _bag(path: Path) -> Texts:
    """Topics and frames are ours, or made of letters, digits and single underscores."""
    if path.suffix == ".yaml":
        return _leaves(yaml.safe_load(path.read_text("utf-8")))
    topics = (read_mcap if path.suffix == ".mcap" else read_rosbag2)(path)
    assert all(re.fullmatch(r"(/[a-z][a-z0-9_]*)+", topic) for topic in topics)
    return list(topics)


EXPORT_READERS: dict[str, Callable[[Path], Texts]] = {
    "csv": _csv,
    "parquet": _parquet,
    "mat": _matlab,
    "kml": _xml,
    "gpx": _xml,
    "geojson": _json,
    "html": _html,
    "tum": _numbers,
    "euroc": _numbers,
    "mcap": _bag,
    "rosbag2": _bag,
    "opl": lambda path: [],  # bytes as they were received
}
WITH_OPTIONS = ("csv", "parquet", "mat")
WITH_ELEMENTS = {"csv": "Named.{}", "parquet": "Named.{}"}
WITH_UNITS = {"parquet": "Unit{n} [{}]", "mat": "{}"}
WITH_EVENTS = ("geojson",)
WITH_FENCES = (".mission", ".json")
MISSION_READERS: dict[str, Callable[[Path], Texts]] = {
    ".mission": _json, ".json": _json, ".xml": _xml, ".kml": _xml,
}  # fmt: skip
WITHOUT_NAMES = (".plan", ".waypoints")
"""Missions of peers, which have no place for a name."""
SETTINGS_READERS: dict[str, Callable[[Path], Texts]] = {".uav": _xml, ".toml": _toml}


NAME = f"{HOSTILE[6].replace('/', '')} `${{{HOSTILE[0]}}}"
"""That of a log, as attackers would have it."""
OPTIONS = tuple(text for text in HOSTILE if max(text) <= "\xff")
"""Of an object: its id is a hash of them in Latin 1."""
WRITTEN = tuple(text.encode("utf-8", "replace").decode() for text in HOSTILE)
"""As a file in UTF-8 has them, in which there are no halves of characters."""
UNITS = tuple(dict.fromkeys(text.strip() for text in WRITTEN))


_OPENS_TIPS = """<script>
for (const name in window) if (name.startsWith("circle_marker")) {
    window[name].options.permanent = true;
    if (window[name].getTooltip()) window[name].openTooltip();
}
</script></html>"""


MARKED = FlightContent(
    notes="\n".join(HOSTILE),
    markers=tuple(Marker(float(n), text, text) for n, text in enumerate(HOSTILE)),
)


@pytest.fixture(scope="module")
def flown(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return _flight(tmp_path_factory.mktemp("log"), OPTIONS, HOSTILE)


def _flight(folder: Path, options: tuple[str, ...], noted: tuple[str, ...] = ()) -> Recording:
    """A short flight with a definition of its own: hostile flight modes, each flown once."""
    recording = Recording(source=str(folder / f"{NAME}.opl"))
    shipped = CATALOGUE.find("FlightStatus")
    fields = tuple(
        replace(f, options=options, option_values=tuple(range(len(options))), defaults=())
        if f.name == "FlightMode" else f
        for f in shipped.fields
    )  # fmt: skip
    named = FieldDefinition("Named", FieldType.FLOAT, len(HOSTILE), element_names=HOSTILE)
    units = (
        FieldDefinition(f"Unit{n}", FieldType.FLOAT, units=text) for n, text in enumerate(UNITS)
    )
    status = replace(shipped, fields=(*fields, named, *units), description=NAME, category=NAME)
    rows = np.zeros(len(options), status.dtype)
    rows["FlightMode"] = np.arange(len(options))
    times = np.linspace(1.0, 19.0, len(options))
    flown = (track for track in short_flight().tracks() if track.definition.name != shipped.name)
    recording.extend_all(
        RecordedColumns(track.definition, track.instance, track.times.copy(), track.rows.copy())
        for track in flown
    )
    recording.extend_all([RecordedColumns(status, 0, times, rows)])
    recording.take_noted(Event(5.0, "device", Level.INFO, text) for text in noted)
    for t in (21.0, 22.0):
        add(recording, t, "AttitudeState", q1=1.0)
        add(recording, t, "PositionState", North=t)
        add(recording, t, "VelocityState", North=1.0)
        add(recording, t, "GyroState", x=1.0)
        add(recording, t, "AccelState", z=-9.81)
    return recording


def _exported(flown: Recording, name: str, folder: Path, rate_hz: float | None = None) -> Texts:
    files = FORMATS[name].export(flown, folder, ExportRequest(rate_hz=rate_hz))
    assert all(path.resolve().parent.is_relative_to(folder.resolve()) for path in files)
    assert not any(set(path.name) & set("<>'\"|*?:`$") for path in files)
    return [text for path in files for text in EXPORT_READERS[name](path)]


def test_every_format_that_is_written_has_a_reader_here() -> None:
    assert set(EXPORT_READERS) == set(FORMATS)
    written = {row.suffix for row in MISSION_FORMATS.values() if row.write is not None}
    assert set(MISSION_READERS) | set(WITHOUT_NAMES) == written
    assert set(SETTINGS_READERS) == set(WRITERS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EXPORT_READERS if name != "opl"])
def test_an_export_says_hostile_names_and_does_nothing_by_them(
    flown: Recording, tmp_path: Path, name: str
) -> None:
    texts = _exported(flown, name, tmp_path)
    said = {text.removeprefix("'") for text in texts}
    if name in (*WITH_OPTIONS, *WITH_EVENTS):
        assert {text.removeprefix("'") for text in OPTIONS[1:]} <= said
    if name in WITH_EVENTS:
        assert set(HOSTILE) <= set(texts)
    if heading := WITH_ELEMENTS.get(name):
        assert {heading.format(text) for text in WRITTEN} <= set(texts)
    if heading := WITH_UNITS.get(name):
        assert {heading.format(text, n=n) for n, text in enumerate(UNITS)} <= set(texts)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_a_table_in_step_does_nothing_either(flown: Recording, tmp_path: Path, name: str) -> None:
    assert set(_exported(flown, name, tmp_path, rate_hz=5.0)) & set(HOSTILE)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["map", "report", "negative control"])
def test_nothing_runs_in_a_browser(
    flown: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    page = tmp_path / "page.html"
    if kind == "report":
        write_report(page, flown, MARKED)
    else:
        if kind == "negative control":
            monkeypatch.setattr(web_map, "javascript_text", lambda text: text)
            flown = _flight(tmp_path, ("Stabilized1", HOSTILE[0]))
        (written,) = FORMATS["html"].export(flown, tmp_path, ExportRequest())
        page.write_text(written.read_text("utf-8").replace("</html>", _OPENS_TIPS), "utf-8")
    shown = shown_by_browser(page, tmp_path)
    assert (f"<title>{ACTED}</title>" in shown) is (kind == "negative control")
    if kind == "map":
        said = PageText(shown).text
        assert all(text in said for text in OPTIONS[1:] if text.isprintable())


@pytest.mark.parametrize("suffix", WITHOUT_NAMES)
def test_a_mission_of_a_peer_says_no_hostile_name(tmp_path: Path, suffix: str) -> None:
    named = tuple(replace(point, name=HOSTILE[0]) for point in square().waypoints)
    path = tmp_path / f"plan{suffix}"
    write_mission(path, replace(square(), waypoints=named))
    assert HOSTILE[0] not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", MISSION_READERS)
def test_a_mission_says_hostile_names(tmp_path: Path, suffix: str) -> None:
    square_ = square()
    points = square_.waypoints * 7
    named = (replace(point, name=text) for point, text in zip(points, HOSTILE, strict=False))
    path = tmp_path / f"plan{suffix}"
    fences = tuple(Fence(((48.0, 9.0),), radius_m=9.0, name=f"Fence {text}") for text in HOSTILE)
    write_mission(path, Mission(tuple(named), square_.home, fences, HOSTILE[0]))
    texts = set(MISSION_READERS[suffix](path))
    assert {text for text in HOSTILE if text.isprintable()} <= texts
    if suffix in WITH_FENCES:
        assert {HOSTILE[0], *HOSTILE, *(fence.name for fence in fences)} <= texts


def test_a_flight_keeps_what_was_written_to_it(tmp_path: Path) -> None:
    log = tmp_path / f"{NAME}.opl"
    log.touch()
    write_flight(tmp_path / "a.lapwing", log, MARKED)
    content = read_flight(tmp_path / "a.lapwing").content
    assert (content.notes, content.markers) == (MARKED.notes, MARKED.markers)


def test_a_table_of_curves_says_hostile_names(tmp_path: Path) -> None:
    times = np.arange(3.0)
    write_csv(tmp_path / "plot.csv", [(text, times, -times) for text in HOSTILE])
    with (tmp_path / "plot.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert not formulas(head)
    said = zip(head[1:], WRITTEN, strict=True)
    assert all(cell in (text, f"'{text}") for cell, text in said)
    assert {float(cell) for row in rows for cell in row} == {0.0, 1.0, 2.0, -1.0, -2.0}


FORGED = "PASSED"
FORGING = f"x\n{FORGED}\x1b[2J\r{FORGED}\u202e\u2028{FORGED}"
IN_XML = f"x&#10;{FORGED}&#13;{FORGED}&#133;{FORGED}"
DEFINITION = f"""<xml><object name="Forging" singleinstance="true" settings="true">
<field name="Way" units="{IN_XML}" type="enum"><elementnames><elementname>{IN_XML}</elementname>
<elementname>b</elementname></elementnames><options><option>{IN_XML}</option></options></field>
</object></xml>"""
SETTINGS = f"""<uavobjects><settings><object name="{IN_XML}" id="0x1"/></settings></uavobjects>"""
MISSION = f"""<waypoints><waypoint number="0"><field name="mode" value="{IN_XML}"/>
<field name="latitude" value="1"/></waypoint></waypoints>"""
COMMANDS = {
    "a file that is not there": ("log", "info", f"{FORGING}.opl"),
    "a mission's word": ("mission", "check", "forging.xml"),
    "an object of a settings file": ("settings", "diff", "forging.uav", "other.uav"),
    "a definition": ("objects", "show", "Forging"),
    "a word of the command line": ("airframe", FORGING),
    "an option that is none": ("log", "export", FORGING, "--format", FORGING),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_command_says_names_and_forges_no_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    definitions = tmp_path / "home" / "config" / "definitions"
    definitions.mkdir(parents=True)
    (definitions / "forging.xml").write_text(DEFINITION, "utf-8")
    (tmp_path / "forging.xml").write_text(MISSION, "utf-8")
    (tmp_path / "forging.uav").write_text(SETTINGS, "utf-8")
    (tmp_path / "other.uav").write_text(SETTINGS.replace(IN_XML, "Other"), "utf-8")
    cli.main(words)
    said = "".join(capsys.readouterr())
    assert FORGED in said
    assert not any(line.lstrip().startswith(FORGED) for line in said.splitlines())
    assert not set(said) & set("\x1b\r\x85\u202e\u2028")


@pytest.mark.parametrize("suffix", SETTINGS_READERS)
@pytest.mark.parametrize("text", [text for text in HOSTILE if text.isprintable()])
def test_settings_say_hostile_names(tmp_path: Path, suffix: str, text: str) -> None:
    made = one(CATALOGUE, "SystemSettings")
    hostile = replace(made, aircraft=text, note=text, purpose=text,
                      identity=replace(made.identity, firmware=text))  # fmt: skip
    path = tmp_path / f"a.settings{suffix}"
    write_settings(path, hostile)
    assert text in SETTINGS_READERS[suffix](path)
    assert read_settings(path, CATALOGUE).identity.firmware == text.strip()
