"""Shooting against the kernel, whose flight it has to repeat."""

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.identification.parameters import changed
from simulation.programs.shooting import CURRENT, START, Shooting
from simulation.records.flight import ATTITUDE, RATES, VELOCITY
from simulation.records.interface import AXIS_ATTITUDE, VERTICAL_HOLD
from telemetry.protocol.objects.catalogue import load_catalogue

_STEPS = 400


def test_a_window_is_flown_as_the_kernel_flies_it() -> None:
    """Rotors begin at what a hover of 400 steps before the window gives them; the rest is the same
    physics, so after 0.4 s of a roll nothing differs by more than a thousandth of what happened."""
    simulator = factory_simulator(load_preset("ar100b"), load_catalogue())
    simulator.advance(6000)
    simulator.command["armed"] = 1
    simulator.command["axis_mode"] = AXIS_ATTITUDE
    simulator.command["vertical_mode"] = VERTICAL_HOLD
    simulator.command["down_m"] = -10.0
    simulator.advance(12_000)
    p = simulator.aircraft.parameters
    state = simulator.record["state"]
    duty, source, rows = np.zeros((800, 4)), np.zeros(800), np.zeros((800, 13))
    resistance = float(p["cells"] * p["cell_resistance"])
    for step in range(800):
        if step == 400:
            simulator.command["axis_setpoint"] = (20.0, 0.0, 0.0)
        motion = state["motion"].copy()
        rows[step, :3] = motion[VELOCITY : VELOCITY + 3]
        rows[step, 3:7] = motion[ATTITUDE : ATTITUDE + 4]
        rows[step, 7:10] = motion[RATES : RATES + 3]
        source[step] = float(state["bus_voltage"]) + resistance * float(state["battery_current"])
        simulator.advance(1)
        duty[step] = state["duty"][:4]
    start = rows[400, :10].reshape(1, START).copy()
    shot = Shooting(np.array([400]), np.array([800])).fly(
        p, ((0.0, 0.0), float(state["air_density_ratio"])), (duty, source), start
    )
    happened = np.ptp(rows[400:, :10], axis=0).max()
    assert np.abs(shot[400:, :10] - rows[400:, :10]).max() < 1e-3 * happened
    assert shot[799, CURRENT] == pytest.approx(float(state["battery_current"]), rel=0.01)
    assert not shot[:400].any()  # in no window


@pytest.mark.parametrize("late", [0, 5, 63])
def test_motors_do_what_a_pulse_says_a_dead_time_later(late: int) -> None:
    """The key dead_time_ms of an aircraft file, in steps of 1 ms."""
    aircraft = changed(load_aircraft("ar100b"), {"dead_time_ms": float(late)})
    simulator = factory_simulator(load_preset("ar100b"), load_catalogue(), aircraft=aircraft)
    simulator.command["external"] = 1
    simulator.command["outputs_supplied"] = 1
    simulator.command["outputs"] = 1000.0
    simulator.advance(100)
    simulator.command["outputs"] = 1500.0
    simulator.advance(late)
    assert not simulator.record["state"]["duty"].any()
    simulator.advance(1)
    assert simulator.record["state"]["duty"][0] == pytest.approx(0.5)
