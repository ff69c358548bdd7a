"""Every stabilization mode does in the air what its settings say."""

import math
from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.kernel_settings import KernelSettings
from simulation.records.interface import (
    AXIS_ACRO,
    AXIS_ATTITUDE,
    AXIS_LOCK,
    AXIS_RATE,
    AXIS_RATE_TRAINER,
    AXIS_RATTITUDE,
    AXIS_VIRTUAL_BAR,
    HORIZONTAL_NONE,
    VERTICAL_MANUAL,
    VERTICAL_VARIO,
)
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked, parked_with_own_filter, thrown, track

ROLL = 0


@pytest.fixture
def flying() -> Simulator:
    """An aircraft in the air."""
    return airborne()


def airborne() -> Simulator:
    """Thrown into the air high up and level, armed, thrust about hovering; estimated by the filter
    that bears that its barometer jumps by 500 m."""
    simulator = parked_with_own_filter()
    simulator.advance(2000)
    thrown(simulator, 500.0)
    command = simulator.command
    command["armed"] = 1
    command["horizontal_mode"] = HORIZONTAL_NONE
    command["vertical_mode"] = VERTICAL_MANUAL
    command["thrust"] = simulator.settings["vertical_thrust"][1]
    command["axis_mode"][:] = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_RATE)
    simulator.advance(1000)
    return simulator


def roll(simulator: Simulator, mode: int, setpoint: float, seconds: float) -> Any:
    """Roll angles and rates in degrees over that time."""
    simulator.command["axis_mode"][ROLL] = mode
    simulator.command["axis_setpoint"][ROLL] = setpoint
    angles = track(simulator, seconds, "attitude_deg")[:, ROLL]
    return angles, float(simulator.output["true_rates"][ROLL])


def test_rattitude_is_attitude_about_the_middle(flying: Simulator) -> None:
    angles, _ = roll(flying, AXIS_RATTITUDE, 0.2 * flying.settings["maximum_angle"][ROLL], 2.0)
    # Part of the stick is a rate already: it leans further than attitude mode would.
    assert 7.0 < angles[-1] < 25.0
    assert abs(angles[-1] - angles[-10]) < 1.0


def test_rattitude_is_rate_at_the_end(flying: Simulator) -> None:
    angles, rate = roll(flying, AXIS_RATTITUDE, flying.settings["maximum_angle"][ROLL], 0.6)
    assert rate == pytest.approx(flying.settings["manual_rate"][ROLL], rel=0.15)
    assert angles.max() > 60.0


def test_the_rate_trainer_stops_at_the_largest_angle(flying: Simulator) -> None:
    angles, _ = roll(flying, AXIS_RATE_TRAINER, 200.0, 2.0)
    most = flying.settings["maximum_angle"][ROLL]
    assert angles.max() < most + 5.0
    assert angles[-1] == pytest.approx(most, abs=3.0)


def test_rate_without_the_trainer_goes_on(flying: Simulator) -> None:
    angles, _ = roll(flying, AXIS_RATE, 200.0, 0.6)
    assert angles.max() > flying.settings["maximum_angle"][ROLL] + 30.0


def test_no_mode_asks_for_more_than_the_maximum_rate(flying: Simulator) -> None:
    """The rate loop limits what it is asked for (innerloop.c)."""
    flying.settings["maximum_rate"][ROLL] = 50.0
    _, rate = roll(flying, AXIS_RATE, 200.0, 0.6)
    assert rate == pytest.approx(50.0, abs=5.0)


def test_acro_is_the_actuator_at_full_stick(flying: Simulator) -> None:
    flying.settings["acro_factor"][:] = 1.0
    roll(flying, AXIS_ACRO, flying.settings["manual_rate"][ROLL], 0.04)
    assert flying.output["actuator_desired"][ROLL] == 1.0


def test_acro_is_rate_at_small_stick(flying: Simulator) -> None:
    _, rate = roll(flying, AXIS_ACRO, 30.0, 1.0)
    assert rate == pytest.approx(30.0, abs=8.0)


def test_the_virtual_bar_turns_with_the_stick_and_brakes_without(flying: Simulator) -> None:
    _, turning = roll(flying, AXIS_VIRTUAL_BAR, 0.5, 0.3)
    assert turning > 20.0
    _, rate = roll(flying, AXIS_VIRTUAL_BAR, 0.0, 1.0)
    assert abs(rate) < 0.3 * turning


def test_attitude_feedforward_is_damping() -> None:
    """What is still to be turned, less the gyro times AttitudeFeedForward (outerloop.c): slower,
    whatever its name says. The low-pass is over a tenth of it, by 2.5 ms a sample."""
    angles = []
    for lead_s in (0.0, 0.1):
        flying = airborne()
        flying.settings["attitude_feedforward"][ROLL] = lead_s
        flying.settings["gyro_ahead_keep"][ROLL] = math.exp(-0.0025 / 0.01) if lead_s else 0.0
        angles.append(roll(flying, AXIS_ATTITUDE, 20.0, 0.25)[0][-1])
    assert 2.0 < angles[1] < 0.85 * angles[0]


