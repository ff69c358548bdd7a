"""From where another aircraft is followed: set by the pilot, checked, kept, and flown there."""

import math
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from plugins.pilot.follow_settings import FollowSettings
from telemetry.flying.behaviours.follow import (
    MOST_OFFSET_M,
    NEAREST_M,
    Follow,
    FollowOffset,
    read_offset,
    why_not_follow,
)
from telemetry.flying.behaviours.pose import PilotPose
from telemetry.missions.guided_actions import FARTHEST_M, LOWEST_M
from telemetry.missions.local_coordinates import moved
from widgets.theme import load_theme

HOME = (48.946, 9.43)
THEME = load_theme("light")


def pose(north_m: float, east_m: float, height_m: float, yaw_deg: float = 0.0) -> PilotPose:
    return PilotPose(north_m, east_m, height_m, 0.0, 0.0, yaw_deg, HOME)


@pytest.mark.parametrize(
    ("yaw_deg", "north_m", "east_m"),
    [(0.0, -10.0, 4.0), (90.0, -4.0, -10.0), (180.0, 10.0, -4.0), (-90.0, 4.0, 10.0)],
)
def test_behind_and_right_turn_with_the_nose(yaw_deg: float, north_m: float, east_m: float) -> None:
    """Yaw is counted clockwise from north (AttitudeState), so right of a nose to the east is
    south."""
    behind = FollowOffset(turns=True, ahead_m=-10.0, right_m=4.0, up_m=3.0)
    other = pose(100.0, 50.0, 20.0, yaw_deg)
    assert behind.place_of(other) == pytest.approx((north_m, east_m, 3.0))
    fixed = replace(behind, turns=False)
    assert fixed.place_of(other) == (-10.0, 4.0, 3.0)


def test_it_flies_to_that_place_whatever_home_the_other_counts_from() -> None:
    other_home = moved(*HOME, 30.0, 0.0)
    other = replace(pose(10.0, 0.0, 8.0, 90.0), home=other_home)  # 40 m north of our home
    follow = Follow(lambda: other, FollowOffset(turns=True, ahead_m=-10.0, up_m=2.0), 4.0)
    there = follow.course(pose(40.0, -10.0, 10.0))
    assert there is not None
    assert math.hypot(there.north_mps, there.east_mps) < 0.1, "it is where it ought to be"
    assert there.height_m == 10.0
    away = follow.course(pose(40.0, -30.0, 10.0))
    assert away is not None
    assert away.east_mps > 2.0


def test_one_that_lands_is_not_followed_into_the_ground() -> None:
    low = Follow(lambda: pose(0.0, 0.0, 1.0), FollowOffset(up_m=-8.0), 4.0)
    course = low.course(pose(0.0, 0.0, 10.0))
    assert course is not None
    assert course.height_m == LOWEST_M


def test_places_that_are_too_near_too_far_or_too_low_are_refused() -> None:
    own, other = pose(0.0, 0.0, 20.0), pose(50.0, 0.0, 20.0)
    usual = FollowOffset()
    assert why_not_follow(usual, own, other) == ""
    near = FollowOffset(ahead_m=3.0, right_m=0.0, up_m=2.0)
    assert f"Stay {NEAREST_M:.0f} m away" in why_not_follow(near, own, other)
    assert FollowOffset(ahead_m=math.nan).why_not() is not None
    assert "above home" in why_not_follow(replace(usual, up_m=-19.0), own, other)
    far = pose(FARTHEST_M + 10.0, 0.0, 20.0)
    assert "Fly nearer" in why_not_follow(usual, own, far)
    for silent in ((None, other), (own, None), (replace(own, home=None), other)):
        assert "Wait for GPS" in why_not_follow(usual, *silent)


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (FollowOffset(), "10 m south of it and 3 m above"),
        (FollowOffset(turns=True, right_m=-6.0), "10 m behind and 6 m to its left and 3 m above"),
        (FollowOffset(ahead_m=0.0, right_m=8.0, up_m=-2.0), "8 m east of it and 2 m below"),
    ],
)
def test_it_is_told_in_words(offset: FollowOffset, words: str) -> None:
    assert offset.words == words


@pytest.mark.parametrize(
    "state", [None, 5, {"ahead_m": "far"}, {"up_m": 1e9}, {"right_m": math.nan}, {"turns": 2}]
)
def test_a_workspace_that_says_nonsense_gives_the_usual_place(state: object) -> None:
    assert read_offset(state) == FollowOffset()
    kept = FollowOffset(turns=True, ahead_m=-20.0, right_m=5.0, up_m=10.0)
    assert read_offset(kept.state()) == kept


def test_the_settings_say_what_is_too_near(qtbot: QtBot) -> None:
    settings = FollowSettings(FollowOffset(), THEME, None)
    qtbot.addWidget(settings)
    found: list[FollowOffset] = []
    settings.changed.connect(found.append)
    settings.frame_box.setCurrentIndex(1)
    settings.ahead_box.setValue(-2)
    assert "too near" in settings.problem.text()
    settings.right_box.setValue(6)
    settings.up_box.setValue(4)
    assert settings.problem.isHidden()
    assert found[-1] == FollowOffset(turns=True, ahead_m=-2.0, right_m=6.0, up_m=4.0)
    assert settings.ahead_box.accessibleName() == "Ahead, metres"
    assert settings.ahead_box.minimum() == -MOST_OFFSET_M
