"""Vibration of rotors in gyro and accelerometer: lines at their frequencies and multiples of them.

An unbalanced rotor pulls with the square of its speed n and turns that pull with itself; blades
that meet disturbed air do so a whole number of times per turn. So rotor i, at the angle a, gives

    A_h (n / 1000 rad/s)^2 (cos h a, +-sin h a, cos h a)   for h = 1, 2, 3 times per turn,

the sign being the sense it turns in, `harmonics` of the aircraft's file the amplitudes A. Before it
is sampled a line passes the sensor's anti-alias filter, a Butterworth of second order:
|H| = 1 / sqrt(1 + (f / bandwidth)^4). A line above half the sample rate then appears below it, as
weak as the filter leaves it; without a bandwidth it is not weakened. The filter acts on vibration
only: a body moves slowly beside it, and its delay of 1 to 3 ms is that of `delay_ms`.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, side_by_side
from simulation.mathematics.random_numbers import Whole, philox
from simulation.records.flight import MOTION, ROTOR
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import ACCEL, HARMONICS

_TURN = 2.0 * math.pi
_TURNS_STREAM, _WORDS = 0x580, 4294967296.0
_PER_SPEED = 1e-3  # s/rad
_GAIN_STEPS = 32  # between two looks at how fast the rotors turn
# Taylor's series of sin(2 pi x), exact to 4e-6 in a quarter turn, a third of the time of math.sin.
_S1, _S3, _S5, _S7, _S9 = 6.283185307, -41.34170224, 81.60524928, -76.70585975, 42.05869394


@njit_part
def sine(turns: float) -> float:
    """Sine of an angle in whole turns, 0 to 1.25."""
    x = 0.5 - turns if turns < 0.75 else turns - 1.0
    x = 0.5 - x if x > 0.25 else x
    y = x * x
    return x * (_S1 + y * (_S3 + y * (_S5 + y * (_S7 + y * _S9))))


@njit_part
def begin_vibration(p: Any, s: Any) -> None:
    """Look whether there is any; rotors stand as chance has it."""
    for i in range(p["rotor_count"]):
        word, _ = philox(s["seed"], i, _TURNS_STREAM)
        s["rotor_turns"][i] = word / _WORDS
    s["has_lines"] = 0
    for m in range(ACCEL + 1):
        for h in range(HARMONICS):
            if p["harmonics"][m, h] != 0.0:
                s["has_lines"] = 1


@njit_part
def follow_rotors(p: Any, s: Any, step: Whole) -> None:
    """Turn the rotors to this step, the same for all sensors sampled at it."""
    if s["has_lines"] == 0 or step == s["lines_step"]:
        return
    passed = (step - s["lines_step"]) * STEP_S / _TURN
    s["lines_step"] = step
    if step >= s["line_gain_step"]:
        s["line_gain_step"] = step + _GAIN_STEPS
        _set_gains(p, s)
    speeds, part = s["motion"][ROTOR:MOTION], s["rotor_parts"]
    for i in side_by_side(p["rotor_count"]):
        speed, spin = speeds[i], p["rotor_spin"][i]
        turns = s["rotor_turns"][i] + speed * passed
        turns -= math.floor(turns)
        s["rotor_turns"][i] = turns
        _pull(part, i, turns, (_PER_SPEED * _PER_SPEED * speed * speed, spin))
    for h in range(HARMONICS):
        cosine = rising = 0.0
        for i in range(p["rotor_count"]):
            cosine += part[2 * h, i]
            rising += part[2 * h + 1, i]
        s["line"][h, 0], s["line"][h, 1] = cosine, rising


@njit_part
def _pull(part: Any, i: int, turns: float, pulls: tuple[float, float]) -> None:
    """Set what rotor `i` adds to each line; by its weight, and the sense it turns in."""
    weight, spin = pulls
    c, s = sine(turns + 0.25), sine(turns)
    cosine, rising = weight * c, weight * s
    for h in range(HARMONICS):
        part[2 * h, i], part[2 * h + 1, i] = cosine, spin * rising
        cosine, rising = cosine * c - rising * s, rising * c + cosine * s


@njit_part
def _set_gains(p: Any, s: Any) -> None:
    """Amplitude by sensor and multiple, after its filter."""
    total = 0.0
    for i in range(p["rotor_count"]):
        total += s["motion"][ROTOR + i]
    turning = total / p["rotor_count"] / _TURN
    for m in range(ACCEL + 1):
        band = p["bandwidth_hz"][m]
        for h in range(HARMONICS):
            share = (h + 1) * turning / band if band > 0.0 else 0.0
            s["line_gain"][m, h] = p["harmonics"][m, h] / math.sqrt(1.0 + share**4)


@njit_part
def shaken(s: Any, m: int, i: int) -> float:
    """What axis `i` of GYRO or ACCEL feels of the rotors now."""
    if s["has_lines"] == 0:
        return 0.0
    gain, line, part = s["line_gain"][m], s["line"], i % 2
    total = 0.0
    for h in range(HARMONICS):
        total += gain[h] * line[h, part]
    return total
