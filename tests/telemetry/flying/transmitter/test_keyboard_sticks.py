"""Sticks pushed by held keys."""

import pytest

from telemetry.flying.transmitter.keyboard_sticks import FULL_DEFLECTION, step_keyboard
from telemetry.vehicle.sticks import Sticks


def test_held_keys_push_the_sticks_and_released_keys_let_them_spring_back() -> None:
    sticks = Sticks()
    for _ in range(50):
        sticks = step_keyboard(sticks, frozenset({"Right", "Up", "W"}), 0.02)
    assert sticks.roll == pytest.approx(FULL_DEFLECTION)
    assert sticks.pitch == pytest.approx(-FULL_DEFLECTION)  # Up pushes the nose down
    assert sticks.throttle == pytest.approx(0.5)
    for _ in range(50):
        sticks = step_keyboard(sticks, frozenset(), 0.02)
    assert (sticks.roll, sticks.pitch) == (0.0, 0.0)
    assert sticks.throttle == pytest.approx(0.5)  # a throttle stays


def test_a_throttle_that_springs_returns_to_the_middle() -> None:
    sticks = Sticks(throttle=0.5)
    for _ in range(50):
        sticks = step_keyboard(sticks, frozenset({"W"}), 0.02, throttle_springs=True)
    assert sticks.throttle == pytest.approx(0.5 + FULL_DEFLECTION / 2)
    for _ in range(50):
        sticks = step_keyboard(sticks, frozenset(), 0.02, throttle_springs=True)
    assert sticks.throttle == pytest.approx(0.5)


def test_opposite_keys_cancel() -> None:
    assert step_keyboard(Sticks(), frozenset({"Left", "Right"}), 0.5).roll == 0.0
