"""An instructor and a student on one aircraft."""

import pytest

from plugins.pilot.devices.mix import Mix, MixSetup
from telemetry.vehicle.sticks import Sticks

CALM, STUDENT = Sticks(throttle=0.4), Sticks(roll=0.5, pitch=-0.5, yaw=0.2, throttle=0.7)


def test_the_instructor_flies_until_he_gives_the_controls() -> None:
    mix = Mix(MixSetup())
    assert mix.step(CALM, STUDENT) == CALM
    mix.give()
    assert mix.step(CALM, STUDENT) == STUDENT


def test_the_student_has_only_the_controls_that_were_given() -> None:
    mix = Mix(MixSetup(frozenset(("roll", "pitch"))))
    mix.give()
    assert mix.step(CALM, STUDENT) == Sticks(roll=0.5, pitch=-0.5, yaw=0.0, throttle=0.4)


@pytest.mark.parametrize("moved", [Sticks(roll=0.3, throttle=0.4), Sticks(throttle=0.5)])
def test_moving_a_stick_takes_over_and_keeps(moved: Sticks) -> None:
    mix = Mix(MixSetup(takeover="moving"))
    mix.give()
    mix.step(CALM, STUDENT)
    assert mix.step(moved, STUDENT) == moved
    assert mix.step(CALM, STUDENT) == CALM, "letting go gives nothing back"


def test_a_hand_that_only_rests_on_the_stick_takes_nothing_over() -> None:
    mix = Mix(MixSetup(takeover="moving"))
    mix.give()
    mix.step(CALM, STUDENT)
    assert mix.step(Sticks(roll=0.1, throttle=0.45), STUDENT) == STUDENT


def test_with_a_button_only_the_button_takes_over() -> None:
    mix = Mix(MixSetup(takeover="button"))
    mix.give()
    mix.step(CALM, STUDENT)
    assert mix.step(Sticks(roll=0.9), STUDENT) == STUDENT
    mix.take()
    assert mix.step(Sticks(roll=0.9), STUDENT) == Sticks(roll=0.9)


def test_a_student_whose_device_is_gone_has_nothing_any_more() -> None:
    mix = Mix(MixSetup())
    mix.give()
    assert mix.step(CALM, None) == CALM
    assert mix.step(CALM, STUDENT) == CALM, "plugged in again it waits to be given"
