"""Sticks from keys and controllers, and the stream the transmitter makes of them."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from plugins.pilot.devices.source import DeviceInput
from plugins.pilot.keyboard import FULL_DEFLECTION, step_keyboard
from plugins.pilot.release import DEVICE_SIGN_S, SIGN_S
from plugins.pilot.screen_sticks import ScreenSticks
from plugins.pilot.transmitter import STALE_WINDOW_S, PilotRequest, Source, Transmitter
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


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _transmitter(sent: list[Sticks | None], clock: Clock) -> Transmitter:
    return Transmitter(sent.append, clock, lambda: None)


def _pad(sticks: Sticks, read_s: float = 100.0, *, stops: bool = False) -> DeviceInput:
    return DeviceInput(sticks, "Pad", read_s, stops)


def test_nothing_is_sent_before_the_pilot_asks() -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    transmitter.step(0.02, None)
    assert sent == []
    transmitter.request = replace(transmitter.request, transmitting=True, arm=True)
    transmitter.step(0.02, None)
    assert sent == [Sticks(arm=True)]


def test_guided_modes_hold_the_throttle_in_the_middle() -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    transmitter.set_throttle(0.1)
    transmitter.request = replace(
        transmitter.request, transmitting=True, throttle="middle", flight_mode_position=3
    )
    transmitter.step(0.02, None)
    assert sent == [Sticks(throttle=0.5, flight_mode_position=3)]


def test_a_cut_throttle_stays_down_whatever_the_stick_says() -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    transmitter.request = replace(transmitter.request, transmitting=True, source="gamepad")
    transmitter.step(0.02, _pad(Sticks(throttle=0.9)))
    assert sent == [Sticks(throttle=0.0)]
    transmitter.request = replace(transmitter.request, throttle="stick")
    transmitter.step(0.02, _pad(Sticks(throttle=0.9)))
    assert sent[-1] == Sticks(throttle=0.9)


def test_manual_stream_ends_when_the_window_hangs_but_a_guided_one_goes_on() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    transmitter = _transmitter(sent, clock)
    transmitter.request = replace(
        transmitter.request, transmitting=True, source="keyboard", throttle="stick"
    )
    transmitter.pressed = frozenset({"Right"})
    transmitter.step(0.02, None)
    assert sent[-1] is not None
    assert sent[-1].roll > 0
    clock.now += SIGN_S * 1.1
    transmitter.step(0.02, None)
    assert sent[-1] is None
    assert "failsafe" in transmitter.state.stopped
    transmitter.request = replace(transmitter.request, throttle="middle")
    transmitter.step(0.02, None)
    assert sent[-1] == Sticks(throttle=0.5), "and no stick is left aside, which would fly it away"
    transmitter.request = replace(transmitter.request, throttle="stick")
    transmitter.beat()
    transmitter.step(0.02, None)
    assert sent[-1] is not None


def test_a_window_that_hangs_arms_nothing_but_leaves_a_raised_throttle() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    transmitter = _transmitter(sent, clock)
    arming = Sticks(flight_mode_position=5, arm=True, yaw=1.0)
    transmitter.request = replace(transmitter.request, transmitting=True, fixed=arming)
    transmitter.step(0.02, None)
    clock.now += STALE_WINDOW_S * 1.1
    transmitter.step(0.02, None)
    assert sent == [arming, Sticks(flight_mode_position=5)]
    climbing = Sticks(flight_mode_position=5, arm=True, throttle=0.6)
    transmitter.request = replace(transmitter.request, fixed=climbing)
    transmitter.step(0.02, None)
    assert sent[-1] == climbing


def test_losing_the_controller_stops_the_stream() -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    asked = PilotRequest(transmitting=True, arm=True, throttle="middle", source="gamepad")
    transmitter.request = asked
    transmitter.step(0.02, _pad(Sticks(roll=0.5)))
    assert sent == [Sticks(roll=0.5, throttle=0.5, arm=True)]
    transmitter.step(0.02, None)
    assert sent[-1] is None
    transmitter.request = replace(asked, arm=False, throttle="cut")
    transmitter.step(0.02, None)
    assert sent[-1] is not None, "motors off goes out whatever else is amiss"
    assert sent[-1].stops_motors


def test_a_device_that_says_nothing_new_stops_the_stream() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    transmitter = _transmitter(sent, clock)
    transmitter.request = PilotRequest(transmitting=True, throttle="stick", source="gamepad")
    clock.now += DEVICE_SIGN_S * 0.9
    transmitter.step(0.02, _pad(Sticks(roll=0.5)))
    assert sent == [Sticks(roll=0.5)]
    clock.now += DEVICE_SIGN_S * 0.2
    transmitter.step(0.02, _pad(Sticks(roll=0.5)))
    assert sent[-1] is None


@pytest.mark.parametrize("source", ["screen", "gamepad"])
def test_a_devices_stop_button_stops_the_motors_whatever_flies(source: Source) -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    asked = PilotRequest(transmitting=True, arm=True, throttle="middle", source=source)
    transmitter.request = asked
    transmitter.step(0.02, _pad(Sticks(throttle=0.7)))
    assert not transmitter.was_stopped
    assert sent[-1] is not None
    assert not sent[-1].stops_motors
    transmitter.step(0.02, _pad(Sticks(throttle=0.7), stops=True))
    assert transmitter.was_stopped
    assert sent[-1] is not None
    assert sent[-1].stops_motors


def test_stopping_the_thread_ends_the_stream() -> None:
    sent: list[Sticks | None] = []
    transmitter = Transmitter(sent.append, find_devices=lambda: None)
    transmitter.start()
    transmitter.request = replace(transmitter.request, transmitting=True)
    transmitter.stop()
    transmitter.stop()
    assert sent[-1] is None


@pytest.mark.parametrize("mode", [1, 2, 3, 4])
def test_on_screen_sticks_move_what_their_mode_says(qtbot: QtBot, mode: int) -> None:
    """LibrePilot: ground/gcs/src/plugins/gcscontrol/gcscontrolgadget.cpp, sticksChangedLocally."""
    where = {1: ("yaw", "pitch"), 2: ("yaw", "throttle"), 3: ("roll", "pitch")}
    sideways, forward = where.get(mode, ("roll", "throttle"))
    moved: dict[str, float] = {}
    thumbs = ScreenSticks()
    for view in (thumbs.left, thumbs.right):
        qtbot.addWidget(view)
    thumbs.on_moved = moved.update
    thumbs.set_mode(mode)
    thumbs.left.moved.emit(0.5, 1.0)
    assert moved == {sideways: 0.5, forward: -1.0 if forward == "pitch" else 1.0}
    thumbs.show(Sticks(roll=0.2, pitch=0.4, yaw=0.6, throttle=0.1), springs=False)
    shown = {"yaw": 0.6, "roll": 0.2, "pitch": -0.4, "throttle": -0.8}
    assert thumbs.left.position == pytest.approx((shown[sideways], shown[forward]))
    assert thumbs.left.keeps_y == (forward == "throttle")
