"""What is said of the sticks while something fails, beside the wire and the board's own words.

More than 20 kinds of fault, by whatever flies; every claim is compared at every look of the window.
Each fault comes in one or two of the six ways of flying: what a fault takes away by the hand or the
window that it takes it from, what differs between flown by hand and guided in one of both, and
lengths of one fault in turns. LAPWING_ALL_WAYS=1 flies all pairs.
"""

import os
from collections.abc import Callable, Iterable
from itertools import product
from typing import Final

import pytest

from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.lost_sticks import LostSticksRow
from telemetry.flying.transmitter.order import Source
from telemetry.flying.transmitter.release import LOST_FOCUS, OUT_OF_SIGHT, RELEASED
from telemetry.flying.transmitter.transmitter import Transmitter
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.claims_bench import STICK, JudgedFlight
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

WAYS: Final[dict[str, tuple[str, Source]]] = {
    "device": ("Fly by hand", "gamepad"),
    "screen": ("Fly by hand", "screen"),
    "keyboard": ("Fly by hand", "keyboard"),
    "Hold, device": ("Hold", "gamepad"),
    "Hold, keyboard": ("Hold", "keyboard"),
    "Return, screen": ("Return", "screen"),
}
AFTER_S: Final = 3.0
FAILSAFES: Final = {"Land": 4, "Return": 3, "none": -1}


def unplugged(flight: JudgedFlight) -> None:
    flight.device = lambda: None
    flight.suffer("device is gone", 2.0)
    flight.device = flight.stick_held


def silent(seconds: float) -> Callable[[JudgedFlight], None]:
    def fail(flight: JudgedFlight) -> None:
        last = flight.stick_held()
        flight.device = lambda: last
        flight.suffer("device is silent", seconds)
        flight.device = flight.stick_held

    return fail


def nonsense(flight: JudgedFlight) -> None:
    flight.device = lambda: DeviceInput(Sticks(roll=float("nan")), "Pad", flight.clock.now)
    flight.suffer("device is gone", 2.0)
    flight.device = flight.stick_held


def flickering(flight: JudgedFlight) -> None:
    for _ in range(8):
        flight.device = lambda: None
        flight.suffer("device is gone", 0.1)
        flight.device = flight.stick_held
        flight.pass_time(0.15)


def window_stalled(seconds: float) -> Callable[[JudgedFlight], None]:
    def fail(flight: JudgedFlight) -> None:
        flight.is_window_there = False
        flight.suffer("window is stalled", seconds)
        flight.is_window_there = True

    return fail


def release_what_needs_it(flight: JudgedFlight, why: str) -> None:
    if flight.controls.needs_focus:
        flight.controls.release(why)


def focus_lost(flight: JudgedFlight) -> None:
    flight.controls.is_unfocused = True
    release_what_needs_it(flight, LOST_FOCUS)
    flight.suffer("focus is lost", 2.0)
    flight.controls.is_unfocused = False


def let_go(flight: JudgedFlight) -> None:
    flight.controls.release(RELEASED)
    flight.suffer("let go", 2.0)


def out_of_sight(flight: JudgedFlight) -> None:
    release_what_needs_it(flight, OUT_OF_SIGHT)
    flight.suffer("went out of sight", 2.0)


def right_lost(flight: JudgedFlight) -> None:
    right = exclusive_of(flight.vehicle)
    flight.controls.right.free()
    right.take(flight, "Motor test")
    flight.suffer("right is lost", 2.0)
    right.free(flight)


def link_dead(seconds: float) -> Callable[[JudgedFlight], None]:
    def fail(flight: JudgedFlight) -> None:
        flight.link.faults = Faults(loss=1.0)
        flight.pass_time(seconds)
        flight.link.faults = Faults()

    return fail


def downlink_dead(flight: JudgedFlight) -> None:
    flight.tap.loses_heard = True
    flight.pass_time(3.0)
    flight.tap.loses_heard = False


def uplink_dead(flight: JudgedFlight) -> None:
    flight.tap.loses_sent = True
    flight.pass_time(4.0)
    flight.tap.loses_sent = False


def taken_over_with_a_dead_uplink(flight: JudgedFlight) -> None:
    """The pilot presses again, and the board does not hear it."""
    flight.tap.loses_sent = True
    flight.pass_time(4.0)
    flight.ask("Fly by hand")
    flight.pass_time(4.0)
    flight.tap.loses_sent = False


def link_blocked(flight: JudgedFlight) -> None:
    flight.tap.queue.is_blocked = True
    flight.suffer("link takes nothing", 4.0)
    flight.tap.queue.is_blocked = False


