"""The set-up of a receiver, driven by a transmitter's sticks: through, and out at every step."""

from collections.abc import Callable
from pathlib import Path

import pytest

from telemetry.configuration.receiver.backup import backup_store
from telemetry.configuration.receiver.state_machine import ReceiverSetupStep
from telemetry.configuration.receiver.transmitter_layout import SteeredKind
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.configuration.receiver.radio import CHANNELS, GROUP, MODES, SETTINGS, Radio


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def radio(catalogue: Catalogue) -> Radio:
    return Radio(catalogue)


def memory(radio: Radio) -> dict[str, bytes]:
    board = radio.bench.board
    return {n: board.values[radio.bench.named(n).object_id, 0] for n in (SETTINGS, MODES)}


def summary(radio: Radio) -> None:
    radio.begin()
    radio.identify()
    radio.centre()
    radio.limits()
    radio.check()


@pytest.mark.slow
def test_from_nothing_to_saved(radio: Radio) -> None:
    summary(radio)
    radio.setup.save()
    radio.settle()
    assert radio.setup.step is ReceiverSetupStep.OFF, radio.setup.message
    for name, number in CHANNELS.items():
        assert radio.held(f"ChannelGroups.{name}") == GROUP
        assert radio.held(f"ChannelNumber.{name}") == number
    assert radio.held("ChannelMin.Roll") == pytest.approx(988, abs=2)
    assert radio.held("ChannelNeutral.Roll") == 1500
    assert radio.held("ChannelMax.Roll") == pytest.approx(2012, abs=2)
    assert radio.held("ChannelMin.Pitch") == pytest.approx(2012, abs=2)  # it runs backwards
    assert radio.held("ChannelMax.Pitch") == pytest.approx(988, abs=2)
    assert radio.held("ChannelMin.Throttle") == pytest.approx(2012, abs=2)
    assert radio.held("ChannelNeutral.Throttle") == pytest.approx(1971, abs=3)
    assert radio.held("FlightModeNumber") == 3
    assert radio.held("Arming", MODES) == "Yaw Left"
    assert radio.bench.stored(SETTINGS) == memory(radio)[SETTINGS]
    assert radio.backups.get("board") is None


@pytest.mark.slow
def test_what_was_saved_can_be_undone(radio: Radio) -> None:
    before = memory(radio)
    summary(radio)
    radio.setup.save()
    radio.settle()
    assert memory(radio) != before
    radio.bench.settings.undo()
    radio.bench.finish()
    assert memory(radio) == before


@pytest.mark.slow
def test_arming_is_forbidden_from_beginning_to_end(radio: Radio) -> None:
    steps: list[Callable[[], None]] = [radio.begin, radio.identify, radio.centre]
    for step in (*steps, radio.limits, radio.check):
        step()
        assert radio.held("Arming", MODES) == "Always Disarmed"


@pytest.mark.slow
@pytest.mark.parametrize("steps", range(1, 6))
def test_cancelled_at_any_step_all_is_as_it_was(radio: Radio, steps: int) -> None:
    before = memory(radio)
    way = (radio.begin, radio.identify, radio.centre, radio.limits, radio.check)
    for step in way[:steps]:
        step()
    assert memory(radio) != before  # a set-up does change the board for its while
    radio.setup.cancel()
    radio.settle()
    assert radio.setup.step is ReceiverSetupStep.OFF
    assert memory(radio) == before
    assert radio.bench.settings.staged() == ()
    assert radio.bench.stored(SETTINGS) is None
    assert exclusive_of(radio.bench.vehicle).why_not(object()) == ""


@pytest.mark.slow
def test_cancelled_while_arming_is_being_forbidden(radio: Radio) -> None:
    before = memory(radio)
    assert radio.setup.begin(SteeredKind.AIR, 2)
    radio.setup.cancel()
    radio.settle()
    assert memory(radio) == before


@pytest.mark.slow
@pytest.mark.parametrize("positions", [2, 3, 6])
def test_positions_of_the_flight_mode_switch_are_counted(radio: Radio, positions: int) -> None:
    radio.begin()
    radio.identify()
    radio.centre()
    radio.limits(positions)
    radio.check()
    radio.setup.save()
    radio.settle()
    assert radio.held("FlightModeNumber") == positions


def test_a_channel_is_not_found_twice(radio: Radio) -> None:
    radio.begin()
    assert radio.setup.current == "Throttle"
    radio.show("Throttle", 0.5)
    assert radio.setup.current == "Roll"
    radio.move("Throttle", -1.0)
    radio.run(1.0)
    assert radio.setup.current == "Roll"
    radio.show("Roll", 0.8)
    assert radio.told.found["Roll"] == (GROUP, CHANNELS["Roll"])


def test_a_short_twitch_of_another_stick_does_not_count(radio: Radio) -> None:
    radio.begin()
    for _ in range(2):
        radio.sticks["Yaw"] += 0.2
        radio.run(0.06)
        radio.sticks["Throttle"] += 0.2
        radio.run(0.06)
    assert radio.told.found == {}


