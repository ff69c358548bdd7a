"""The stream of sticks ends for every cause, and goes on when the pilot asks for it again.

What a board does then is in receiver.c and pios_gcsrcvr.c, and flown in test_failsafe.py.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from telemetry.flying.control_right import FLYING
from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.device_input import DeviceInput, DeviceInputs
from telemetry.flying.transmitter.board_word import BoardWord
from telemetry.flying.transmitter.lost_sticks import DISARMED, TURNS, LostSticksTable
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.flying.transmitter.release import (
    FADE_S,
    FAILED,
    GONE,
    HOLD_AFTER_S,
    LINK_LOST,
    LINK_LOST_S,
    LOST_FOCUS,
    ON_FAILSAFE,
    PATIENCE_S,
    STOOD_STILL,
)
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet, Transmitter
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.fakes import POSITIONS, Ground
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter, outlet_to
from tests.waiting import wait_until

NEUTRAL_WITHIN_S = 0.2
FLOWN = PilotRequest(transmitting=True, arm=True, throttle="stick")


class Flown:
    """A transmitter that flies by hand on a clock of its own; everything sent with its time."""

    def __init__(self, request: PilotRequest) -> None:
        self.now = 100.0
        self.sent: list[tuple[float, Sticks | None]] = []
        self.device_read_s: Callable[[], float] | None = lambda: self.now
        self.window_answers = True
        self.no_right = ""
        self.board: Callable[[], BoardWord] = BoardWord
        self.asked_board = 0
        self.transmitter = Transmitter(
            StickOutlet(
                self.note,
                lambda _why: self.note(None),
                lambda: self.no_right,
                lambda: self.board(),
                self.note_asked,
            ),
            lambda: self.now,
        )
        self.want(request)
        self.fly(0.5)
        assert self.last is not None

    def note(self, sticks: Sticks | None) -> None:
        self.sent.append((self.now, sticks))

    def note_asked(self) -> None:
        self.asked_board += 1

    def want(self, request: PilotRequest) -> None:
        self.transmitter.carry_out(replace(self.transmitter.order, request=request))

    def take_up(self) -> None:
        self.transmitter.carry_out(self.transmitter.order.taken_up())

    @property
    def last(self) -> Sticks | None:
        return self.sent[-1][1]

    def fly(self, seconds: float) -> None:
        for _ in range(round(seconds / PERIOD_S)):
            self.now += PERIOD_S
            if self.window_answers:
                self.transmitter.beat()
            read_s = self.device_read_s
            device = None if read_s is None else DeviceInput(Sticks(roll=0.3), "Pad", read_s())
            self.transmitter.step(PERIOD_S, device)

    def last_flown_s(self) -> float:
        return max(t for t, sticks in self.sent if sticks is not None)

    def last_aside_s(self) -> float:
        """When sticks went out last that were not neutral."""
        return max(t for t, sticks in self.sent if sticks is not None and sticks.roll)


def by_device() -> Flown:
    return Flown(replace(FLOWN, source="gamepad"))


def by_screen() -> Flown:
    flown = Flown(FLOWN)
    flown.transmitter.carry_out(replace(flown.transmitter.order, dragged=Sticks(roll=0.3)))
    flown.fly(0.1)
    return flown


def unplug(flown: Flown) -> None:
    flown.device_read_s = None


def freeze(flown: Flown) -> None:
    said_s = flown.now
    flown.device_read_s = lambda: said_s


def hang(flown: Flown) -> None:
    flown.window_answers = False


def lose_right(flown: Flown) -> None:
    flown.no_right = "The motor test is under way."


def let_go(flown: Flown) -> None:
    flown.transmitter.carry_out(flown.transmitter.order.released(LOST_FOCUS))


CAUSES = [
    (by_device, unplug),
    (by_device, freeze),
    (by_device, lose_right),
    (by_screen, hang),
    (by_screen, lose_right),
    (by_screen, let_go),
]


@pytest.mark.parametrize(("fly", "cause"), CAUSES)
def test_sticks_are_neutral_soon_after_the_cause_and_then_nothing_is_sent(
    fly: Callable[[], Flown], cause: Callable[[Flown], None]
) -> None:
    """By the row of rates, which a mode that is not known has."""
    flown = fly()
    cause(flown)
    happened_s = flown.now
    flown.fly(2.0)
    assert flown.last is None
    assert flown.last_aside_s() < happened_s + NEUTRAL_WITHIN_S
    latest_s = happened_s + HOLD_AFTER_S + TURNS.for_s + 2 * PERIOD_S
    assert flown.last_flown_s() <= latest_s
    assert flown.transmitter.state.stopped
    assert "failsafe acts" not in flown.transmitter.state.stopped, "nobody has said so"


@pytest.mark.parametrize("stops", [False, True])
def test_what_is_no_number_flies_nothing_and_stops_no_stop(stops: bool) -> None:
    """A behaviour or a device whose sums go wrong; channels_us cannot say it."""
    flown = by_device()
    nonsense = DeviceInput(Sticks(roll=math.nan, throttle=0.5), "Pad", flown.now, stops)
    flown.transmitter.step(PERIOD_S, nonsense)
    assert flown.last == (Sticks() if stops else Sticks(arm=True)), "neutral, as without a device"


@pytest.mark.parametrize("fly", [by_device, by_screen])
def test_without_a_cause_it_goes_on(fly: Callable[[], Flown]) -> None:
    flown = fly()
    flown.fly(2.0)
    assert flown.last is not None
    assert flown.last_flown_s() == flown.now


@pytest.mark.parametrize(("fly", "cause"), CAUSES)
def test_motors_off_goes_out_whatever_is_amiss(
    fly: Callable[[], Flown], cause: Callable[[Flown], None]
) -> None:
    flown = fly()
    cause(flown)
    flown.fly(2.0)
    flown.want(PilotRequest(transmitting=True, source=flown.transmitter.order.request.source))
    flown.fly(0.1)
    assert flown.last is not None
    assert flown.last.stops_motors


def test_what_is_left_of_motors_off_does_not_go_into_anothers_stream() -> None:
    """But a stop that is pressed then does."""
    flown = Flown(PilotRequest(transmitting=True))
    lose_right(flown)
    flown.fly(0.1)
    before = len(flown.sent)
    assert flown.last is None, "said once that it is over"
    flown.fly(1.0)
    assert len(flown.sent) == before
    flown.take_up()
    flown.fly(0.1)
    assert flown.last == Sticks()


def test_a_short_fade_goes_on_by_itself_and_a_long_one_does_not() -> None:
    flown = by_screen()
    hang(flown)
    flown.fly(FADE_S * 0.8)
    assert flown.last is None
    flown.window_answers = True
    flown.fly(0.1)
    assert flown.last is not None
    hang(flown)
    flown.fly(FADE_S * 1.2)
    flown.window_answers = True
    flown.fly(1.0)
    assert flown.last is None, "the aircraft is on its failsafe, and nobody has asked for it"
    flown.take_up()
    flown.fly(0.1)
    assert flown.last is not None


def test_a_device_that_is_back_does_not_fly_before_the_pilot_asks() -> None:
    """Its throttle lies anywhere, and SDL tells none before it is moved."""
    flown = by_device()
    flown.device_read_s = None
    flown.fly(0.1)
    flown.device_read_s = lambda: flown.now
    flown.fly(1.0)
    assert flown.last is None
    assert flown.transmitter.state.stopped == GONE
    flown.take_up()
    flown.fly(0.1)
    assert flown.last == Sticks(roll=0.3, arm=True)


def test_what_is_guided_goes_on_without_a_device_that_never_was_there() -> None:
    flown = Flown(replace(FLOWN, throttle="middle"))
    flown.device_read_s = None
    flown.want(replace(FLOWN, throttle="middle", source="gamepad"))
    flown.fly(2.0)
    assert flown.last == Sticks(throttle=0.5, arm=True)
    flown.want(replace(FLOWN, source="gamepad"))
    flown.fly(0.1)
    assert flown.last is None, "by hand there must be one"


def test_after_the_device_is_gone_a_guided_mode_can_be_asked_for_without_it() -> None:
    flown = by_device()
    unplug(flown)
    flown.fly(1.0)
    assert flown.last is None
    flown.want(replace(FLOWN, throttle="middle", source="gamepad"))
    flown.take_up()
    flown.fly(1.0)
    assert flown.last == Sticks(throttle=0.5, arm=True), "and not with the stick it had"


def test_a_device_flies_on_while_the_window_hangs() -> None:
    flown = by_device()
    hang(flown)
    flown.fly(5.0)
    assert flown.last is not None


def test_after_the_computer_slept_nothing_is_sent_before_the_pilot_asks() -> None:
    flown = by_device()
    flown.now += 60.0
    flown.fly(1.0)
    assert flown.last is None
    assert flown.transmitter.state.stopped == STOOD_STILL
    flown.take_up()
    flown.fly(0.1)
    assert flown.last is not None


class Board:
    """What a board says, now or from an instant on."""

    def __init__(self, flown: Flown, mode: str = "ReturnToBase") -> None:
        self._flown = flown
        self.mode = mode
        self.armed = "Armed"
        self.is_on_failsafe = False
        self.said_s: Callable[[], float] = lambda: flown.now
        self.table = LostSticksTable(("Stabilized1", "ReturnToBase", "Land"))
        flown.board = self.word

    def word(self) -> BoardWord:
        age_s = self._flown.now - self.said_s()
        return BoardWord(
            silent_s=age_s,
            armed=self.armed,
            mode=self.mode,
            status_age_s=age_s,
            is_on_failsafe=self.is_on_failsafe,
            receiver_age_s=age_s,
            table=self.table,
        )

    def fall_silent(self) -> None:
        now = self._flown.now
        self.said_s = lambda: now

    def speak(self) -> None:
        self.said_s = lambda: self._flown.now


def returning() -> tuple[Flown, Board]:
    """On its way home by itself, with a device that rests."""
    flown = Flown(replace(FLOWN, throttle="middle", flight_mode_position=1))
    board = Board(flown)
    flown.fly(0.5)
    assert flown.last == Sticks(throttle=0.5, arm=True, flight_mode_position=1)
    return flown, board


@pytest.mark.parametrize("stall_s", [0.1, 0.3, PATIENCE_S - 0.01])
def test_a_stall_that_no_board_notices_does_not_end_a_guided_mode(stall_s: float) -> None:
    flown, board = returning()
    board.fall_silent()
    flown.now += stall_s - PERIOD_S
    flown.fly(PERIOD_S)
    assert flown.last_flown_s() == flown.now
    assert flown.asked_board == 0


@pytest.mark.parametrize("stall_s", [0.6, 1.0, 5.0, 20.0])
@pytest.mark.parametrize("stands", [True, False])
def test_after_a_stall_the_board_says_whether_a_guided_mode_goes_on(
    stall_s: float, stands: bool
) -> None:
    flown, board = returning()
    board.fall_silent()
    flown.now += stall_s
    flown.fly(0.5)
    assert flown.last is None, "nothing before its answer"
    assert flown.asked_board
    if not stands:
        board.mode, board.is_on_failsafe = "Land", True
    board.speak()
    flown.fly(1.5)
    if stands:
        assert flown.last_flown_s() == flown.now
        return
    assert flown.last is None
    assert "Return to base" in flown.transmitter.state.stopped
    board.mode, board.is_on_failsafe = "ReturnToBase", False
    flown.fly(1.0)
    assert flown.last is None, "only the pilot resumes it"
    flown.take_up()
    flown.fly(0.1)
    assert flown.last is not None


def test_what_the_board_said_during_the_stall_is_not_its_answer() -> None:
    """It lies in the computer's buffers, and arrives after it."""
    flown, board = returning()
    flown.now += 4.0
    late_s = flown.now + 0.3
    board.said_s = lambda: min(flown.now, late_s)
    flown.fly(0.8)
    assert flown.last is None
    board.speak()
    flown.fly(1.0)
    assert flown.last is not None


