"""Lithium battery: open-circuit voltage by charge, inner resistance, one slow RC pair.

Its voltage drives the motors, so thrust sags with it. Below the cut-off the speed controllers
protect the cells and leave half the duty until the next reset: the aircraft comes down.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import whole_within
from simulation.physics.propulsion import passed_voltage, supply_current
from simulation.records.flight import OCV_POINTS, ROTOR
from simulation.records.interface import STEP_S

_LIMITED_DUTY = 0.5


@njit_part
def open_circuit_voltage(p: Any, charge: float) -> float:
    """Voltage of one cell without load at charge 0..1."""
    position = max(min(charge, 1.0), 0.0) * (OCV_POINTS - 1)
    i = whole_within(position, OCV_POINTS - 2)
    table = p["cell_ocv"]
    return float(table[i] + (position - i) * (table[i + 1] - table[i]))


@njit_part
def apply_battery(p: Any, w: Any, s: Any, o: Any) -> None:
    """Draw the motors' and the avionics' current for one step and set the motors' voltages."""
    bus = s["bus_voltage"]
    current = p["avionics_power"] / max(bus, 1.0)
    if s["motors_run"] != 0:
        current += p["motors_power"] / max(bus, 1.0)
    for i in range(p["rotor_count"]):
        duty = s["duty"][i]
        if s["power_limited"] != 0:
            duty = min(duty, _LIMITED_DUTY)
        if w["rotor_lost"][i] != 0 or o["crashed"] != 0:
            duty = 0.0
        speed = s["motion"][ROTOR + i]
        s["voltage"][i] = passed_voltage(p, duty, bus, speed)
        current += supply_current(p, s, i, speed)
    s["charge_used"] += current * STEP_S
    drop = p["cells"] * p["cell_rc_resistance"] * current - s["rc_voltage"]
    s["rc_voltage"] += drop * STEP_S / p["cell_rc_tau"]
    ocv = open_circuit_voltage(p, 1.0 - s["charge_used"] / p["capacity_as"])
    drop = s["rc_voltage"] + p["cells"] * p["cell_resistance"] * current
    s["bus_voltage"] = max(p["cells"] * ocv - drop, 0.0)
    if s["bus_voltage"] < p["cells"] * p["cell_cutoff"]:
        s["power_limited"] = 1
    s["battery_current"] = current
