"""A take-off waits for a position that stands still. AutoTakeoff gives up 3 m away from where it
began: vtolautotakeofffsm.cpp of LibrePilot."""

import pytest

from telemetry.configuration.arming.procedure import ArmingProcedure, ArmingStage
from telemetry.configuration.arming.settled_position import (
    LOOKED_BACK_S,
    MOST_M,
    Past,
    check_position_for_take_off,
)
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.recording.sample import Sample
from tests.telemetry.configuration.arming.strict_board import StrictBoard
from tests.telemetry.configuration.arming.test_procedure import Flown


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def past(catalogue: Catalogue, speed_mps: float, fix: str = "Fix3D", since_s: float = 60.0) -> Past:
    """An aircraft that is told to have moved north with a speed for `since_s`."""

    def was(name: str, seconds: float) -> Sample | None:
        told = {
            "PositionState": {"North": -speed_mps * seconds},
            "GPSPositionSensor": {"Status": fix},
        }
        if name not in told or seconds > since_s:
            return None
        definition = catalogue.find(name, DEFAULT_RELEASE)
        return Sample(0.0, definition, 0, row_of(definition, pack_values(definition, told[name])))

    return was


def code(found: Past) -> str:
    finding = check_position_for_take_off(found)
    return finding.code if finding is not None else ""


def test_a_position_that_moves_keeps_it_on_the_ground(catalogue: Catalogue) -> None:
    limit_mps = MOST_M / LOOKED_BACK_S
    assert code(past(catalogue, 0.9 * limit_mps)) == ""
    assert code(past(catalogue, 1.1 * limit_mps)) == "position-settling"
    assert code(past(catalogue, 5.0 * limit_mps, since_s=1.5)) == "position-settling"


@pytest.mark.parametrize("fix", ["NoGPS", "NoFix", "Fix2D"])
def test_without_a_fix_there_is_no_place_to_hold(catalogue: Catalogue, fix: str) -> None:
    assert code(past(catalogue, 0.0, fix)) == "no-fix"
    assert code(past(catalogue, 0.0, "Fix3DDGNSS")) == ""


def test_what_has_not_been_told_speaks_against_nothing() -> None:
    """An aircraft whose position comes from elsewhere has no receiver."""
    assert code(lambda name, seconds: None) == ""


def test_the_take_off_goes_on_once_it_has_settled(catalogue: Catalogue) -> None:
    speed = [1.0]
    board = StrictBoard(catalogue)
    procedure = ArmingProcedure(
        takes_off=True, past=lambda name, seconds: past(catalogue, speed[0])(name, seconds)
    )
    flown = Flown(board, procedure)
    flown.run(6.0)
    assert board.state == "Disarmed"
    assert procedure.stage is ArmingStage.WAITING
    assert "moved by 4.0 m in 4 s" in procedure.reason
    speed[0] = 0.0
    flown.run_to(ArmingStage.CLIMBING)


def test_arming_by_hand_does_not_wait(catalogue: Catalogue) -> None:
    flown = Flown(StrictBoard(catalogue), ArmingProcedure(past=past(catalogue, 9.0, "NoFix")))
    flown.run_to(ArmingStage.ARMED)
