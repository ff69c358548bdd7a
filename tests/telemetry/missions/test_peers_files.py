"""QGroundControl's `.plan` and Mission Planner's `.waypoints`.

The files of the corpus are written by hand after docs.qgroundcontrol.com (*Plan File Format*) and
mavlink.io/en/file_formats; numbers of commands are those of MAV_CMD.
"""

import json
from pathlib import Path

import pytest

from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import is_mission, read_carried, write_mission
from telemetry.missions.geofences import FenceKind
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import HeightReference, Mission
from telemetry.missions.steps import LandStep, ReturnStep, TakeOffStep
from tests.telemetry.missions.made import HOME, mission, square, waypoint

CORPUS = Path(__file__).parents[2] / "fuzz/corpus"
PLAN = CORPUS / "mission-plan/field.plan"
WAYPOINTS = CORPUS / "mission-waypoints/field.waypoints"


def test_a_plan_of_qgroundcontrol() -> None:
    found = read_carried(PLAN)
    read = found.mission
    assert read.home == MissionHome(48.946, 9.43, 270.0)
    assert read.take_off == TakeOffStep(15.0)
    assert isinstance(read.ending, ReturnStep)
    assert {w.velocity_mps for w in read.waypoints} == {5.0, 0.0}
    first, held, above, *lines = read.waypoints
    assert (first.latitude_deg, first.longitude_deg, first.height_m) == (48.9465, 9.431, 30.0)
    assert held.action.end_condition == "TimeOut"
    assert held.action.condition_parameters[0] == 4.0
    assert (above.height_m, above.height_reference) == (40.0, HeightReference.GROUND)
    assert [w.longitude_deg for w in lines] == [9.431, 9.432]
    polygon, circle = read.fences
    assert (polygon.kind, len(polygon.corners)) == (FenceKind.STAY_OUTSIDE, 3)
    assert (circle.kind, circle.radius_m) == (FenceKind.STAY_INSIDE, 300.0)
    told = "\n".join(found.left_out)
    assert "Item 3: triggering the camera by distance" in told
    assert "Item 4: the heading of 90 degrees" in told
    assert "of the survey its flight lines are read" in told
    assert "1 rally points" in told


def test_waypoints_of_mission_planner() -> None:
    found = read_carried(WAYPOINTS)
    read = found.mission
    assert read.home == MissionHome(48.946, 9.43, 270.0)
    assert read.take_off == TakeOffStep(12.0)
    assert isinstance(read.ending, LandStep)
    first, _, circle, place = read.waypoints
    assert first.velocity_mps == 6.0
    assert circle.action.mode == "CircleLeft"
    assert circle.height_reference is HeightReference.GROUND
    assert circle.action.jump_destination == 0
    assert circle.action.command == "OnConditionJumpWaypoint"
    assert (place.latitude_deg, place.velocity_mps) == (48.9461, 0.0)
    assert any("moving a servo" in sentence for sentence in found.left_out)


@pytest.mark.parametrize("source", [PLAN, WAYPOINTS])
def test_what_stands_in_it_counts_and_not_its_name(tmp_path: Path, source: Path) -> None:
    for name in ("a.txt", "b.json", "c.mission", "d.xml", "e"):
        path = tmp_path / name
        path.write_bytes(source.read_bytes())
        assert is_mission(path)
        assert read_carried(path) == read_carried(source)


def everything() -> Mission:
    stay = {"mode": "GoToEndpoint", "end_condition": "TimeOut"}
    return mission(
        waypoint(0.0, 0.0, 20.0, 4.0),
        waypoint(50.0, 0.0, 25.0, 4.0),
        waypoint(50.0, 0.0, 25.0, 0.0, condition_parameters=(12.0, 0.0, 0.0, 0.0), **stay),
        waypoint(50.0, 60.0, 30.0, 6.0),
        take_off=TakeOffStep(8.0),
        ending=ReturnStep(20.0),
    )


