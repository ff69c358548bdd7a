"""Missions in files. What the peers write: flightDataModel::writeToFile in LibrePilot's
ground/gcs/src/plugins/opmap/flightdatamodel.cpp, and modeluavoproxy.cpp for the jumps."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import read_mission, write_mission
from telemetry.missions.geofences import Fence, FenceAction, FenceKind
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.missions.mission import HeightReference, LegAction, Mission
from telemetry.missions.waypoint_options import COMMANDS, END_CONDITIONS, MODES
from tests.telemetry.missions.made import HOME, mission, square, waypoint

_CIRCLE = Fence(((48.9, 9.4),), FenceKind.STAY_OUTSIDE, 25.0, highest_m=60.0, name="tower")
_AREA = Fence(((48.9, 9.4), (48.91, 9.4), (48.91, 9.41)), action=FenceAction.RETURN)


def _full() -> Mission:
    """Every mode, end condition and command, and what else a file keeps."""
    points = []
    for i, mode in enumerate(MODES):
        condition = END_CONDITIONS[i % len(END_CONDITIONS)]
        action = LegAction(
            mode.name,
            (1.5, -2.25, 0.125 * i, 4.0),
            condition.name,
            (0.5, 1.0, 0.0, float(i)),
            COMMANDS[i % len(COMMANDS)].name,
            i - 2,
            i - 1,
        )
        made = waypoint(10.0 * i, -5.0 * i, 20.0 + i, 3.5)
        points.append(replace(made, action=action, name=f'"Ö" & <{i}>', is_locked=i == 3))
    points[4] = replace(points[4], height_m=320.0, height_reference=HeightReference.SEA)
    return mission(*points)


@pytest.mark.parametrize("suffix", [".mission", ".json"])
def test_our_files_keep_everything(tmp_path: Path, suffix: str) -> None:
    made = replace(_full(), fences=(_CIRCLE, _AREA), name="Round the field")
    path = tmp_path / f"plan{suffix}"
    write_mission(path, made)
    assert read_mission(path) == made
    assert '"format": "lapwing-mission"' in path.read_text(encoding="utf-8")


def test_the_peers_files_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    write_mission(path, _full())
    back = read_mission(path, HOME)
    for made, read in zip(_full().waypoints, back.waypoints, strict=True):
        assert read.action == made.action
        assert (read.name, read.is_locked) == (made.name, made.is_locked)
        assert read.height_reference is made.height_reference
        assert read.height_m == pytest.approx(made.height_m)
        assert read.latitude_deg == pytest.approx(made.latitude_deg, abs=1e-12)


def _peer(**fields: str) -> str:
    """A waypoint as writeToFile writes it."""
    values = {
        "description": "first",
        "latitude": "48.9460000000000000",
        "longitude": "9.4300000000000000",
        "distance_to_home": "0.0000000000000000",
        "bearing_from_home": "0.0000000000000000",
        "altitude_above_home": "15.0000000000000000",
        "is_relative_to_home": "1",
        "altitude": "285",
        "velocity": "3.5",
        "mode": "1",
        **{f"mode_param{i}": "0" for i in range(4)},
        "condition": "3",
        "condition_param0": "0.05",
        **{f"condition_param{i}": "0" for i in range(1, 4)},
        "command": "2",
        "jumpdestination": "3",
        "errordestination": "0",
        "is_locked": "0",
        **fields,
    }
    lines = "\n".join(f'  <field value="{v}" name="{k}"/>' for k, v in values.items())
    return f' <waypoint number="0">\n{lines}\n </waypoint>'


def _peers(tmp_path: Path, *waypoints: str) -> Path:
    path = tmp_path / "peer.xml"
    body = "\n".join(waypoints)
    path.write_text(f"<!DOCTYPE PathPlan>\n<waypoints>\n{body}\n</waypoints>\n", "latin-1")
    return path


def test_a_peers_plan_means_what_it_meant_there(tmp_path: Path) -> None:
    read = read_mission(_peers(tmp_path, _peer(), _peer(is_relative_to_home="0"))).waypoints
    action = read[0].action
    assert (action.mode, action.end_condition) == ("FollowVector", "LegRemaining")
    assert action.command == "OnConditionJumpWaypoint"
    assert action.condition_parameters[0] == 0.05
    assert (action.jump_destination, action.error_destination) == (2, -1), "it counts from 1"
    assert (read[0].height_m, read[0].velocity_mps, read[0].name) == (15.0, 3.5, "first")
    assert (read[1].height_m, read[1].height_reference) == (285.0, HeightReference.SEA)


def test_a_peers_plan_is_latin_1_without_saying_so(tmp_path: Path) -> None:
    path = _peers(tmp_path, _peer(description="Döner"))
    assert b"D\xf6ner" in path.read_bytes()
    assert read_mission(path).waypoints[0].name == "Döner"


def test_a_peers_plan_without_coordinates_needs_home(tmp_path: Path) -> None:
    nowhere = {"latitude": "0", "longitude": "0"}
    path = _peers(tmp_path, _peer(**nowhere, distance_to_home="100", bearing_from_home="90"))
    with pytest.raises(MissionFileError, match=r"peer.xml, line 5: .* give home"):
        read_mission(path)
    place = read_mission(path, HOME).waypoints[0]
    expected = to_latitude_longitude(HOME, 0.0, 100.0)
    assert (place.latitude_deg, place.longitude_deg) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mode": "11"}, "line 13: there is no mode 11; give 0 to 10"),
        ({"velocity": "fast"}, "line 12: 'fast' is no number for velocity"),
        ({"command": "1.5"}, "'1.5' is no whole number"),
        ({"latitude": "148"}, "line 5: .*no place on Earth"),
    ],
)
def test_what_is_wrong_in_a_peers_plan_is_said(
    tmp_path: Path, fields: dict[str, str], message: str
) -> None:
    with pytest.raises(MissionFileError, match=message):
        read_mission(_peers(tmp_path, _peer(**fields)))


def test_other_xml_and_other_json_is_refused(tmp_path: Path) -> None:
    for name, text, message in (
        ("a.xml", "<uavobjects/>", "line 1: this is no plan"),
        ("a.xml", "<waypoints><waypoint>", "line 1: .*breaks here"),
        ("a.mission", "{}", "this is no mission"),
        ("a.mission", '{"format": "lapwing-mission",\n"version": 1,', "line 2"),
        ("a.mission", '{"format": "lapwing-mission", "version": 2}', "update"),
        ("a.txt", "", "must end with one of"),
        ("a.kml", "<gpx/>", "no KML file"),
    ):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        with pytest.raises(MissionFileError, match=message):
            read_mission(path)
    with pytest.raises(MissionFileError, match="cannot be read"):
        read_mission(tmp_path / "missing.mission")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("height_m", '"high"', "waypoint 2: 'height_m' is 'high'"),
        ("latitude_deg", "91", "waypoint 2: 'latitude_deg' is 91"),
        ("height_reference", '"moon"', "choose one of: home, sea, ground"),
        ("action", '{"mode": "Hover"}', "waypoint 2: action: 'mode' is 'Hover'"),
        ("action", '{"mode_parameters": [1]}', "four numbers"),
    ],
)
def test_what_is_wrong_in_ours_is_said(tmp_path: Path, key: str, value: str, message: str) -> None:
    good = '"latitude_deg": 1, "longitude_deg": 2, "height_m": 3'
    text = f'{{"format": "lapwing-mission", "version": 1, "waypoints": [{{{good}}}, {{{good}, "{key}": {value}}}]}}'  # noqa: E501
    path = tmp_path / "bad.mission"
    path.write_text(text, "utf-8")
    with pytest.raises(MissionFileError, match=message):
        read_mission(path)


KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Field</name>
<Placemark><name>way</name><LineString><altitudeMode>absolute</altitudeMode>
<coordinates>9.43,48.946,300 9.431,48.947,310
</coordinates></LineString></Placemark>
<Placemark><name>point</name><Point><coordinates>9.432,48.948</coordinates></Point></Placemark>
<Placemark><name>area</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
9.42,48.94 9.44,48.94 9.44,48.95 9.42,48.94</coordinates></LinearRing></outerBoundaryIs></Polygon>
</Placemark></Document></kml>"""


