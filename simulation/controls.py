"""What can be changed while an aircraft flies: one table for scenarios, `--set` and sliders.

Each row is a member of the WORLD record, or of one element of it, in the same unit.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from simulation.sensor_table import ACCEL, GYRO, MAG, SENSORS, SimulatedSensor

if TYPE_CHECKING:  # the station's window reads this table without loading the simulator
    from simulation.noise import Whole
    from simulation.simulator import Simulator


class ControlError(ValueError):
    """An unknown control or a value out of its range. One sentence for the user."""


@dataclass(frozen=True, slots=True)
class SimulatorControl:
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


def _wind(name: str, title: str, index: int) -> SimulatorControl:
    return SimulatorControl(
        name, title, "Wind", "m/s", -20.0, 20.0, 0.0, 0.5, _world("wind", index)
    )


def _gust(name: str, title: str, index: int) -> SimulatorControl:
    return SimulatorControl(
        name, title, "Gust", "m/s", -20.0, 20.0, 0.0, 0.5, _world("gust", index)
    )


def _row(
    name: str,
    title: str,
    place: tuple[str, str],
    limits: tuple[float, float, float, float],
    put: Callable[["Simulator", float], None],
) -> SimulatorControl:
    """`place` is the group and the unit; `limits` are lowest, highest, default and step."""
    return SimulatorControl(name, title, *place, *limits, put)


def _start_gust(simulator: "Simulator", value: float) -> None:
    if value:
        simulator.start_gust()


def _set_charge(simulator: "Simulator", value: float) -> None:
    simulator.set_charge(value)


def _jump(name: str, title: str, index: int) -> SimulatorControl:
    put = _world("gps_jump", index)
    return SimulatorControl(name, title, "GPS", "m", -1000.0, 1000.0, 0.0, 1.0, put)


def _faults(sensor: SimulatedSensor, number: int) -> tuple[SimulatorControl, ...]:
    """What may happen to one sensor."""
    name, title, place = sensor.name, sensor.title, ("Sensors", "")
    lost, frozen = _world("sensor_lost", number), _world("sensor_frozen", number)
    noise = _world("sensor_noise", number)
    return (
        _row(f"{name}_dropout", f"{title}: lost samples", place, (0.0, 1.0, 0.0, 0.01), lost),
        _row(f"{name}_noise", f"{title}: noise", ("Sensors", "×"), (0.0, 100.0, 1.0, 0.1), noise),
        _row(f"{name}_frozen", f"{title}: frozen", place, (0.0, 1.0, 0.0, 1.0), frozen),
    )


def _built(name: str, title: str, sensor: "Whole", limits: tuple[str, float, float]) -> "_Rows":
    """How badly a sensor's three axes are built; `limits` are the bias's unit, most and step."""
    unit, most, step = limits
    for axis, letter in enumerate("xyz"):
        bias, scale = _axis("sensor_bias", sensor, axis), _axis("sensor_scale", sensor, axis)
        label, size = f"{title} {letter}", (-most, most, 0.0, step)
        shares = (-0.2, 0.2, 0.0, 0.005)
        yield _row(f"{name}_{letter}_bias", f"{label}: bias", (_BUILT, unit), size, bias)
        yield _row(f"{name}_{letter}_scale", f"{label}: scale", (_BUILT, ""), shares, scale)


def _axis(member: str, sensor: "Whole", axis: int) -> Callable[["Simulator", float], None]:
    def put(simulator: "Simulator", value: float) -> None:
        simulator.world[member][sensor, axis] = value

    return put


def _mounted(name: str, title: str, axis: int) -> SimulatorControl:
    def put(simulator: "Simulator", value: float) -> None:
        simulator.mount_board(axis, value)

    return _row(name, title, ("Board", "°"), (-180.0, 180.0, 0.0, 1.0), put)


def _hold(simulator: "Simulator", value: float) -> None:
    if value:
        simulator.take_in_hands()
    else:
        simulator.put_down()


def _pose(name: str, title: str, axis: int, most: float) -> SimulatorControl:
    put = _world("bench_attitude", axis)
    return _row(name, title, (_BENCH, "°"), (-most, most, 0.0, 1.0), put)


def _motor(number: int) -> SimulatorControl:
    put = _world("rotor_lost", number - 1)
    return SimulatorControl(
        f"motor_{number}_lost", f"Motor {number} lost", "Motors", "", 0.0, 1.0, 0.0, 1.0, put
    )


_Rows = Iterator[SimulatorControl]
_BENCH, _BUILT = "On the bench", "Sensor errors"
CONTROLS: Final[tuple[SimulatorControl, ...]] = (
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
    SimulatorControl(
        "gust_now", "Start the gust", "Gust", "", 0.0, 1.0, 0.0, 1.0, _start_gust, lasts=False
    ),
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
    SimulatorControl("gps_lost", "No GPS", "GPS", "", 0.0, 1.0, 0.0, 1.0, _world("gps_lost")),
    _jump("gps_jump_north_m", "GPS jumps north", 0),
    _jump("gps_jump_east_m", "GPS jumps east", 1),
    _row(
        "gps_satellites",
        "Satellites",
        ("GPS", ""),
        (0.0, 30.0, 10.0, 1.0),
        _world("gps_satellites"),
    ),
    *(row for i, sensor in enumerate(SENSORS) if sensor.has_faults for row in _faults(sensor, i)),
    replace(
        _row("battery_charge", "Charge left", ("Battery", ""), (0.0, 1.0, 1.0, 0.01), _set_charge),
        lasts=False,
    ),
    *(_motor(number) for number in range(1, 9)),
    SimulatorControl("bench_hold", "Held by hand", _BENCH, "", 0.0, 1.0, 0.0, 1.0, _hold),
    _pose("bench_roll_deg", "Roll", 0, 180.0),
    _pose("bench_pitch_deg", "Pitch", 1, 90.0),
    _pose("bench_yaw_deg", "Yaw", 2, 180.0),
    _row(
        "bench_tumble_dps",
        "Turned about",
        (_BENCH, "°/s"),
        (0.0, 180.0, 0.0, 1.0),
        _world("bench_tumble"),
    ),
    _mounted("board_roll_deg", "Board rolled", 0),
    _mounted("board_pitch_deg", "Board pitched", 1),
    _mounted("board_yaw_deg", "Board yawed", 2),
    _row(
        "board_warmer_k",
        "Board warmer than the air",
        ("Board", "K"),
        (0.0, 60.0, 0.0, 1.0),
        _world("board_warmer"),
    ),
    _row(
        "gyro_warming_dps_per_k",
        "Gyro bias by warmth",
        ("Board", "°/s/K"),
        (-0.5, 0.5, 0.0, 0.01),
        _world("sensor_warming", GYRO),
    ),
    _row(
        "accel_warming_mps2_per_k",
        "Accelerometer bias by warmth",
        ("Board", "m/s²/K"),
        (-0.05, 0.05, 0.0, 0.001),
        _world("sensor_warming", ACCEL),
    ),
    *_built("gyro", "Gyro", GYRO, ("°/s", 20.0, 0.1)),
    *_built("accel", "Accelerometer", ACCEL, ("m/s²", 3.0, 0.01)),
    *_built("mag", "Magnetometer", MAG, ("mGauss", 400.0, 1.0)),
)
_BY_NAME: Final = {control.name: control for control in CONTROLS}


def find_control(name: str) -> SimulatorControl:
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
