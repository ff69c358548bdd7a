"""Flight path: pose and rotor speeds of an aircraft at any time of its flight."""

from array import array
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.records.interface import ROTORS, STEP_S
from telemetry.base.rotations import matrices_of

Array = npt.NDArray[np.float64]

PATH_STEPS = 5
"""Between two rows: 200 Hz, so that straight lines between them are exact enough."""
_NO_MORE = 2**62
_MEMBERS = {
    "true_position": 3,
    "true_velocity": 3,
    "true_wind": 3,
    "true_quaternion": 4,
    "rotor_speed": ROTORS,
}


class PathRecorder:
    """Takes the truth while a simulator flies: `Simulator.watch(recorder.add, PATH_STEPS)`."""

    def __init__(self) -> None:
        self._rows = array("d")
        self._last_step = -1

    def add(self, output: Any) -> None:
        """Take one row of OUTPUT; none any more once the simulator has begun anew."""
        step = int(output["step"])
        if step <= self._last_step:
            self._last_step = _NO_MORE
            return
        self._last_step = step
        self._rows.append(step * STEP_S)
        for member in _MEMBERS:
            self._rows.extend(output[member].tolist())

    def path(self) -> "FlightPath | None":
        """What was flown so far; None if that is not even two rows."""
        table = np.array(self._rows).reshape(-1, 1 + sum(_MEMBERS.values()))
        return FlightPath(table) if len(table) > 1 else None


class FlightPath:
    """A flight. Before its first row the aircraft is where it was then, and after its last, its
    rotors at rest. Times are simulated ones, which are those of the flight's log."""

    def __init__(self, table: Array) -> None:
        """`table` (rows, columns): time in s, ascending, then the members of OUTPUT as
        PathRecorder takes them."""
        self._time_s = np.ascontiguousarray(table[:, 0])
        ends = np.cumsum([*_MEMBERS.values()])[:-1]
        members = np.split(table[:, 1:], ends, axis=1)
        self._position, self._velocity, self._wind, quaternion, speed = members
        # q and -q are the same rotation; lines between them run the short way.
        turned = np.sign((quaternion[1:] * quaternion[:-1]).sum(axis=1))
        signs = np.cumprod(np.concatenate([[1.0], np.where(turned < 0.0, -1.0, 1.0)]))
        self._quaternion = quaternion * signs[:, None]
        self._speed = speed[:, speed.any(axis=0)]

    @property
    def end_s(self) -> float:
        """Time of the last row."""
        return float(self._time_s[-1])

    def motion(self, times_s: Array) -> tuple[Array, Array]:
        """NED positions (n, 3) in metres, and the rotations (n, 3, 3) of NED into the body's
        axes."""
        times = self._time_s
        after = np.clip(np.searchsorted(times, times_s), 1, len(times) - 1)
        span = times[after] - times[after - 1]
        share = np.clip((times_s - times[after - 1]) / span, 0.0, 1.0)[:, None]
        position, quaternion = (
            rows[after - 1] + (rows[after] - rows[after - 1]) * share
            for rows in (self._position, self._quaternion)
        )
        quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
        return position, matrices_of(quaternion).transpose(0, 2, 1)

    def airspeed(self, times_s: Array) -> Array:
        """(n,) in m/s."""
        return np.interp(times_s, self._time_s, self._airspeed)

    def turns(self, times_s: Array) -> Array:
        """How often each rotor has turned by then (n, rotors)."""
        return self._at(times_s, self._turns)

    def loudness(self, times_s: Array) -> Array:
        """How much each rotor is felt and heard then (n, rotors): the square of its speed; at the
        flight's highest speed all of them together are 1."""
        return self._at(times_s, self._loudness)

    @cached_property
    def _airspeed(self) -> Array:
        return np.asarray(np.linalg.norm(self._velocity - self._wind, axis=1))

    @cached_property
    def _turns(self) -> Array:
        """By rotor and row."""
        lasted = np.diff(self._time_s)[:, None]
        steps = 0.5 * (self._speed[1:] + self._speed[:-1]) * lasted / (2.0 * np.pi)
        turned = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
        return np.ascontiguousarray(turned.T)

    @cached_property
    def _loudness(self) -> Array:
        """By rotor and row."""
        highest = max(float(self._speed.max(initial=0.0)), 1.0)
        share = (self._speed / highest) ** 2 / max(self._speed.shape[1], 1)
        share[0] = share[-1] = 0.0
        return np.ascontiguousarray(share.T)

    def _at(self, times_s: Array, by_rotor: Array) -> Array:
        found = [np.interp(times_s, self._time_s, row) for row in by_rotor]
        return np.stack(found, axis=1) if found else np.zeros((len(times_s), 0))
