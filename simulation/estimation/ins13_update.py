"""INS13 correction: measurements of one instant, taken one number after the other.

As in LibrePilot's flight/libraries/insgps13state.c (`INSCorrection`, `SerialUpdate`). What is
expected of all measurements is worked out of the state before the first of them, and not anew after
each, as a serial Kalman update would have it: where several come at the same instant, what they
have in common is taken over more than once. Nothing is refused, however far it is off.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.estimation.ins13_motion import normalise_turn
from simulation.estimation.ins13_state import (
    FIELD,
    GPS_PLACE,
    GPS_SPEED,
    HAS_AIRSPEED,
    HAS_BARO,
    HAS_MAG,
    HAS_PLACE,
    HAS_SPEED,
    HEIGHT,
    POSITION,
    SIZE,
    TURN,
    VELOCITY,
)

_SENSORS = 5


@njit_part
def is_measured(n: Any) -> bool:
    """Whether anything has been."""
    has = n["has"]
    return bool(has[0] + has[1] + has[2] + has[3] + has[4] != 0)


@njit_part
def correct_state(n: Any, uses_gps: bool) -> None:
    """Use what has been measured since the last time, see `is_measured`; `n` is the INS record.
    Without GPS position and velocity are no measurements, and EKFConfiguration.FakeR counts."""
    has = n["has"]
    if has[HAS_MAG] != 0 and n["map_magnetometer"] != 0:
        lay_field_level(n)
    place, speed = has[HAS_PLACE] != 0, has[HAS_SPEED] != 0
    _choose_variances(n, uses_gps)
    if has[HAS_AIRSPEED] != 0 and ((not speed and not place) or not uses_gps):
        speed = True
        take_airspeed(n)
    _expect(n)
    for i in range(3):
        if place:
            _use_state(n, GPS_PLACE + i, POSITION + i, 1.0, n["place"][i])
    for i in range(3):
        if speed:
            _use_state(n, GPS_SPEED + i, VELOCITY + i, 1.0, n["speed"][i])
    if has[HAS_MAG] != 0:
        _use_field(n)
    if has[HAS_BARO] != 0:
        _use_state(n, HEIGHT, POSITION + 2, -1.0, n["height"])
    normalise_turn(n["x"])
    for i in range(_SENSORS):
        has[i] = 0


@njit_part
def _choose_variances(n: Any, uses_gps: bool) -> None:
    """Set those of position and velocity; all others stay as they were begun with."""
    for i in range(3):
        n["variance"][GPS_PLACE + i] = n["r"][GPS_PLACE + i] if uses_gps else n["fake_r"][0]
        n["variance"][GPS_SPEED + i] = n["r"][GPS_SPEED + i] if uses_gps else n["fake_r"][1]


@njit_part
def take_airspeed(n: Any) -> None:
    """Take the airspeed along the nose for a velocity over ground, as little to be trusted as the
    wind is known. Firmware turns it by the matrix from NED to body axes and takes the result for
    NED (filterekf.c); so do we."""
    x = n["x"]
    q0, q1, q2, q3 = x[TURN], x[TURN + 1], x[TURN + 2], x[TURN + 3]
    nose, speed = n["airspeed"], n["speed"]
    speed[0] = (q0 * q0 + q1 * q1 - q2 * q2 - q3 * q3) * nose
    speed[1] = 2.0 * (q1 * q2 - q0 * q3) * nose
    speed[2] = 2.0 * (q1 * q3 + q0 * q2) * nose
    for i in range(3):
        n["variance"][GPS_PLACE + i] = n["fake_r"][0]
        n["variance"][GPS_SPEED + i] = n["fake_r"][2]


@njit_part
def lay_field_level(n: Any) -> None:
    """Put in place of the field measured one at the angle to down that it has at home, in the same
    plane with down as it is estimated: it then says nothing of roll and pitch (filterekf.c,
    MapMagnetometerToHorizontalPlane). One that is measured straight down says nothing at all."""
    x, m = n["x"], n["mag"]
    q0, q1, q2, q3 = x[TURN], x[TURN + 1], x[TURN + 2], x[TURN + 3]
    a = 2.0 * (q1 * q3 - q0 * q2)
    b = 2.0 * (q2 * q3 + q0 * q1)
    c = q0 * q0 - q1 * q1 - q2 * q2 + q3 * q3
    along = m[0] * a + m[1] * b + m[2] * c
    across = (m[0] - along * a, m[1] - along * b, m[2] - along * c)
    square = across[0] * across[0] + across[1] * across[1] + across[2] * across[2]
    sine = math.sin(n["dip"]) / math.sqrt(square) if square > 0.0 else 0.0
    cosine = math.cos(n["dip"]) if square > 0.0 else 1.0
    m[0] = cosine * a + sine * across[0]
    m[1] = cosine * b + sine * across[1]
    m[2] = cosine * c + sine * across[2]


@njit_part
def _expect(n: Any) -> None:
    """Write into INS.expected what each measurement would be, and into INS.bend (3, 4) the
    derivatives of the field in body axes by the quaternion."""
    x, expected = n["x"], n["expected"]
    for i in range(3):
        expected[GPS_PLACE + i] = x[POSITION + i]
        expected[GPS_SPEED + i] = x[VELOCITY + i]
    expected[HEIGHT] = -x[POSITION + 2]
    _expect_field(n["field"], x, expected, n["bend"])


@njit_part
def _expect_field(b: Any, x: Any, expected: Any, bend: Any) -> None:
    """`b` is the field at home, of length one. It is homogeneous of second degree in q: half of the
    derivatives times q."""
    q0, q1, q2, q3 = x[TURN], x[TURN + 1], x[TURN + 2], x[TURN + 3]
    along = 2.0 * (q1 * b[0] + q2 * b[1] + q3 * b[2])
    ahead = 2.0 * (q0 * b[0] + q3 * b[1] - q2 * b[2])
    aside = 2.0 * (-q3 * b[0] + q0 * b[1] + q1 * b[2])
    below = 2.0 * (q2 * b[0] - q1 * b[1] + q0 * b[2])
    bend[0, 0], bend[0, 1], bend[0, 2], bend[0, 3] = ahead, along, -below, aside
    bend[1, 0], bend[1, 1], bend[1, 2], bend[1, 3] = aside, below, along, -ahead
    bend[2, 0], bend[2, 1], bend[2, 2], bend[2, 3] = below, -aside, ahead, along
    for i in range(3):
        product = bend[i, 0] * q0 + bend[i, 1] * q1 + bend[i, 2] * q2 + bend[i, 3] * q3
        expected[FIELD + i] = 0.5 * product


@njit_part
def _use_state(n: Any, row: int, state: int, sign: float, measured: float) -> None:
    """Use measurement `row`, which is `sign` times a state."""
    p, ph = n["p"], n["ph"]
    for j in range(SIZE):
        ph[j] = sign * p[state, j]
    s = n["variance"][row] + sign * ph[state]
    _take_over(n, s, measured - n["expected"][row])


@njit_part
def _use_field(n: Any) -> None:
    """Use the three axes of the magnetometer, whose length does not matter if there is one."""
    p, ph, m = n["p"], n["ph"], n["mag"]
    square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2]
    scale = 1.0 / math.sqrt(square) if square > 0.0 else 0.0
    for i in range(3):
        bend = n["bend"][i]
        for j in range(SIZE):
            ph[j] = 0.0
            for k in range(4):
                ph[j] += bend[k] * p[TURN + k, j]
        s = n["variance"][FIELD + i]
        for k in range(4):
            s += ph[TURN + k] * bend[k]
        _take_over(n, s, m[i] * scale - n["expected"][FIELD + i])


@njit_shared
def _take_over(n: Any, s: float, error: float) -> None:
    """Move state and covariance by one number, with its P h in INS.ph and its variance `s`."""
    x, p, ph = n["x"], n["p"], n["ph"]
    share = 1.0 / s
    for i in range(SIZE):
        gain = ph[i] * share
        x[i] += gain * error
        for j in range(i, SIZE):
            left = p[i, j] - gain * ph[j]
            p[i, j] = left
            p[j, i] = left
