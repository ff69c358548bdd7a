"""State overrides: values of a station in place of the board's own states and outputs.

A station that sets a sensor object or a state object read-only for the flight side writes its
values itself (hardware in the loop, seed 004: overriding by access flags). Sensors go on sampling;
what they delivered is replaced by `simulation.sensors.sensors.replace_sensors`.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.records.interface import (
    OVERRIDE_ATTITUDE,
    OVERRIDE_POSITION,
    OVERRIDE_RATES,
    OVERRIDE_VELOCITY,
)


@njit_part
def _replace(v: Any, number: int, target: Any) -> None:
    """Lay the station's values over `target`, if it supplies them."""
    if v["replaced"][number] != 0:
        for i in range(len(target)):
            target[i] = v["value"][number, i]


@njit_part
def replace_states(v: Any, o: Any) -> None:
    """Lay the station's attitude, rates, position and velocity over the estimate in OUTPUT."""
    if v["any"] == 0:
        return
    _replace(v, OVERRIDE_RATES, o["rates"])
    _replace(v, OVERRIDE_POSITION, o["position"])
    _replace(v, OVERRIDE_VELOCITY, o["velocity"])
    _replace(v, OVERRIDE_ATTITUDE, o["quaternion"])


@njit_part
def supply_outputs(m: Any, o: Any) -> None:
    """Let the actuators do what a station wrote into ActuatorCommand, if it supplies that."""
    if m["outputs_supplied"] != 0:
        for i in range(len(m["outputs"])):
            o["actuator_command"][i] = m["outputs"][i]
