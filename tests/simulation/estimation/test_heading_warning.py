"""What the Kalman filter says of its heading."""

import math

import numpy as np
import pytest

from simulation.estimation.ekf_compass import show_heading
from simulation.estimation.ekf_state import TURN
from simulation.records.interface import MAG_WARNING


@pytest.mark.parametrize(("sigma_deg", "warned"), [(0.0, 0), (9.9, 0), (10.1, 1), (60.0, 1)])
def test_a_heading_known_to_more_than_ten_degrees_is_unsure(sigma_deg: float, warned: int) -> None:
    p = np.zeros((TURN + 3, TURN + 3))
    p[TURN, TURN] = p[TURN + 1, TURN + 1] = 9.0  # of roll and pitch nothing is said here
    p[TURN + 2, TURN + 2] = math.radians(sigma_deg) ** 2
    output = {"mag_alarm": 0, "estimate_warning": 1 - warned}
    show_heading({"sensors": {"mag_period_s": 0.01}}, {"p": p, "mag_refused": 0}, output)
    assert output == {"mag_alarm": 0, "estimate_warning": warned}


@pytest.mark.parametrize(
    ("refused", "before", "alarm"),
    [(50, 0, 0), (51, 0, MAG_WARNING), (51, MAG_WARNING + 1, MAG_WARNING + 1)],
)
def test_a_field_refused_for_longer_than_a_second_is_told(
    refused: int, before: int, alarm: int
) -> None:
    """Every second sample is looked at, of one every 10 ms; a worse alarm stays."""
    output = {"mag_alarm": before, "estimate_warning": 0}
    known = {"p": np.zeros((TURN + 3, TURN + 3)), "mag_refused": refused}
    show_heading({"sensors": {"mag_period_s": 0.01}}, known, output)
    assert output["mag_alarm"] == alarm
