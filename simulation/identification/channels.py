"""Channels of a flight: samples of its sensors in windows, and what they show of flown rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.identification.logged_flight import Floats, LoggedFlight, Signal
from simulation.identification.starts import turns_deg
from simulation.identification.windows import Windows
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import ACCEL, GPS, GYRO

GYROS, ACCELS, VELOCITIES, ATTITUDES = "gyro", "accel", "velocity", "attitude"
_AXES_OF: Final = {
    GYROS: ("x", "y", "z"),
    ACCELS: ("x", "y", "z"),
    VELOCITIES: ("north", "east", "down"),
    ATTITUDES: ("x", "y", "z"),
}
UNITS: Final = {GYROS: "deg/s", ACCELS: "m/s²", VELOCITIES: "m/s", ATTITUDES: "deg"}
CHANNELS: Final = tuple(f"{sensor}_{axis}" for sensor, axes in _AXES_OF.items() for axis in axes)
LATENCY: Final = "velocity_delay_ms"
"""What the receiver is later than the aircraft's file says."""
_MOST_HZ: Final = 500.0
_ATTITUDE_HZ: Final = 10.0
BIASES: Final = {
    **{f"gyro_bias_{axis}_dps": f"gyro_{axis}" for axis in "xyz"},
    **{f"accel_bias_{axis}_mps2": f"accel_{axis}" for axis in "xyz"},
    **{f"attitude_offset_{axis}_deg": f"attitude_{axis}" for axis in "xyz"},
    **{f"velocity_bias_{to}_mps": f"velocity_{to}" for to in _AXES_OF[VELOCITIES]},
}
"""Parameters that are added to a channel."""
MIXES: Final = {
    f"{sensor}_mix_{axis}{other}": (sensor, row, column)
    for sensor in (GYROS, ACCELS)
    for row, axis in enumerate("xyz")
    for column, other in enumerate("xyz")
    if row != column
}
"""Shares of another axis that an axis of a sensor feels: its tilt, and what its chip mixes."""
Values = Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Sensor:
    """One sensor's samples in windows: where their steps are, and their places in the vector."""

    name: str
    times: Floats
    values: Floats
    step: Floats
    lower: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]


class Channels:
    """Samples as vectors (m,), window by window: `bounds` (windows + 1,) says where each begins,
    `channel` which of CHANNELS an element is of, `observed` what was logged, `times` when."""

    def __init__(self, flight: LoggedFlight, p: np.void, windows: Windows) -> None:
        self._sensors, self.bounds = _arrange(flight, p, windows)
        size = sum(sensor.place.size for sensor in self._sensors)
        self.observed, self.times = np.empty(size), np.empty(size)
        self.channel = np.empty(size, np.int64)
        for sensor in self._sensors:
            self.observed[sensor.place] = 0.0 if sensor.name == ATTITUDES else sensor.values
            self.times[sensor.place] = sensor.times[:, None]
            first = CHANNELS.index(f"{sensor.name}_{_AXES_OF[sensor.name][0]}")
            self.channel[sensor.place] = first + np.arange(3)

    def seen(self, values: Values, rows: Floats) -> Floats:
        """The vector of what the sensors show of these rows."""
        seen = np.empty(len(self.observed))
        for sensor in self._sensors:
            late = 0.0
            if sensor.name == VELOCITIES:
                late = values.get(LATENCY, 0.0) / (1e3 * STEP_S)
            shown = _shown(sensor, rows, late)
            seen[sensor.place] = shown + shown @ _mixing(values, sensor.name)
        for name, channel in BIASES.items():
            if value := values.get(name, 0.0):
                seen[self.channel == CHANNELS.index(channel)] += value
        return seen

    def is_of(self, name: str) -> npt.NDArray[np.bool_]:
        """Which elements are of a channel."""
        found: npt.NDArray[np.bool_] = self.channel == CHANNELS.index(name)
        return found

    def mix_slope(self, name: str, seen: Floats) -> Floats:
        """The derivative (m,) of what is seen by one of MIXES."""
        sensor, row, column = MIXES[name]
        place = next(each.place for each in self._sensors if each.name == sensor)
        slope = np.zeros(len(seen))
        slope[place[:, row]] = seen[place[:, column]]
        return slope


def _arrange(
    flight: LoggedFlight, p: np.void, windows: Windows
) -> tuple[list[_Sensor], npt.NDArray[np.int64]]:
    """Samples of each sensor in windows with their places, and where windows begin there."""
    late = {GYROS: p["sensor_delay"][GYRO], ACCELS: p["sensor_delay"][ACCEL]}
    late[VELOCITIES] = p["sensor_delay"][GPS] if flight.is_gps else 0
    signals = {
        GYROS: _thinned(flight.gyro, _MOST_HZ),
        ACCELS: _thinned(flight.accel, _MOST_HZ),
        VELOCITIES: _thinned(flight.velocity, _ATTITUDE_HZ),
        ATTITUDES: _thinned(flight.attitude, _ATTITUDE_HZ),
    }
    found = []
    for name, signal in signals.items():
        step = (signal.times - windows.zero_s) / STEP_S - float(late.get(name, 0))
        step = np.where(np.abs(step - np.round(step)) < 1e-3, np.round(step), step)
        lower = np.floor(step).astype(np.int64)
        window = np.searchsorted(windows.begin, lower, "right") - 1
        inside = (window >= 0) & (lower + 1 < windows.end[np.maximum(window, 0)])
        found.append((name, signal, step, lower, window, inside))
    window = np.concatenate([each[4][each[5]] for each in found])
    order = np.argsort(window, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    counts = np.bincount(window, minlength=windows.count)
    bounds = 3 * np.concatenate([[0], np.cumsum(counts)])
    sensors, first = [], 0
    for name, signal, step, lower, _, inside in found:
        count = int(inside.sum())
        at = 3 * place[first : first + count, None] + np.arange(3)
        first += count
        sensors.append(
            _Sensor(
                name,
                signal.times[inside],
                signal.values[inside],
                step[inside],
                lower[inside],
                at,
            )
        )
    return sensors, bounds


def _mixing(values: Values, sensor: str) -> Floats:
    """(3, 3): what axes add to others, of rows of samples."""
    found = np.zeros((3, 3))
    for name, (owner, row, column) in MIXES.items():
        if owner == sensor:
            found[column, row] = values.get(name, 0.0)
    return found


def _shown(sensor: _Sensor, rows: Floats, late: float) -> Floats:
    """(n, 3) of one sensor, `late` steps later than its samples are."""
    if sensor.name == GYROS:
        return np.degrees(_at(sensor, rows, slice(7, 10), late))
    if sensor.name == ACCELS:
        return _at(sensor, rows, slice(10, 13), late)
    if sensor.name == VELOCITIES:
        return _at(sensor, rows, slice(0, 3), late)
    return turns_deg(sensor.values, _at(sensor, rows, slice(3, 7), late))


def _at(sensor: _Sensor, rows: Floats, columns: slice, late: float) -> Floats:
    share = sensor.step - sensor.lower - late
    below = rows[sensor.lower, columns]
    if late == 0.0 and not share.any():
        return below
    return below + share[:, None] * (rows[sensor.lower + 1, columns] - below)


def _thinned(signal: Signal, most_hz: float) -> Signal:
    every = max(1, round(signal.rate_hz / most_hz))
    return Signal(signal.times[::every], signal.values[::every])
