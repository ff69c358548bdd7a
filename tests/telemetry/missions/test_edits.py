"""Edits of missions: destinations follow the waypoints they name."""

from dataclasses import replace

import pytest

from telemetry.missions.edits import (
    deleted,
    inserted,
    offset,
    reordered,
    reversed_order,
    shifted,
)
from telemetry.missions.mission import LegAction, Mission, jump_target, place_of
from tests.telemetry.missions.made import HOME, mission, waypoint


def _named(*names: str, **jumps: tuple[int, int]) -> Mission:
    """Waypoints by name; `jumps` are their jump and error destinations."""
    points = []
    for i, name in enumerate(names):
        jump, error = jumps.get(name, (0, -1))
        action = LegAction(jump_destination=jump, error_destination=error)
        points.append(replace(waypoint(10.0 * i, 0.0), name=name, action=action))
    return mission(*points)


def _names(edited: Mission) -> str:
    return "".join(w.name for w in edited.waypoints)


def _target(edited: Mission, name: str) -> str:
    index = _names(edited).index(name)
    action = edited.waypoints[index].action
    return edited.waypoints[jump_target(action, index, len(edited.waypoints))].name


def test_inserting_moves_destinations_along() -> None:
    before = _named("a", "b", "c", "d", b=(3, 2), c=(0, 0))
    after = inserted(before, 2, _named("x").waypoints)
    assert _names(after) == "abxcd"
    assert _target(after, "b") == "d"
    assert _target(after, "c") == "a"
    assert after.waypoints[1].action.error_destination == 3
    assert before == _named("a", "b", "c", "d", b=(3, 2), c=(0, 0)), "edits change nothing"


def test_deleting_a_destination_takes_its_successor() -> None:
    after = deleted(_named("a", "b", "c", "d", a=(2, 3), d=(2, -1)), {2})
    assert _names(after) == "abd"
    assert _target(after, "a") == "d"
    assert after.waypoints[0].action.error_destination == 2
    assert _target(deleted(_named("a", "b", b=(1, -1)), {0}), "b") == "b"
    assert deleted(_named("a"), {0}).waypoints == ()


def test_moving_and_reversing() -> None:
    before = _named("a", "b", "c", "d", a=(3, -1), c=(0, 1))
    assert _names(shifted(before, 0, 2)) == "bcad"
    for after in (shifted(before, 0, 2), reversed_order(before)):
        assert _target(after, "a") == "d"
        assert _target(after, "c") == "a"
    assert reversed_order(reversed_order(before)) == before
    with pytest.raises(ValueError, match="names each of them once"):
        reordered(before, (0, 0, 1, 2))


def test_a_relative_jump_still_leads_to_the_same_waypoint() -> None:
    before = _named("a", "b", "c", "d", a=(-2, -1), b=(-1, -1))
    assert _target(before, "a") == "c"
    after = inserted(before, 1, _named("x").waypoints)
    assert _target(after, "a") == "c"
    assert _target(after, "b") == "c", "-1 is the next, whatever that is"
    assert _target(deleted(before, {2}), "b") == "d"


def test_circles_turn_round_when_reversed() -> None:
    before = mission(waypoint(0.0, 0.0), waypoint(30.0, 0.0, mode="CircleLeft"))
    assert reversed_order(before).waypoints[0].action.mode == "CircleRight"


def test_offset_leaves_locked_ones() -> None:
    before = _named("a", "b")
    locked = before.with_waypoint(1, replace(before.waypoints[1], is_locked=True))
    after = offset(locked, 5.0, -7.0, 2.0)
    assert place_of(after.waypoints[0], HOME) == pytest.approx((5.0, -7.0), abs=0.01)
    assert after.waypoints[0].height_m == 32.0
    assert after.waypoints[1] == locked.waypoints[1]
