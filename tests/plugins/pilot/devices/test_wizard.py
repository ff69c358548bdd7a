"""Finding axes and buttons by what moves."""

import pytest

from plugins.pilot.devices.profile import Profile, Trigger, sticks_of
from plugins.pilot.devices.wizard import (
    ASKS,
    GONE,
    Wizard,
    axis_that_moved,
    detected_axis,
    trigger_that_changed,
)
from telemetry.flying.inputs.reading import Reading

REST = (-0.9, 0.02, -0.01, 0.0, 0.3)
"""A radio: throttle down on axis 0, roll 1, pitch 2, yaw 3, a switch on 4."""


class Radio:
    """Axes in the hands of somebody who does what the wizard asks, in steps of 20 ms."""

    def __init__(self) -> None:
        self.wizard = Wizard(Profile())
        self.now_s = 0.0

    def hold(self, seconds: float, axes: tuple[float, ...] | None) -> None:
        for _ in range(round(seconds / 0.02)):
            self.now_s += 0.02
            self.wizard.step(Reading(axes, (), self.now_s) if axes is not None else None)

    def answer(self, axis: int, value: float) -> None:
        self.hold(0.5, moved(axis, value))
        self.hold(0.2, REST)

    def sweep(self, reach: float = 0.9) -> None:
        for end in (-reach, reach):
            self.hold(0.1, (end, end, end, end, 0.3))
        self.hold(1.5, REST)

    @property
    def stage(self) -> str:
        return self.wizard.stage

    def answer_all(self, directions: tuple[float, float, float, float] = (1, 1, 1, 1)) -> None:
        self.hold(0.6, REST)
        for axis, sign in enumerate(directions):
            self.answer(axis, 0.9 * sign)


def moved(axis: int, value: float) -> tuple[float, ...]:
    return (*REST[:axis], value, *REST[axis + 1 :])


def test_the_wizard_finds_every_axis_its_ends_and_its_direction() -> None:
    radio = Radio()
    radio.answer_all((1, 1, -1, 1))
    assert radio.stage == "ends"
    radio.sweep()
    assert radio.stage == "done"
    profile = radio.wizard.profile
    axes = {name: profile.control(name).axes[0] for name in ASKS}
    assert [axes[name].axis for name in ASKS] == [0, 1, 2, 3]
    assert [axes[name].is_reversed for name in ASKS] == [False, False, True, False]
    assert (axes["roll"].lowest, axes["roll"].middle, axes["roll"].highest) == (-0.9, 0.02, 0.9)
    assert not profile.control("throttle").springs
    sticks = sticks_of(profile, Reading((0.9, 0.9, -0.9, 0.02, 0.3), (), 0.0))
    assert sticks is not None
    assert (sticks.throttle, sticks.roll, sticks.pitch, sticks.yaw) == (1.0, 1.0, 1.0, 0.0)


def test_a_stick_pushed_the_wrong_way_gives_a_reversed_control() -> None:
    radio = Radio()
    radio.answer_all((1, -1, -1, 1))
    radio.sweep()
    sticks = sticks_of(radio.wizard.profile, Reading((0.9, 0.9, -0.9, 0.02, 0.3), (), 0.0))
    assert sticks is not None
    assert sticks.roll == -1.0


def test_an_axis_that_is_taken_is_not_taken_again() -> None:
    radio = Radio()
    radio.hold(0.6, REST)
    radio.answer(0, 0.9)
    radio.answer(1, 0.9)
    assert radio.wizard.sentence == ASKS["pitch"]
    radio.hold(0.5, moved(0, 0.2))
    assert "throttle already" in radio.wizard.sentence
    assert radio.wizard.progress == (2, 5)


def test_a_device_that_vanishes_is_asked_again_and_nothing_is_lost() -> None:
    radio = Radio()
    radio.hold(0.6, REST)
    radio.answer(0, 0.9)
    radio.hold(0.1, moved(1, 0.9))
    radio.hold(0.5, None)
    assert radio.wizard.sentence == GONE
    assert radio.wizard.profile == Profile()
    radio.hold(0.6, REST)
    assert radio.wizard.sentence == ASKS["roll"]
    for axis in (1, 2, 3):
        radio.answer(axis, 0.9)
    radio.hold(0.5, (float("nan"),) * 5)
    assert radio.wizard.sentence == GONE
    radio.hold(0.6, REST)
    radio.sweep()
    assert radio.stage == "done"


def test_sticks_that_were_not_moved_to_their_ends_are_waited_for() -> None:
    radio = Radio()
    radio.answer_all()
    radio.sweep(reach=0.2)
    assert radio.stage == "ends"
    radio.sweep()
    assert radio.stage == "done"


def test_two_axes_that_move_alike_are_neither() -> None:
    rest, both = Reading((0.0, 0.0), (), 0.0), Reading((0.9, 0.8), (), 0.0)
    assert axis_that_moved(rest, both) is None
    assert axis_that_moved(rest, Reading((0.9, 0.2), (), 0.0)) is not None
    assert axis_that_moved(rest, Reading((0.3, 0.0), (), 0.0)) is None


def test_a_trigger_is_told_from_a_stick_by_where_it_rests() -> None:
    rest = Reading((0.0, -1.0), (), 0.0)
    stick = detected_axis(rest, Reading((-0.8, -1.0), (), 0.0), "yaw")
    trigger = detected_axis(rest, Reading((0.0, 0.8), (), 0.0), "yaw")
    assert stick is not None
    assert trigger is not None
    assert (stick.part, stick.is_reversed) == ("both", True)
    assert (trigger.part, trigger.is_reversed) == ("raises", False)


@pytest.mark.parametrize(
    ("now", "found"),
    [
        (Reading((0.0, 0.0), (False, True), 0.0), Trigger(button=1)),
        (Reading((0.0, 1.0), (False, False), 0.0), Trigger(axis=1, low=0.7, high=1.0)),
        (Reading((0.0, 0.1), (False, False), 0.0), None),
        (Reading((), (), 0.0), None),
    ],
)
def test_a_button_or_switch_is_found_by_what_changed(now: Reading, found: Trigger | None) -> None:
    assert trigger_that_changed(Reading((0.0, 0.0), (False, False), 0.0), now) == found
