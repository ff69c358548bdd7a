"""From a device's axes to sticks. What each stick does in modes 1 to 4 is what LibrePilot's station
says: ground/gcs/src/plugins/gcscontrol/gcscontrolgadget.cpp, sticksChangedLocally."""

from dataclasses import replace

import pytest

from plugins.pilot.devices.default_profiles import gamepad_profile, program_profile
from plugins.pilot.devices.profile import (
    AxisSetup,
    ControlSetup,
    Profile,
    Trigger,
    shape,
    sticks_of,
    with_mode,
)
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_controls import StickControl
from telemetry.vehicle.sticks import Sticks

PAD = "0300,A pad,leftx:a0,lefty:a1,rightx:a2,righty:a3,lefttrigger:a4,righttrigger:a5,a:b0"
LEFT_X, LEFT_Y, RIGHT_X, RIGHT_Y = range(4)


def _reading(*axes: float, buttons: tuple[bool, ...] = ()) -> Reading:
    return Reading(axes, buttons, 0.0)


def _pad(mode: int = 2) -> Profile:
    profile = gamepad_profile(PAD)
    assert profile is not None
    return with_mode(profile, mode)


def _pushed(profile: Profile, axis: int, value: float) -> Sticks:
    axes = [0.0] * 6
    axes[axis] = value
    sticks = sticks_of(profile, _reading(*axes))
    assert sticks is not None
    return sticks


@pytest.mark.parametrize(
    ("mode", "left_x", "left_forward", "right_x", "right_forward"),
    [
        (1, "yaw", "pitch", "roll", "throttle"),
        (2, "yaw", "throttle", "roll", "pitch"),
        (3, "roll", "pitch", "yaw", "throttle"),
        (4, "roll", "throttle", "yaw", "pitch"),
    ],
)
def test_each_mode_puts_the_controls_where_librepilot_does(
    mode: int, left_x: str, left_forward: str, right_x: str, right_forward: str
) -> None:
    profile = _pad(mode)
    forward = {"throttle": 1.0, "pitch": -1.0}  # forward is nose down, and nose up is positive
    moves = ((LEFT_X, 1.0, left_x), (RIGHT_X, 1.0, right_x))
    for axis, value, control in moves:
        assert getattr(_pushed(profile, axis, value), control) == pytest.approx(1.0)
    for axis, control in ((LEFT_Y, left_forward), (RIGHT_Y, right_forward)):
        assert getattr(_pushed(profile, axis, -1.0), control) == pytest.approx(forward[control])


def test_changing_the_mode_and_back_changes_nothing() -> None:
    profile = _pad()
    for mode in (1, 2, 3, 4):
        assert with_mode(with_mode(profile, mode), 2) == profile


def test_a_reversed_axis_moves_the_other_way() -> None:
    profile = _pad()
    roll = profile.control("roll")
    reversed_roll = replace(roll, axes=(replace(roll.axes[0], is_reversed=True),))
    turned = profile.with_control("roll", reversed_roll)
    assert _pushed(profile, RIGHT_X, 0.7).roll > 0.0
    assert _pushed(turned, RIGHT_X, 0.7).roll == -_pushed(profile, RIGHT_X, 0.7).roll


def test_calibration_stretches_what_a_radio_sends_to_full_travel() -> None:
    setup = ControlSetup((AxisSetup(0, -0.8, 0.05, 0.75),), dead_zone=0.0, expo=0.0)
    assert [setup.travel(_reading(value)) for value in (-0.8, 0.05, 0.75)] == [-1.0, 0.0, 1.0]
    assert setup.travel(_reading(0.4)) == pytest.approx(0.5)
    assert setup.travel(_reading(-1.0)) == -1.0, "beyond its stops there is nothing more"


def test_an_axis_that_was_never_moved_in_calibration_says_nothing() -> None:
    setup = ControlSetup((AxisSetup(0, 0.3, 0.3, 0.3),))
    assert setup.travel(_reading(1.0)) == 0.0


