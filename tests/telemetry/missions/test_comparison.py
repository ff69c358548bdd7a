"""What differs between a plan and what is on board."""

from dataclasses import replace

import pytest

from telemetry.missions.board.comparison import mission_differences
from telemetry.missions.board.encoding import decode, encode
from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.edits import deleted, offset
from telemetry.missions.mission import HeightReference, Mission
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from tests.telemetry.missions.made import HOME, square


@pytest.fixture
def on_board(catalogue: Catalogue) -> Mission:
    """The square, as floats of a board."""
    waypoint, action, plan = map(catalogue.find, ("Waypoint", "PathAction", "PathPlan"))
    definitions = PlanDefinitions(waypoint, action, plan, DEFAULT_RELEASE)
    return decode(encode(square(), definitions, HOME), definitions, HOME)


def _texts(ours: Mission, theirs: Mission) -> dict[int, str]:
    return {d.waypoint: d.text for d in mission_differences(ours, theirs, HOME)}


def test_what_a_board_makes_of_it_is_the_same(on_board: Mission) -> None:
    assert _texts(square(), on_board) == {}
    first = square().waypoints[0]
    named = square().with_waypoint(0, replace(first, name="a", is_locked=True))
    assert _texts(named, on_board) == {}, "the board knows neither"
    at_sea = replace(first, height_m=300.0, height_reference=HeightReference.SEA)
    assert _texts(square().with_waypoint(0, at_sea), on_board) == {}


def test_what_differs_is_said_by_waypoint(on_board: Mission) -> None:
    assert _texts(offset(square(), 3.0, 4.0, indices=(1,)), on_board) == {1: "5.0 m away"}
    first = square().waypoints[0]
    action = replace(
        first.action, mode="GoToEndpoint", error_destination=2, mode_parameters=(1.0, 0.0, 0.0, 0.0)
    )
    changed = replace(first, height_m=40.0, velocity_mps=2.0, action=action)
    text = _texts(square().with_waypoint(0, changed), on_board)[0]
    assert text == (
        "height 40.0 m above home, on board 30.0 m; velocity 2 m/s, on board 4 m/s; "
        "flown by 'Go to', on board 'Follow the line'; mode parameters 1 0 0 0, on board 0 0 0 0; "
        "after an error to 3, on board to none"
    )
    assert _texts(deleted(square(), {3}), on_board) == {3: "is on board only"}
    assert _texts(square(), deleted(on_board, {3})) == {3: "is not on board"}
