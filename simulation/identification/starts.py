"""Starts of windows: rows of the motion that each of them is flown from, and how they are moved."""

from typing import Final

import numpy as np

from simulation.identification.logged_flight import Floats, LoggedFlight, Signal
from simulation.identification.windows import Windows
from simulation.programs.shooting import START
from simulation.records.interface import STEP_S

FREE: Final = 9
"""Free numbers of a start: velocity, turn of the attitude, rates; three axes each."""


def first_starts(flight: LoggedFlight, windows: Windows) -> Floats:
    """Starts (windows, START) by what was logged."""
    times = windows.zero_s + STEP_S * windows.begin.astype(np.float64)
    starts = np.empty((windows.count, START))
    starts[:, :3] = flight.velocity.at(times)
    after = np.searchsorted(flight.attitude.times, times)
    starts[:, 3:7] = _unit(flight.attitude.values[after])
    starts[:, 7:] = np.radians(_smooth_at(flight.gyro, times))
    return starts


def moved(starts: Floats, by: Floats) -> Floats:
    """Starts (windows, START) moved by FREE numbers, the same for all or (windows, FREE)."""
    by = np.broadcast_to(by, (len(starts), FREE))
    after = starts.copy()
    after[:, :3] += by[:, :3]
    after[:, 7:] += by[:, 6:]
    turn = np.column_stack([np.ones(len(starts)), 0.5 * by[:, 3:6]])
    after[:, 3:7] = _unit(quaternion_products(starts[:, 3:7], turn))
    return after


def turns_deg(from_q: Floats, to_q: Floats) -> Floats:
    """Small turns (n, 3) in deg about the body's axes from one attitude to another, (n, 4) each."""
    turned = quaternion_products(from_q * np.array([1.0, -1.0, -1.0, -1.0]), to_q)
    found: Floats = np.degrees(2.0 * turned[:, 1:] * np.sign(turned[:, :1]))
    return found


def _unit(q: Floats) -> Floats:
    length: Floats = np.linalg.norm(q, axis=1, keepdims=True)
    return q / length


def quaternion_products(a: Floats, b: Floats) -> Floats:
    """Of quaternions q_wxyz (n, 4)."""
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


def _smooth_at(signal: Signal, times: Floats) -> Floats:
    """Means over 20 ms, or the nearest two values."""
    half = 0.01 if signal.rate_hz > 200.0 else 0.0
    around = np.linspace(-half, half, 11)[:, None] + times
    found: Floats = signal.at(around.ravel()).reshape(11, len(times), -1).mean(axis=0)
    return found
