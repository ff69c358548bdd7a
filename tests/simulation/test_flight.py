"""Closed loop: the aircraft flies on its sensors, and stops flying when something is wrong."""

import hashlib
import math

import numpy as np
import pytest

from simulation.environment.wind import profile
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_RATE,
    HORIZONTAL_NONE,
    HORIZONTAL_VELOCITY,
    VERTICAL_LAND,
    VERTICAL_MANUAL,
)
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import READY_STEPS, parked, parked_with_own_filter, take_off, track

_PROFILE = profile(10.0, 0.03)
"""The wind at the height of these flights relative to that at 6.1 m."""


def _rms(values: np.ndarray, target: np.ndarray) -> float:
    return float(np.sqrt(((values - target) ** 2).sum(axis=1).mean()))


@pytest.mark.parametrize(("seed", "wind"), [(1, 0.0), (2, 6.0), (3, 8.0)])
def test_takes_off_holds_and_lands(seed: int, wind: float) -> None:
    simulator = parked(seed)
    simulator.set_wind(0.0, wind / _PROFILE)
    take_off(simulator)
    simulator.advance(10_000)
    places = track(simulator, 20.0, "true_position")
    horizontal = places[:, :2]
    assert _rms(horizontal, horizontal.mean(axis=0)) < 0.5
    assert _rms(horizontal, np.zeros(2)) < 1.5  # the estimate's error included
    assert np.abs(places[:, 2] + 10.155).max() < 1.5
    simulator.command["vertical_mode"] = VERTICAL_LAND
    simulator.command["velocity_down"] = 0.6
    sinking = 0.0
    while not simulator.output["touches_ground"]:
        sinking = float(simulator.output["true_velocity"][2])
        simulator.advance(20)
        assert simulator.time_us < 90_000_000
    assert sinking < 1.0
    simulator.advance(4000)
    assert simulator.output["landed"] == 1
    assert simulator.output["crashed"] == 0
    assert simulator.output["rotor_speed"].max() < 250.0  # idling until disarmed


def test_leans_into_the_wind_as_much_as_its_drag_asks() -> None:
    """tan(tilt) = (C V^2 + h V) / (m g) with the wind of 10 m height, by the balance along and
    across the discs: h = k_d sum(W) + T f / (W R) is what the rotors brake per m/s."""
    simulator = parked(2)
    simulator.set_wind(0.0, 8.0 / _PROFILE)
    take_off(simulator)
    simulator.advance(10_000)
    roll = track(simulator, 5.0, "attitude_deg")[:, 0].mean()
    weight, speed = 1.3 * 9.81, float(simulator.output["rotor_speed"][:4].mean())
    thrust = weight / math.cos(math.radians(roll))
    braking = 4.0 * 1.2e-5 * speed + thrust * 0.3 / (speed * 0.19)
    expected = math.degrees(math.atan((0.0337 * 8.0**2 + braking * 8.0) / weight))
    assert roll == pytest.approx(-expected, abs=0.2)


def test_a_storm_carries_it_away() -> None:
    simulator = parked(2)
    take_off(simulator)
    simulator.set_wind(0.0, 20.0)
    simulator.advance(15_000)
    assert abs(simulator.output["true_position"][1]) > 10.0


def test_flies_at_the_velocity_asked_for() -> None:
    simulator = parked()
    take_off(simulator)
    simulator.command["horizontal_mode"] = HORIZONTAL_VELOCITY
    simulator.command["velocity_east"] = 4.0
    simulator.advance(15_000)
    velocity = track(simulator, 3.0, "true_velocity").mean(axis=0)
    assert velocity == pytest.approx([0.0, 4.0, 0.0], abs=0.2)


def test_estimate_follows_truth_from_sensors_alone() -> None:
    simulator = parked(4)
    simulator.set_wind(3.0, 0.0)
    simulator.set_turbulence(5.0)
    take_off(simulator)
    errors = []
    for _ in range(500):
        simulator.advance(20)
        output = simulator.output
        errors.append(
            np.concatenate(
                [
                    output["position"] - output["true_position"],
                    output["velocity"] - output["true_velocity"],
                    [_angle_between(output["quaternion"], output["true_quaternion"])],
                ]
            )
        )
    worst = np.abs(errors).max(axis=0)
    assert worst[:2].max() < 2.0
    assert worst[2] < 2.0
    assert worst[3:6].max() < 0.4
    assert worst[6] < 4.0


