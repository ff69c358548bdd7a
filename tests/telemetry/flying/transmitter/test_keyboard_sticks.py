"""Sticks pushed by held keys."""

import pytest

from telemetry.flying.transmitter.keyboard_sticks import (
    FULL_DEFLECTION,
    PushedSticks,
    step_keyboard,
)
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


def push(
    pushed: PushedSticks, dragged: Sticks, *keys: str, springs: bool, seconds: float = 1.0
) -> PushedSticks:
    for _ in range(round(seconds / 0.02)):
        pushed = pushed.step(dragged, frozenset(keys), 0.02, springs)
    return pushed


def test_keys_push_on_screen_sticks_from_where_they_are_held_and_no_further_than_they_go() -> None:
    held = Sticks(roll=0.2, pitch=0.9, throttle=0.5)
    pushed = push(PushedSticks(held, Sticks(throttle=0.5)), held, "Right", "Down", springs=True)
    sticks = pushed.sticks(throttle_springs=True)
    assert (sticks.roll, sticks.pitch) == (pytest.approx(0.2 + FULL_DEFLECTION), 1.0)
    let_go = push(pushed, held, springs=True).sticks(throttle_springs=True)
    assert (let_go.roll, let_go.pitch, let_go.throttle) == (0.2, 0.9, pytest.approx(0.5))


def test_a_throttle_is_where_whatever_moved_it_last_has_left_it() -> None:
    dragged = Sticks(throttle=0.4)
    pushed = push(PushedSticks(dragged, dragged), dragged, "W", springs=False, seconds=0.2)
    assert pushed.sticks(throttle_springs=False).throttle == pytest.approx(0.5)
    aside = Sticks(roll=0.3, throttle=0.4)  # the other stick is dragged, this one is not
    pushed = push(pushed, aside, springs=False)
    assert pushed.sticks(throttle_springs=False).throttle == pytest.approx(0.5)
    pushed = push(pushed, Sticks(throttle=0.7), springs=False)
    assert pushed.sticks(throttle_springs=False).throttle == 0.7
