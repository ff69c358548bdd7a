"""Output banks: which outputs share one, and where a frame's channels go so that none is mixed."""

import pytest

from telemetry.configuration.airframe.airframe import SERVO, Airframe, airframe_named, all_airframes
from telemetry.configuration.airframe.banks import bank_of, banks_of, default_outputs
from telemetry.configuration.airframe.mixer import DISABLED, Mixer, MixerChannel
from telemetry.configuration.airframe.mixer_generation import generate
from telemetry.configuration.airframe.setup import AirframeSetup, completed_outputs, usual_setup

REVOLUTION, COPTER_CONTROL, UNKNOWN = 0x0903, 0x0402, 0x7701


def shared_banks(frame: Airframe, outputs: dict[str, int], board: int) -> list[int]:
    """The banks that have a motor and a servo."""
    kinds: dict[int, set[bool]] = {}
    for channel in generate(frame).channels:
        bank = bank_of(outputs[channel.name], board)
        assert bank is not None
        kinds.setdefault(bank, set()).add(channel.is_motor)
    return [bank for bank, found in kinds.items() if len(found) > 1]


def test_a_bank_has_each_output_once() -> None:
    for board in (REVOLUTION, COPTER_CONTROL):
        outputs = [output for bank in banks_of(board) for output in bank]
        assert sorted(outputs) == list(range(1, len(outputs) + 1))
    assert bank_of(12, REVOLUTION) == 5
    assert bank_of(9, COPTER_CONTROL) == 4


@pytest.mark.parametrize("board", [REVOLUTION, COPTER_CONTROL], ids=hex)
@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_default_outputs_never_put_a_motor_and_a_servo_on_one_bank(
    frame: Airframe, board: int
) -> None:
    outputs = dict(usual_setup(frame, board=board).outputs)
    assert len(set(outputs.values())) == len(outputs)
    assert shared_banks(frame, outputs, board) == []
    completed = completed_outputs(AirframeSetup(frame, frame.levels), Mixer(), board)
    assert shared_banks(frame, completed, board) == []


def test_in_the_order_of_the_frame_they_did() -> None:
    """A negative control: an aeroplane's motor was on a bank with its first aileron."""
    frame = airframe_named("FixedWing")
    assert shared_banks(frame, dict(usual_setup(frame).outputs), REVOLUTION) == [1]


def test_the_outputs_are_the_first_of_the_board() -> None:
    """Both boards have six that are not also the receiver port."""
    wing = [True, False, False, False, False, False]
    for board in (REVOLUTION, COPTER_CONTROL):
        assert sorted(default_outputs(wing, board)) == [1, 2, 3, 4, 5, 6]
    assert default_outputs([True] * 4, REVOLUTION) == (1, 2, 3, 4)
    assert default_outputs([True] * 3 + [False], REVOLUTION) == (1, 2, 3, 4)
    assert default_outputs(wing, UNKNOWN) == (1, 2, 3, 4, 5, 6)


def test_a_channel_that_is_added_joins_its_kind() -> None:
    frame = airframe_named("FixedWingElevon")
    setup = AirframeSetup(frame, frame.levels, {"Motor": 1, "Elevon1": 3, "Elevon2": 4})
    gimbal = Mixer((MixerChannel(5, SERVO),))
    completed = completed_outputs(setup, gimbal, REVOLUTION)
    assert (completed["Rudder1"], completed["Rudder2"]) == (6, 7)  # not 2, beside the motor
    assert completed_outputs(setup, gimbal)["Rudder1"] == 2  # of a board nobody knows


def test_a_full_board_is_used_to_its_last_output() -> None:
    frame = airframe_named("FixedWingElevon")
    setup = AirframeSetup(frame, frame.levels, {"Motor": 1, "Elevon1": 3, "Elevon2": 4})
    full = Mixer(tuple(MixerChannel(n, SERVO) for n in range(5, 13)))
    assert completed_outputs(setup, full, REVOLUTION)["Rudder1"] == 2
    assert DISABLED not in [channel.type for channel in full.channels]
