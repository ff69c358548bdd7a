"""Steps of a mission: kept, undone, encoded for a board, compared, and read back from it.

That an ending is two waypoints on board, and what these do there, is read in pathplanner.c and
vtollandfsm.cpp of LibrePilot *next*.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.board.comparison import mission_differences
from telemetry.missions.board.encoding import PlanImage, decode, encode
from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.checks.check import check_mission, is_refused
from telemetry.missions.checks.situation import MissionLimits, MissionSituation
from telemetry.missions.draft import MissionDraft
from telemetry.missions.edits import deleted, inserted, reversed_order
from telemetry.missions.estimate import estimate
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import read_mission, write_mission
from telemetry.missions.flown_plan import flown_plan, waypoint_words
from telemetry.missions.legs import legs_of
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import NEW_MISSION, Mission
from telemetry.missions.steps import EndingStep, LandStep, ReturnStep, TakeOffStep
from telemetry.missions.waypoint_options import AircraftFamily
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from tests.telemetry.missions.made import HOME, mission, square, waypoint

ENDINGS = (None, ReturnStep(25.0), ReturnStep(45.0), LandStep())


def planned(ending: EndingStep | None, **members: object) -> Mission:
    points = (waypoint(40.0, 0.0), waypoint(40.0, 40.0, 35.0))
    return mission(*points, ending=ending, take_off=TakeOffStep(8.0), **members)


@pytest.fixture(scope="module")
def definitions(catalogue: Catalogue) -> PlanDefinitions:
    names = ("Waypoint", "PathAction", "PathPlan")
    return PlanDefinitions(*(catalogue.find(n, DEFAULT_RELEASE) for n in names), DEFAULT_RELEASE)


def found_codes(made: Mission, **aircraft: object) -> set[str]:
    known = MissionAircraft(**{"family": AircraftFamily.MULTIROTOR, **aircraft})  # type: ignore[arg-type]
    return {f.finding.code for f in check_mission(MissionSituation(made, known, MissionLimits()))}


def test_a_new_plan_takes_off_and_returns() -> None:
    draft = MissionDraft()
    assert draft.mission == NEW_MISSION
    assert draft.mission.take_off == TakeOffStep()
    assert isinstance(draft.mission.ending, ReturnStep)
    assert not draft.is_unsaved
    draft.edit("Land", replace(draft.mission, ending=LandStep()))
    assert draft.is_unsaved
    assert draft.undo() == "Land"
    assert draft.mission == NEW_MISSION
    draft.redo()
    assert draft.mission.ending == LandStep()


@pytest.mark.parametrize("ending", ENDINGS)
def test_steps_are_kept_in_our_file(tmp_path: Path, ending: EndingStep | None) -> None:
    path = tmp_path / "a.mission"
    write_mission(path, planned(ending))
    assert read_mission(path) == planned(ending)


def test_a_file_from_before_opens_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.mission"
    write_mission(path, square())
    value = json.loads(path.read_bytes())
    del value["take_off"], value["ending"]
    path.write_text(json.dumps(value), "utf-8")
    assert read_mission(path) == square()
    value["ending"] = {"kind": "fall"}
    path.write_text(json.dumps(value), "utf-8")
    with pytest.raises(MissionFileError, match="ending: 'kind' is 'fall'"):
        read_mission(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_is_read_back_from_the_board(
    definitions: PlanDefinitions, ending: EndingStep | None
) -> None:
    made = planned(ending)
    image = encode(made, definitions, HOME)
    added = {None: 0, LandStep(): 1}.get(ending, 2)
    assert len(image.waypoints) == 2 + added
    read = decode(image, definitions, HOME)
    assert type(read.ending) is type(ending)
    assert len(read.waypoints) == 2
    assert mission_differences(made, read, HOME) == ()
    assert encode(read, definitions, HOME) == image
    without = PlanImage(image.waypoints[:2], image.actions)
    assert bool(mission_differences(made, decode(without, definitions, HOME), HOME)) == bool(added)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_board_that_cannot_land_by_a_plan_stays_there(
    catalogue: Catalogue, ending: EndingStep | None
) -> None:
    """OpenPilot's PathAction up to 15.02 has no Land (pathaction.xml)."""
    release = "OpenPilot-15.02"
    names = ("Waypoint", "PathAction", "PathPlan")
    older = PlanDefinitions(*(catalogue.find(n, release) for n in names), release)
    assert not older.lands
    made = planned(ending)
    image = encode(made, older, HOME)
    read = decode(image, older, HOME)
    assert type(read.ending) is type(ending)
    assert mission_differences(made, read, HOME) == ()
    stays = square()
    assert decode(encode(stays, older, HOME), older, HOME).ending is None, (
        "its own stay is no ending"
    )


