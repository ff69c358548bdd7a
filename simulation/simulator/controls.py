"""Simulator controls: what can be changed in flight, one table for scenarios, `--set` and sliders.

Each row is a member of the WORLD record, or of one element of it, in the same unit.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from simulation.records.interface import ROTORS
from simulation.records.sensor_table import ACCEL, GYRO, MAG, SENSORS, SimulatedSensor

if TYPE_CHECKING:  # the station's window reads this table without loading the simulator
    from simulation.simulator.simulator import Simulator


Index = int | tuple[int, ...]
"""Of an element of a member of WORLD."""


class ControlError(ValueError):
    """An unknown control or a value out of its range. One sentence for the user."""


@dataclass(frozen=True, slots=True)
class ControlRange:
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
    lasts: bool = True


@dataclass(frozen=True, slots=True)
class SimulatorControl(ControlRange):
    """One that the simulator itself has."""

    put: Callable[["Simulator", float], None] = field(kw_only=True)


def _row(
    name: str,
    title: str,
    place: tuple[str, str],
    limits: tuple[float, float, float, float],
    put: Callable[["Simulator", float], None] | str,
    index: Index | None = None,
) -> SimulatorControl:
    """`place` is the group and the unit; `limits` are lowest, highest, default and step; `put` may
    name a member of WORLD, all of it or the element `index`."""
    if isinstance(put, str):
        put = _into_world(put, index)
    return SimulatorControl(name, title, *place, *limits, put=put)


def _into_world(member: str, index: Index | None) -> Callable[["Simulator", float], None]:
    def put(simulator: "Simulator", value: float) -> None:
        if index is None:
            simulator.world[member] = value
        else:
            simulator.world[member][index] = value

    return put


def _start_gust(simulator: "Simulator", value: float) -> None:
    if value:
        simulator.start_gust()


def _set_charge(simulator: "Simulator", value: float) -> None:
    simulator.set_charge(value)


def _hold(simulator: "Simulator", value: float) -> None:
    if value:
        simulator.take_in_hands()
    else:
        simulator.put_down()


def _delay_alarms(simulator: "Simulator", value: float) -> None:
    simulator.alarms_clear_s = value


def _mounted(axis: int) -> Callable[["Simulator", float], None]:
    return lambda simulator, value: simulator.mount_board(axis, value)


def _faults(sensor: SimulatedSensor, number: int) -> "_Rows":
    """What may happen to one sensor."""
    name, title, factor = sensor.name, sensor.title, ("Sensors", "×")
    yield _row(f"{name}_dropout", f"{title}: lost samples", _SENSORS, _SHARE, "sensor_lost", number)
    yield _row(f"{name}_noise", f"{title}: noise", factor, _FACTOR, "sensor_noise", number)
    yield _row(f"{name}_frozen", f"{title}: frozen", _SENSORS, _FLAG, "sensor_frozen", number)


def _axis_errors(number: int, unit: str, most: float, step: float) -> "_Rows":
    """Bias and scale of a sensor's three axes; `unit`, `most` and `step` are the bias's."""
    sensor, bias, share = SENSORS[number], ("Sensor errors", unit), ("Sensor errors", "")
    for axis, letter in enumerate("xyz"):
        name, title = f"{sensor.name}_{letter}", f"{sensor.title} {letter}"
        limits, shares, place = (
            (-most, most, 0.0, step),
            (-0.2, 0.2, 0.0, 0.005),
            (int(number), axis),
        )
        yield _row(f"{name}_bias", f"{title}: bias", bias, limits, "sensor_bias", place)
        yield _row(f"{name}_scale", f"{title}: scale", share, shares, "sensor_scale", place)


_Rows = Iterator[SimulatorControl]
_FLAG, _SHARE, _FACTOR = (0.0, 1.0, 0.0, 1.0), (0.0, 1.0, 0.0, 0.01), (0.0, 100.0, 1.0, 0.1)
_SPEED, _TURN, _JUMP = (-20.0, 20.0, 0.0, 0.5), (-180.0, 180.0, 0.0, 1.0), (-1e3, 1e3, 0.0, 1.0)
_START = (0.0, 120.0, 0.0, 1.0)
_WIND, _GUST, _GPS, _SENSORS = ("Wind", "m/s"), ("Gust", "m/s"), ("GPS", ""), ("Sensors", "")
_BENCH, _BOARD = ("On the bench", "°"), ("Board", "°")
CONTROLS: Final[tuple[SimulatorControl, ...]] = (
    _row("wind_north_mps", "Air moves north", _WIND, _SPEED, "wind", 0),
    _row("wind_east_mps", "Air moves east", _WIND, _SPEED, "wind", 1),
    _row("wind_down_mps", "Air moves down", _WIND, _SPEED, "wind", 2),
    _row("turbulence_mps", "Turbulence (W20)", _WIND, (0.0, 30.0, 0.0, 0.5), "turbulence_w20"),
    _row("roughness_m", "Roughness of the ground", ("Wind", "m"), (0, 2, 0.03, 0.01), "roughness"),
    _row("gust_north_mps", "Gust blows north", _GUST, _SPEED, "gust", 0),
    _row("gust_east_mps", "Gust blows east", _GUST, _SPEED, "gust", 1),
    _row("gust_down_mps", "Gust blows down", _GUST, _SPEED, "gust", 2),
    _row("gust_length_m", "Length of the gust", ("Gust", "m"), (1, 1000, 60, 1), "gust_length"),
    replace(_row("gust_now", "Start the gust", ("Gust", ""), _FLAG, _start_gust), lasts=False),
    _row(
        "weather_warmer_k",
        "Warmer than standard",
        ("Weather", "K"),
        (-40, 40, 0, 1),
        "weather_warmer",
    ),
    _row(
        "weather_pressure_pa",
        "Pressure above standard",
        ("Weather", "Pa"),
        (-5000.0, 5000.0, 0.0, 100.0),
        "weather_pressure",
    ),
    _row("gps_lost", "No GPS", _GPS, _FLAG, "gps_lost"),
    _row("gps_jump_north_m", "GPS jumps north", ("GPS", "m"), _JUMP, "gps_jump", 0),
    _row("gps_jump_east_m", "GPS jumps east", ("GPS", "m"), _JUMP, "gps_jump", 1),
    _row("gps_satellites", "Satellites", _GPS, (0.0, 30.0, 10.0, 1.0), "gps_satellites"),
    *(row for i, sensor in enumerate(SENSORS) if sensor.has_faults for row in _faults(sensor, i)),
    replace(
        _row("battery_charge", "Charge left", ("Battery", ""), (0.0, 1.0, 1.0, 0.01), _set_charge),
        lasts=False,
    ),
    *(
        _row(f"motor_{i + 1}_lost", f"Motor {i + 1} lost", ("Motors", ""), _FLAG, "rotor_lost", i)
        for i in range(ROTORS)
    ),
    _row("bench_hold", "Held by hand", ("On the bench", ""), _FLAG, _hold),
    _row("bench_roll_deg", "Roll", _BENCH, _TURN, "bench_attitude", 0),
    _row("bench_pitch_deg", "Pitch", _BENCH, (-90.0, 90.0, 0.0, 1.0), "bench_attitude", 1),
    _row("bench_yaw_deg", "Yaw", _BENCH, _TURN, "bench_attitude", 2),
    _row(
        "bench_tumble_dps", "Turned about", ("On the bench", "°/s"), (0, 180, 0, 1), "bench_tumble"
    ),
    _row("alarms_clear_s", "Alarms clear after", ("Board", "s"), _START, _delay_alarms),
    _row("board_roll_deg", "Board rolled", _BOARD, _TURN, _mounted(0)),
    _row("board_pitch_deg", "Board pitched", _BOARD, _TURN, _mounted(1)),
    _row("board_yaw_deg", "Board yawed", _BOARD, _TURN, _mounted(2)),
    _row(
        "board_warmer_k", "Board warmer than the air", ("Board", "K"), (0, 60, 0, 1), "board_warmer"
    ),
    _row(
        "gyro_warming_dps_per_k",
        "Gyro bias by warmth",
        ("Board", "°/s/K"),
        (-0.5, 0.5, 0.0, 0.01),
        "sensor_warming",
        GYRO,
    ),
    _row(
        "accel_warming_mps2_per_k",
        "Accelerometer bias by warmth",
        ("Board", "m/s²/K"),
        (-0.05, 0.05, 0.0, 0.001),
        "sensor_warming",
        ACCEL,
    ),
    _row("gyro_earth_rate", "Gyro feels the Earth turn", _SENSORS, _FLAG, "earth_rate"),
    *_axis_errors(GYRO, "°/s", 20.0, 0.1),
    *_axis_errors(ACCEL, "m/s²", 3.0, 0.01),
    *_axis_errors(MAG, "mGauss", 400.0, 1.0),
)
_BY_NAME: Final = {control.name: control for control in CONTROLS}


_FAULTS: Final = {
    "lost": ("Lost samples", "", 0.0, 1.0, 0.01),
    "stuck": ("Stuck", "", 0.0, 1.0, 1.0),
    "clock_offset_ms": ("Clock ahead", "ms", -1000.0, 1000.0, 1.0),
    "clock_drift_ppm": ("Clock gains", "ppm", -1000.0, 1000.0, 1.0),
    "broken": ("Damaged pictures", "", 0.0, 1.0, 0.01),
    "blur_px": ("Out of focus", "px", 0.0, 20.0, 0.1),
    "bias_m": ("Bias", "m", -5.0, 5.0, 0.01),
    "scale": ("Scale", "×", 0.5, 2.0, 0.01),
    "ray_loss": ("Lost rays", "", 0.0, 1.0, 0.01),
}
"""Title, unit, and what a slider offers, of faults of sensors that look; the files of sensors may
say more (COMMON_FAULTS and the `faults` of KINDS)."""


def fault_range(name: str, default: float) -> ControlRange | None:
    """A fault of a sensor that looks, by its name "MOUNT.FAULT" and what its file says; None for
    one that is not known."""
    mount, _, fault = name.partition(".")
    if fault not in _FAULTS:
        return None
    title, unit, low, high, step = _FAULTS[fault]
    low, high = min(low, default), max(high, default)
    return ControlRange(name, title, f"Sensor {mount}", unit, low, high, default, step)


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
