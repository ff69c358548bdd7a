"""The procedure against a board that follows firmware's rules, and against one that misbehaves.

Expectations: the tables of armhandler.c, manualcontrol.c and vtolautotakeoffcontroller.cpp of
LibrePilot, as written down in the design's firmware rules.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from telemetry.configuration.arming.procedure import (
    ARMING_WITHIN_S,
    RELEASED_S,
    TAKE_OFF_THROTTLE,
    ArmingProcedure,
    ArmingStage,
)
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.configuration.arming.strict_board import LOOP_S, MODES, StrictBoard

AUTO_TAKEOFF = MODES.index("AutoTakeoff")
METHODS = (
    "Accessory 0",
    "Roll Left",
    "Roll Right",
    "Pitch Forward",
    "Pitch Aft",
    "Yaw Left",
    "Yaw Right",
)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


class Flown:
    """A board and the procedure that flies it; `sent` are the sticks with their times."""

    def __init__(self, board: StrictBoard, procedure: ArmingProcedure) -> None:
        self.board = board
        self.procedure = procedure
        self.now = 0.0
        self.sent: list[tuple[float, Sticks]] = []
        board.advance(Sticks())

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        end = self.now + seconds
        while self.now < end and not until():
            self.procedure.update(self.now, self.board.read)
            self.sent.append((self.now, self.procedure.sticks))
            self.board.advance(self.procedure.sticks)
            self.now += LOOP_S

    def run_to(self, stage: ArmingStage, seconds: float = 10.0) -> None:
        self.run(seconds, lambda: self.procedure.stage is stage)
        assert self.procedure.stage is stage, self.procedure.reason

    def edges(self) -> list[tuple[float, float]]:
        """When the arming switch was on: from and to."""
        spans: list[tuple[float, float]] = []
        for (t, sticks), (_, before) in zip(self.sent[1:], self.sent, strict=False):
            if sticks.arm and not before.arm:
                spans.append((t, t))
            elif sticks.arm:
                spans[-1] = (spans[-1][0], t)
        return spans


def take_off(board: StrictBoard) -> Flown:
    return Flown(board, ArmingProcedure(takes_off=True))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_it_takes_off_by_whatever_arming_says(catalogue: Catalogue, method: str) -> None:
    flown = take_off(StrictBoard(catalogue, method))
    armed_at: list[float] = []

    def is_up() -> bool:
        if flown.board.state == "Armed" and not armed_at:
            armed_at.append(flown.now)
        return flown.board.height_m > 2.0

    flown.run(20.0, is_up)
    assert flown.procedure.stage is ArmingStage.CLIMBING
    assert flown.board.height_m > 2.0
    assert {sticks.flight_mode_position for _, sticks in flown.sent[1:]} == {AUTO_TAKEOFF}
    assert {s.throttle for t, s in flown.sent if t < armed_at[0]} == {0.0}
    last = flown.sent[-1][1]
    assert last == Sticks(throttle=TAKE_OFF_THROTTLE, flight_mode_position=AUTO_TAKEOFF, arm=True)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_arming_for_flying_by_hand_leaves_the_throttle_cut(
    catalogue: Catalogue, method: str
) -> None:
    flown = Flown(StrictBoard(catalogue, method), ArmingProcedure())
    flown.run(6.0)
    assert flown.procedure.stage is ArmingStage.ARMED
    assert flown.board.state == "Armed"
    assert flown.board.mode == "Stabilized1"
    assert flown.sent[-1][1] == Sticks(arm=True)
    assert {sticks.throttle for _, sticks in flown.sent} == {0.0}


def test_auto_takeoff_after_arming_does_not_take_off(catalogue: Catalogue) -> None:
    """Negative control: on this board the order matters, and the procedure refuses another."""
    by_hand = Flown(StrictBoard(catalogue), ArmingProcedure())
    by_hand.run_to(ArmingStage.ARMED)
    board = by_hand.board
    for _ in range(500):
        board.advance(Sticks(throttle=0.6, flight_mode_position=AUTO_TAKEOFF, arm=True))
    assert board.mode == "Stabilized1"
    assert board.height_m == 0.0
    refused = take_off(board)
    refused.run(0.1)
    assert refused.procedure.stage is ArmingStage.REFUSED
    assert "takes off by itself only if it was armed for that" in refused.procedure.reason
    assert {sticks.throttle for _, sticks in refused.sent} == {0.0}


REFUSALS = [
    ({"arming": "Always Armed"}, {}, "always-armed"),
    ({"arming": "Always Disarmed"}, {}, "never-arms"),
    ({"FlightModePosition": ["Stabilized1"] * 6}, {}, "no-auto-takeoff"),
    (
        {"FlightModePosition": ["Stabilized1"] * 6},
        {"RevoSettings": {"FusionAlgorithm": "INS13Indoor"}},
        "no-position-estimate",
    ),
    ({}, {"FlightStatus": {"AlwaysStabilizeWhenArmed": "True"}}, "always-stabilized"),
    ({}, {"FlightStatus": {"Armed": "Armed"}}, "armed-already"),
    ({"arming": "Accessory 1"}, {}, "arming-channel"),
]


@pytest.mark.parametrize(("settings", "said", "code"), REFUSALS)
def test_refused_with_its_reason_where_it_cannot_work(
    catalogue: Catalogue, settings: dict[str, str], said: dict[str, dict[str, str]], code: str
) -> None:
    board = StrictBoard(catalogue, **settings)
    board.said |= said
    flown = take_off(board)
    flown.run(1.0)
    assert flown.procedure.stage is ArmingStage.REFUSED
    assert flown.procedure.obstacle is not None
    assert flown.procedure.obstacle.code == code
    assert flown.procedure.obstacle.remedy
    assert {sticks for _, sticks in flown.sent} == {Sticks()}


def test_a_switch_on_another_channel_is_said(catalogue: Catalogue) -> None:
    board = StrictBoard(catalogue)
    board.said["ManualControlSettings"]["ChannelNumber.Accessory0"] = 6
    flown = take_off(board)
    flown.run(0.1)
    assert (
        "channel 6 of the station; the station sends its arming switch on channel 7"
        in flown.procedure.reason
    )


def test_a_mode_that_does_not_follow_is_refused_before_anything_is_armed(
    catalogue: Catalogue,
) -> None:
    board = StrictBoard(catalogue)
    board.forced_mode = "Stabilized1"
    flown = take_off(board)
    flown.run_to(ArmingStage.REFUSED)
    assert "the flight mode stays Stabilized 1" in flown.procedure.reason
    assert not flown.edges()


def test_a_receiver_that_is_told_late_is_waited_for(catalogue: Catalogue) -> None:
    """Firmware sends ManualControlCommand every two seconds; the flight mode at once."""
    board = StrictBoard(catalogue)
    flown = take_off(board)
    board.said["ManualControlCommand"] = late = {"Connected": "False"}
    flown.run(4.0)
    assert flown.procedure.stage is ArmingStage.WAITING
    assert flown.procedure.reason.startswith("Receiver: ")
    late["Connected"] = "True"
    flown.run_to(ArmingStage.CLIMBING)


def test_a_board_that_hears_no_sticks_is_said(catalogue: Catalogue) -> None:
    board = StrictBoard(catalogue)
    flown = take_off(board)
    board.is_deaf = True
    flown.run_to(ArmingStage.REFUSED)
    assert flown.procedure.reason.startswith("Receiver: ")


@pytest.mark.slow
def test_it_waits_for_alarms_to_clear_and_then_makes_the_edge(catalogue: Catalogue) -> None:
    board = StrictBoard(catalogue)
    board.alarm = "Critical"
    flown = take_off(board)
    flown.run(22.0)
    assert flown.edges() == []
    assert flown.procedure.stage is ArmingStage.WAITING
    assert flown.procedure.reason.startswith("Attitude: ")
    board.alarm = "OK"
    flown.run_to(ArmingStage.CLIMBING)
    assert len(flown.edges()) == 1


def test_on_this_board_a_switch_that_was_on_too_early_never_arms(catalogue: Catalogue) -> None:
    """Negative control: what the station did before it waited."""
    board = StrictBoard(catalogue)
    board.alarm = "Critical"
    for _ in range(100):
        board.advance(Sticks(arm=True))
    board.alarm = "OK"
    for _ in range(500):
        board.advance(Sticks(arm=True))
    assert board.state == "Disarmed"


@pytest.mark.slow
@pytest.mark.parametrize("waits_s", [4.0, 0.8])
def test_auto_takeoff_is_selected_anew_when_the_estimate_has_started(
    catalogue: Catalogue, waits_s: float
) -> None:
    """The height comes from the position at the instant of selecting (plans.c). Seen on running
    firmware (LibrePilot next): selected before INS13 had started, the ground was 2.9 m above the
    place it knew, so that it arrived at once, held on the ground and tipped over."""
    board = StrictBoard(catalogue)
    board.alarm = "Critical"
    flown = take_off(board)
    flown.run(waits_s)
    assert board.mode == "AutoTakeoff"
    board.alarm, board.estimate_error_m = "OK", 2.9
    flown.run(15.0, lambda: board.height_m > 1.9)
    assert board.height_m > 1.9
    assert len(flown.edges()) == 1


def test_auto_takeoff_selected_too_early_holds_on_the_ground(catalogue: Catalogue) -> None:
    """Negative control: on this board it matters when the mode was selected."""
    board = StrictBoard(catalogue)
    waiting = Sticks(flight_mode_position=AUTO_TAKEOFF)
    board.advance(waiting)
    board.estimate_error_m = 2.9
    for sticks in (waiting, replace(waiting, arm=True), replace(waiting, arm=True, throttle=0.6)):
        for _ in range(300):
            board.advance(sticks)
    assert board.take_off == "Hold"
    assert board.height_m == 0.0


def test_a_mode_that_was_selected_long_before_is_selected_anew(catalogue: Catalogue) -> None:
    """As after a landing, with the switch left where it was."""
    board = StrictBoard(catalogue)
    flown = take_off(board)
    board.mode = "AutoTakeoff"
    flown.run_to(ArmingStage.LEAVING)
    flown.run_to(ArmingStage.CLIMBING)


def test_a_mode_that_stays_is_refused_before_anything_is_armed(catalogue: Catalogue) -> None:
    board = StrictBoard(catalogue)
    board.forced_mode = "AutoTakeoff"
    board.advance(Sticks())
    flown = take_off(board)
    flown.run_to(ArmingStage.REFUSED)
    assert "the flight mode stays Automatic take-off" in flown.procedure.reason
    assert not flown.edges()


def test_an_alarm_that_only_the_edge_clears_is_not_waited_for(catalogue: Catalogue) -> None:
    """SystemConfiguration is judged when SystemSettings, ManualControlSettings or
    FlightModeSettings change, and by okToArm (manualcontrol.c, armhandler.c). Seen on running
    firmware: FusionAlgorithm, written after the flight modes, left it Critical for ever."""
    board = StrictBoard(catalogue)
    board.configuration_alarm = "Critical"
    flown = take_off(board)
    flown.run_to(ArmingStage.CLIMBING)
    assert len(flown.edges()) == 1


@pytest.mark.slow
def test_a_refused_edge_is_lowered_explained_and_made_again_a_second_later(
    catalogue: Catalogue,
) -> None:
    board = StrictBoard(catalogue)
    board.refuses_silently = True
    flown = take_off(board)
    flown.run(7.0)
    flown.run_to(ArmingStage.RELEASING)
    assert "nothing that it tells says why" in flown.procedure.reason
    spans = flown.edges()
    assert len(spans) >= 3
    for begin, end in spans[:-1]:
        assert end - begin == pytest.approx(ARMING_WITHIN_S, abs=0.1)
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(spans)]
    assert min(gaps) > RELEASED_S
    assert max(gaps) < RELEASED_S + 0.5


def test_the_reason_of_a_refused_edge_is_the_checklists(catalogue: Catalogue) -> None:
    board = StrictBoard(catalogue)
    flown = take_off(board)
    flown.run_to(ArmingStage.ASKING)
    board.alarm, board.state = "Critical", "Disarmed"
    flown.run_to(ArmingStage.RELEASING)
    assert flown.procedure.reason.startswith("Attitude: ")


def test_arming_that_does_not_end_in_armed_is_given_up(catalogue: Catalogue) -> None:
    board = StrictBoard(catalogue)
    board.arming_s = 1e9
    flown = take_off(board)
    flown.run_to(ArmingStage.RELEASING)
    ((begin, end),) = flown.edges()
    assert end - begin == pytest.approx(1.0 + ARMING_WITHIN_S, abs=0.1)


@pytest.mark.parametrize("mode", ["Stabilized1", "Land", "PositionHold"])
def test_another_mode_before_it_climbs_cuts_the_throttle(catalogue: Catalogue, mode: str) -> None:
    flown = take_off(StrictBoard(catalogue))
    flown.run_to(ArmingStage.STARTING)
    flown.run(1.0)
    assert flown.procedure.sticks.throttle == TAKE_OFF_THROTTLE
    flown.board.forced_mode = mode
    flown.run(0.1)
    assert flown.procedure.stage is ArmingStage.REFUSED
    assert flown.procedure.sticks == Sticks(flight_mode_position=AUTO_TAKEOFF)
    assert mode_words(mode) in flown.procedure.reason


@pytest.mark.parametrize(("height_m", "take_off_state"), [(0.6, "SlowStart"), (0.0, "Takeoff")])
def test_once_it_climbs_nothing_cuts_the_throttle_any_more(
    catalogue: Catalogue, height_m: float, take_off_state: str
) -> None:
    flown = take_off(StrictBoard(catalogue))
    flown.run_to(ArmingStage.STARTING)
    flown.run(1.0)
    flown.board.height_m, flown.board.take_off = height_m, take_off_state
    flown.procedure.update(flown.now, flown.board.read)
    flown.board.forced_mode, flown.board.state = "Stabilized1", "Armed"
    flown.run(5.0)
    assert flown.procedure.stage is ArmingStage.CLIMBING
    assert flown.procedure.sticks.throttle == TAKE_OFF_THROTTLE


def test_the_status_of_the_flight_before_is_no_climb(catalogue: Catalogue) -> None:
    """Firmware leaves it at Hold until the next take-off starts."""
    board = StrictBoard(catalogue)
    board.take_off = "Hold"
    flown = take_off(board)
    flown.run_to(ArmingStage.STARTING)
    flown.board.forced_mode = "Stabilized1"
    flown.run(0.1)
    assert flown.procedure.stage is ArmingStage.REFUSED


def test_before_the_aircraft_has_said_anything_it_waits(catalogue: Catalogue) -> None:
    board = StrictBoard(catalogue)
    settings = board.said.pop("FlightModeSettings")
    flown = take_off(board)
    flown.run(1.0)
    assert flown.procedure.stage is ArmingStage.SELECTING
    assert flown.procedure.reason == "The aircraft has not sent its settings yet."
    board.said["FlightModeSettings"] = settings
    flown.run_to(ArmingStage.CLIMBING)