def test_two_triggers_move_one_control_each_to_its_side() -> None:
    left = AxisSetup(0, part="lowers")
    right = AxisSetup(1, part="raises")
    setup = ControlSetup((left, right), dead_zone=0.0, expo=0.0)
    assert setup.travel(_reading(-1.0, -1.0)) == 0.0
    assert setup.travel(_reading(-1.0, 1.0)) == 1.0
    assert setup.travel(_reading(1.0, -1.0)) == -1.0
    assert setup.travel(_reading(0.0, 1.0)) == pytest.approx(0.5)
    swapped = replace(setup, axes=(replace(left, part="raises"), replace(right, part="lowers")))
    assert swapped.travel(_reading(-1.0, 1.0)) == -1.0  # negative control


@pytest.mark.parametrize(("travel", "shaped"), [(0.0, 0.0), (0.05, 0.0), (1.0, 1.0), (-1.0, -1.0)])
def test_a_dead_zone_leaves_full_travel(travel: float, shaped: float) -> None:
    assert shape(travel, 0.08, 0.3) == pytest.approx(shaped)


def test_expo_is_gentle_around_the_middle_and_a_rate_limits_the_end() -> None:
    assert 0 < shape(0.3, 0.0, 0.5) < 0.3
    assert shape(-0.3, 0.0, 0.5) == -shape(0.3, 0.0, 0.5)
    assert shape(0.3, 0.0, 0.0) == pytest.approx(0.3)
    assert ControlSetup(dead_zone=0.0, expo=0.0, rate=0.4).shape(1.0) == pytest.approx(0.4)


def test_a_throttle_that_stays_reaches_nothing_and_all() -> None:
    setup = ControlSetup(dead_zone=0.05, springs=False)
    assert [setup.shape_throttle(travel) for travel in (-1.0, -0.92, 1.0)] == [0.0, 0.0, 1.0]
    sprung = ControlSetup(dead_zone=0.05, springs=True)
    assert [sprung.shape_throttle(travel) for travel in (-1.0, 0.04, 1.0)] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("axes", [(), (0.0, 0.0, 0.0), (0.0, float("nan"), 0.0, 0.0)])
def test_a_device_that_lacks_an_axis_or_says_nonsense_flies_nothing(
    axes: tuple[float, ...],
) -> None:
    assert sticks_of(program_profile(), _reading(*axes)) is None


def test_a_profile_without_all_four_controls_flies_nothing() -> None:
    controls: dict[StickControl, ControlSetup] = {"roll": ControlSetup((AxisSetup(0),))}
    assert sticks_of(Profile(controls), _reading(0.0, 0.0)) is None
    assert Profile(controls).missing == ("pitch", "yaw", "throttle")


def test_written_sticks_are_taken_as_they_are() -> None:
    sticks = sticks_of(program_profile(), _reading(0.25, -0.5, 1.0, -1.0))
    assert sticks == Sticks(roll=0.25, pitch=-0.5, yaw=1.0, throttle=0.0)


@pytest.mark.parametrize("mapping", ["", "0300,Half a pad,leftx:a0,lefty:a1", "a:b0,leftx:b3"])
def test_a_pad_without_both_sticks_has_no_profile_of_its_own(mapping: str) -> None:
    assert gamepad_profile(mapping) is None


def test_a_switch_on_an_axis_counts_as_buttons() -> None:
    upper = Trigger(axis=1, low=0.5, high=1.0)
    assert upper.is_down(_reading(0.0, 0.9))
    assert not upper.is_down(_reading(0.0, 0.0))
    assert not upper.is_down(_reading(0.9)), "an axis that the device lacks"
    assert Trigger(button=1).is_down(_reading(buttons=(False, True)))
    assert not Trigger(button=2).is_down(_reading(buttons=(False, True)))
