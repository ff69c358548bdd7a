"""Synthesis: what the sensors of a flight would have shown, flown again window by window.

Multiple shooting: each window has a free start (velocity, attitude, rates), and all of them have
the same parameters. `predict` flies them once; `jacobian` once for each number of a start, in all
windows at the same time, and once for each parameter that moves the aircraft.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.environment.atmosphere import (
    SEA_LEVEL_DENSITY,
    density_of,
    pressure_pa,
    temperature_k,
)
from simulation.identification.channels import BIASES, MIXES, Channels, Values
from simulation.identification.logged_flight import Floats, LoggedFlight, Signal
from simulation.identification.parameters import AXES, BY_NAME, scale_record
from simulation.identification.starts import FREE, first_starts, moved
from simulation.identification.windows import LEAST_TURNING_DPS, Windows, turning_dps
from simulation.programs.shooting import CURRENT, Shooting
from simulation.records.interface import STEP_S

_SMOOTH_S: Final = 4.0
_SOURCE_ROUNDS: Final = 3
"""Each leaves about an eighth of the error of the one before."""
_START_STEPS: Final = np.array([1e-5] * 3 + [1e-6] * 3 + [1e-5] * 3)
"""So small that curvature does not show: what it adds would look like knowledge of wind against
velocity, or of heading, which only differences of slopes tell."""
_WINDS: Final = {"wind_north_mps": 0, "wind_east_mps": 1}
_VELOCITIES: Final = ("velocity_north", "velocity_east")
_TOLD_BY: Final = {
    **{f"torque_per_inertia_{axis}": [row] for row, axis in enumerate(AXES)},
    "motor_time_constant_ms": [0, 1],
    "dead_time_ms": [0, 1],
}
"""Which of the axes roll, pitch and yaw have to turn."""
CYCLE_S: Final = 0.002
"""Of the controllers of this family (PIOS_SENSOR_RATE)."""


class Synthesis:
    """Predictions for one flight, aircraft and choice of windows, as vectors of `channels`."""

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
        self.channels = Channels(flight, parameters, windows)
        self._turning = turning_dps(flight, windows)

    @property
    def windows(self) -> int:
        """How many there are."""
        return self._windows.count

    def first_starts(self) -> Floats:
        """Starts (windows, START) by what was logged."""
        return first_starts(self._flight, self._windows)

    def predict(self, values: Values, starts: Floats) -> Floats:
        """What the channels would have shown with these parameters."""
        return self.channels.seen(values, self._fly(values, starts))

    def jacobian(
        self, names: Sequence[str], steps: Values, values: Values, starts: Floats, base: Floats
    ) -> Floats:
        """Derivatives (m, FREE + names) of the prediction `base` (m,): by a window's start, of
        which only its own elements depend, then by the parameters. `steps` are differences."""
        slopes = np.zeros((len(base), FREE + len(names)), order="F")
        for k in range(FREE):
            move = np.zeros(FREE)
            move[k] = _START_STEPS[k]
            ahead = self.channels.seen(values, self._fly(values, moved(starts, move)))
            slopes[:, k] = (ahead - base) / _START_STEPS[k]
        for k, name in enumerate(names, FREE):
            if name in BIASES:
                slopes[:, k] = self.channels.is_of(BIASES[name])
                continue
            if name in MIXES:
                slopes[:, k] = self.channels.mix_slope(name, base)
                continue
            if name in _WINDS:  # only the motion through the air counts
                axis = _WINDS[name]
                slopes[:, k] = self.channels.is_of(_VELOCITIES[axis]) - slopes[:, axis]
                continue
            other = {**values, name: values[name] + steps[name]}
            slopes[:, k] = (self.predict(other, starts) - base) / steps[name]
            slopes[self._is_quiet(name), k] = 0.0
        return slopes

    def _fly(self, values: Values, starts: Floats) -> Floats:
        p = self._file.copy()
        for name, value in values.items():
            if name in self._nominal:
                scale_record(p, self._file, BY_NAME[name], value / self._nominal[name])
        wind = (values.get("wind_north_mps", 0.0), values.get("wind_east_mps", 0.0))
        dead_s = values.get("dead_time_ms", float(p["dead_steps"]) * STEP_S * 1e3) / 1e3
        duty = self._pulses.duty(self._windows.zero_s - dead_s, self._steps)
        return self._shooting.fly(p, (wind, self._density), (duty, self._source), starts)

    def _is_quiet(self, name: str) -> npt.NDArray[np.bool_]:
        """Where the axes that a parameter of turning is told by hardly turn. What moves them there
        is noise of the controller, of which a log with fewer commands than it gives has another:
        at 250 of 500 Hz firmware's made 0.87 of a torque per inertia of 1."""
        axes = _TOLD_BY.get(name)
        if axes is None:
            return np.zeros(len(self.channels.observed), np.bool_)
        quiet = (self._turning[:, axes] < LEAST_TURNING_DPS).all(axis=1)
        return np.repeat(quiet, np.diff(self.channels.bounds))

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
        resistance, starts = (
            float(p["cells"] * p["cell_resistance"]),
            first_starts(self._flight, windows),
        )
        for _ in range(_SOURCE_ROUNDS):  # in the first one the drop is taken twice
            current = self._fly({}, starts)[step[inside], CURRENT]
            source = voltage.values[inside, 0] + resistance * current
            self._source = _smoothed(voltage.times[inside], source, times)
        return self._source


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
