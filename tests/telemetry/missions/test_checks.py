"""What is found in a mission before it is sent.

Expectations from LibrePilot *next*: checkPathPlan, the conditions and setWaypoint of
flight/modules/PathPlanner/pathplanner.c, flight/libraries/paths.c, the controllers of
flight/modules/PathFollower and PIOS_DELAY_DiffuS of flight/pios/stm32f4xx/pios_delay.c.
"""

from dataclasses import replace
from typing import Any

import pytest

from telemetry.base.finding import Level
from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.checks.check import check_mission, is_refused
from telemetry.missions.checks.situation import MissionFinding, MissionLimits, MissionSituation
from telemetry.missions.geofences import Fence, FenceKind
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import GroundHeights
from telemetry.missions.waypoint_options import AircraftFamily
from tests.telemetry.missions.made import HOME, mission, square, waypoint

QUAD = MissionAircraft(
    "quad", AircraftFamily.MULTIROTOR, fastest_mps=8.0, climb_mps=3.0, take_off_height_m=5.0
)
WING = MissionAircraft("wing", AircraftFamily.FIXED_WING, fastest_mps=20.0, slowest_mps=10.0)
ENDS: dict[str, Any] = {"mode": "GoToEndpoint", "end_condition": "None", "velocity": 0.0}


def _check(
    checked: Mission, aircraft: MissionAircraft = QUAD, **members: Any
) -> dict[str, MissionFinding]:
    situation = MissionSituation(
        checked, aircraft, members.pop("limits", MissionLimits()), **members
    )
    return {found.finding.code: found for found in check_mission(situation)}


def _codes(checked: Mission, aircraft: MissionAircraft = QUAD, **members: Any) -> set[str]:
    return set(_check(checked, aircraft, **members)) - {"mission-flat-ground"}


def test_a_good_mission_has_nothing_but_flat_ground() -> None:
    findings = _check(square())
    assert set(findings) == {"mission-flat-ground"}
    assert findings["mission-flat-ground"].finding.level is Level.INFO
    assert not is_refused(tuple(findings.values()))


def test_an_empty_mission_is_refused() -> None:
    findings = _check(Mission())
    assert set(findings) == {"mission-empty"}
    assert is_refused(tuple(findings.values()))


@pytest.mark.parametrize("member", ["jump_destination", "error_destination"])
def test_a_destination_outside_is_refused_whatever_the_command(member: str) -> None:
    made = square()
    first = made.waypoints[0]
    bad = made.with_waypoint(0, replace(first, action=replace(first.action, **{member: 4})))
    found = _check(bad)["mission-destination-outside"]
    assert found.finding.level is Level.ERROR
    assert found.waypoints == (0,)
    assert "waypoint 5" in found.finding.text
    good = made.with_waypoint(0, replace(first, action=replace(first.action, **{member: 3})))
    assert "mission-destination-outside" not in _codes(good)


def test_a_mission_wraps_around_unless_it_ends() -> None:
    endless = mission(waypoint(20.0, 0.0), waypoint(40.0, 0.0))
    assert _codes(endless) == {"mission-endless"}
    land: dict[str, Any] = {"mode": "Land", "end_condition": "None"}
    for end in (ENDS, land):
        assert _codes(mission(waypoint(20.0, 0.0), waypoint(40.0, 0.0, **end))) == set()


def test_what_stands_after_the_end_is_never_flown() -> None:
    made = mission(waypoint(20.0, 0.0), waypoint(40.0, 0.0, **ENDS), waypoint(60.0, 0.0))
    found = _check(made)["mission-never-flown"]
    assert found.waypoints == (2,)
    jump = {"end_condition": "Immediate", "command": "OnConditionJumpWaypoint"}
    past = mission(waypoint(20.0, 0.0, jump_destination=2, **jump), *made.waypoints[1:])
    assert _check(past)["mission-never-flown"].waypoints == (1,)


def test_a_loop_that_takes_no_time_is_refused() -> None:
    jump = {"end_condition": "Immediate", "command": "OnConditionJumpWaypoint"}
    spin = mission(waypoint(20.0, 0.0, end_condition="Immediate"), waypoint(40.0, 0.0, **jump))
    assert _check(spin)["mission-instant-loop"].waypoints == (0, 1)
    slow = mission(waypoint(20.0, 0.0), waypoint(40.0, 0.0, **jump))
    assert "mission-instant-loop" not in _codes(slow)