def test_back_asks_again(radio: Radio) -> None:
    radio.begin()
    radio.show("Roll", 0.9)  # the wrong stick
    assert radio.told.found["Throttle"] == (GROUP, CHANNELS["Roll"])
    radio.setup.back()
    radio.run(1.0)
    radio.show("Throttle", 0.9)
    assert radio.told.found["Throttle"] == (GROUP, CHANNELS["Throttle"])


def test_needed_controls_cannot_be_skipped(radio: Radio) -> None:
    radio.begin()
    assert not radio.setup.can_skip
    radio.setup.skip()
    assert radio.setup.current == "Throttle"


def test_nobody_goes_on_before_all_sticks_were_at_their_ends(radio: Radio) -> None:
    radio.begin()
    radio.identify()
    radio.centre()
    radio.setup.accept()
    assert radio.setup.step is ReceiverSetupStep.LIMITS
    assert "Throttle" in radio.setup.words


def test_throttle_left_in_the_middle_is_noticed(radio: Radio) -> None:
    radio.begin()
    radio.identify()
    radio.sticks["Throttle"] = 0.1
    radio.centre()
    with pytest.raises(AssertionError, match="Throttle"):
        radio.limits()
    assert radio.setup.step is ReceiverSetupStep.CENTRE


def test_a_transmitter_that_is_off_is_said_to_be(radio: Radio) -> None:
    radio.begin()
    radio.identify()
    radio.is_on = False
    radio.run(0.5)
    radio.setup.accept()
    assert radio.setup.step is ReceiverSetupStep.CENTRE
    assert "is the transmitter on" in radio.setup.message


def test_a_lost_link_waits_and_goes_on(radio: Radio) -> None:
    radio.begin()
    radio.bench.vehicle.status = LinkStatus(LinkState.LOST)
    radio.setup.poll()
    assert "link is lost" in radio.setup.problem
    radio.run(1.0)
    assert radio.setup.problem == ""
    radio.show("Throttle", 0.9)
    assert radio.setup.current == "Roll"


def test_cancelled_without_a_link_all_is_put_back_when_it_returns(radio: Radio) -> None:
    before = memory(radio)
    radio.begin()
    radio.identify()
    radio.bench.vehicle.status = LinkStatus(LinkState.LOST)
    radio.setup.cancel()
    radio.setup.poll()
    assert memory(radio) != before
    radio.settle()
    assert memory(radio) == before


def test_a_board_that_starts_anew_ends_the_set_up(radio: Radio) -> None:
    radio.begin()
    radio.put(MODES, {"Arming": "Yaw Left"})
    radio.settle()
    assert radio.setup.step is ReceiverSetupStep.OFF
    assert "started anew" in radio.setup.message


def test_after_a_crash_the_next_station_finds_what_to_put_back(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    radio = Radio(catalogue, backup_store(tmp_path))
    before = memory(radio)
    radio.begin()
    radio.identify()
    radio.crash()
    assert radio.setup.is_interrupted
    radio.setup.put_all_back()
    radio.settle()
    assert memory(radio) == before
    assert not radio.setup.is_interrupted
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_backup_is_told_and_moved_aside(catalogue: Catalogue, tmp_path: Path) -> None:
    radio = Radio(catalogue, backup_store(tmp_path))
    radio.begin()
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(b"\xff half a fi")
    radio.crash()
    assert not radio.setup.is_interrupted
    assert f"{kept.name} could not be read" in radio.setup.message
    assert [path.name for path in tmp_path.iterdir()] == [f"{kept.name}.unreadable-1"]


@pytest.mark.slow
def test_a_save_that_fails_keeps_the_result_and_can_be_tried_again(radio: Radio) -> None:
    summary(radio)
    radio.bench.board.forgets_on_save = True
    radio.setup.save()
    radio.run(20.0)
    assert radio.setup.step is ReceiverSetupStep.NOT_SAVED
    assert "kept" in radio.setup.message
    radio.bench.board.forgets_on_save = False
    radio.setup.save()
    radio.settle()
    assert radio.setup.step is ReceiverSetupStep.OFF, radio.setup.message
    assert radio.held("ChannelNumber.Roll") == CHANNELS["Roll"]
    assert radio.held("Arming", MODES) == "Yaw Left"


def test_an_armed_aircraft_is_left_alone(radio: Radio) -> None:
    radio.put("FlightStatus", {"Armed": "Armed"})
    radio.run(0.2)
    assert not radio.setup.begin(SteeredKind.AIR, 2)
    assert "armed" in radio.setup.message


def test_nothing_else_runs_meanwhile(radio: Radio) -> None:
    exclusive_of(radio.bench.vehicle).take("motors", "The motor test")
    assert not radio.setup.begin(SteeredKind.AIR, 2)
    assert "motor test" in radio.setup.message


@pytest.mark.slow
def test_a_car_has_throttle_in_its_middle_and_needs_no_roll(radio: Radio) -> None:
    radio.sticks["Throttle"] = 0.0
    radio.begin(SteeredKind.GROUND)
    radio.identify()
    assert radio.told.plan.is_centred("Throttle")
    radio.centre()
    radio.limits()
    radio.check()
    radio.setup.save()
    radio.settle()
    assert radio.held("ChannelNeutral.Throttle") == 1500
