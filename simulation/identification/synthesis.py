"""Synthesis: what the sensors of a flight would have shown, flown again window by window.

Multiple shooting: each window has a free start (velocity, attitude, rates), and all of them have
the same parameters. `predict` flies them once; `jacobian` once for each number of a start, in all
windows at the same time, and once for each parameter that moves the aircraft.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.environment.atmosphere import (
    SEA_LEVEL_DENSITY,
    density_of,
    pressure_pa,
    temperature_k,
)
from simulation.identification.logged_flight import Floats, LoggedFlight, Signal
from simulation.identification.parameters import AXES, BY_NAME, scale_record
from simulation.identification.windows import LEAST_TURNING_DPS, Windows, turning_dps
from simulation.programs.shooting import CURRENT, START, Shooting
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import ACCEL, GPS, GYRO

FREE: Final = 9
"""Free numbers of a window's start: velocity, turn of the attitude, rates; three axes each."""
GYROS, ACCELS, VELOCITIES, ATTITUDES = "gyro", "accel", "velocity", "attitude"
_AXES: Final = {
    GYROS: ("x", "y", "z"),
    ACCELS: ("x", "y", "z"),
    VELOCITIES: ("north", "east", "down"),
    ATTITUDES: ("x", "y", "z"),
}
UNITS: Final = {GYROS: "deg/s", ACCELS: "m/s²", VELOCITIES: "m/s", ATTITUDES: "deg"}
CHANNELS: Final = tuple(f"{sensor}_{axis}" for sensor, axes in _AXES.items() for axis in axes)
LATENCY: Final = "velocity_delay_ms"
"""What the receiver is later than the aircraft's file says."""
_MOST_HZ: Final = 500.0
_ATTITUDE_HZ: Final = 10.0
_SMOOTH_S: Final = 4.0
_SOURCE_ROUNDS: Final = 3
"""Each leaves about an eighth of the error of the one before."""
_START_STEPS: Final = np.array([1e-5] * 3 + [1e-6] * 3 + [1e-5] * 3)
"""So small that curvature does not show: what it adds would look like knowledge of wind against
velocity, or of heading, which only differences of slopes tell."""
_WINDS: Final = {"wind_north_mps": 0, "wind_east_mps": 1}
_LATENCY_STEP_MS: Final = 5.0
_BIASES: Final = {
    **{f"gyro_bias_{axis}_dps": f"gyro_{axis}" for axis in "xyz"},
    **{f"accel_bias_{axis}_mps2": f"accel_{axis}" for axis in "xyz"},
    **{f"attitude_offset_{axis}_deg": f"attitude_{axis}" for axis in "xyz"},
    **{f"velocity_bias_{to}_mps": f"velocity_{to}" for to in _AXES[VELOCITIES]},
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
_TOLD_BY: Final = {
    **{f"torque_per_inertia_{axis}": [row] for row, axis in enumerate(AXES)},
    "motor_time_constant_ms": [0, 1],
    "dead_time_ms": [0, 1],
}
"""Which of the axes roll, pitch and yaw have to turn."""
CYCLE_S: Final = 0.002
"""Of the controllers of this family (PIOS_SENSOR_RATE)."""
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


class Synthesis:
    """Predictions for one flight, aircraft and choice of windows.

    Residuals and predictions are vectors (m,), window by window: `bounds` (windows + 1,) says where
    each begins, `channel` (m,) which of CHANNELS an element is of, `observed` (m,) what was logged,
    `times` (m,) when.
    """

    def __init__(
        self, flight: LoggedFlight, parameters: np.void, windows: Windows, bus_v: float
    ) -> None:
        """`bus_v` stands for the battery's voltage where none was recorded."""
        self._flight, self._file, self._windows = flight, parameters, windows
        self._shooting = Shooting(windows.begin, windows.end)
        self._nominal = {
            name: parameter.nominal(parameters)
            for name, parameter in BY_NAME.items()
            if parameter.scales
        }
        self._density = _density_ratio(flight, windows)
        self._steps = int(windows.end[-1])
        self._pulses = _PulseIntegral(flight.pulses, parameters)
        self._source = np.full(self._steps, bus_v)
        if flight.voltage is not None:
            self._source = self._source_by_step(flight.voltage)
        self._sensors = self._arrange()
        self._turning = turning_dps(flight, windows)
        size = sum(sensor.place.size for sensor in self._sensors)
        self.observed, self.times = np.empty(size), np.empty(size)
        self.channel = np.empty(size, np.int64)
        for sensor in self._sensors:
            first = CHANNELS.index(f"{sensor.name}_{_AXES[sensor.name][0]}")
            self.observed[sensor.place] = 0.0 if sensor.name == ATTITUDES else sensor.values
            self.times[sensor.place] = sensor.times[:, None]
            self.channel[sensor.place] = first + np.arange(3)

    @property
    def windows(self) -> int:
        """How many there are."""
        return self._windows.count

    def first_starts(self) -> Floats:
        """Starts (windows, START) by what was logged."""
        times = self._windows.zero_s + STEP_S * self._windows.begin.astype(np.float64)
        starts = np.empty((self.windows, START))
        starts[:, :3] = self._flight.velocity.at(times)
        after = np.searchsorted(self._flight.attitude.times, times)
        starts[:, 3:7] = _unit(self._flight.attitude.values[after])
        starts[:, 7:] = np.radians(_smooth_at(self._flight.gyro, times))
        return starts

    def predict(self, values: Values, starts: Floats) -> Floats:
        """What the channels would have shown with these parameters."""
        return self._seen(values, self._fly(values, starts))

    def jacobian(
        self, names: Sequence[str], steps: Values, values: Values, starts: Floats, base: Floats
    ) -> Floats:
        """Derivatives (m, FREE + names) of the prediction `base` (m,): by a window's start, of
        which only its own elements depend, then by the parameters. `steps` are differences."""
        slopes = np.zeros((len(base), FREE + len(names)), order="F")
        for k in range(FREE):
            move = np.zeros(FREE)
            move[k] = _START_STEPS[k]
            ahead = self._seen(values, self._fly(values, moved(starts, move)))
            slopes[:, k] = (ahead - base) / _START_STEPS[k]
        for k, name in enumerate(names, FREE):
            if name in _BIASES:
                slopes[:, k] = self.channel == CHANNELS.index(_BIASES[name])
                continue
            if name in MIXES:
                self._mix_slope(slopes[:, k], base, *MIXES[name])
                continue
            if name in _WINDS:  # only the motion through the air counts
                to = CHANNELS.index(f"{VELOCITIES}_{_AXES[VELOCITIES][_WINDS[name]]}")
                slopes[:, k] = (self.channel == to) - slopes[:, _WINDS[name]]
                continue
            other = {**values, name: values[name] + steps[name]}
            slopes[:, k] = (self.predict(other, starts) - base) / steps[name]
            slopes[self._is_quiet(name), k] = 0.0
        return slopes

    def bounds(self) -> npt.NDArray[np.int64]:
        """Where each window begins in the vectors, and where the last one ends."""
        return self._bounds

    def _fly(self, values: Values, starts: Floats) -> Floats:
        p = self._file.copy()
        for name, value in values.items():
            if name in self._nominal:
                scale_record(p, self._file, BY_NAME[name], value / self._nominal[name])
        wind = (values.get("wind_north_mps", 0.0), values.get("wind_east_mps", 0.0))
        dead_s = values.get("dead_time_ms", float(p["dead_steps"]) * STEP_S * 1e3) / 1e3
        duty = self._pulses.duty(self._windows.zero_s - dead_s, self._steps)
        return self._shooting.fly(p, (wind, self._density), (duty, self._source), starts)

    def _seen(self, values: Values, rows: Floats) -> Floats:
        """The vector of what the sensors show of these rows."""
        seen = np.empty(len(self.observed))
        for sensor in self._sensors:
            late = 0.0
            if sensor.name == VELOCITIES:
                late = (values.get(LATENCY, 0.0)) / (1e3 * STEP_S)
            shown = _channels(sensor, rows, late)
            seen[sensor.place] = shown + shown @ _mixing(values, sensor.name)
        for name, channel in _BIASES.items():
            if value := values.get(name, 0.0):
                seen[self.channel == CHANNELS.index(channel)] += value
        return seen

    def _is_quiet(self, name: str) -> npt.NDArray[np.bool_]:
        """Where the axes that a parameter of turning is told by hardly turn. What moves them there
        is noise of the controller, of which a log with fewer commands than it gives has another:
        at 250 of 500 Hz firmware's made 0.87 of a torque per inertia of 1."""
        axes = _TOLD_BY.get(name)
        if axes is None:
            return np.zeros(len(self.observed), np.bool_)
        quiet = (self._turning[:, axes] < LEAST_TURNING_DPS).all(axis=1)
        return np.repeat(quiet, np.diff(self._bounds))

    def _mix_slope(self, slope: Floats, base: Floats, sensor: str, row: int, column: int) -> None:
        place = next(each.place for each in self._sensors if each.name == sensor)
        slope[place[:, row]] = base[place[:, column]]

    def _source_by_step(self, voltage: Signal) -> Floats:
        """The battery's voltage without what its resistance takes, over seconds: what is logged is
        noisy and rare, and motors pull it down within milliseconds. By the currents of a flight
        with what is logged, by the aircraft's file."""
        p, windows = self._file, self._windows
        times = windows.zero_s + STEP_S * np.arange(self._steps, dtype=np.float64)
        self._source = voltage.at(times)[:, 0]
        step = np.round((voltage.times - windows.zero_s) / STEP_S).astype(np.int64)
        window = np.searchsorted(windows.begin, step, "right") - 1
        inside = (window >= 0) & (step < windows.end[np.maximum(window, 0)])
        if not inside.any():
            return self._source
        resistance, starts = float(p["cells"] * p["cell_resistance"]), self.first_starts()
        for _ in range(_SOURCE_ROUNDS):  # in the first one the drop is taken twice
            current = self._fly({}, starts)[step[inside], CURRENT]
            source = voltage.values[inside, 0] + resistance * current
            self._source = _smoothed(voltage.times[inside], source, times)
        return self._source

    def _arrange(self) -> list[_Sensor]:
        """Samples of each sensor that lie in windows, and their places, window by window."""
        flight, p = self._flight, self._file
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
            step = (signal.times - self._windows.zero_s) / STEP_S - float(late.get(name, 0))
            step = np.where(np.abs(step - np.round(step)) < 1e-3, np.round(step), step)
            lower = np.floor(step).astype(np.int64)
            window = np.searchsorted(self._windows.begin, lower, "right") - 1
            inside = (window >= 0) & (lower + 1 < self._windows.end[np.maximum(window, 0)])
            found.append((name, signal, step, lower, window, inside))
        window = np.concatenate([each[4][each[5]] for each in found])
        order = np.argsort(window, kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        counts = np.bincount(window, minlength=self.windows)
        self._bounds = 3 * np.concatenate([[0], np.cumsum(counts)])
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
        return sensors


class _PulseIntegral:
    """Duties of the rotors as their means over steps. A pulse holds for a cycle of the controller;
    of those after it that were not logged nothing is known, but that the next one follows."""

    def __init__(self, pulses: Signal, p: np.void) -> None:
        low, high = p["speed_controller_us"]
        channel = p["rotor_channel"][: int(p["rotor_count"])]
        duty = np.clip((pulses.values[:, channel] - low) / (high - low), 0.0, 1.0)
        self._times = pulses.times
        interval = np.diff(pulses.times)[:, None]
        known = np.minimum(interval, CYCLE_S)
        held = duty[:-1] * known + 0.5 * (duty[:-1] + duty[1:]) * (interval - known)
        self._integral = np.vstack([np.zeros(len(channel)), np.cumsum(held, axis=0)])

    def duty(self, zero_s: float, steps: int) -> Floats:
        """(steps, rotors) from that second on."""
        at = zero_s + STEP_S * np.arange(steps + 1, dtype=np.float64)
        columns = [np.interp(at, self._times, column) for column in self._integral.T]
        return np.diff(np.column_stack(columns), axis=0) / STEP_S


def moved(starts: Floats, by: Floats) -> Floats:
    """Starts (windows, START) moved by FREE numbers, the same for all or (windows, FREE)."""
    by = np.broadcast_to(by, (len(starts), FREE))
    after = starts.copy()
    after[:, :3] += by[:, :3]
    after[:, 7:] += by[:, 6:]
    turn = np.column_stack([np.ones(len(starts)), 0.5 * by[:, 3:6]])
    after[:, 3:7] = _unit(_product(starts[:, 3:7], turn))
    return after


def _mixing(values: Values, sensor: str) -> Floats:
    """(3, 3): what axes add to others, of rows of samples."""
    found = np.zeros((3, 3))
    for name, (owner, row, column) in MIXES.items():
        if owner == sensor:
            found[column, row] = values.get(name, 0.0)
    return found


def _channels(sensor: _Sensor, rows: Floats, late: float) -> Floats:
    """(n, 3) of one sensor, `late` steps later than its samples are."""
    if sensor.name == GYROS:
        return np.degrees(_at(sensor, rows, slice(7, 10), late))
    if sensor.name == ACCELS:
        return _at(sensor, rows, slice(10, 13), late)
    if sensor.name == VELOCITIES:
        return _at(sensor, rows, slice(0, 3), late)
    turned = _product(_conjugate(sensor.values), _at(sensor, rows, slice(3, 7), late))
    return np.degrees(2.0 * turned[:, 1:] * np.sign(turned[:, :1]))


def _at(sensor: _Sensor, rows: Floats, columns: slice, late: float) -> Floats:
    share = sensor.step - sensor.lower - late
    below = rows[sensor.lower, columns]
    if late == 0.0 and not share.any():
        return below
    return below + share[:, None] * (rows[sensor.lower + 1, columns] - below)


def _thinned(signal: Signal, most_hz: float) -> Signal:
    every = max(1, round(signal.rate_hz / most_hz))
    return Signal(signal.times[::every], signal.values[::every])


def _smooth_at(signal: Signal, times: Floats) -> Floats:
    """Means over 20 ms, or the nearest two values."""
    half = 0.01 if signal.rate_hz > 200.0 else 0.0
    around = np.linspace(-half, half, 11)[:, None] + times
    found: Floats = signal.at(around.ravel()).reshape(11, len(times), -1).mean(axis=0)
    return found


def _smoothed(times: Floats, values: Floats, at: Floats) -> Floats:
    """Means over _SMOOTH_S, straight between."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    first = np.searchsorted(times, times - 0.5 * _SMOOTH_S)
    last = np.searchsorted(times, times + 0.5 * _SMOOTH_S, "right")
    found: Floats = np.interp(at, times, (total[last] - total[first]) / (last - first))
    return found


def _density_ratio(flight: LoggedFlight, windows: Windows) -> float:
    """Of the standard atmosphere at the flight's mean height."""
    height = flight.altitude_m
    if flight.height_m is not None:
        height += float(flight.height_m.at(windows.middle_s).mean())
    return density_of(pressure_pa(height, 0.0, 0.0), temperature_k(height, 0.0)) / SEA_LEVEL_DENSITY


def _unit(q: Floats) -> Floats:
    length: Floats = np.linalg.norm(q, axis=1, keepdims=True)
    return q / length


def _conjugate(q: Floats) -> Floats:
    found: Floats = q * np.array([1.0, -1.0, -1.0, -1.0])
    return found


def _product(a: Floats, b: Floats) -> Floats:
    """Of quaternions (n, 4)."""
    aw, ax, ay, az = a.T
    bw, bx, by, bz = b.T
    return np.column_stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ]
    )
