"""Hostile names in every format that is written, each read by its own reader: none acts.

A format that has no reader here fails the first test.
"""

import csv
import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from plugins.testing import add, short_flight
from telemetry.configuration.settings.files import WRITERS, read_settings, write_settings
from telemetry.missions.files.formats import MISSION_FORMATS, write_mission
from telemetry.missions.mission import Mission
from telemetry.recording.export import web_map
from telemetry.recording.export.formats import FORMATS
from telemetry.recording.export.request import ExportRequest
from telemetry.recording.recording import RecordedColumns, Recording
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.report import write_report
from tests.hostile_texts import ACTED, CHROMIUM, HOSTILE, PageText, formulas, shown_by_browser
from tests.telemetry.configuration.settings.documents import one
from tests.telemetry.missions.made import square
from tests.telemetry.recording.logs.books import CATALOGUE

Texts = list[str]


def _csv(path: Path) -> Texts:
    with path.open(newline="", encoding="utf-8") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not formulas(cells)
    return [cell.removeprefix("'") for cell in cells]


def _parquet(path: Path) -> Texts:
    import pyarrow.parquet

    columns = pyarrow.parquet.read_table(path).to_pydict().values()
    return [str(value) for column in columns for value in column]


def _matlab(path: Path) -> Texts:
    from scipy.io import loadmat

    status = loadmat(path, simplify_cells=True).get("FlightStatus", {})
    return [str(option) for option in status.get("FlightMode_options", ())]


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
    "opl": lambda path: [],  # bytes as they were received
}
WITH_OPTIONS = ("csv", "parquet", "mat")
WITH_EVENTS = ("geojson",)
MISSION_READERS: dict[str, Callable[[Path], Texts]] = {
    ".mission": _json, ".json": _json, ".xml": _xml, ".kml": _xml,
}  # fmt: skip
SETTINGS_READERS: dict[str, Callable[[Path], Texts]] = {".uav": _xml, ".toml": _toml}


NAME = f"{HOSTILE[6].replace('/', '')} `${{{HOSTILE[0]}}}"
"""That of a log, as attackers would have it."""
OPTIONS = tuple(text for text in HOSTILE if "\u202e" not in text)
"""Of an object: its id is a hash of them in Latin 1."""


_OPENS_TIPS = """<script>
for (const name in window) if (name.startsWith("circle_marker")) {
    window[name].options.permanent = true;
    if (window[name].getTooltip()) window[name].openTooltip();
}
</script></html>"""


@pytest.fixture(scope="module")
def flown(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return _flight(tmp_path_factory.mktemp("log"), OPTIONS)


def _flight(folder: Path, options: tuple[str, ...]) -> Recording:
    """A short flight in whose own definition the flight modes are hostile, each flown once."""
    recording = Recording(source=str(folder / f"{NAME}.opl"))
    shipped = CATALOGUE.find("FlightStatus")
    fields = tuple(
        replace(f, options=options, option_values=tuple(range(len(options))), defaults=())
        if f.name == "FlightMode" else f
        for f in shipped.fields
    )  # fmt: skip
    status = replace(shipped, fields=fields)
    rows = np.zeros(len(options), status.dtype)
    rows["FlightMode"] = np.arange(len(options))
    times = np.linspace(1.0, 19.0, len(options))
    flown = (track for track in short_flight().tracks() if track.definition.name != shipped.name)
    recording.extend_all(
        RecordedColumns(track.definition, track.instance, track.times.copy(), track.rows.copy())
        for track in flown
    )
    recording.extend_all([RecordedColumns(status, 0, times, rows)])
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
    assert set(MISSION_READERS) == written
    assert set(SETTINGS_READERS) == set(WRITERS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EXPORT_READERS if name != "opl"])
def test_an_export_says_hostile_names_and_does_nothing_by_them(
    flown: Recording, tmp_path: Path, name: str
) -> None:
    texts = _exported(flown, name, tmp_path)
    if name in (*WITH_OPTIONS, *WITH_EVENTS):
        assert {text.removeprefix("'") for text in OPTIONS[1:]} <= {
            text.removeprefix("'") for text in texts
        }


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
        write_report(page, flown, FlightContent(notes="\n".join(HOSTILE)))
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


@pytest.mark.parametrize("suffix", MISSION_READERS)
def test_a_mission_says_hostile_names(tmp_path: Path, suffix: str) -> None:
    square_ = square()
    points = square_.waypoints * 6
    named = (replace(point, name=text) for point, text in zip(points, HOSTILE, strict=False))
    path = tmp_path / f"plan{suffix}"
    write_mission(path, Mission(tuple(named), square_.home, (), HOSTILE[0]))
    texts = set(MISSION_READERS[suffix](path))
    assert {text for text in HOSTILE if text.isprintable()} <= texts


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
