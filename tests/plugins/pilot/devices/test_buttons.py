"""When buttons ask for something."""

import pytest

from plugins.pilot.devices.buttons import ARM, STOP, ButtonWatch
from plugins.pilot.devices.profile import ButtonSetup, Trigger
from telemetry.flying.inputs.reading import Reading

UP, DOWN = Reading((), (False,), 0.0), Reading((), (True,), 0.0)


def _asked(setup: ButtonSetup, down_s: float, step_s: float = 1 / 64) -> list[float]:
    """When commands come of a button that is held for `down_s` from 0 on."""
    watch = ButtonWatch()
    watch.step((setup,), UP, -1.0)
    times = [step * step_s for step in range(round(down_s / step_s) + 1)]
    return [t for t in times if watch.step((setup,), DOWN, t)]


def test_a_button_asks_once_when_it_is_pressed() -> None:
    assert _asked(ButtonSetup(Trigger(button=0), STOP), 1.0) == [0.0]


def test_a_button_to_be_held_asks_when_it_was_held_long_enough() -> None:
    setup = ButtonSetup(Trigger(button=0), STOP, hold_s=0.5)
    assert _asked(setup, 0.48) == []
    assert _asked(setup, 1.0) == [pytest.approx(0.5)]


@pytest.mark.parametrize("command", [ARM, "action pilot.take_off"])
def test_what_starts_motors_is_held_whatever_the_profile_says(command: str) -> None:
    setup = ButtonSetup(Trigger(button=0), command, hold_s=0.0)
    assert _asked(setup, 0.6) == []
    assert _asked(setup, 1.0) == [pytest.approx(0.7, abs=1 / 64)]


def test_a_button_repeats_while_it_stays_down() -> None:
    setup = ButtonSetup(Trigger(button=0), "action map.zoom", hold_s=0.25, repeat_s=0.25)
    assert _asked(setup, 0.9) == [0.25, 0.5, 0.75]


def test_what_is_down_when_the_device_appears_asks_for_nothing_until_let_go() -> None:
    setups = (ButtonSetup(Trigger(button=0), STOP),)
    watch = ButtonWatch()
    assert watch.step(setups, DOWN, 0.0) == ()
    assert watch.step(setups, DOWN, 0.1) == ()
    watch.step(setups, UP, 0.2)
    assert watch.step(setups, DOWN, 0.3) == (STOP,)
    watch.forget()
    assert watch.step(setups, DOWN, 0.4) == (), "it was unplugged and is back"