@pytest.mark.parametrize(
    ("action", "is_never"),
    [
        ({"end_condition": "TimeOut", "condition_parameters": (30.0, 0.0, 0.0, 0.0)}, True),
        ({"end_condition": "TimeOut", "condition_parameters": (20.0, 0.0, 0.0, 0.0)}, False),
        ({"mode": "GoToEndpoint", "end_condition": "LegRemaining"}, True),
        (
            {"mode": "GoToEndpoint", "condition_parameters": (0.1, 0.0, 0.0, 0.0)},
            False,
        ),
        ({"mode": "FollowVector", "end_condition": "LegRemaining"}, False),
        ({"mode": "CircleRight", "end_condition": "LegRemaining"}, True),
        ({"mode": "Velocity", "end_condition": "LegRemaining"}, True),
        (
            {
                "mode": "CircleRight",
                "end_condition": "DistanceToTarget",
                "condition_parameters": (5.0, 0.0, 0.0, 0.0),
            },
            True,
        ),
        ({"end_condition": "AboveAltitude", "condition_parameters": (31.0, 0.0, 0.0, 0.0)}, True),
        ({"end_condition": "AboveAltitude", "condition_parameters": (29.0, 0.0, 0.0, 0.0)}, False),
        ({"end_condition": "AboveSpeed", "condition_parameters": (9.0, 0.0, 0.0, 0.0)}, True),
        ({"end_condition": "AboveSpeed", "condition_parameters": (3.0, 0.0, 0.0, 0.0)}, False),
        ({"end_condition": "PointingTowardsNext"}, True),
    ],
)
def test_conditions_that_never_hold(action: dict[str, Any], is_never: bool) -> None:
    made = mission(waypoint(0.0, 0.0), waypoint(40.0, 0.0, **action), waypoint(0.0, 40.0, **ENDS))
    assert ("mission-never-ends" in _codes(made)) is is_never


def test_a_line_to_a_standstill_never_ends() -> None:
    made = mission(waypoint(20.0, 0.0, velocity=0.0), waypoint(0.0, 0.0, **ENDS))
    assert "mission-never-ends" in _codes(made)


def test_a_line_from_a_standstill_never_starts() -> None:
    """path_vector in paths.c: the velocity of the waypoint before is that of the beginning."""
    stop = {"mode": "GoToEndpoint", "end_condition": "TimeOut"}
    stop["condition_parameters"] = (5.0, 0.0, 0.0, 0.0)  # type: ignore[assignment]
    made = mission(
        waypoint(0.0, 0.0), waypoint(20.0, 0.0, velocity=0.0, **stop), waypoint(9.0, 0.0)
    )
    assert _check(made)["mission-never-starts"].waypoints == (2,)


def test_who_stays_with_a_velocity_does_not_stay() -> None:
    made = mission(waypoint(0.0, 0.0), waypoint(20.0, 0.0, **{**ENDS, "velocity": 3.0}))
    assert _check(made)["mission-restless"].waypoints == (1,)


def test_taking_off_in_a_plan() -> None:
    made = mission(waypoint(0.0, 0.0, 6.0, mode="AutoTakeoff"), *square().waypoints)
    assert {"mission-takes-off-without-thrust", "mission-ends-at-once"} <= _codes(made)
    assert "mission-takes-off-without-thrust" not in _codes(made, WING)


def test_too_far_by_the_pilot_and_by_the_board() -> None:
    made = mission(waypoint(0.0, 210.0), waypoint(0.0, 0.0, **ENDS))
    assert "mission-too-far" not in _codes(made)
    near = _check(made, limits=MissionLimits(farthest_m=200.0))["mission-too-far"]
    assert (near.finding.level, near.waypoints) == (Level.WARNING, (0, 1))
    fenced = replace(QUAD, warning_radius_m=150.0, error_radius_m=205.0)
    assert _check(made, fenced)["mission-too-far"].finding.level is Level.ERROR


def test_exchanged_coordinates_are_noticed() -> None:
    point = waypoint(20.0, 0.0, **ENDS)
    swapped = replace(point, latitude_deg=point.longitude_deg, longitude_deg=point.latitude_deg)
    assert "mission-elsewhere" in _codes(mission(swapped))


def test_another_home_is_noticed() -> None:
    far = replace(HOME, latitude_deg=HOME.latitude_deg + 0.001)
    assert "mission-other-home" in _codes(square(), home=far)
    near = replace(HOME, latitude_deg=HOME.latitude_deg + 0.0001)
    assert "mission-other-home" not in _codes(square(), home=near)