def link_poor(flight: JudgedFlight) -> None:
    flight.link.faults = Faults(loss=0.3, corruption=0.002, latency_s=0.15, doubling=0.1)
    flight.pass_time(6.0)
    flight.link.faults = Faults()


def link_slow(flight: JudgedFlight) -> None:
    flight.link.faults = Faults(latency_s=0.3, bytes_per_s=3000.0)
    flight.pass_time(6.0)
    flight.link.faults = Faults()


def station_stalled(seconds: float) -> Callable[[JudgedFlight], None]:
    return lambda flight: flight.stall(seconds)


def rebooted(flight: JudgedFlight) -> None:
    flight.board_link.reboot()


def disarmed_by_itself(flight: JudgedFlight) -> None:
    flight.autopilot.arming.disarm()


def failsafe_set_to(position: int) -> Callable[[JudgedFlight], None]:
    def fail(flight: JudgedFlight) -> None:
        write = {"FailsafeFlightModeSwitchPosition": position}
        flight.vehicle.commands.send("ManualControlSettings", write)
        flight.pass_time(0.5)
        link_dead(3.0)(flight)
        flight.pass_time(2.0)
        write = {"FailsafeFlightModeSwitchPosition": FAILSAFES["Land"]}
        flight.vehicle.commands.send("ManualControlSettings", write)

    return fail


def another_mode_selected(flight: JudgedFlight) -> None:
    modes = flight.autopilot.board["FlightModeSettings"]
    before = modes.fields["FlightModePosition"].tolist()
    land = before[FAILSAFES["Land"]]
    modes.set(FlightModePosition=[land] * len(before))
    flight.pass_time(3.0)
    modes.set(FlightModePosition=before)


def another_transmitter(flight: JudgedFlight) -> None:
    """The station loses its link; somebody else takes the aircraft from its failsafe."""
    flight.tap.loses_sent = True
    flight.pass_time(3.0)
    flight.tap.loses_sent = False
    for _ in range(150):
        flight.say_to_board(Sticks(throttle=0.5, flight_mode_position=2, arm=True))
        flight.pass_time(0.02)


def emergency_stop(flight: JudgedFlight) -> None:
    flight.controls.disarm(flight.look()[1])


def emergency_stop_unheard(flight: JudgedFlight) -> None:
    flight.tap.loses_sent = True
    flight.controls.disarm(flight.look()[1])
    flight.pass_time(2.0)
    flight.tap.loses_sent = False


def transmitter_failed(flight: JudgedFlight) -> None:
    flight.runs_transmitter = False
    Transmitter.start(flight.transmitter)
    wait_until(lambda: flight.transmitter.state.has_failed)
    flight.suffer("transmitter has failed", 2.0)
    Transmitter.stop(flight.transmitter)


def battery_empty(flight: JudgedFlight) -> None:
    settings = flight.autopilot.board["FlightBatterySettings"]
    settings.set(CellVoltageThresholds=[9.0, 8.0])
    flight.pass_time(6.0)


FAULTS: Final = {
    "unplugged": unplugged,
    "silent 0.3 s": silent(0.3),
    "silent 2 s": silent(2.0),
    "nonsense": nonsense,
    "flickering": flickering,
    "window stalled 0.3 s": window_stalled(0.3),
    "window stalled 2 s": window_stalled(2.0),
    "focus lost": focus_lost,
    "let go": let_go,
    "out of sight": out_of_sight,
    "right lost": right_lost,
    "link dead 0.3 s": link_dead(0.3),
    "link dead 1.2 s": link_dead(1.2),
    "link dead 6 s": link_dead(6.0),
    "downlink dead": downlink_dead,
    "uplink dead": uplink_dead,
    "taken over with a dead uplink": taken_over_with_a_dead_uplink,
    "link blocked": link_blocked,
    "link poor": link_poor,
    "link slow": link_slow,
    "station stalled 0.3 s": station_stalled(0.3),
    "station stalled 0.6 s": station_stalled(0.6),
    "station stalled 5 s": station_stalled(5.0),
    **{f"failsafe {name}": failsafe_set_to(at) for name, at in FAILSAFES.items()},
    "another mode selected": another_mode_selected,
    "another transmitter": another_transmitter,
}
LAST_FAULTS: Final = {
    "rebooted": rebooted,
    "disarmed by itself": disarmed_by_itself,
    "emergency stop": emergency_stop,
    "emergency stop unheard": emergency_stop_unheard,
    "transmitter failed": transmitter_failed,
    "battery empty": battery_empty,
}
"""After which it is another flight."""


