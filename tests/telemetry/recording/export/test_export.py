"""Exports, read back by other programs' readers, against sums done by hand.

Latitude by hand: 10 m north are 10 / 6378137 rad = 8.9832e-5 degrees (WGS 84, equator's radius).
"""

import json
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.testing import assert_allclose

from plugins.testing import add
from telemetry.base.finding import Level
from telemetry.base.safe_files import whole_file
from telemetry.recording.events import Event
from telemetry.recording.export.flown_path import flown_path
from telemetry.recording.export.formats import FORMATS
from telemetry.recording.export.geographic import export_geojson, export_gpx, export_kml
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.export.tables import export_csv, export_mat
from telemetry.recording.export.trajectory import export_euroc, export_tum
from telemetry.recording.export.web_map import export_web_map
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.recording.wall_time import began_at
from tests.telemetry.recording.logs.books import CATALOGUE

HALF = math.sqrt(0.5)
TEN_METRES_DEG = math.degrees(10.0 / 6_378_137.0)


@pytest.fixture(scope="module")
def flown() -> Recording:
    """Ten seconds from 48.9466 N, 9.43 E, 270 m: 10 m/s to the north, climbing by 1 m/s, turning
    from north at 0 s to east (yaw 90 degrees) at 1 s; the receiver says noon at 1.2 s.
    """
    recording = Recording(source="field.opl")
    place = {"Latitude": 489_466_000, "Longitude": 94_300_000}
    add(recording, 0.0, "HomeLocation", Set="True", Altitude=270.0, **place)
    for second in range(11):
        t = float(second)
        add(recording, t, "PositionState", North=10.0 * t, East=0.0, Down=-t)
        add(recording, t, "VelocityState", North=10.0, East=0.0, Down=-1.0)
        q = (1.0, 0.0) if second == 0 else (HALF, HALF)
        add(recording, t, "AttitudeState", q1=q[0], q4=q[1], Yaw=0.0 if second == 0 else 90.0)
        add(recording, t, "GyroState", x=90.0)
        add(recording, t, "AccelState", z=-9.81)
        if second == 1:
            noon = {"Year": 2026, "Month": 11, "Day": 22, "Hour": 12, "Minute": 0, "Second": 0}
            add(recording, 1.2, "GPSTime", **noon)
        if second == 5:
            add(recording, 5.5, "FlightStatus", Armed="Armed")
        if second == 0:
            add(recording, 0.1, "FlightStatus", Armed="Disarmed")
    return recording


def test_gpx_says_where_how_high_and_when(flown: Recording, tmp_path: Path) -> None:
    import gpxpy

    (path,) = export_gpx(flown, tmp_path)
    assert path.name == "field.gpx"
    (track,) = gpxpy.parse(path.read_text()).tracks
    points = track.segments[0].points
    assert len(points) == 11
    assert points[1].latitude == pytest.approx(48.9466 + TEN_METRES_DEG, abs=2e-7)
    assert points[1].elevation == pytest.approx(271.0)
    assert points[10].time.isoformat() == "2026-11-22T12:00:08.800000+00:00"


def test_gpx_across_the_date_line_has_longitudes_that_gpx_knows(tmp_path: Path) -> None:
    """Its schema (GPX 1.1, longitudeType) goes from -180 to 180."""
    import gpxpy

    recording = Recording(source="a.opl")
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=0, Longitude=1_799_999_000)
    for t in (1.0, 2.0):
        add(recording, t, "PositionState", East=20.0 * t)
    (path,) = export_gpx(recording, tmp_path)
    (first, last) = gpxpy.parse(path.read_text()).tracks[0].segments[0].points
    assert first.longitude == pytest.approx(-180.0 + 2.0 * TEN_METRES_DEG - 1e-4, abs=2e-7)
    assert last.longitude == pytest.approx(-180.0 + 4.0 * TEN_METRES_DEG - 1e-4, abs=2e-7)


def test_the_flight_of_2014_stays_at_the_altitude_that_its_receiver_tells(
    shared_logs: Path, tmp_path: Path
) -> None:
    """Its home lies 127.8 m above the ellipsoid, its receiver told 159 m above sea level and that
    the geoid is 33.5 m below the ellipsoid there."""
    recording = read_log(shared_logs / "openpilot-14.06-quad-2014-07-17.opl", CATALOGUE).recording
    path = flown_path(recording, ExportRequest())
    assert path.is_above_sea
    told_s, told_m = recording.series("GPSPositionSensor.Altitude")
    apart_m = np.interp(told_s, path.times, path.altitudes_m) - told_m
    assert abs(np.median(apart_m)) < 5.0


