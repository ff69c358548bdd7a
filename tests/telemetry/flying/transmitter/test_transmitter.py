"""The stream of sticks that the transmitter makes of keys, devices and what a pilot wants."""

from dataclasses import replace

import pytest

from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.board_word import BoardWord
from telemetry.flying.transmitter.lost_sticks import LostSticksTable
from telemetry.flying.transmitter.order import PilotRequest, Source
from telemetry.flying.transmitter.release import GONE, HOLD_AFTER_S, SILENT_WINDOW
from telemetry.flying.transmitter.transmitter import STALE_WINDOW_S, StickOutlet, Transmitter
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.transmitter.transmitting import ask, outlet_to


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _transmitter(sent: list[Sticks | None], clock: Clock) -> Transmitter:
    return Transmitter(outlet_to(sent.append), clock)


def _pad(sticks: Sticks, read_s: float = 100.0, *, stops: bool = False) -> DeviceInput:
    return DeviceInput(sticks, "Pad", read_s, stops)


def test_nothing_is_sent_before_the_pilot_asks() -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    transmitter.step(0.02, None)
    assert sent == []
    ask(transmitter, transmitting=True, arm=True)
    transmitter.step(0.02, None)
    assert sent == [Sticks(arm=True)]


def test_guided_modes_hold_the_throttle_in_the_middle() -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    transmitter.carry_out(transmitter.order.with_throttle(0.1))
    ask(transmitter, transmitting=True, throttle="middle", flight_mode_position=3)
    transmitter.step(0.02, None)
    assert sent == [Sticks(throttle=0.5, flight_mode_position=3)]


def test_a_cut_throttle_stays_down_whatever_the_stick_says() -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    ask(transmitter, transmitting=True, source="gamepad")
    transmitter.step(0.02, _pad(Sticks(throttle=0.9)))
    assert sent == [Sticks(throttle=0.0)]
    ask(transmitter, throttle="stick")
    transmitter.step(0.02, _pad(Sticks(throttle=0.9)))
    assert sent[-1] == Sticks(throttle=0.9)


def test_sticks_of_a_window_that_hangs_become_neutral_and_a_guided_mode_goes_on() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    transmitter = _transmitter(sent, clock)
    ask(transmitter, transmitting=True, source="keyboard", throttle="stick")
    transmitter.carry_out(replace(transmitter.order, pressed=frozenset({"Right"})))
    transmitter.step(0.02, None)
    assert sent[-1] is not None
    assert sent[-1].roll > 0
    clock.now += HOLD_AFTER_S * 1.1
    transmitter.step(0.02, None)
    assert sent[-1] == Sticks()
    assert transmitter.state.held == SILENT_WINDOW
    ask(transmitter, throttle="middle")
    transmitter.step(0.02, None)
    assert sent[-1] == Sticks(throttle=0.5), "and no stick is left aside, which would fly it away"
    ask(transmitter, throttle="stick")
    transmitter.beat()
    transmitter.step(0.02, None)
    assert sent[-1] is not None
    assert sent[-1].roll > 0


def test_a_window_that_hangs_arms_nothing_but_leaves_a_raised_throttle() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    transmitter = _transmitter(sent, clock)
    arming = Sticks(flight_mode_position=5, arm=True, yaw=1.0)
    ask(transmitter, transmitting=True, fixed=arming)
    transmitter.step(0.02, None)
    clock.now += STALE_WINDOW_S * 1.1
    transmitter.step(0.02, None)
    assert sent == [arming, Sticks(flight_mode_position=5)]
    climbing = Sticks(flight_mode_position=5, arm=True, throttle=0.6)
    ask(transmitter, fixed=climbing)
    transmitter.step(0.02, None)
    assert sent[-1] == climbing


def test_without_its_controller_a_guided_mode_goes_on_with_neutral_sticks() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    known = BoardWord(armed="Armed", table=LostSticksTable(("PositionHold",)))
    outlet = StickOutlet(sent.append, lambda _why: sent.append(None), board=lambda: known)
    transmitter = Transmitter(outlet, clock)
    ask(transmitter, transmitting=True, arm=True, throttle="middle", source="gamepad")
    transmitter.step(0.02, _pad(Sticks(roll=0.5)))
    assert sent == [Sticks(roll=0.5, throttle=0.5, arm=True)]
    for _ in range(100):
        clock.now += 0.02
        transmitter.beat()
        transmitter.step(0.02, None)
    assert sent[1:] == [Sticks(throttle=0.5, arm=True)] * 100
    assert transmitter.state.held == GONE
    assert not transmitter.has_let_go
    ask(transmitter, arm=False, throttle="cut")
    transmitter.step(0.02, None)
    assert sent[-1] is not None
    assert sent[-1].stops_motors