def test_thrust_scales_the_gains_of_the_chosen_axes(flying: Simulator) -> None:
    flying.settings["thrust_scale_curve"] = [-1.0] * 5
    flying.settings["thrust_scale"][ROLL] = 1.0
    flying.settings["rate_pid"][:, 1:] = 0.0
    flying.command["axis_mode"][1] = AXIS_RATE
    flying.command["axis_setpoint"][1] = 50.0
    roll(flying, AXIS_RATE, 50.0, 0.02)
    actuator = flying.output["actuator_desired"]
    assert actuator[0] == 0.0, "all of its gain is taken away"
    assert actuator[1] > 0.05


def test_cruise_control_keeps_the_lift_in_a_bank(flying: Simulator) -> None:
    thrusts = []
    flying.settings["cruise_power_trim"] = 1.0
    roll(flying, AXIS_ATTITUDE, 35.0, 2.0)
    for cruise in (0, 1):
        flying.command["cruise"] = cruise
        flying.advance(20)
        thrusts.append(float(flying.output["actuator_desired"][3]))
    assert thrusts[1] / thrusts[0] == pytest.approx(1.0 / math.cos(math.radians(35.0)), rel=0.03)


def test_cruise_control_cuts_thrust_when_inverted(flying: Simulator) -> None:
    flying.command["cruise"] = 1
    flying.settings["cruise_power_delay"] = 0.0
    while flying.output["attitude_deg"][ROLL] < 140.0:
        roll(flying, AXIS_RATE, 200.0, 0.02)
    least = flying.settings["cruise_thrust"][0]
    assert flying.output["actuator_desired"][3] == pytest.approx(least)


def test_automatic_thrust_is_raised_in_a_bank_too(flying: Simulator) -> None:
    flying.command["vertical_mode"] = VERTICAL_VARIO
    flying.command["velocity_down"] = 0.0
    down = []
    for trim in (0.0, 0.5):
        flying.settings["cruise_power_trim"] = trim
        roll(flying, AXIS_ATTITUDE, 0.0, 4.0)
        before = float(flying.output["true_position"][2])
        roll(flying, AXIS_ATTITUDE, 35.0, 1.5)
        down.append(float(flying.output["true_position"][2]) - before)
    assert abs(down[1]) < 0.7 * abs(down[0])


def test_the_integral_goes_on_to_its_limit_while_a_motor_is_at_its(flying: Simulator) -> None:
    """pid_apply_setpoint of pid.c knows nothing of motors."""
    flying.settings["rate_pid"][ROLL] = (0.0, 0.5, 0.0, 0.4)
    flying.command["thrust"] = 1.0  # all motors are at their limit
    roll(flying, AXIS_RATE, 200.0, 0.4)
    assert flying.record["control"]["rate_integral"][ROLL] == pytest.approx(0.4)


def test_low_throttle_clears_the_integrals(flying: Simulator) -> None:
    """LowThrottleZeroIntegral, by ManualControlCommand.Throttle < 0 (innerloop.c)."""
    flying.settings["rate_pid"][ROLL] = (0.0, 0.5, 0.0, 0.4)
    flying.settings["low_throttle_zero_integral"] = 1
    held = []
    for stick in (0.0, -0.1):
        flying.command["throttle_stick"] = stick
        roll(flying, AXIS_RATE, 200.0, 0.1)
        held.append(float(flying.record["control"]["rate_integral"][ROLL]))
    assert held[0] > 0.35
    assert abs(held[1]) < 0.25, "one sample's"


def test_a_change_of_mode_clears_the_integral(flying: Simulator) -> None:
    """reinit of innerloop.c."""
    flying.settings["rate_pid"][ROLL] = (0.0, 0.05, 0.0, 1.0)
    roll(flying, AXIS_RATE, 200.0, 0.4)
    before = flying.record["control"]["rate_integral"][ROLL]
    roll(flying, AXIS_LOCK, 0.0, 0.02)
    assert abs(flying.record["control"]["rate_integral"][ROLL]) < 0.5 * abs(before)


@pytest.mark.parametrize(
    ("settings", "axis", "expected"),
    [
        ({"EnableThrustPIDScaling": 0}, 0, (0.0, 0.0, 0.0)),
        ({"EnableThrustPIDScaling": 1}, 0, (1.0, 1.0, 1.0)),
        ({"EnableThrustPIDScaling": 1}, 2, (0.0, 0.0, 0.0)),
        ({"EnableThrustPIDScaling": 1, "ThrustPIDScaleTarget": 3}, 1, (0.0, 1.0, 1.0)),
        ({"EnableThrustPIDScaling": 1, "ThrustPIDScaleAxes": 6}, 2, (1.0, 1.0, 1.0)),
    ],
)
def test_which_gains_follow_the_thrust(
    board: SimulatedBoard, settings: dict[str, int], axis: int, expected: tuple[float, ...]
) -> None:
    simulator = parked()
    kernel = KernelSettings(board, simulator.settings)
    board["StabilizationSettingsBank1"].set(**settings)
    kernel.update()
    assert simulator.settings["thrust_scale"][axis].tolist() == list(expected)
