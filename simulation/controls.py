"""What can be changed while an aircraft flies: one table for scenarios, `--set` and sliders.

Each row is a member of the WORLD record, or of one element of it, in the same unit.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from simulation.records import ACCEL, AIRSPEED, BARO, GPS, GYRO, MAG, SONAR

if TYPE_CHECKING:  # the station's window reads this table without loading the simulator
    from simulation.noise import Whole
    from simulation.simulator import Simulator


class ControlError(ValueError):
    """An unknown control or a value out of its range. One sentence for the user."""


@dataclass(frozen=True, slots=True)
class Control:
    """One thing to change; `step` is how finely a slider moves it. Flags go from 0 to 1.

    What `lasts` stays as set, also for the next aircraft after a reset; else it happens once.
    """

    name: str
    title: str
    group: str
    unit: str
    low: float
    high: float
    default: float
    step: float
    put: Callable[["Simulator", float], None]
    lasts: bool = True


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
    return Control(name, title, "Gust", "m/s", -20.0, 20.0, 0.0, 0.5, _world("gust", index))


def _row(
    name: str,
    title: str,
    place: tuple[str, str],
    limits: tuple[float, float, float, float],
    put: Callable[["Simulator", float], None],
) -> Control:
    """`place` is the group and the unit; `limits` are lowest, highest, default and step."""
    return Control(name, title, *place, *limits, put)


def _start_gust(simulator: "Simulator", value: float) -> None:
    if value:
        simulator.start_gust()


def _set_charge(simulator: "Simulator", value: float) -> None:
    simulator.set_charge(value)


def _jump(name: str, title: str, index: int) -> Control:
    put = _world("gps_jump", index)
    return Control(name, title, "GPS", "m", -1000.0, 1000.0, 0.0, 1.0, put)


def _faults(name: str, title: str, sensor: "Whole") -> tuple[Control, ...]:
    """What may happen to one sensor."""
    lost, frozen = _world("sensor_lost", sensor), _world("sensor_frozen", sensor)
    noise = _world("sensor_noise", sensor)
    group = "Sensors"
    return (
        Control(f"{name}_dropout", f"{title}: lost samples", group, "", 0.0, 1.0, 0.0, 0.01, lost),
        Control(f"{name}_noise", f"{title}: noise", group, "×", 0.0, 100.0, 1.0, 0.1, noise),
        Control(f"{name}_frozen", f"{title}: frozen", group, "", 0.0, 1.0, 0.0, 1.0, frozen),
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
    _row(
        "turbulence_mps",
        "Turbulence (W20)",
        ("Wind", "m/s"),
        (0.0, 30.0, 0.0, 0.5),
        _world("turbulence_w20"),
    ),
    _row(
        "roughness_m",
        "Roughness of the ground",
        ("Wind", "m"),
        (0.0, 2.0, 0.03, 0.01),
        _world("roughness"),
    ),
    _gust("gust_north_mps", "Gust blows north", 0),
    _gust("gust_east_mps", "Gust blows east", 1),
    _gust("gust_down_mps", "Gust blows down", 2),
    _row(
        "gust_length_m",
        "Length of the gust",
        ("Gust", "m"),
        (1.0, 1000.0, 60.0, 1.0),
        _world("gust_length"),
    ),
    Control("gust_now", "Start the gust", "Gust", "", 0.0, 1.0, 0.0, 1.0, _start_gust, lasts=False),
    _row(
        "weather_warmer_k",
        "Warmer than standard",
        ("Weather", "K"),
        (-40.0, 40.0, 0.0, 1.0),
        _world("weather_warmer"),
    ),
    _row(
        "weather_pressure_pa",
        "Pressure above standard",
        ("Weather", "Pa"),
        (-5000.0, 5000.0, 0.0, 100.0),
        _world("weather_pressure"),
    ),
    Control("gps_lost", "No GPS", "GPS", "", 0.0, 1.0, 0.0, 1.0, _world("gps_lost")),
    _jump("gps_jump_north_m", "GPS jumps north", 0),
    _jump("gps_jump_east_m", "GPS jumps east", 1),
    _row(
        "gps_satellites",
        "Satellites",
        ("GPS", ""),
        (0.0, 30.0, 10.0, 1.0),
        _world("gps_satellites"),
    ),
    *(row for name, (title, number) in _SENSORS.items() for row in _faults(name, title, number)),
    replace(
        _row("battery_charge", "Charge left", ("Battery", ""), (0.0, 1.0, 1.0, 0.01), _set_charge),
        lasts=False,
    ),
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
