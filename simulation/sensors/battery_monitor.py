"""Battery monitor: voltage and current through converters of few bits, and the charge it counts."""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.random_numbers import Whole
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import BATTERY, CURRENT
from simulation.sensors.error_model import draw_errors, measured


@njit_shared
def measure_power(p: Any, w: Any, s: Any, k: Whole, slot: Any) -> None:
    """Voltage in V and current in A at the battery's terminals; both never below 0."""
    draw_errors(p, s, CURRENT, k, w["sensor_noise"][BATTERY])
    slot[0] = max(measured(p, s, BATTERY, 0, s["bus_voltage"]), 0.0)
    slot[1] = max(measured(p, s, CURRENT, 0, s["battery_current"]), 0.0)


@njit_part
def show_power(p: Any, o: Any, slot: Any) -> None:
    """Deliver voltage, current and the charge counted from the currents."""
    o["battery_voltage"] = slot[0]
    o["battery_current"] = slot[1]
    o["battery_consumed_mah"] += slot[1] * p["sensor_period"][BATTERY] * STEP_S / 3.6
