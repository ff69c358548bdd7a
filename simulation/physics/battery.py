"""Lithium battery: open-circuit voltage by charge, inner resistance, one slow RC pair.

Its voltage drives the motors, so thrust sags with it. Below the cut-off the speed controllers
protect the cells and leave half the duty until the next reset: the aircraft comes down.
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared, side_by_side
from simulation.mathematics.rotation import whole_within
from simulation.physics.propulsion import (
    circuit_current,
    limited_voltage,
    passed_voltage,
    supply_current,
)
from simulation.records.flight import MOTION, MOTOR_DC, MOTOR_LAG_SPEED, OCV_POINTS, ROTOR
from simulation.records.interface import STEP_S

_LIMITED_DUTY = 0.5
_DUTY, _CURRENT = range(2)
"""Rows of STATE.rotor_parts: 0..1, and what its speed controller takes, A."""


@njit_part
def open_circuit_voltage(p: Any, charge: float) -> float:
    """Voltage of one cell without load at charge 0..1."""
    position = max(min(charge, 1.0), 0.0) * (OCV_POINTS - 1)
    i = whole_within(position, OCV_POINTS - 2)
    table = p["cell_ocv"]
    return float(table[i] + (position - i) * (table[i + 1] - table[i]))


@njit_part
def speed_ahead(s: Any, scratch: Any, rotor: int) -> float:
    """A rotor's speed in the middle of the next step, if it goes on as in the last one."""
    speeds, turning = s["motion"][ROTOR:MOTION], scratch["slope"][3, ROTOR:MOTION]
    return float(speeds[rotor] + 0.5 * STEP_S * turning[rotor])


@njit_part
def follow_current(p: Any, s: Any, source: float, taken: tuple[float, float, float]) -> float:
    """Set the bus voltage that goes with a current out of `source` V behind the cells' resistance,
    and the motors' voltages with it; return the current after that.

    `taken` is the current at the bus voltage of before, the sum of the squares of the duties, by
    which that of DC motors rises with the bus, and 1 / V of before: Newton's method, exact without
    alpha_m.
    """
    current, squares, per_bus = taken
    bus, resistance = s["bus_voltage"], p["cells"] * p["cell_resistance"]
    change, rise = max(source - resistance * current, 0.0) - bus, 0.0
    if p["motor_model"] == MOTOR_DC:
        rise = (
            squares * p["beta_m"] * change / (p["resistance"] + resistance * squares * p["beta_m"])
        )
        change -= resistance * rise
    s["bus_voltage"] = bus + change
    if p["motor_model"] != MOTOR_LAG_SPEED:
        share = 1.0 + change * per_bus
        for i in side_by_side(p["rotor_count"]):
            s["voltage"][i] *= share
    return float(current + rise)


@njit_part
def _supply_motors(p: Any, s: Any, scratch: Any, per_bus: float) -> None:
    """Set the voltages of the motors, and what their controllers take."""
    if p["motor_model"] != MOTOR_DC or p["alpha_m"] != 0.0:
        _supply_others(p, s, scratch, per_bus)
        return
    part, bus = s["rotor_parts"], s["bus_voltage"]
    for i in side_by_side(p["rotor_count"]):
        speed = speed_ahead(s, scratch, i)
        voltage = limited_voltage(p, part[_DUTY, i], bus, speed)
        s["voltage"][i] = voltage
        part[_CURRENT, i] = voltage * per_bus * circuit_current(p, voltage, speed, False)


@njit_shared
def _supply_others(p: Any, s: Any, scratch: Any, per_bus: float) -> None:
    """The same of all kinds."""
    part = s["rotor_parts"]
    for i in range(p["rotor_count"]):
        speed = speed_ahead(s, scratch, i)
        s["voltage"][i] = passed_voltage(p, part[_DUTY, i], s["bus_voltage"], speed)
        part[_CURRENT, i] = supply_current(p, s, (i, speed), per_bus)


@njit_part
def apply_battery(p: Any, w: Any, s: Any, room: Any) -> None:
    """Draw the motors' and the avionics' current for one step and set the motors' voltages, as in
    its middle; `room` is OUTPUT and scratch."""
    o, scratch = room
    bus = s["bus_voltage"]
    per_bus = 1.0 / max(bus, 1.0)
    current, squares = p["avionics_power"] * per_bus, 0.0
    if s["motors_run"] != 0:
        current += p["motors_power"] * per_bus
    most, part = _LIMITED_DUTY if s["power_limited"] != 0 else 1.0, s["rotor_parts"]
    is_broken = o["crashed"] != 0
    for i in side_by_side(p["rotor_count"]):
        duty = min(s["duty"][i], most)
        part[_DUTY, i] = 0.0 if w["rotor_lost"][i] != 0 or is_broken else duty
    _supply_motors(p, s, scratch, per_bus)
    for i in range(p["rotor_count"]):
        current += part[_CURRENT, i]
        squares += part[_DUTY, i] * part[_DUTY, i]
    ocv = open_circuit_voltage(p, 1.0 - s["charge_used"] / p["capacity_as"])
    source = p["cells"] * ocv - s["rc_voltage"]
    current = follow_current(p, s, source, (current, squares, per_bus))
    s["charge_used"] += current * STEP_S
    drop = p["cells"] * p["cell_rc_resistance"] * current - s["rc_voltage"]
    s["rc_voltage"] += drop * STEP_S / p["cell_rc_tau"]
    if s["bus_voltage"] < p["cells"] * p["cell_cutoff"]:
        s["power_limited"] = 1
    s["battery_current"] = current
