"""Where an aircraft is on lines, circles and ways to a point."""

import math

import pytest

from simulation.autopilot.path_geometry import Path, Vector, progress_on

LINE = Path("FollowVector", (0.0, 0.0, -10.0), (40.0, 0.0, -10.0))
RIGHT = Path("CircleRight", (10.0, 0.0, -10.0), (0.0, 0.0, -10.0))
LEFT = Path("CircleLeft", (10.0, 0.0, -10.0), (0.0, 0.0, -10.0))


@pytest.mark.parametrize(
    ("here", "fraction", "error_m", "left_m"),
    [
        ((0.0, 0.0, -10.0), 0.0, 0.0, 40.0),
        ((10.0, 3.0, -10.0), 0.25, 3.0, 30.0),
        ((40.0, 3.0, -14.0), 1.0, 5.0, 0.0),
        ((50.0, 0.0, -10.0), 1.25, 0.0, -10.0),
    ],
)
def test_on_a_line(here: Vector, fraction: float, error_m: float, left_m: float) -> None:
    progress = progress_on(LINE, here, 0.0)
    assert (progress.fraction, progress.error_m, progress.left_m) == (fraction, error_m, left_m)
    assert progress.direction == (1.0, 0.0, 0.0)


def test_the_correction_leads_back_to_the_line() -> None:
    assert progress_on(LINE, (10.0, 3.0, -12.0), 0.0).correction == (0.0, -3.0, 2.0)


@pytest.mark.parametrize(
    ("path", "here", "fraction", "direction"),
    [
        (RIGHT, (0.0, 10.0, -10.0), 0.25, (-1.0, 0.0)),
        (RIGHT, (-10.0, 0.0, -10.0), 0.5, (0.0, -1.0)),
        (LEFT, (0.0, -10.0, -10.0), 0.25, (-1.0, 0.0)),
        (LEFT, (0.0, 10.0, -10.0), 0.75, (1.0, 0.0)),
    ],
)
def test_round_a_circle(
    path: Path, here: Vector, fraction: float, direction: tuple[float, float]
) -> None:
    progress = progress_on(path, here, 0.0)
    assert progress.fraction == pytest.approx(fraction)
    assert progress.direction[:2] == pytest.approx(direction, abs=1e-9)


def test_inside_a_circle_the_correction_leads_out() -> None:
    progress = progress_on(RIGHT, (0.0, 6.0, -9.0), 0.0)
    assert progress.error_m == pytest.approx(4.0)
    assert progress.correction == pytest.approx((0.0, 4.0, -1.0))


def test_a_line_without_length_is_a_way_to_its_end() -> None:
    point = Path("FollowVector", (3.0, 4.0, 0.0), (3.0, 4.0, 0.0))
    progress = progress_on(point, (0.0, 0.0, 0.0), 10.0)
    assert progress.left_m == 5.0
    assert progress.fraction == 0.5
    assert math.isfinite(progress.error_m)
