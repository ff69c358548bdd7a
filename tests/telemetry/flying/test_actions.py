"""What a pilot may ask for, and what is said of it, by the situation alone."""

from dataclasses import replace

import pytest

from telemetry.base.finding import Finding, Level
from telemetry.configuration.arming.procedure import ArmingStage
from telemetry.flying import actions
from telemetry.flying.situation import Situation
from telemetry.flying.switches import Switches
from telemetry.flying.transmitter.order import PilotRequest

SWITCHES = Switches(("Manual", "Stabilized1", "PositionHold", "Land"), vario=2, refusal=None)
GROUND = Situation(None, SWITCHES, "Disarmed")
FLYING = Situation(None, SWITCHES, "Armed", is_flying=True)
STAGE = next(iter(ArmingStage))
WHY = Finding(Level.ERROR, "cannot", "It cannot.", "Do this.")
BARE = Switches(("Manual",), refusal=None)
DEAF = Switches(SWITCHES.modes, refusal="It listens to a radio.")


@pytest.mark.parametrize(
    ("situation", "armed", "taken_off"),
    [
        (GROUND, None, None),
        (replace(GROUND, not_armed_by=WHY), "It cannot. Do this.", None),
        (replace(GROUND, not_taken_off_by=WHY), None, "It cannot. Do this."),
        (replace(GROUND, stage=STAGE), "It is being done already.", "It is being done already."),
        (replace(GROUND, refusal="Lost."), "Lost.", "Lost."),
        (replace(GROUND, switches=DEAF), DEAF.refusal, DEAF.refusal),
        (FLYING, "The aircraft is armed.", "The aircraft is flying already."),
        (replace(FLYING, refusal="Lost."), "Lost.", "Lost."),
    ],
)
def test_why_it_cannot_be_armed_or_taken_off(
    situation: Situation, armed: str | None, taken_off: str | None
) -> None:
    assert actions.why_not_arm(situation) == armed
    assert actions.why_not_take_off(situation) == taken_off


def test_armed_on_the_ground_it_has_to_be_disarmed_to_take_off() -> None:
    said = actions.why_not_take_off(replace(FLYING, is_flying=False))
    assert said is not None
    assert "disarm" in said.lower()


@pytest.mark.parametrize("modes", [("Manual",), ("PositionHold", "Land")])
def test_arming_by_hand_needs_a_stabilized_mode(modes: tuple[str, ...]) -> None:
    said = actions.why_not_arm(replace(GROUND, switches=Switches(modes, refusal=None)))
    assert said is not None
    assert "stabilized" in said


ARM_FIRST = "Arm the aircraft first."
NOT_FLYING = "The aircraft is not flying. Take off first."
TAKING_OFF = "The aircraft is taking off and does not fly yet."


@pytest.mark.parametrize(
    ("situation", "hold", "by_hand"),
    [
        (FLYING, None, None),
        (GROUND, ARM_FIRST, ARM_FIRST),
        (replace(FLYING, refusal="Lost."), "Lost.", "Lost."),
        (replace(FLYING, stage=STAGE), TAKING_OFF, TAKING_OFF),
        (replace(FLYING, is_flying=False), NOT_FLYING, None),
        (replace(FLYING, is_throttle_down=True), None, actions.THROTTLE_DOWN),
        (replace(FLYING, is_throttle_down=True, is_flying=False), NOT_FLYING, None),
        (replace(FLYING, is_throttle_down=True, is_fixed_wing=True), None, None),
        (replace(FLYING, is_device_missing=True), None, actions.NO_DEVICE),
    ],
)  # fmt: skip
def test_why_a_guided_action_or_flying_by_hand_cannot_be(
    situation: Situation, hold: str | None, by_hand: str | None
) -> None:
    assert actions.why_not("Hold", situation) == hold
    assert actions.why_not(actions.BY_HAND, situation) == by_hand
    # The same by the positions of the switch, which needs no flight.
    if hold != NOT_FLYING:
        assert actions.why_not_position(2, situation) == hold
    assert actions.why_not_position(1, situation) == by_hand
    assert actions.why_not_position(0, situation) == by_hand


def test_a_mode_or_a_position_that_there_is_not() -> None:
    said = actions.why_not("Return", FLYING)
    assert said is not None
    assert "Return" in said
    assert actions.why_not_position(4, FLYING) == "The flight mode switch has 4 positions."
    assert actions.why_not_position(3, FLYING) is None


@pytest.mark.parametrize(
    ("situation", "can"),
    [
        (FLYING, True),
        (GROUND, False),
        (replace(FLYING, refusal="Lost."), False),
        (replace(FLYING, refusal="Lost.", is_link_lost=True), True),
        (replace(FLYING, refusal="Taken.", is_anothers=True), True),
        (replace(FLYING, refusal=actions.CRASHED), True),
        (replace(FLYING, switches=DEAF), False),
    ],
)
def test_who_may_stop_the_motors(situation: Situation, can: bool) -> None:
    assert actions.can_stop(situation) is can


WING = replace(FLYING, is_fixed_wing=True)


@pytest.mark.parametrize(
    ("situation", "mode", "said"),
    [
        (GROUND, "Manual", "Hold a button: arm and take off"),
        (replace(GROUND, not_armed_by=WHY), "Manual", "It cannot. Do this."),
        (replace(GROUND, not_taken_off_by=WHY), "Manual", "It cannot. It can be armed to fly"),
        (replace(FLYING, is_flying=False), "Manual", "Armed. Fly by hand"),
        (replace(WING, is_flying=False), "Manual", "Armed. By hand: full throttle"),
        (FLYING, "Land", "It disarms when down."),
        (WING, "Land", "It glides straight on"),
        (WING, "PositionHold", "It comes back to its place"),
        (WING, "Stabilized1", "Land when done."),
        (FLYING, "PositionHold", "Land when done."),
        (replace(FLYING, switches=BARE), "Manual", "Come down by hand"),
    ],
)  # fmt: skip
def test_what_can_be_done_about_what_goes_on(situation: Situation, mode: str, said: str) -> None:
    assert said in actions.advice(situation, mode)


def test_what_comes_of_an_action_depends_on_what_flies() -> None:
    assert actions.help_for("Land", FLYING) == "Comes down where it is, and disarms."
    assert "Glides" in actions.help_for("Land", WING)


def test_by_hand_it_holds_its_height_but_not_before_the_throw() -> None:
    thrown = replace(WING, is_flying=False)
    assert actions.position_for(actions.BY_HAND, FLYING) == 2
    assert actions.position_for(actions.BY_HAND, thrown) == 1
    assert actions.position_for("Land", FLYING) == 3
    for situation, position, throttle in ((FLYING, 2, "spring"), (thrown, 1, "stick")):
        asked = actions.by_hand(PilotRequest(), situation)
        assert (asked.transmitting, asked.flight_mode_position, asked.throttle) == (
            True, position, throttle,
        )  # fmt: skip
    plain = replace(FLYING, switches=replace(SWITCHES, vario=None))
    assert actions.throttle_by_hand(plain) == "stick"


@pytest.mark.parametrize(
    ("position", "throttle"), [(0, "stick"), (1, "stick"), (2, "spring"), (3, "spring")]
)
def test_a_chosen_position_springs_where_the_mode_holds_the_height(
    position: int, throttle: str
) -> None:
    asked = actions.by_hand(PilotRequest(), FLYING, position)
    assert (asked.flight_mode_position, asked.throttle) == (position, throttle)
    vario = replace(FLYING, switches=replace(SWITCHES, vario=1))
    assert actions.by_hand(PilotRequest(), vario, 1).throttle == "spring"