def test_a_device_that_says_nothing_new_flies_neutral_sticks() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    transmitter = _transmitter(sent, clock)
    ask(transmitter, transmitting=True, throttle="stick", source="gamepad")
    clock.now += HOLD_AFTER_S * 0.9
    transmitter.step(0.02, _pad(Sticks(roll=0.5, throttle=0.4)))
    assert sent == [Sticks(roll=0.5, throttle=0.4)]
    clock.now += HOLD_AFTER_S * 0.2
    transmitter.step(0.02, _pad(Sticks(roll=0.5, throttle=0.4)))
    assert sent[-1] == Sticks(throttle=0.4)
    transmitter.step(0.02, _pad(Sticks(roll=0.1, throttle=0.4), clock.now))
    assert sent[-1] == Sticks(roll=0.1, throttle=0.4), "what is back soon goes on"


@pytest.mark.parametrize("source", ["screen", "gamepad"])
def test_a_devices_stop_button_stops_the_motors_whatever_flies(source: Source) -> None:
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    asked = PilotRequest(transmitting=True, arm=True, throttle="middle", source=source)
    transmitter.carry_out(replace(transmitter.order, request=asked))
    transmitter.step(0.02, _pad(Sticks(throttle=0.7)))
    assert transmitter.order.stops_seen == 0
    assert sent[-1] is not None
    assert not sent[-1].stops_motors
    transmitter.step(0.02, _pad(Sticks(throttle=0.7), stops=True))
    assert transmitter.order.stops_seen == 1
    assert sent[-1] is not None
    assert sent[-1].stops_motors


def test_stopping_the_thread_ends_the_stream() -> None:
    sent: list[Sticks | None] = []
    transmitter = Transmitter(outlet_to(sent.append))
    transmitter.start()
    ask(transmitter, transmitting=True)
    transmitter.stop()
    transmitter.stop()
    assert sent[-1] is None


def test_an_order_of_before_the_stop_does_not_undo_it() -> None:
    """The window hands over dragged sticks or a sign of life by the order that it knew."""
    sent: list[Sticks | None] = []
    transmitter = _transmitter(sent, Clock())
    ask(transmitter, transmitting=True, arm=True, throttle="stick")
    before = transmitter.order
    transmitter.step(0.02, _pad(Sticks(throttle=0.7), stops=True))
    transmitter.carry_out(replace(before, dragged=Sticks(roll=0.3, throttle=0.7)))
    transmitter.step(0.02, None)
    assert sent[-1] is not None
    assert sent[-1].stops_motors
    transmitter.beat()
    transmitter.step(0.02, None)
    assert sent[-1].stops_motors
    ask(transmitter, arm=True, throttle="stick")  # by who knows of it
    transmitter.step(0.02, None)
    assert sent[-1] == Sticks(roll=0.3, throttle=0.7, arm=True)


def test_who_lets_go_leaves_neutral_sticks_and_then_nothing() -> None:
    sent: list[Sticks | None] = []
    clock = Clock()
    transmitter = _transmitter(sent, clock)
    ask(transmitter, transmitting=True, arm=True, throttle="stick")
    transmitter.carry_out(replace(transmitter.order, dragged=Sticks(pitch=0.8, throttle=0.3)))
    transmitter.step(0.02, None)
    transmitter.carry_out(transmitter.order.released("Let go."))
    assert transmitter.state.held == "Let go."
    for _ in range(20):
        clock.now += 0.02
        transmitter.step(0.02, None)
    assert sent[1] == Sticks(throttle=0.3, arm=True)
    assert sent[-1] is None
    assert transmitter.state.stopped == "Let go."
    assert transmitter.has_let_go
    transmitter.carry_out(transmitter.order.taken_up())
    assert not transmitter.has_let_go
