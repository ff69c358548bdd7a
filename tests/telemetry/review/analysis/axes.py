"""Axes whose answer to a step is known: second-order systems flown by a restless stick."""

import math

import numpy as np

from telemetry.review.analysis.series import Array, Series

FINE_S = 0.0005


def stick(seconds: float, rng: np.random.Generator, size: float = 20.0) -> Array:
    """A desired value every FINE_S that jumps to somewhere else about every half second."""
    count = int(seconds / FINE_S)
    values, k = np.zeros(count), 0
    while k < count:
        hold = int(rng.uniform(0.2, 0.9) / FINE_S)
        values[k : k + hold] = rng.uniform(-size, size)
        k += hold
    return values


def smooth_stick(seconds: float, rng: np.random.Generator, size: float = 20.0) -> Array:
    """A stick moved by hand: filtered at 2 Hz."""
    return answer(stick(seconds, rng, size), 2.0 * math.pi * 2.0, 1.0)


def answer(desired: Array, frequency: float, damping: float, delay_s: float = 0.0) -> Array:
    """y'' = w^2 (x - y) - 2 d w y', exact for a value held over FINE_S, x late by `delay_s`."""
    w, d = frequency, damping
    late = round(delay_s / FINE_S)
    x = np.concatenate([np.full(late, desired[0]), desired])[: len(desired)]
    system = np.array([[0.0, 1.0], [-w * w, -2.0 * d * w]])
    power, move, total = np.eye(2), np.eye(2), np.zeros((2, 2))
    for k in range(1, 12):
        total = total + power * FINE_S / k
        power = power @ system * FINE_S / k
        move = move + power
    (stay, drift), (pull, slow) = move.tolist()
    push, shove = (total @ np.array([0.0, w * w])).tolist()
    y, speed, found = float(x[0]), 0.0, []
    for value in x.tolist():  # plain numbers: arrays of two take ten times as long
        found.append(y)
        y, speed = stay * y + drift * speed + push * value, pull * y + slow * speed + shove * value
    return np.array(found)


def sampled(values: Array, rate_hz: float, rng: np.random.Generator, noise: float = 0.0) -> Series:
    """Read at uneven times, about `rate_hz` times a second."""
    steps = rng.uniform(0.7, 1.3, int(2 * len(values) * FINE_S * rate_hz)) / rate_hz
    times = np.cumsum(steps)
    times = times[times < (len(values) - 1) * FINE_S]
    read = values[(times / FINE_S).astype(np.int64)]
    return Series(times, read + rng.normal(size=len(times)) * noise)


def truth(frequency: float, damping: float, delay_s: float = 0.0) -> tuple[float, float, float]:
    """Rise from 10 to 90 % in s, time to half in s, overshoot in %, of a step."""
    step = answer(np.concatenate([[0.0], np.ones(int(4.0 / FINE_S))]), frequency, damping, delay_s)
    low, half, high = (int(np.argmax(step >= level)) for level in (0.1, 0.5, 0.9))
    over = 100.0 * (float(step.max()) - 1.0)
    return (high - low) * FINE_S, half * FINE_S, max(over, 0.0)
