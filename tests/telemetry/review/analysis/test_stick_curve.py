"""What sticks ask for, and gains over thrust: against figures worked out by hand."""

import numpy as np
import pytest

from telemetry.review.analysis.stick_curve import scaled_gain_percent, stick_response


@pytest.mark.parametrize(
    ("stick", "expo", "asked"),
    [
        (1.0, 0.0, 220.0),
        (0.5, 0.0, 110.0),
        (0.5, 100.0, 220.0 / 16),  # the fourth power
        (0.5, 50.0, 220.0 / 4),  # the square
        (-0.5, 50.0, -220.0 / 4),
        (0.0625, -100.0, 110.0),  # the fourth root
        (0.0, 30.0, 0.0),
    ],
)
def test_expo_is_a_power_of_four(stick: float, expo: float, asked: float) -> None:
    assert stick_response(np.array([stick]), 220.0, expo)[0] == pytest.approx(asked)


def test_the_limit_holds_on_both_sides() -> None:
    asked = stick_response(np.array([-1.0, 0.5, 1.0]), 400.0, 0.0, 300.0)
    assert asked.tolist() == [-300.0, 200.0, 300.0]


def test_gains_over_thrust_go_in_straight_lines() -> None:
    curve = np.array([30.0, 15.0, 0.0, -15.0, -30.0])
    found = scaled_gain_percent(curve, np.array([-0.1, 0.0, 0.125, 0.5, 1.0, 1.2]))
    assert found.tolist() == pytest.approx([30.0, 30.0, 22.5, 0.0, -30.0, -30.0])
