"""What can be changed while an aircraft flies: one table for scenarios, `--set` and sliders.

Each row is a member of the WORLD record, or of one element of it, in the same unit.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from simulation.simulator import Simulator


class ControlError(ValueError):
    """An unknown control or a value out of its range. One sentence for the user."""


@dataclass(frozen=True, slots=True)
class Control:
    """One thing to change; `step` is how finely a slider moves it. Flags go from 0 to 1."""

    name: str
    title: str
    group: str
    unit: str
    low: float
    high: float
    default: float
    step: float
    put: Callable[[Simulator, float], None]


def _world(member: str, index: int | None = None) -> Callable[[Simulator, float], None]:
    def put(simulator: Simulator, value: float) -> None:
        if index is None:
            simulator.world[member] = value
        else:
            simulator.world[member][index] = value

    return put


def _wind(name: str, title: str, index: int) -> Control:
    return Control(name, title, "Wind", "m/s", -20.0, 20.0, 0.0, 0.5, _world("wind", index))


def _motor(number: int) -> Control:
    put = _world("rotor_lost", number - 1)
    return Control(
        f"motor_{number}_lost", f"Motor {number} lost", "Motors", "", 0.0, 1.0, 0.0, 1.0, put
    )


CONTROLS: Final[tuple[Control, ...]] = (
    _wind("wind_north_mps", "Air moves north", 0),
    _wind("wind_east_mps", "Air moves east", 1),
    Control("gust_mps", "Gusts", "Wind", "m/s", 0.0, 10.0, 0.0, 0.1, _world("gust")),
    Control("gps_lost", "No GPS", "Sensors", "", 0.0, 1.0, 0.0, 1.0, _world("gps_lost")),
    *(_motor(number) for number in range(1, 9)),
)
_BY_NAME: Final = {control.name: control for control in CONTROLS}


def find_control(name: str) -> Control:
    """The control of that name; raise ControlError with all names."""
    if name not in _BY_NAME:
        known = ", ".join(_BY_NAME)
        raise ControlError(f"There is no control '{name}'; there are: {known}.")
    return _BY_NAME[name]


def apply(simulator: Simulator, name: str, value: float) -> None:
    """Change one thing between two steps; raise ControlError naming control, range and remedy."""
    control = find_control(name)
    if not (math.isfinite(value) and control.low <= value <= control.high):
        raise ControlError(
            f"{name} cannot be {value:g}; give {control.low:g} to {control.high:g} "
            f"{control.unit}".rstrip()
            + "."
        )
    control.put(simulator, value)