class _Hill:
    """40 m above home north of 30 m; void in the west."""

    name = "hill"

    def height_m(self, latitude_deg: float, longitude_deg: float) -> float | None:
        if longitude_deg < HOME.longitude_deg - 1e-3:
            return None
        crest = to_latitude_longitude(HOME, 30.0, 0.0)[0]
        return 310.0 if latitude_deg > crest else 270.0


def test_too_low_over_terrain_between_the_waypoints() -> None:
    over = mission(waypoint(0.0, 0.0), waypoint(29.0, 0.0), waypoint(29.0, 5.0, **ENDS))
    ground = GroundHeights((_Hill(),))
    assert _codes(over, ground=ground) == set()
    into = mission(waypoint(0.0, 0.0), waypoint(60.0, 0.0), waypoint(0.0, 5.0, **ENDS))
    found = _check(into, ground=ground)["mission-too-low"]
    assert (found.finding.level, found.waypoints) == (Level.ERROR, (1, 2))
    assert _codes(into) == set(), "on flat ground it is high enough"


def test_fences() -> None:
    corners = [(-10.0, -10.0), (-10.0, 70.0), (70.0, 70.0), (70.0, -10.0)]
    inside = Fence(tuple(to_latitude_longitude(HOME, *c) for c in corners), warning_m=5.0)
    assert _codes(replace(square(), fences=(inside,))) == set()
    wide = replace(square(side=80.0), fences=(inside,))
    assert _check(wide)["mission-fence"].waypoints == (0, 1, 2, 3)
    middle = to_latitude_longitude(HOME, 30.0, 60.0)
    circle = Fence((middle,), FenceKind.STAY_OUTSIDE, 10.0, name="the tower")
    found = _check(replace(square(), fences=(circle,)))["mission-fence"]
    assert found.waypoints == (2,)
    assert "into the tower" in found.finding.text
    mast = Fence((to_latitude_longitude(HOME, 36.0, 60.0),), FenceKind.STAY_OUTSIDE, 2.0)
    assert "mission-fence" in _codes(replace(square(), fences=(mast,))), "as narrow as a mast"
    thin = replace(mast, warning_m=0.0)
    assert "mission-fence" in _codes(replace(square(), fences=(inside, thin)))
    low = replace(circle, highest_m=5.0)
    assert "mission-fence" not in _codes(replace(square(), fences=(low,)))


def test_modes_of_the_other_family() -> None:
    for mode in ("Brake", "Velocity"):
        ending = {"end_condition": "TimeOut", "condition_parameters": (5.0, 0.0, 0.0, 0.0)}
        made = mission(waypoint(0.0, 0.0), waypoint(9.0, 0.0, 30.0, 12.0, mode=mode, **ending))
        assert "mission-mode" in _codes(made, WING)
        assert "mission-mode" not in _codes(made, QUAD)
    nobody = mission(waypoint(0.0, 0.0, mode="SetAccessory"))
    assert "mission-mode" in _codes(nobody, QUAD)


def test_speeds_and_climbs() -> None:
    assert "mission-too-fast" in _codes(mission(waypoint(0.0, 9.0, velocity=9.0)), QUAD)
    assert "mission-too-slow" in _codes(mission(waypoint(0.0, 9.0, velocity=9.0)), WING)
    steep = mission(waypoint(0.0, 0.0, 10.0), waypoint(10.0, 0.0, 60.0, velocity=5.0))
    assert "mission-too-steep" in _codes(steep)
    circle = {"mode": "CircleLeft", "end_condition": "None"}
    narrow = mission(waypoint(0.0, 0.0), waypoint(20.0, 0.0, velocity=15.0, **circle))
    assert "mission-circle-too-narrow" in _codes(narrow, WING)
    wide = mission(waypoint(0.0, 0.0), waypoint(60.0, 0.0, velocity=15.0, **circle))
    assert "mission-circle-too-narrow" not in _codes(wide, WING)


def test_what_the_board_must_have() -> None:
    blind = replace(QUAD, navigates=False, has_path_planner=False, most_waypoints=3)
    expected = {"mission-no-navigation", "mission-no-switch-position", "mission-too-many-waypoints"}
    assert _codes(square(), blind) == expected
    unknown = MissionAircraft()
    assert _codes(square(), unknown) == set(), "what nobody knows is not judged"
