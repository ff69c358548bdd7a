"""The extended Kalman filter begins with what it knows, and says what it does not."""

import math

import numpy as np
import pytest

from simulation.estimation.ekf_state import POSITION
from simulation.records.interface import (
    FUSION_COMPLEMENTARY,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13,
)
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from tests.simulation.estimation.circling import HEIGHT_M, Circling
from tests.simulation.flights import parked_with_own_filter, take_off

BREAKS = {"covariance": ("p", (4, 4)), "state": ("x", 4), "attitude": ("q", 1)}
HIGH_M = 30.0


def flying(seed: int = 2) -> Simulator:
    simulator = parked_with_own_filter(seed)
    take_off(simulator, HIGH_M)
    return simulator


def break_filter(simulator: Simulator, what: str) -> None:
    """Let one number be none, and wait until the filter has seen it."""
    member, index = BREAKS[what]
    simulator.filter["ekf"][member][index] = math.nan
    simulator.advance(20)
    assert simulator.output["estimate_resets"] >= 1


def away_m(simulator: Simulator) -> float:
    output = simulator.output
    return float(np.linalg.norm(output["position"] - output["true_position"]))


def too_low_m(simulator: Simulator) -> float:
    return float((simulator.output["position"] - simulator.output["true_position"])[2])


def down_deviation(simulator: Simulator) -> float:
    return math.sqrt(simulator.output["estimate_variance"][0, 2])


@pytest.mark.parametrize("what", BREAKS)
def test_begun_anew_in_flight_it_goes_on_where_it_was(what: str) -> None:
    simulator = flying()
    before = np.array(simulator.output["position"])
    believed = down_deviation(simulator)
    break_filter(simulator, what)
    assert np.linalg.norm(simulator.output["position"] - before) < 0.5
    assert simulator.output["position_valid"] == 1
    assert down_deviation(simulator) > 2.0 > believed
    simulator.advance(10_000)
    assert away_m(simulator) < 3.0
    assert simulator.output["crashed"] == 0
    assert simulator.output["estimate_resets"] <= 2


def test_without_gps_the_barometer_does_not_tell_the_height_it_began_with() -> None:
    """It stays as uncertain as it was begun, instead of believing a height of its own making."""
    simulator = flying()
    apply(simulator, "gps_lost", 1.0)
    break_filter(simulator, "covariance")
    simulator.advance(5000)
    assert abs(simulator.output["position"][2] - simulator.output["true_position"][2]) < 3.0
    assert down_deviation(simulator) > 2.0


def test_to_begin_at_home_would_show() -> None:
    """Negative control: what it did once."""
    simulator = flying()
    simulator.filter["ekf"]["p"][4, 4] = math.nan
    simulator.advance(2)
    simulator.filter["ekf"]["kept"][POSITION : POSITION + 3] = 0.0
    simulator.advance(18)
    assert simulator.output["estimate_resets"] >= 1
    assert away_m(simulator) > 0.8 * HIGH_M


@pytest.mark.slow
def test_woken_in_motion_it_takes_the_height_of_gps() -> None:
    circling = Circling(parked_with_own_filter())
    while circling.simulator.output["attitude_valid"] == 0:
        circling.run(0.1)
    circling.run(0.02)
    error = abs(circling.simulator.output["position"][2] + HEIGHT_M)
    assert error < 5.0
    assert down_deviation(circling.simulator) > 0.5


@pytest.mark.parametrize("first", [FUSION_INS13, FUSION_COMPLEMENTARY_MAG_GPS])
def test_another_algorithm_on_a_hill_does_not_start_at_home(first: int) -> None:
    simulator = parked_with_own_filter(2)
    simulator.settings["fusion_algorithm"] = first
    take_off(simulator, HIGH_M)
    simulator.world["bench_held"] = 1  # where it is
    simulator.command["armed"] = 0
    simulator.advance(2000)
    estimated = -simulator.output["position"][2]
    assert estimated == pytest.approx(HIGH_M, abs=3.0)
    simulator.settings["fusion_algorithm"] = FUSION_INS13 + FUSION_COMPLEMENTARY_MAG_GPS - first
    simulator.advance(3000)
    assert simulator.output["attitude_valid"] == 1
    assert -simulator.output["position"][2] == pytest.approx(estimated, abs=3.0)


def test_another_algorithm_before_take_off_leaves_the_climb_as_it_is() -> None:
    """As a board does that was set up and saved: GPS may be metres off, the height is not anew."""
    simulator = parked_with_own_filter(1)
    simulator.settings["fusion_algorithm"] = FUSION_COMPLEMENTARY
    simulator.advance(11_000)
    simulator.settings["fusion_algorithm"] = FUSION_INS13
    simulator.advance(2_000)
    errors_m = [too_low_m(simulator)]
    take_off(simulator, 3.0)
    for _ in range(12):
        errors_m.append(too_low_m(simulator))
        simulator.advance(1_000)
    assert np.ptp(errors_m) < 1.0  # 4.0 if the height by the other filter is taken for a guess