def test_it_returns_at_least_as_high_as_it_is() -> None:
    for height_m, flown_m in ((25.0, 35.0), (45.0, 45.0)):
        back, landing = flown_plan(planned(ReturnStep(height_m))).waypoints[2:]
        assert back.height_m == flown_m
        assert (back.latitude_deg, back.longitude_deg) == (HOME.latitude_deg, HOME.longitude_deg)
        assert (landing.action.mode, landing.action.end_condition) == ("Land", "None")


def test_it_returns_to_the_home_of_the_aircraft() -> None:
    other = MissionHome(HOME.latitude_deg + 0.001, HOME.longitude_deg, HOME.altitude_m)
    back = flown_plan(planned(ReturnStep()), other).waypoints[2]
    assert back.latitude_deg == other.latitude_deg


def test_a_landing_of_ones_own_is_an_ending_too_and_a_longer_plan_is_not() -> None:
    made = planned(None)
    flown = flown_plan(replace(made, ending=LandStep()))
    assert flown_plan(flown) == flown, "it is done once"
    assert flown_plan(NEW_MISSION) is NEW_MISSION, "nothing to fly is not ended"


def test_edits_leave_the_steps() -> None:
    made = planned(ReturnStep())
    for edited in (
        deleted(made, [0]),
        inserted(made, 1, [waypoint(1.0, 1.0)]),
        reversed_order(made),
    ):
        assert (edited.take_off, edited.ending) == (made.take_off, made.ending)


def test_what_is_found_of_an_ending_is_called_by_its_name() -> None:
    low = planned(ReturnStep(25.0))
    assert [waypoint_words(low, i) for i in range(4)] == [
        "waypoint 1",
        "waypoint 2",
        "the return",
        "the landing",
    ]
    far = MissionSituation(
        planned(ReturnStep(25.0)), MissionAircraft(), MissionLimits(highest_m=34.0)
    )
    text = next(f.finding.text for f in check_mission(far) if "allowed" in f.finding.text)
    assert text.startswith("Waypoint 2 and the return")


def test_a_plan_that_stays_never_comes_to_its_ending() -> None:
    stays = square()
    assert "mission-never-flown" not in found_codes(stays)
    assert "mission-never-flown" in found_codes(replace(stays, ending=ReturnStep()))
    assert "mission-endless" in found_codes(planned(None))
    assert "mission-endless" not in found_codes(planned(LandStep()))


def test_a_take_off_is_checked() -> None:
    assert "mission-take-off-height" not in found_codes(planned(None))
    too_low = replace(planned(None), take_off=TakeOffStep(1.0))
    assert "mission-take-off-height" in found_codes(too_low)
    low = replace(planned(None), take_off=TakeOffStep(4.0))
    assert "mission-take-off-low" in found_codes(low)
    assert "mission-take-off-low" not in found_codes(planned(None))
    assert "mission-wing-take-off" in found_codes(planned(None), family=AircraftFamily.FIXED_WING)
    ground = MissionAircraft(family=AircraftFamily.GROUND)
    situation = MissionSituation(planned(None), ground, MissionLimits())
    assert is_refused(check_mission(situation))


def test_steps_take_time() -> None:
    aircraft = MissionAircraft(take_off_height_m=2.5, take_off_mps=0.5, climb_mps=3.0)
    made = planned(LandStep())
    flown = flown_plan(made)
    found = estimate(flown, legs_of(flown, HOME), aircraft)
    assert found.take_off_s is not None
    assert found.take_off_s > 2.5 / 0.5
    assert found.legs_s[2] == pytest.approx(35.0 / 0.6, abs=0.1), "sinking from the last waypoint"
    alone = estimate(replace(flown, take_off=None), legs_of(flown, HOME), aircraft)
    assert found.time_s == pytest.approx(alone.time_s + found.take_off_s)
