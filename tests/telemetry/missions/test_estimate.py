"""Time, distance and battery of a mission. GoToEndpoint's speed: path_endpoint of LibrePilot's
flight/libraries/paths.c and ControlPositionWithPath of flight/modules/PathFollower."""

import math
from dataclasses import replace
from typing import Any

import pytest

from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.estimate import BatteryUse, battery_use, estimate
from telemetry.missions.legs import legs_of
from telemetry.missions.mission import Mission
from telemetry.missions.waypoint_options import AircraftFamily
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from tests.telemetry.missions.made import HOME, mission, square, waypoint

QUAD = MissionAircraft(
    "quad",
    AircraftFamily.MULTIROTOR,
    fastest_mps=8.0,
    climb_mps=3.0,
    position_gain=0.5,
    landing_mps=0.6,
)
LAND = {"mode": "Land", "end_condition": "None"}


def _estimate(made: Mission, battery: BatteryUse | None = None):  # type: ignore[no-untyped-def]
    return estimate(made, legs_of(made, HOME), QUAD, battery)


def test_lines_take_their_length_by_their_velocity() -> None:
    found = _estimate(square())
    assert found.legs_s[1] == pytest.approx(15.0, abs=0.01)
    assert found.legs_s[3] is None, "it stays there"
    assert found.is_endless
    assert found.distance_m == pytest.approx(math.hypot(60.0, 30.0) + 180.0, abs=0.1)


def test_a_fast_line_is_flown_as_fast_as_the_aircraft_can() -> None:
    made = mission(waypoint(0.0, 0.0, velocity=20.0), waypoint(80.0, 0.0, velocity=20.0))
    assert _estimate(made).legs_s[1] == pytest.approx(10.0, abs=0.01)


def test_a_velocity_that_changes_along_a_line() -> None:
    """Against the law of path_vector (paths.c), integrated in small steps."""
    made = mission(waypoint(0.0, 0.0, velocity=2.0), waypoint(100.0, 0.0, velocity=6.0))
    done, time = 0.0, 0.0
    while done < 100.0:
        done += (2.0 + 4.0 * done / 100.0) * 0.001
        time += 0.001
    assert _estimate(made).legs_s[1] == pytest.approx(time, abs=0.05)


@pytest.mark.parametrize("way_m", [100.0, 10.0])
def test_going_to_a_point_slows_down_as_the_follower_does(way_m: float) -> None:
    """Against the same law integrated in small steps."""
    made = mission(waypoint(0.0, 0.0), waypoint(way_m, 0.0, 30.0, 0.0, mode="GoToEndpoint"))
    left, time = way_m, 0.0
    while left > 1.0:
        left -= min(8.0, 0.5 * left) * 0.001
        time += 0.001
    assert _estimate(made).legs_s[1] == pytest.approx(time, abs=0.05)


@pytest.mark.parametrize(
    ("ending", "share"),
    [
        ({"end_condition": "LegRemaining", "condition_parameters": (0.1, 0.0, 0.0, 0.0)}, 0.4),
        ({"end_condition": "LegRemaining", "condition_parameters": (0.6, 0.0, 0.0, 0.0)}, 0.0),
        ({"end_condition": "DistanceToTarget"}, 1.0),
    ],
)
def test_a_circle_is_half_complete_where_it_begins(ending: dict[str, Any], share: float) -> None:
    """path_circle of paths.c: progress is (a_diff - a_radius + pi) / 2 pi."""
    circle = waypoint(0.0, 0.0, velocity=4.0, mode="CircleRight", **ending)
    time_s = _estimate(mission(waypoint(20.0, 0.0), circle)).legs_s[1]
    assert time_s == pytest.approx(share * 2.0 * math.pi * 20.0 / 4.0, abs=0.05)


def test_landing_and_waiting() -> None:
    hold = {"mode": "GoToEndpoint", "end_condition": "TimeOut"}
    made = mission(
        waypoint(0.0, 0.0, 30.0),
        waypoint(0.0, 0.0, 30.0, condition_parameters=(12.0, 0.0, 0.0, 0.0), **hold),
        waypoint(0.0, 0.0, 30.0, **LAND),
    )
    found = _estimate(made)
    assert found.legs_s[1] == 12.0
    assert found.legs_s[2] == pytest.approx(50.0)
    assert not found.is_endless


def test_battery_by_the_current_flown_so_far(catalogue: Catalogue) -> None:
    recording = Recording("flight")
    definition = catalogue.find("FlightBatteryState")
    for t, current, used in ((0.0, 0.2, 0.0), (10.0, 12.0, 20.0), (20.0, 14.0, 60.0)):
        row = pack_values(definition, {"Current": current, "ConsumedEnergy": used})
        recording.append(t, definition, 0, row)
    known = replace(QUAD, capacity_mah=3300.0)
    use = battery_use(recording, 30.0, known)
    assert use is not None
    assert use.current_a == pytest.approx(13.0), "at rest does not count"
    assert use.left_mah == 3240.0
    assert "13.0 A" in use.basis
    assert battery_use(recording, 30.0, QUAD) is None, "no capacity"
    assert battery_use(recording, 5.0, known) is None, "it has not flown yet"
    made = mission(waypoint(0.0, 0.0), waypoint(240.0, 0.0), waypoint(240.0, 0.0, 30.0, **LAND))
    found = estimate(made, legs_of(made, HOME), known, use)
    assert found.battery_percent == pytest.approx(13.0 * found.time_s / 3.6 / 33.0)
    assert found.left_percent == pytest.approx(3240.0 / 33.0 - found.battery_percent)
    assert _estimate(made).battery_percent is None
    assert "Nothing is known" in " ".join(_estimate(made).basis)


@pytest.mark.parametrize(
    ("mode", "seconds", "flown_m"),
    [("FollowVector", 5.0, 20.0), ("FollowVector", 99.0, 60.0), ("CircleRight", 99.0, 396.0)],
)
def test_what_time_ends_is_flown_for_so_long(mode: str, seconds: float, flown_m: float) -> None:
    """4 m/s: along a line no further than its end, round a circle on and on."""
    timed = waypoint(
        60.0, 0.0, velocity=4.0, mode=mode, end_condition="TimeOut",
        condition_parameters=(seconds, 0.0, 0.0, 0.0),
    )  # fmt: skip
    before = _estimate(mission(waypoint(0.0, 0.0))).distance_m
    found = _estimate(mission(waypoint(0.0, 0.0), timed))
    assert found.distance_m - before == pytest.approx(flown_m, abs=0.1)