def test_kml(tmp_path: Path) -> None:
    path = tmp_path / "field.kml"
    path.write_text(KML, "utf-8")
    read = read_mission(path)
    assert read.name == "Field"
    assert [(w.latitude_deg, w.longitude_deg) for w in read.waypoints] == [
        (48.946, 9.43), (48.947, 9.431), (48.948, 9.432)
    ]  # fmt: skip
    assert [w.height_reference.value for w in read.waypoints] == ["sea", "sea", "home"]
    assert read.waypoints[0].height_m == 300.0
    assert read.waypoints[-1].action.end_condition == "None", "it stays at the end"
    assert read.fences[0].corners == ((48.94, 9.42), (48.94, 9.44), (48.95, 9.44))
    write_mission(tmp_path / "out.kml", read)
    again = read_mission(tmp_path / "out.kml")
    assert again.fences == read.fences
    path.write_text(KML.replace("9.431,48.947", "9.431;48.947"), "utf-8")
    with pytest.raises(MissionFileError, match="line 4: "):
        read_mission(path)


def test_gpx(tmp_path: Path) -> None:
    path = tmp_path / "field.gpx"
    route = '<rte><rtept lat="48.946" lon="9.43"><ele>301.5</ele><name>A</name></rtept></rte>'
    others = '<wpt lat="1" lon="2"/><trk><trkseg><trkpt lat="3" lon="4"/></trkseg></trk>'
    for body, expected in ((others + route, 48.946), (others, 1.0), (others[22:], 3.0)):
        path.write_text(f'<gpx xmlns="http://www.topografix.com/GPX/1/1">{body}</gpx>', "utf-8")
        assert read_mission(path).waypoints[0].latitude_deg == expected
    path.write_text(f"<gpx>{route}</gpx>", "utf-8")
    first = read_mission(path).waypoints[0]
    assert (first.height_m, first.name) == (301.5, "A")
    path.write_text('<gpx>\n<wpt lat="91" lon="2"/></gpx>', "utf-8")
    with pytest.raises(MissionFileError, match=r"line 2: .*exchanged"):
        read_mission(path)
    path.write_text("<gpx/>", "utf-8")
    with pytest.raises(MissionFileError, match="no points"):
        read_mission(path)


def test_square_survives_every_format(tmp_path: Path) -> None:
    for suffix in (".mission", ".xml", ".kml"):
        path = tmp_path / f"square{suffix}"
        write_mission(path, square())
        heights = [w.height_m for w in read_mission(path, HOME).waypoints][:4]
        assert heights == pytest.approx([30.0] * 4)
    assert math.isinf(_AREA.highest_m)


def test_what_cannot_be_written_is_said_with_the_file(tmp_path: Path) -> None:
    made = mission(waypoint(0.0, 0.0))
    unknown = tmp_path / "a.txt"
    with pytest.raises(MissionFileError) as refused:
        write_mission(unknown, made)
    words = str(refused.value)
    assert words.startswith(f"{unknown}: it cannot be written; its name must end with")
    assert ".waypoints" in words
    (tmp_path / "a.waypoints").mkdir()
    with pytest.raises(MissionFileError, match=r"a.waypoints: it cannot be written \("):
        write_mission(tmp_path / "a.waypoints", made)
