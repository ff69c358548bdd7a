"""Course that excites what `lapwing identify` looks for, as a reference of a controller. Needs
numpy alone; world axes are east, north, up.

It takes off, answers doublets of roll, pitch, climb and yaw, runs fast along both axes in both
directions, turns slowly once round, and hovers. What is given is its accelerations; a doublet ends
where it began.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.peers.manoeuvre import Vector

STEP_S = 0.002
COURSE_S = 122.0
IDLE_S = 2.0
"""Stands on the ground so long, its rotors idling."""
WIND_MPS = (3.0, -2.0, 0.0)
DEAD_TIME_S = 0.008
"""From a command that is logged to when it acts."""

_X, _Y, _Z, _YAW = range(4)
_DOUBLET = (1, -1, -1, 1)
# When, how long each quarter lasts, about which axis, how much: m/s2, of yaw rad/s2.
_DOUBLETS = (
    (10.0, 0.25, _Y, 3.0),
    (12.5, 0.4, _Y, 4.0),
    (15.5, 0.6, _Y, 4.0),
    (19.0, 0.25, _X, 3.0),
    (21.5, 0.4, _X, 4.0),
    (24.5, 0.6, _X, 4.0),
    (28.0, 0.3, _Z, 5.0),
    (30.5, 0.6, _Z, 4.0),
    (34.0, 0.3, _YAW, 3.0),
    (36.5, 0.5, _YAW, 3.0),
    (106.0, 0.3, _X, 3.0),
    (108.0, 0.3, _Y, 3.0),
    (110.0, 0.4, _Z, 4.0),
)
# When, until when, along which axis, how much.
_PULSES = (
    (2.0, 4.0, _Z, 1.5),
    (6.0, 8.0, _Z, -1.5),
    *(
        (at_s + since_s, at_s + until_s, axis, size)
        for at_s, axis in ((40.0, _X), (61.0, _Y))
        for since_s, until_s, size in ((0.0, 2.5, 3.0), (7.5, 12.5, -3.0), (17.5, 20.0, 3.0))
    ),
    (82.0, 83.0, _YAW, 0.3),
    (82.0 + 2 * np.pi / 0.3, 83.0 + 2 * np.pi / 0.3, _YAW, -0.3),
)


@dataclass(frozen=True, slots=True)
class CourseReference:
    """One row a step: acceleration (m/s2), velocity (m/s), position (m) and yaw acceleration
    (rad/s2), rate and angle, the last column of each (n, 4)."""

    acceleration: Vector
    velocity: Vector
    position: Vector


def course() -> CourseReference:
    """The reference at every step of `STEP_S`."""
    acceleration = np.zeros((round(COURSE_S / STEP_S), 4))
    doublets = (
        (at_s + part * width_s, at_s + (part + 1) * width_s, axis, sign * size)
        for at_s, width_s, axis, size in _DOUBLETS
        for part, sign in enumerate(_DOUBLET)
    )
    for since_s, until_s, axis, size in (*_PULSES, *doublets):
        acceleration[round(since_s / STEP_S) : round(until_s / STEP_S), axis] += size
    velocity = np.cumsum(acceleration, axis=0) * STEP_S
    return CourseReference(acceleration, velocity, np.cumsum(velocity, axis=0) * STEP_S)