@pytest.mark.parametrize("says_failsafe", [False, True])
def test_a_lost_link_pauses_a_guided_mode_until_the_board_has_said_that_it_stands(
    says_failsafe: bool,
) -> None:
    flown, board = returning()
    board.fall_silent()
    flown.fly(0.9)
    assert flown.last is not None
    flown.fly(3.0)
    assert flown.last is None
    board.is_on_failsafe = says_failsafe
    board.speak()
    flown.fly(1.0)
    assert (flown.last is None) == says_failsafe


def test_disarmed_it_hears_a_low_throttle_for_a_moment_and_then_nothing() -> None:
    flown = Flown(replace(FLOWN, source="gamepad"))
    board = Board(flown, "Stabilized1")
    board.armed = "Disarmed"
    flown.fly(1.5)
    flown.device_read_s = None
    flown.fly(DISARMED.for_s)
    assert flown.last == Sticks(arm=True)
    flown.fly(0.1)
    assert flown.last is None


def test_by_hand_a_lost_link_ends_it_after_a_second() -> None:
    flown = by_device()
    board = Board(flown, "Stabilized1")
    flown.fly(0.5)
    board.fall_silent()
    fell_s = flown.now
    flown.fly(6.0)
    assert flown.last_flown_s() <= fell_s + LINK_LOST_S + PERIOD_S
    assert LINK_LOST_S <= 1.1
    board.speak()
    flown.fly(2.0)
    assert flown.last is None
    assert flown.transmitter.state.stopped == LINK_LOST
    flown.take_up()
    flown.fly(0.1)
    assert flown.last == Sticks(roll=0.3, arm=True)