@pytest.mark.parametrize("home_m", [270.0, 318.0])
def test_home_may_be_kept_above_the_sea_or_the_ellipsoid(home_m: float) -> None:
    recording = Recording(source="a.opl")
    place = {"Latitude": 489_466_000, "Longitude": 94_300_000}
    add(recording, 0.0, "HomeLocation", Set="True", Altitude=home_m, **place)
    fix = {"Status": "Fix3D", "Altitude": 271.0, "GeoidSeparation": 48.0, **place}
    add(recording, 0.5, "GPSPositionSensor", **fix)
    for t in (1.0, 2.0):
        add(recording, t, "PositionState", North=t, Down=-5.0)
    altitudes_m = flown_path(recording, ExportRequest()).altitudes_m
    assert altitudes_m.tolist() == pytest.approx([271.0, 275.0, 275.0])


def test_without_the_calendar_there_are_no_times(tmp_path: Path) -> None:
    import gpxpy

    recording = Recording(source="a.opl")
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=1, Longitude=1)
    for t in (1.0, 2.0):
        add(recording, t, "PositionState", North=t)
    add(recording, 2.0, "GPSTime", Year=1980, Month=1, Day=6)
    assert began_at(recording) is None
    (path,) = export_gpx(recording, tmp_path)
    (track,) = gpxpy.parse(path.read_text()).tracks
    assert track.segments[0].points[0].time is None
    (path,) = export_kml(recording, tmp_path)
    assert "Track>" not in path.read_text()


def test_kml_holds_a_line_and_a_track_that_plays(flown: Recording, tmp_path: Path) -> None:
    (path,) = export_kml(flown, tmp_path)
    root = ElementTree.fromstring(path.read_text())
    space = "{http://www.opengis.net/kml/2.2}"
    line = root.find(f".//{space}LineString")
    assert line is not None
    assert line.findtext(f"{space}altitudeMode") == "absolute"
    coordinates = (line.findtext(f"{space}coordinates") or "").split()
    assert coordinates[0] == "9.43,48.9466,270.0"
    whens = [element.text for element in root.iter(f"{space}when")]
    assert whens[0] == "2026-11-22T11:59:58.800Z"
    assert len(whens) == len(coordinates) == 11


def test_geojson_holds_times_and_events(flown: Recording, tmp_path: Path) -> None:
    (path,) = export_geojson(flown, tmp_path, ExportRequest(start_s=2.0, end_s=8.0))
    line, event = json.loads(path.read_text())["features"]
    assert line["properties"]["times_s"] == [2, 3, 4, 5, 6, 7, 8]
    assert line["geometry"]["coordinates"][0][2] == 272.0
    assert event["properties"]["kind"] == "arming"
    assert event["geometry"]["type"] == "Point"


def test_a_silence_makes_two_lines(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=1, Longitude=1)
    for t in (1.0, 2.0, 60.0, 61.0):
        add(recording, t, "PositionState", North=t)
    (path,) = export_geojson(recording, tmp_path)
    features = json.loads(path.read_text())["features"]
    lines = [one for one in features if one["geometry"]["type"] == "LineString"]
    assert [line["properties"]["times_s"] for line in lines] == [[1, 2], [60, 61]]


@pytest.mark.slow
def test_the_web_map_fetches_nothing(flown: Recording, tmp_path: Path) -> None:
    (path,) = export_web_map(flown, tmp_path)
    page = path.read_text()
    assert not re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=", page)
    lines = re.findall(r"L\.polyline\(.*?\)\.addTo", page, re.DOTALL)
    assert lines
    assert all('"opacity": 1.0' in line for line in lines), "null is invisible on a canvas"
    assert "Leaflet 1.9" in page, "Leaflet itself stands in the page"
    assert "Armed" in page


def test_names_in_a_web_map_are_text(tmp_path: Path) -> None:
    """Options come from definition files, which may come from anywhere."""
    recording = Recording(source="<b>x</b>.opl")
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=1, Longitude=1)
    for t in (1.0, 2.0, 3.0):
        add(recording, t, "PositionState", North=t)
    recording.add_event(Event(2.0, "marker", Level.INFO, "<script>alert(1)</script>"))
    (path,) = export_web_map(recording, tmp_path)
    assert "<script>alert" not in path.read_text()
    assert "alert(1)" in path.read_text()


@pytest.mark.slow
def test_tum_turns_body_into_world(flown: Recording, tmp_path: Path) -> None:
    """By hand: yaw 90 degrees is (0, 0, sin 45, cos 45) as x, y, z, w; half-way 22.5 degrees."""
    (path,) = export_tum(flown, tmp_path, ExportRequest(rate_hz=2.0))
    table = np.loadtxt(path)
    assert len(table) == 21
    assert_allclose(table[1], [0.5, 5, 0, -0.5, 0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8)])
    assert_allclose(table[2], [1, 10, 0, -1, 0, 0, HALF, HALF], atol=1e-8)


