"""The battery: charge, sag, recovery, and what an aircraft does on an empty one."""

import pytest

from simulation.physics.battery import open_circuit_voltage
from tests.simulation.flights import parked, take_off


def test_open_circuit_voltage_follows_the_table() -> None:
    parameters = parked().aircraft.parameters
    assert open_circuit_voltage(parameters, 1.0) == pytest.approx(4.20)
    assert open_circuit_voltage(parameters, 0.5) == pytest.approx(3.74)
    assert open_circuit_voltage(parameters, 0.08) == pytest.approx(3.17, abs=0.01)
    assert open_circuit_voltage(parameters, -1.0) == pytest.approx(3.0)


def test_it_sags_under_load_and_recovers() -> None:
    simulator = parked()
    simulator.advance(1000)
    idle = float(simulator.output["true_battery_voltage"])
    take_off(simulator, 5.0)
    simulator.advance(2000)
    flying = float(simulator.output["true_battery_voltage"])
    assert 4.0 < simulator.output["true_battery_current"] < 8.0
    assert flying < idle - 0.1
    simulator.command["armed"] = 0
    simulator.advance(3000)
    assert simulator.output["true_battery_voltage"] > flying + 0.05
    assert simulator.output["true_charge"] < 0.999


def test_voltage_is_that_of_the_circuit() -> None:
    """V = OCV - R0 I - V1 with V1 approaching R1 I at the time constant of the pair."""
    simulator = parked()
    state, p = simulator.record["state"], simulator.aircraft.parameters
    simulator.record["parameters"]["avionics_power"] = 200.0
    simulator.advance(int(1000 * p["cell_rc_tau"]))
    current, cells = float(state["battery_current"]), float(p["cells"])
    assert current > 15.0
    share = float(state["rc_voltage"]) / (cells * float(p["cell_rc_resistance"]) * current)
    assert share == pytest.approx(0.632, abs=0.01)
    ocv = open_circuit_voltage(p, float(simulator.output["true_charge"]))
    expected = cells * (ocv - float(p["cell_resistance"]) * current) - float(state["rc_voltage"])
    assert simulator.output["true_battery_voltage"] == pytest.approx(expected, rel=1e-4)


def test_an_empty_battery_brings_it_down() -> None:
    simulator = parked()
    take_off(simulator, 10.0)
    simulator.set_charge(0.02)
    simulator.advance(15_000)
    assert simulator.output["true_position"][2] > -1.0


@pytest.mark.parametrize(("cell_voltage", "flies"), [(3.0, False), (3.8, True)])
def test_at_3_volts_per_cell_it_does_not_hover(cell_voltage: float, flies: bool) -> None:
    """Under load that is below the cut-off (compare ArduPilot issue 20702)."""
    simulator = parked()
    take_off(simulator, 10.0)
    simulator.record["parameters"]["cell_ocv"] = cell_voltage
    simulator.advance(15_000)
    assert bool(simulator.output["true_position"][2] < -8.0) is flies


def test_thrust_sags_with_the_voltage() -> None:
    """The same full throttle turns the rotors more slowly on a lower voltage."""
    speeds = []
    for cell_voltage in (3.2, 4.2):
        simulator = parked()
        simulator.record["parameters"]["cell_ocv"] = cell_voltage
        simulator.advance(1000)
        simulator.command["external"] = 1
        simulator.output["actuator_command"] = 2000.0
        simulator.advance(600)
        speeds.append(float(simulator.output["rotor_speed"][0]))
    assert speeds[0] < 0.85 * speeds[1]


def test_charge_can_be_set() -> None:
    simulator = parked()
    simulator.set_charge(0.4)
    simulator.advance(100)
    assert simulator.output["true_charge"] == pytest.approx(0.4, abs=1e-4)
    assert simulator.output["battery_voltage"] == pytest.approx(3 * 3.66, abs=0.1)
