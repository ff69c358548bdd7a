"""What is estimated from a flight of sticks against what a real step does, on the simulator."""

import numpy as np
import numpy.typing as npt
import pytest

from simulation.records.interface import AXIS_ATTITUDE, HORIZONTAL_NONE
from simulation.simulator.simulator import Simulator
from telemetry.review.analysis.oscillation import Oscillation, find_oscillation
from telemetry.review.analysis.series import Series
from telemetry.review.analysis.step_response import StepResponse, estimate_step_response
from tests.simulation.flights import parked, take_off

Array = npt.NDArray[np.float64]
READ_S = 0.02


def _hovering(attitude_gain: float) -> Simulator:
    """In attitude mode at 20 m, with the outer loop's gain of roll and pitch times this."""
    simulator = parked()
    take_off(simulator, 20.0)
    simulator.record["settings"]["attitude_pi"][:2, :1] *= attitude_gain
    command = simulator.command
    command["horizontal_mode"] = HORIZONTAL_NONE
    command["axis_mode"][:2] = AXIS_ATTITUDE
    command["axis_setpoint"][:2] = 0.0
    return simulator


def _roll(simulator: Simulator, seconds: float, setpoints: Array | None = None) -> Array:
    """The true roll in degrees every READ_S, while the setpoint is that of half a second."""
    found = []
    for k in range(round(seconds / READ_S)):
        if setpoints is not None:
            simulator.command["axis_setpoint"][0] = setpoints[k]
        simulator.advance(round(1000 * READ_S))
        w, x, y, z = simulator.output["true_quaternion"]
        found.append(np.degrees(np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))))
    return np.array(found)


def _flown(simulator: Simulator) -> tuple[Series, Series]:
    """Desired and actual roll over 30 s of a stick that moves twice a second."""
    setpoints = np.repeat(np.random.default_rng(1).uniform(-15.0, 15.0, 60), 25)
    roll = _roll(simulator, 30.0, setpoints)
    times = READ_S * np.arange(1, len(roll) + 1)
    return Series(times - READ_S / 2.0, setpoints), Series(times, roll)


@pytest.mark.slow
@pytest.mark.parametrize("gain", [1.0, 2.0])
def test_a_flight_of_sticks_tells_what_a_step_would_do(gain: float) -> None:
    simulator = _hovering(gain)
    found = estimate_step_response(*_flown(simulator), smallest_move=3.0)
    assert isinstance(found, StepResponse), found
    assert found.is_reliable
    simulator.command["axis_setpoint"][0] = 0.0
    rest = _roll(simulator, 3.0)[-1]
    step = _roll(simulator, 2.0, np.full(100, 10.0)) - rest
    share = np.concatenate([[0.0], step / step[-25:].mean()])
    climb = share[: int(np.argmax(share >= 0.95)) + 1]
    rise = READ_S * float(np.ptp(np.interp([0.1, 0.9], climb, np.arange(len(climb)))))
    assert found.rise_s == pytest.approx(rise, rel=0.1)
    assert found.overshoot_percent == pytest.approx(100.0 * (share.max() - 1.0), abs=3.0)


@pytest.mark.slow
def test_gains_that_are_too_high_are_found_to_swing() -> None:
    good = find_oscillation(*_flown(_hovering(1.0)), smallest=0.5)
    assert isinstance(good, Oscillation)
    assert not good.is_oscillating
    wild = _hovering(8.0)
    found = find_oscillation(*_flown(wild), smallest=0.5)
    assert isinstance(found, Oscillation)
    assert found.is_oscillating
    wild.command["axis_setpoint"][0] = 0.0
    alone = _roll(wild, 10.0)[100:]
    swings = np.abs(np.diff(np.sign(alone - alone.mean()))).sum() / 4.0 / (len(alone) * READ_S)
    assert alone.std() > 0.5  # it does so with the stick at rest, too
    assert found.frequency_hz == pytest.approx(swings, rel=0.15)
