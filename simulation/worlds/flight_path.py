"""Where an aircraft was and how fast its rotors turned, at any time of its flight."""

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.interface import ROTORS, STEP_S

Array = npt.NDArray[np.float64]

PATH_STEPS = 5
"""Between two rows: 200 Hz, so that straight lines between them are exact enough."""


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What was so at some times: NED positions (n, 3) in metres, velocities (n, 3), and the
    rotations (n, 3, 3) of NED into the body's axes."""

    position: Array
    velocity: Array
    to_body: Array


class FlightPath:
    """Takes the truth while a simulator flies (`Simulator.watch(path.add, PATH_STEPS)`). Before
    its first row and after its last the aircraft is where it was then, its rotors at rest."""

    def __init__(self) -> None:
        self._rows = array("d")
        self._taken: Array | None = None

    def __len__(self) -> int:
        return len(self._rows) // _WIDTH

    def add(self, output: Any) -> None:
        """Take one row of OUTPUT."""
        self._taken = None
        self._rows.append(int(output["step"]) * STEP_S)
        for member in _MEMBERS:
            self._rows.extend(output[member].tolist())

    @property
    def time_s(self) -> Array:
        """Simulated time of each row, which is that of the flight's log."""
        return self._table[:, 0]

    @property
    def end_s(self) -> float:
        """Time of the last row, 0 without any."""
        return float(self._table[-1, 0]) if len(self) else 0.0

    @property
    def rotor_speed(self) -> Array:
        """Of each row and rotor that ever turned, rad/s."""
        speeds = self._table[:, 1 + _AT["rotor_speed"] :]
        return speeds[:, speeds.any(axis=0)]

    @property
    def airspeed(self) -> Array:
        """Of each row, m/s."""
        velocity, wind = self._columns("true_velocity"), self._columns("true_wind")
        return np.asarray(np.linalg.norm(velocity - wind, axis=1))

    def motion(self, times_s: Array) -> Motion:
        """The aircraft at these times."""
        times = self.time_s
        after = np.clip(np.searchsorted(times, times_s), 1, len(times) - 1)
        span = times[after] - times[after - 1]
        share = np.clip((times_s - times[after - 1]) / span, 0.0, 1.0)[:, None]

        def between(member: str) -> Array:
            rows = self._columns(member)
            before, then = rows[after - 1], rows[after]
            if member == "true_quaternion":  # q and -q are the same rotation
                then = then * np.where((before * then).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
            return np.asarray(before + (then - before) * share)

        quaternion = between("true_quaternion")
        quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
        moves = (times_s >= times[0]) & (times_s <= times[-1])
        return Motion(
            between("true_position"),
            between("true_velocity") * moves[:, None],
            rotations(quaternion),
        )

    @property
    def _table(self) -> Array:
        if self._taken is None:
            self._taken = np.array(self._rows).reshape(-1, _WIDTH)
        return self._taken

    def _columns(self, member: str) -> Array:
        start = 1 + _AT[member]
        return self._table[:, start : start + _MEMBERS[member]]


_MEMBERS = {
    "true_position": 3,
    "true_velocity": 3,
    "true_wind": 3,
    "true_quaternion": 4,
    "rotor_speed": ROTORS,
}
_AT = dict(zip(_MEMBERS, np.cumsum([0, *_MEMBERS.values()]).tolist(), strict=False))
_WIDTH = 1 + sum(_MEMBERS.values())


def rotations(quaternions: Array) -> Array:
    """The matrices (n, 3, 3) that turn NED vectors into the body's axes; the quaternions (n, 4),
    scalar first, turn body into NED."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)
