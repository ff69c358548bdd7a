"""Shooting program: physics alone, in windows of a flight, by the commands of its log.

Each window starts from a motion of its own. Rotors and their wakes go on from the window before,
unless there is a gap. No board, sensors, battery or ground: the log says what the motors got.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Program, reals_at, wholes_at
from simulation.compiler.program_record import ProgramCall
from simulation.compiler.source_digest import sources_digest
from simulation.physics.battery import follow_current, speed_ahead
from simulation.physics.propulsion import passed_voltage, supply_current
from simulation.physics.rigid_body import integrate
from simulation.physics.rotor_wake import PERIOD as WAKE_PERIOD
from simulation.physics.rotor_wake import move_wake
from simulation.records.flight import ATTITUDE, PARAMETERS, RATES, SCRATCH, STATE, VELOCITY

START: Final = 10
"""Numbers of a window's start: velocity NED m/s, attitude q_wxyz, rates of the body rad/s."""
ROW: Final = 14
"""Numbers of a step: velocity, attitude, rates, the specific force where the IMU is, m/s2, and the
battery's current, A."""
CURRENT: Final = 13
"""Which of them that is."""
_WARM_STEPS: Final = 400
"""Before a window after a gap: rotors follow their commands while the motion is held,"""
_FIRST_STEPS: Final = 1200
"""and before the first one, from rest."""
_DEEP_M: Final = 1e4
"""Where the ground is: too far to be felt."""

SHOT: Final = np.dtype(
    [
        ("parameters", PARAMETERS),
        ("state", STATE),
        ("scratch", SCRATCH),
        ("count", np.int64),  # of windows
        ("begin", np.int64),  # where their first steps are, and the steps after their last ones
        ("end", np.int64),
        ("joins", np.int64),  # 1: follows the window before
        ("start", np.int64),
        ("duty", np.int64),  # of each rotor by step
        ("source", np.int64),  # V of the battery without what its resistance takes, by step
        ("rows", np.int64),
    ],
    align=True,
)

Floats = npt.NDArray[np.float64]


class Shooting:
    """Flies windows of a flight again and again. `rows` of steps in no window stay zero."""

    def __init__(self, begin: npt.NDArray[np.int64], end: npt.NDArray[np.int64]) -> None:
        """The first step of each window, and the one after its last, in order."""
        joins = np.concatenate([[0], (begin[1:] == end[:-1]).astype(np.int64)])
        arrays = {"begin": begin, "end": end, "joins": joins}
        self._steps = int(end[-1])
        self._call = ProgramCall(shoot, SHOT, {"count": len(begin)}, arrays)

    def fly(
        self,
        parameters: np.void,
        air: tuple[tuple[float, float], float],
        commands: tuple[Floats, Floats],
        start: Floats,
    ) -> Floats:
        """Rows (steps, ROW) at the beginning of each step. `air`: wind to north and east, m/s, and
        density relative to sea level. `commands`: duty (steps, rotors) and V (steps,) of
        the battery, which its cells' resistance lowers. `start`: (windows, START)."""
        wind, density = air
        state, rows = np.zeros(1, STATE)[0], np.zeros((self._steps, ROW))
        state["wind"][:2] = wind
        state["air_density_ratio"] = density
        state["ground"] = _DEEP_M
        numbers = {"parameters": parameters, "state": state, "scratch": np.zeros(1, SCRATCH)[0]}
        duty, source = map(np.ascontiguousarray, commands)
        state["bus_voltage"] = source[0]
        start = np.ascontiguousarray(start)
        arrays = {"start": start, "duty": duty, "source": source, "rows": rows}
        self._call.run(numbers, arrays)
        return rows


@njit_part
def _begin(s: Any, start: Any, first: int) -> None:
    """Put the motion of a window's start into the state."""
    x = s["motion"]
    for i in range(3):
        x[i] = 0.0
        x[VELOCITY + i] = start[first + i]
        x[RATES + i] = start[first + 7 + i]
    for i in range(4):
        x[ATTITUDE + i] = start[first + 3 + i]


@njit_part
def _command(p: Any, s: Any, shot: Any, step: int) -> None:
    """Have the motors get what they got at a step."""
    duties, bus, count = reals_at(shot["duty"]), s["bus_voltage"], p["rotor_count"]
    per_bus = 1.0 / max(bus, 1.0)
    current, squares = p["avionics_power"] * per_bus, 0.0
    for i in range(count):
        duty, speed = duties[step * count + i], speed_ahead(s, shot["scratch"], i)
        s["voltage"][i] = passed_voltage(p, duty, bus, speed)
        current += supply_current(p, s, (i, speed), per_bus)
        squares += duty * duty
    source = reals_at(shot["source"])[step]
    s["battery_current"] = follow_current(p, s, source, (current, squares, per_bus))


@njit_part
def _warm_up(shot: Any, start: Any, window: int, step: int) -> None:
    """Let the rotors come to their speeds, and the wakes to theirs."""
    p, s, first = shot["parameters"], shot["state"], window * START
    for k in range(step - (_FIRST_STEPS if window == 0 else _WARM_STEPS), step):
        _begin(s, start, first)
        _command(p, s, shot, max(k, 0))
        if k % WAKE_PERIOD == 0:
            move_wake(p, s, shot["scratch"], k)
        integrate(p, s, shot["scratch"])
    _begin(s, start, first)


@njit_part
def _keep(p: Any, s: Any, rows: Any, first: int) -> None:
    """Write what is measured at the beginning of a step: the accelerometer felt the one before."""
    x, r, turning = s["motion"], p["imu_position"], s["angular_acceleration"]
    for i in range(3):
        rows[first + i] = x[VELOCITY + i]
        rows[first + 7 + i] = x[RATES + i]
    for i in range(4):
        rows[first + 3 + i] = x[ATTITUDE + i]
    a, b, c = x[RATES], x[RATES + 1], x[RATES + 2]
    along, square = a * r[0] + b * r[1] + c * r[2], a * a + b * b + c * c
    for i in range(3):
        j, m = (i + 1) % 3, (i + 2) % 3
        lever = turning[j] * r[m] - turning[m] * r[j] + x[RATES + i] * along - r[i] * square
        rows[first + 10 + i] = s["specific_force"][i] + lever
    rows[first + CURRENT] = s["battery_current"]


def _shoot(shot: Any) -> None:
    p, s = shot["parameters"], shot["state"]
    begin, end, joins = wholes_at(shot["begin"]), wholes_at(shot["end"]), wholes_at(shot["joins"])
    start, rows = reals_at(shot["start"]), reals_at(shot["rows"])
    for k in range(shot["count"]):
        _begin(s, start, k * START)
        if joins[k] == 0:
            _warm_up(shot, start, k, begin[k])
        for step in range(begin[k], end[k]):
            _keep(p, s, rows, step * ROW)
            _command(p, s, shot, step)
            if step % WAKE_PERIOD == 0:
                move_wake(p, s, shot["scratch"], step)
            integrate(p, s, shot["scratch"])


shoot: Final = Program(_shoot, SHOT, sources=sources_digest(__name__))
"""Fly the windows of a SHOT record."""
