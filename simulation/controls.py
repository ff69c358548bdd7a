"""What can be changed while an aircraft flies: one table for scenarios, `--set` and sliders.

Each row is a member of the WORLD record, or of one element of it, in the same unit.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from simulation.records import ACCEL, AIRSPEED, BARO, GPS, GYRO, MAG, SONAR

if TYPE_CHECKING:  # the station's window reads this table without loading the simulator
    from simulation.noise import Whole
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
    put: Callable[["Simulator", float], None]


def _world(member: str, index: "Whole | None" = None) -> Callable[["Simulator", float], None]:
    def put(simulator: "Simulator", value: float) -> None:
        if index is None:
            simulator.world[member] = value
        else:
            simulator.world[member][index] = value

    return put


def _wind(name: str, title: str, index: int) -> Control:
    return Control(name, title, "Wind", "m/s", -20.0, 20.0, 0.0, 0.5, _world("wind", index))


def _gust(name: str, title: str, index: int) -> Control:
    return Control(name, title, "Wind", "m/s", -20.0, 20.0, 0.0, 0.5, _world("gust", index))


def _wind_row(
    name: str, title: str, unit: str, limits: tuple[float, float, float], member: str
) -> Control:
    """`limits` are the lowest, the highest and the default value."""
    low, high, default = limits
    return Control(name, title, "Wind", unit, low, high, default, 0.01, _world(member))


def _start_gust(simulator: "Simulator", value: float) -> None:
    if value:
        simulator.start_gust()


def _set_charge(simulator: "Simulator", value: float) -> None:
    simulator.set_charge(value)


def _jump(name: str, title: str, index: int) -> Control:
    put = _world("gps_jump", index)
    return Control(name, title, "Sensors", "m", -1000.0, 1000.0, 0.0, 1.0, put)


def _faults(name: str, title: str, sensor: "Whole") -> tuple[Control, ...]:
    """What may happen to one sensor."""
    lost, frozen = _world("sensor_lost", sensor), _world("sensor_frozen", sensor)
    noise = _world("sensor_noise", sensor)
    return (
        Control(
            f"{name}_dropout", f"{title}: lost samples", "Sensors", "", 0.0, 1.0, 0.0, 0.01, lost
        ),
        Control(f"{name}_frozen", f"{title}: frozen", "Sensors", "", 0.0, 1.0, 0.0, 1.0, frozen),
        Control(f"{name}_noise", f"{title}: noise x", "Sensors", "", 0.0, 100.0, 1.0, 0.1, noise),
    )


def _motor(number: int) -> Control:
    put = _world("rotor_lost", number - 1)
    return Control(
        f"motor_{number}_lost", f"Motor {number} lost", "Motors", "", 0.0, 1.0, 0.0, 1.0, put
    )


_SENSORS: Final = {
    "gyro": ("Gyro", GYRO),
    "accel": ("Accelerometer", ACCEL),
    "mag": ("Magnetometer", MAG),
    "baro": ("Barometer", BARO),
    "gps": ("GPS", GPS),
    "sonar": ("Sonar", SONAR),
    "airspeed": ("Airspeed", AIRSPEED),
}
CONTROLS: Final[tuple[Control, ...]] = (
    _wind("wind_north_mps", "Air moves north", 0),
    _wind("wind_east_mps", "Air moves east", 1),
    _wind("wind_down_mps", "Air moves down", 2),
    _wind_row("roughness_m", "Roughness of the ground", "m", (0.0, 2.0, 0.03), "roughness"),
    _wind_row("turbulence_mps", "Turbulence (W20)", "m/s", (0.0, 30.0, 0.0), "turbulence_w20"),
    _gust("gust_north_mps", "Single gust north", 0),
    _gust("gust_east_mps", "Single gust east", 1),
    _gust("gust_down_mps", "Single gust down", 2),
    _wind_row("gust_length_m", "Length of the gust", "m", (1.0, 1000.0, 60.0), "gust_length"),
    Control("gust_now", "Start the gust", "Wind", "", 0.0, 1.0, 0.0, 1.0, _start_gust),
    _wind_row(
        "weather_warmer_k", "Warmer than standard", "K", (-40.0, 40.0, 0.0), "weather_warmer"
    ),
    _wind_row(
        "weather_pressure_pa",
        "Pressure above standard",
        "Pa",
        (-5000.0, 5000.0, 0.0),
        "weather_pressure",
    ),
    Control("gps_lost", "No GPS", "Sensors", "", 0.0, 1.0, 0.0, 1.0, _world("gps_lost")),
    _jump("gps_jump_north_m", "GPS jump north", 0),
    _jump("gps_jump_east_m", "GPS jump east", 1),
    Control(
        "gps_satellites",
        "Satellites",
        "Sensors",
        "",
        0.0,
        30.0,
        10.0,
        1.0,
        _world("gps_satellites"),
    ),
    *(row for name, (title, number) in _SENSORS.items() for row in _faults(name, title, number)),
    Control("battery_charge", "Charge left", "Battery", "", 0.0, 1.0, 1.0, 0.01, _set_charge),
    *(_motor(number) for number in range(1, 9)),
)
_BY_NAME: Final = {control.name: control for control in CONTROLS}


def find_control(name: str) -> Control:
    """The control of that name; raise ControlError with all names."""
    if name not in _BY_NAME:
        known = ", ".join(_BY_NAME)
        raise ControlError(f"There is no control '{name}'; there are: {known}.")
    return _BY_NAME[name]


def apply(simulator: "Simulator", name: str, value: float) -> None:
    """Change one thing between two steps; raise ControlError naming control, range and remedy."""
    control = find_control(name)
    if not (math.isfinite(value) and control.low <= value <= control.high):
        raise ControlError(
            f"{name} cannot be {value:g}; give {control.low:g} to {control.high:g} "
            f"{control.unit}".rstrip()
            + "."
        )
    control.put(simulator, value)
