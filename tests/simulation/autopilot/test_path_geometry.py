"""Progress on lines, circles and towards ends: path_progress of flight/libraries/paths.c.

The figures are worked out by hand from path_endpoint, path_vector and path_circle there.
"""

import math

import pytest

from simulation.autopilot.path_geometry import NOWHERE, Path, Vector, progress_on
from simulation.mathematics.vectors import moved

LINE = Path("FollowVector", (0.0, 0.0, -10.0), (40.0, 0.0, -10.0), 4.0, 2.0)
RIGHT = Path("CircleRight", (10.0, 0.0, -10.0), (0.0, 0.0, -10.0), 1.0, 3.0)
LEFT = Path("CircleLeft", RIGHT.start, RIGHT.end, 1.0, 3.0)
POINT = Path("GoToEndpoint", (30.0, 0.0, -10.0), (0.0, 0.0, -10.0), 5.0, 2.0)


@pytest.mark.parametrize(
    ("here", "fraction", "error", "speed"),
    [
        ((0.0, 0.0, -10.0), 0.0, 0.0, 4.0),
        ((20.0, 0.0, -10.0), 0.5, 0.0, 3.0),
        ((20.0, 3.0, -14.0), 0.5, 5.0, 3.0),
        ((60.0, 0.0, -10.0), 1.5, 0.0, 2.0),
        ((-20.0, 0.0, -10.0), -0.5, 0.0, 4.0),
    ],
)
def test_on_a_line(here: Vector, fraction: float, error: float, speed: float) -> None:
    """The velocity changes evenly between its ends and stays beyond them."""
    progress = progress_on(LINE, here)
    assert progress.fraction == pytest.approx(fraction)
    assert progress.error_m == pytest.approx(error)
    assert progress.velocity == pytest.approx((speed, 0.0, 0.0))


def test_beside_a_line_the_correction_leads_straight_back() -> None:
    assert progress_on(LINE, (10.0, 3.0, -12.0)).correction == (0.0, -3.0, 2.0)


def test_a_line_without_length_is_flown_as_its_end_and_counts_as_done() -> None:
    progress = progress_on(Path("FollowVector", NOWHERE, NOWHERE, 3.0, 3.0), (0.0, 4.0, 0.0))
    assert (progress.fraction, progress.error_m) == (1.0, 4.0)
    assert progress.velocity == pytest.approx((0.0, -3.0, 0.0))


@pytest.mark.parametrize(
    ("path", "here", "fraction", "velocity"),
    [
        (RIGHT, (10.0, 0.0, -10.0), 0.5, (0.0, 3.0, 0.0)),
        (RIGHT, (0.0, 10.0, -10.0), 0.75, (-3.0, 0.0, 0.0)),
        (RIGHT, (0.0, -10.0, -10.0), 0.25, (3.0, 0.0, 0.0)),
        (LEFT, (10.0, 0.0, -10.0), 0.5, (0.0, -3.0, 0.0)),
        (LEFT, (0.0, -10.0, -10.0), 0.75, (-3.0, 0.0, 0.0)),
        (LEFT, (0.0, 10.0, -10.0), 0.25, (3.0, 0.0, 0.0)),
    ],
)
def test_on_a_circle_it_is_half_done_at_its_start(
    path: Path, here: Vector, fraction: float, velocity: Vector
) -> None:
    """progress = (a_diff - a_radius + pi) / 2 pi: nothing on the other side, not at the start.
    EndingVelocity is flown all the way."""
    progress = progress_on(path, here)
    assert progress.fraction == pytest.approx(fraction)
    assert progress.velocity == pytest.approx(velocity)


def test_half_a_circle_from_its_start_it_is_done_and_begins_anew() -> None:
    before, after = (
        progress_on(RIGHT, (10.0 * math.cos(a), 10.0 * math.sin(a), -10.0)).fraction
        for a in (math.pi - 0.01, math.pi + 0.01)
    )
    assert before > 0.99
    assert after < 0.01


def test_outside_of_a_circle_and_below_it() -> None:
    progress = progress_on(RIGHT, (0.0, 16.0, -9.0))
    assert progress.error_m == pytest.approx(6.0)
    assert progress.correction == pytest.approx((0.0, -6.0, -1.0))


@pytest.mark.parametrize(
    ("here", "fraction"),
    [((7.5, 0.0, -10.0), 0.75), ((0.0, 0.3, -10.0), 0.99), ((90.0, 0.0, -10.0), 0.0)],
)
def test_towards_an_end_the_way_from_its_start_counts(here: Vector, fraction: float) -> None:
    assert progress_on(POINT, here).fraction == pytest.approx(fraction)


@pytest.mark.parametrize("away_m", [50.0, 0.01])
def test_an_end_to_be_passed_is_flown_to_however_near_it_is(away_m: float) -> None:
    """path_vector is EndingVelocity towards it."""
    progress = progress_on(POINT, (0.0, away_m, -10.0))
    assert progress.velocity == pytest.approx((0.0, -2.0, 0.0))
    assert progress.correction == pytest.approx((0.0, -away_m, 0.0))


def test_height_counts_for_ends_in_space_only() -> None:
    """path_progress calls path_endpoint with mode3D false for Land and what it does not know."""
    high = (0.0, 3.0, -14.0)
    assert progress_on(POINT, high).error_m == pytest.approx(5.0)
    land = Path("Land", POINT.start, POINT.end)
    assert progress_on(land, high).error_m == pytest.approx(3.0)


def test_looking_ahead() -> None:
    assert moved((1.0, 2.0, 3.0), 0.5, (2.0, 0.0, -1.0)) == (2.0, 2.0, 2.5)
