"""What is said of a failsafe, beside what the firmware did in flight with the same settings.

Flown on LibrePilot *next* in the simulator's physics: with position -1 and throttle -1 it fell from
12 m in 16 of 16 flights by hand and from 10 m out of AutoTakeoff; with Land it landed; with
ReturnToBase, armed on the ground, it took off to 8 m.
"""

import pytest

from telemetry.configuration.arming.by_sticks import values_of
from telemetry.configuration.flight_modes.failsafe_text import failsafe_offers, failsafe_text
from telemetry.recording.sample import ReadValues
from tests.telemetry.flying.fakes import POSITIONS, Ground


def values(failsafe: int, throttle: float = -1.0, **more: object) -> ReadValues:
    ground = Ground()
    settings = {"FailsafeFlightModeSwitchPosition": failsafe, "FailsafeChannel.Throttle": throttle}
    ground.settings(more={**settings, **more})
    return values_of(lambda name: ground.recording.latest(name, 0.0))


@pytest.mark.parametrize(
    ("mode", "says", "never"),
    [
        ("Land", "it goes to Position 5, Land: comes down where it is", "falls"),
        ("ReturnToBase", "Armed on the ground it takes off, too.", "falls"),
        ("PositionHold", "holds place and height", "falls"),
        ("Stabilized1", "it falls", "goes on"),
        ("AutoTakeoff", "it falls", "goes on"),
        (None, "Land and a mission go on; by hand", "goes to"),
    ],
)
def test_each_position_says_what_the_board_will_do(mode: str | None, says: str, never: str) -> None:
    text = failsafe_text(values(POSITIONS.index(mode) if mode else -1))
    assert text.startswith("When sticks or link are lost for 0.5 to 0.75 s")
    assert says in text
    assert never not in text


def test_a_throttle_that_is_not_cut_is_said() -> None:
    text = failsafe_text(values(-1, throttle=0.3))
    assert "with the throttle at 30%" in text
    assert "falls" not in text


def test_return_and_land_are_offered_where_the_switch_has_them_and_the_failsafe_has_not() -> None:
    offered = [(offer.mode, offer.index) for offer in failsafe_offers(values(-1))]
    assert offered == [
        ("ReturnToBase", POSITIONS.index("ReturnToBase")),
        ("Land", POSITIONS.index("Land")),
    ]
    assert failsafe_offers(values(POSITIONS.index("Land"))) == ()
    assert failsafe_offers(values(-1, FlightModeNumber=2)) == ()


def test_nothing_is_said_of_settings_that_are_not_known() -> None:
    assert failsafe_text(lambda _name: {}) == ""
    assert failsafe_offers(lambda _name: {}) == ()