def test_a_simulated_flight_has_its_truth_beside_the_estimate(tmp_path: Path) -> None:
    recording = Recording(source="sim.opl")
    for t in (0.0, 0.5, 1.0):
        add(recording, t, "PositionState", North=1.0)
        add(recording, t, "AttitudeState", q1=1.0)
        add(
            recording,
            t,
            "GroundTruth",
            **{"PositionNED.0": 2.0, "RPY.0": 90.0},
        )
    estimate, truth = export_tum(recording, tmp_path)
    assert np.loadtxt(estimate)[0, 1] == 1.0
    assert_allclose(np.loadtxt(truth)[0], [0, 2, 0, 0, HALF, 0, 0, HALF], atol=1e-8)


def test_euroc_has_rates_in_radians(flown: Recording, tmp_path: Path) -> None:
    state, imu = export_euroc(flown, tmp_path)
    assert imu == tmp_path / "mav0" / "imu0" / "data.csv"
    rows = np.loadtxt(imu, delimiter=",", skiprows=1)
    assert_allclose(rows[1], [1e9, math.pi / 2, 0, 0, 0, 0, -9.81], rtol=1e-6)
    rows = np.loadtxt(state, delimiter=",", skiprows=1)
    assert_allclose(rows[1, :11], [1e9, 10, 0, -1, HALF, 0, 0, HALF, 10, 0, -1], rtol=1e-6)


def test_across_a_gap_there_are_no_poses(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    for t in (0.0, 0.5, 5.0, 5.5):
        add(recording, t, "PositionState")
        add(recording, t, "AttitudeState", q1=1.0)
    (path,) = export_tum(recording, tmp_path, ExportRequest(rate_hz=4.0))
    assert np.loadtxt(path)[:, 0].tolist() == [0, 0.25, 0.5, 5.0, 5.25, 5.5]


def test_at_a_rate_every_value_is_the_one_that_held(flown: Recording, tmp_path: Path) -> None:
    request = ExportRequest(("FlightStatus", "PositionState"), 5.0, 6.0, 4.0)
    (path,) = export_csv(flown, tmp_path, request)
    head, *rows = [line.split(",") for line in path.read_text().splitlines()]
    assert head[0] == "time_s"
    column = {name: [row[head.index(name)] for row in rows] for name in head}
    assert column["time_s"] == [f"{t:.6f}" for t in (5.0, 5.25, 5.5, 5.75, 6.0)]
    assert column["FlightStatus.Armed"] == ["Disarmed"] * 2 + ["Armed"] * 3
    assert column["PositionState.North"] == ["50.0"] * 4 + ["60.0"]


def test_what_is_not_known_yet_is_empty(flown: Recording, tmp_path: Path) -> None:
    (path,) = export_csv(flown, tmp_path, ExportRequest(("GPSTime",), 0.0, 2.0, 1.0))
    assert [line.split(",")[1] for line in path.read_text().splitlines()[1:]] == ["", "", "2026"]


def test_matlab_gets_structs_with_units_and_options(flown: Recording, tmp_path: Path) -> None:
    from scipy.io import loadmat

    (path,) = export_mat(flown, tmp_path)
    found = loadmat(path, squeeze_me=True, struct_as_record=False)
    assert found["PositionState"].North.tolist() == [10.0 * t for t in range(11)]
    assert found["PositionState"].North_unit == "m"
    assert "Armed" in found["FlightStatus"].Armed_options
    (path,) = export_mat(flown, tmp_path, ExportRequest(("GPSTime",), 0.0, 2.0, 1.0))
    held = loadmat(path, squeeze_me=True, struct_as_record=False)["GPSTime"]
    assert np.isnan(held.Year[:2]).all()
    assert held.Year[2] == 2026


@pytest.mark.parametrize("name", ["kml", "gpx", "geojson", "html", "tum", "euroc"])
def test_a_log_that_knows_no_place_is_refused_with_a_remedy(name: str, tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    add(recording, 0.0, "BaroSensor", Altitude=3.0)
    with pytest.raises(ExportError, match=r"Export it as csv"):
        FORMATS[name].export(recording, tmp_path, ExportRequest())
    assert list(tmp_path.iterdir()) == []


def test_a_rate_beyond_sense_is_refused(flown: Recording, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="cannot be meant"):
        export_csv(flown, tmp_path, ExportRequest(rate_hz=1e9))


def test_what_was_begun_is_removed_when_it_cannot_end(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("the old one")

    def write_half() -> None:
        with whole_file(path) as fresh:
            fresh.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


def test_at_the_rate_of_the_log_no_place_is_lost(tmp_path: Path) -> None:
    """A little late and a little early, as telemetry is."""
    recording = Recording(source="a.opl")
    add(recording, 0.0, "HomeLocation", Set="True", Latitude=1, Longitude=1)
    for step in range(50):
        add(recording, 1.0 + step / 10 + 0.01 * (step % 3), "PositionState", North=float(step))
    (path,) = export_geojson(recording, tmp_path, ExportRequest(rate_hz=10.0))
    (line,) = json.loads(path.read_text())["features"]
    assert len(line["properties"]["times_s"]) == 50