def _angle_between(q: np.ndarray, p: np.ndarray) -> float:
    return float(np.degrees(2.0 * np.arccos(min(abs(float(q @ p)), 1.0))))


def test_attitude_pulse_returns_level_without_overshoot() -> None:
    simulator = parked()
    take_off(simulator, 20.0)
    command = simulator.command
    command["horizontal_mode"] = HORIZONTAL_NONE
    command["axis_mode"][:2] = AXIS_ATTITUDE
    command["axis_setpoint"][0] = 42.0
    up = track(simulator, 1.5, "attitude_deg")[:, 0]
    command["axis_setpoint"][0] = 0.0
    back = track(simulator, 2.0, "attitude_deg")[:, 0]
    assert up.max() == pytest.approx(42.0, abs=3.0)
    assert abs(back[-1]) < 2.0
    assert back.min() > -0.2 * 42.0


def test_motors_stand_still_while_disarmed() -> None:
    simulator = parked()
    simulator.command["thrust"] = 1.0
    simulator.advance(READY_STEPS)
    assert simulator.output["rotor_speed"].max() == 0.0
    assert (simulator.output["actuator_command"][:4] == 1000.0).all()
    simulator.command["armed"] = 1
    simulator.command["thrust"] = 0.0
    simulator.advance(500)
    assert 25.0 < simulator.output["rotor_speed"][:4].min() < 250.0
    simulator.settings["motors_spin_while_armed"] = 0
    simulator.advance(2)
    assert (simulator.output["actuator_command"][:4] == 1000.0).all()


def test_without_home_there_is_no_position_and_by_ins13_no_attitude() -> None:
    """filterlla.c gives no place without a home, and INS13 does not begin without one."""
    for simulator, is_level in ((parked_with_own_filter(), 1), (parked(), 0)):
        simulator.settings["home_set"] = 0
        simulator.advance(READY_STEPS)
        assert simulator.output["position_valid"] == 0
        assert simulator.output["attitude_valid"] == is_level


def _fly_manually(simulator: Simulator) -> Simulator:
    """Half a minute's worth of trust in attitude control, in four seconds."""
    simulator.advance(READY_STEPS)
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"] = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_RATE)
    command["vertical_mode"] = VERTICAL_MANUAL
    command["thrust"] = 0.72
    simulator.advance(2000)
    command["axis_setpoint"][0] = 10.0
    simulator.advance(2000)
    return simulator


def _is_steady(simulator: Simulator) -> bool:
    """Keeps its 10 degrees of roll without shaking."""
    rates = np.abs(track(simulator, 0.5, "rates", every=10)).max()
    return bool(abs(simulator.output["attitude_deg"][0] - 10.0) < 2.0 and rates < 10.0)


def test_good_settings_fly() -> None:
    simulator = _fly_manually(parked())
    assert simulator.output["crashed"] == 0
    assert _is_steady(simulator)
    assert simulator.output["true_position"][2] < -3.0


def _flip_roll(simulator: Simulator) -> None:
    simulator.settings["mixer_vector"][:, 2] *= -1.0


def _no_roll_gain(simulator: Simulator) -> None:
    simulator.settings["rate_pid"][0, :3] = 0.0


def _far_too_much_gain(simulator: Simulator) -> None:
    simulator.settings["rate_pid"][:2, 0] *= 40.0
    simulator.settings["rate_pid"][:2, 2] = 0.0


def _rotor_lost(simulator: Simulator) -> None:
    apply(simulator, "motor_1_lost", 1.0)


@pytest.mark.parametrize("spoil", [_flip_roll, _no_roll_gain, _far_too_much_gain, _rotor_lost])
def test_bad_settings_do_not_fly(spoil: object) -> None:
    """Negative controls: the same flight with one thing wrong."""
    assert callable(spoil)
    simulator = parked()
    spoil(simulator)
    output = _fly_manually(simulator).output
    assert output["crashed"] == 1 or not _is_steady(simulator)


def test_the_seed_decides_the_flight_and_reset_repeats_it() -> None:
    simulator = parked(1)
    simulator.advance(1000)
    first = hashlib.sha256(simulator.snapshot()).hexdigest()
    simulator.reset()
    simulator.advance(1000)
    assert hashlib.sha256(simulator.snapshot()).hexdigest() == first
    simulator.reset(2)
    simulator.advance(1000)
    assert hashlib.sha256(simulator.snapshot()).hexdigest() != first
    assert simulator.record["state"]["seed"] == 2