@pytest.mark.parametrize("suffix", [".plan", ".waypoints"])
def test_what_both_know_comes_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    made = everything()
    assert write_mission(path, made) == ()
    read = read_carried(path).mission
    assert (read.take_off, read.ending, read.home) == (made.take_off, made.ending, made.home)

    def gist(plan: Mission) -> list[tuple[float, ...]]:
        return [
            (round(w.latitude_deg, 7), round(w.longitude_deg, 7), w.height_m, w.velocity_mps)
            for w in plan.waypoints
        ]

    places = gist(read)
    assert set(gist(made)[:2] + gist(made)[3:]) <= set(places)
    assert any(
        w.action.end_condition == "TimeOut" and w.action.condition_parameters[0] == 12.0
        for w in read.waypoints
    )


@pytest.mark.parametrize("suffix", [".plan", ".waypoints"])
def test_what_they_do_not_know_is_named(tmp_path: Path, suffix: str) -> None:
    made = mission(waypoint(0.0, 0.0), waypoint(9.0, 0.0, mode="FixedAttitude"))
    told = write_mission(tmp_path / f"a{suffix}", made)
    assert told == ("Waypoint 2: 'Fixed attitude' has no counterpart there.",)


def test_a_plan_has_what_its_documentation_asks_for(tmp_path: Path) -> None:
    """Every key of the documented minimal file, and items of seven parameters."""
    path = tmp_path / "a.plan"
    write_mission(path, square())
    top = json.loads(path.read_bytes())
    assert {"fileType", "geoFence", "groundStation", "mission", "rallyPoints", "version"} == set(
        top
    )
    assert top["mission"]["plannedHomePosition"] == [
        HOME.latitude_deg,
        HOME.longitude_deg,
        HOME.altitude_m,
    ]
    commands = [item["command"] for item in top["mission"]["items"]]
    assert commands == [178, 16, 16, 16, 17], "a speed, three waypoints, and it stays"
    assert all(len(item["params"]) == 7 for item in top["mission"]["items"])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("QGC WPL 110\n0\t1\t0\n", "line 2: an item has 12 numbers"),
        ("QGC WPL 110\n1 0 3 16 0 0 0 0 95 9 10 1\n", "no place on Earth"),
        ("QGC WPL 110\n1 0 1 16 0 0 0 0 45 9 10 1\n", "frame 1"),
        ('{"fileType": "Plan", "mission": {"items": [{"command": 16}]}}', "seven parameters"),
        ('{"fileType": "Plan"}', "'mission' must be an object"),
    ],
)
def test_bad_files_are_refused_with_the_item(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "a.plan"
    path.write_text(content, "utf-8")
    with pytest.raises(MissionFileError, match=why):
        read_carried(path)


@pytest.mark.parametrize(
    ("mode", "seconds", "speed", "turns", "radius"),
    [
        ("CircleRight", 120.0, 5.0, 2.0, 50.0),  # 600 m are 1.9 times round
        ("CircleLeft", 20.0, 5.0, 1.0, -50.0),
        ("CircleRight", 120.0, 0.0, 1.0, 50.0),
    ],
)
def test_a_circle_is_written_as_turns(
    tmp_path: Path, mode: str, seconds: float, speed: float, turns: float, radius: float
) -> None:
    """MAV_CMD_NAV_LOITER_TURNS (18): turns, -, radius, positive clockwise."""
    circle = waypoint(
        0.0, 0.0, velocity=speed, mode=mode, end_condition="TimeOut",
        condition_parameters=(seconds, 0.0, 0.0, 0.0),
    )  # fmt: skip
    path = tmp_path / "a.waypoints"
    told = write_mission(path, mission(waypoint(50.0, 0.0), circle))
    rows = [row.split("\t") for row in path.read_text("utf-8").splitlines()[1:]]
    found = next(row for row in rows if row[3] == "18")
    assert float(found[4]) == turns
    assert float(found[6]) == pytest.approx(radius, abs=0.1)
    assert told == (f"Waypoint 2: its circle is written as {turns:g} turns.",)