@pytest.mark.parametrize("took_sticks", [False, True])
def test_a_board_that_reports_its_failsafe_is_not_taken_from_it(took_sticks: bool) -> None:
    """What it said before it heard the first stick is about another time."""
    flown = by_device()
    board = Board(flown, "Stabilized1")
    board.is_on_failsafe = True
    flown.take_up()
    flown.fly(0.5)
    assert flown.last is not None
    board.is_on_failsafe = not took_sticks
    flown.fly(1.0)
    board.is_on_failsafe = True
    flown.fly(1.0)
    assert (flown.last is None) == took_sticks
    assert (flown.transmitter.state.stopped == ON_FAILSAFE) == took_sticks


class FaultyDevices:
    """Input devices with a fault in them, after a while."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self, now_s: float) -> DeviceInput | None:
        self.reads += 1
        if self.reads > 3:
            raise RuntimeError("a fault of a device")
        return DeviceInput(Sticks(), "Pad", now_s)

    def close(self) -> None:
        pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_ends_the_stream_and_motors_off_still_goes_out() -> None:
    ground = Ground()
    ground.settings()
    ground.status(0.0, "Armed", "Stabilized1", thrust=0.5)
    controls = FlightControls(
        ground.vehicle, lambda outlet: Transmitter(outlet, find_devices=FaultyDevices)
    )
    controls.join()
    controls.take_source("gamepad")
    flight, situation = controls.situation_at(0.0)
    controls.act("Fly by hand", situation)
    wait_until(lambda: controls.state.has_failed)
    assert controls.state.stopped == FAILED
    assert ground.commands.sticks[-1] is None
    assert controls.follow(flight, situation) == FAILED
    controls.disarm(situation)
    wait_until(lambda: ground.commands.sticks[-1] == Sticks())
    controls.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_was_asked_for_just_before_a_fault_does_not_fly_after_it() -> None:
    def fail() -> DeviceInputs | None:
        raise RuntimeError("a fault before the first period")

    sent: list[Sticks | None] = []
    transmitter = Transmitter(outlet_to(sent.append), find_devices=fail)
    transmitter.carry_out(replace(transmitter.order, request=FLOWN).taken_up())
    transmitter.start()
    wait_until(lambda: transmitter.state.has_failed)
    transmitter.beat()
    transmitter.step(0.02, None)
    assert transmitter.has_let_go
    assert set(sent) == {None}
    transmitter.carry_out(transmitter.order.taken_up())
    transmitter.step(0.02, None)
    assert sent[-1] == Sticks(arm=True)
    transmitter.stop()


@pytest.fixture
def controls() -> tuple[Ground, FlightControls]:
    ground = Ground()
    ground.settings()
    ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    controls = FlightControls(ground.vehicle, SteppedTransmitter)
    controls.join()
    return ground, controls


def test_who_flies_has_the_right_to_the_aircraft_until_it_is_disarmed(
    controls: tuple[Ground, FlightControls],
) -> None:
    ground, pilot = controls
    right = exclusive_of(ground.vehicle)
    pilot.act("Hold", pilot.situation_at(0.0)[1])
    assert FLYING in right.why_not("the motor test")
    ground.status(1.0, "Disarmed")
    pilot.follow(*pilot.situation_at(1.0))
    assert right.why_not("the motor test") == ""


def test_what_somebody_else_has_is_not_flown_and_gets_no_resting_sticks(
    controls: tuple[Ground, FlightControls],
) -> None:
    ground, pilot = controls
    pilot.act("Hold", pilot.situation_at(0.0)[1])
    ground.status(1.0, "Disarmed")
    pilot.follow(*pilot.situation_at(1.0))
    exclusive_of(ground.vehicle).take("set-up", "Receiver set-up")
    flight, situation = pilot.situation_at(1.0)
    assert situation.refusal == "Receiver set-up is under way. End it first."
    pilot.follow(flight, situation)
    assert not pilot.request.transmitting


def test_taken_over_in_flight_its_arming_switch_is_on(
    controls: tuple[Ground, FlightControls],
) -> None:
    """Off, it would disarm in the air: an accessory at -0.2 counts as low throttle, too
    (armhandler.c)."""
    _, pilot = controls
    assert not pilot.request.arm
    pilot.act("Hold", pilot.situation_at(0.0)[1])
    assert pilot.request.arm


def test_the_strip_tells_a_dangerous_failsafe_before_anybody_flies() -> None:
    """receiver.c and armhandler.c: FailsafeChannel.Accessory0 = -1 on the arming switch disarms in
    the air."""
    ground = Ground()
    ground.status(0.0, "Disarmed")
    pilot = FlightControls(ground.vehicle, SteppedTransmitter)
    pilot.join()
    told = {}
    for value in (0.0, -1.0):
        more = {"FailsafeChannel.Accessory0": value, "FailsafeFlightModeSwitchPosition": 4}
        ground.settings(more=more)
        pilot.follow(*pilot.situation_at(0.0))
        told[value] = notices_of(ground.vehicle).all
    assert told[0.0] == ()
    (found,) = told[-1.0]
    assert found.title == "Dangerous failsafe"
    assert found.remedy == "Have the failsafe set accessory 0 to 0."
    ground.settings(source="S.Bus")
    pilot.follow(*pilot.situation_at(0.0))
    assert notices_of(ground.vehicle).all == (), "it is not flown from here"


def test_the_strip_is_told_what_goes_on(controls: tuple[Ground, FlightControls]) -> None:
    ground, pilot = controls
    notices = notices_of(ground.vehicle)
    pilot.take_source("gamepad")
    pilot.act("Fly by hand", pilot.situation_at(0.0)[1])
    pilot.follow(*pilot.situation_at(0.0))
    assert notices.all == ()
    pilot.is_unfocused = True
    pilot.follow(*pilot.situation_at(0.0))
    assert [found.title for found in notices.all] == ["Stick device flies on without focus"]
    pilot.release(LOST_FOCUS)
    pilot.follow(*pilot.situation_at(0.0))
    assert [found.title for found in notices.all] == ["Neutral sticks"]
    pilot.close()
    assert notices.all == ()


@pytest.mark.parametrize(
    ("arming", "wanted"),
    [("Accessory 0", Sticks()), ("Yaw Left", Sticks(yaw=1.0))],
)
def test_a_stop_button_disarms_with_the_controls_out_of_sight(arming: str, wanted: Sticks) -> None:
    """As armhandler.c has it: by the switch, or by the stick that was moved the other way. In
    PositionHold throttle down alone would not stop the motors, so that a stabilized mode is flown
    meanwhile. Nobody follows the controls here: that is what a panel in sight does."""
    ground = Ground()
    ground.settings()
    modes = {"FlightModePosition": list(POSITIONS), "Arming": arming}
    ground.say(0.0, "FlightModeSettings", modes)
    ground.status(0.1, "Armed", "PositionHold", thrust=0.5)
    made: list[SteppedTransmitter] = []

    def make(outlet: StickOutlet) -> SteppedTransmitter:
        made.append(SteppedTransmitter(outlet, lambda: 0.0))
        return made[-1]

    controls = FlightControls(ground.vehicle, make)
    controls.join()
    controls.act("Hold", controls.situation_at(0.1)[1])
    made[0].step(PERIOD_S, DeviceInput(Sticks(), "Pad", 0.0, stops=True))
    assert ground.commands.sticks[-1] == wanted
    controls.close()