SUFFERED_IN: Final[dict[str, tuple[str, ...]]] = {
    "unplugged": ("device", "Hold, device"),
    "silent 0.3 s": ("device",),
    "silent 2 s": ("device", "Return, screen"),
    "nonsense": ("Hold, device",),
    "flickering": ("device",),
    "window stalled 0.3 s": ("keyboard",),
    "window stalled 2 s": ("screen", "Hold, keyboard"),
    "focus lost": ("keyboard", "Hold, keyboard"),
    "let go": ("device", "Return, screen"),
    "out of sight": ("screen", "Hold, keyboard"),
    "right lost": ("screen", "Hold, device"),
    "link dead 0.3 s": ("device",),
    "link dead 1.2 s": ("Hold, keyboard",),
    "link dead 6 s": ("screen", "Return, screen"),
    "downlink dead": ("Hold, device",),
    "uplink dead": ("keyboard", "Return, screen"),
    "taken over with a dead uplink": ("Hold, device",),
    "link blocked": ("device", "Return, screen"),
    "link poor": ("device",),
    "link slow": ("Hold, keyboard",),
    "station stalled 0.3 s": ("screen",),
    "station stalled 0.6 s": ("Hold, device",),
    "station stalled 5 s": ("device", "Hold, keyboard"),
    "failsafe Land": ("device",),
    "failsafe Return": ("Hold, keyboard",),
    "failsafe none": ("Return, screen",),
    "another mode selected": ("keyboard", "Hold, device"),
    "another transmitter": ("Return, screen", "screen"),
    "rebooted": ("device",),
    "disarmed by itself": ("Hold, device",),
    "emergency stop": ("device",),
    "emergency stop unheard": ("Hold, device",),
    "transmitter failed": ("device",),
    "battery empty": ("Hold, device",),
}
"""The ways that are flown where not all are asked for."""


def pairs(faults: Iterable[str], ways: Iterable[str]) -> list[tuple[str, str]]:
    """Every fault in those of its ways that are flown, or in all `ways` if that is asked for."""
    if "LAPWING_ALL_WAYS" in os.environ:
        return list(product(faults, ways))
    return [(fault, way) for fault in faults for way in SUFFERED_IN[fault]]


_FLOWN: Final[list[JudgedFlight]] = []
"""One flight for all that leave it in the air."""


@pytest.fixture
def flown() -> JudgedFlight:
    if not _FLOWN or not _FLOWN[0].can_go_on:
        _FLOWN[:] = [JudgedFlight(load_catalogue())]
    return _FLOWN[0]


def judged(flight: JudgedFlight, way: str, fault: Callable[[JudgedFlight], None]) -> list[str]:
    """What was said wrongly, during it and after."""
    flight.begin(*WAYS[way])
    fault(flight)
    flight.pass_time(AFTER_S)
    return flight.wrong


@pytest.mark.parametrize(("fault", "way"), pairs(FAULTS, WAYS))
def test_nothing_false_is_said(flown: JudgedFlight, fault: str, way: str) -> None:
    assert judged(flown, way, FAULTS[fault]) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(("fault", "way"), pairs(LAST_FAULTS, ["device", "Hold, device"]))
def test_nothing_false_is_said_of_what_ends_a_flight(
    flown: JudgedFlight, fault: str, way: str
) -> None:
    _FLOWN.clear()  # whatever comes of this one
    assert judged(flown, way, LAST_FAULTS[fault]) == []


@pytest.mark.parametrize("fault", ["let go", "link dead 1.2 s", "downlink dead", "unplugged"])
def test_the_words_of_before_are_found_false(
    flown: JudgedFlight, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: with every stop it was said that the failsafe acts."""
    monkeypatch.setattr("telemetry.flying.controls.is_on_failsafe", lambda read: True)
    wrong = judged(flown, "device", FAULTS[fault])
    assert any("false: The aircraft says that its failsafe acts" in said for said in wrong)


def test_a_link_that_takes_nothing_would_be_found_unsaid(
    flown: JudgedFlight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: the transmitter alone does not know of it."""
    monkeypatch.setattr(LiveCommands, "sticks_wait_s", 0.0)
    wrong = judged(flown, "device", FAULTS["link blocked"])
    assert any("missing: nothing is sent" in said for said in wrong)


@pytest.mark.parametrize("fault", ["silent 0.3 s", "unplugged"])
def test_a_stream_that_is_not_what_is_said_is_found(
    flown: JudgedFlight, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the oracle on the wire: what is said to be held is sent on."""
    monkeypatch.setattr(LostSticksRow, "sticks", lambda _row, asked, _throttle: STICK)
    wrong = judged(flown, "device", FAULTS[fault])
    assert any("false: Neutral sticks are sent" in said for said in wrong)
