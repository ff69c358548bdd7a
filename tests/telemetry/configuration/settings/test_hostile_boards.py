"""Settings where reality interferes: restarts, other boards and stations, half-failed transfers."""

import pytest

from telemetry.configuration.settings.transfer import EditOutcome
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.configuration.settings.bench import Bench, large_board, stage_numbers

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"
MIXER, ROLL = "MixerSettings", "MixerValueRoll"


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


def _apply(bench: Bench, name: str, path: str, value: float, *, save: bool = False) -> None:
    bench.settings.stage(name, path, value)
    bench.settings.apply(save=save)
    bench.finish()


def _other_serial(bench: Bench) -> None:
    who = bench.named("FirmwareIAPObj")
    changed = bytearray(bench.board.values[who.object_id, 0])
    changed[who.dtype.fields["CPUSerial"][1]] ^= 0xFF  # type: ignore[index]
    bench.board.values[who.object_id, 0] = bytes(changed)


def _restart(bench: Bench, flight_time_ms: int = 100) -> None:
    """The aircraft starts anew with what it has stored."""
    for definition in bench.board.definitions.values():
        address = definition.object_id, 0
        if definition.settings:
            fresh = definition.default_row().tobytes()
            bench.board.values[address] = bench.board.stored.get(address, fresh)
    _run_for(bench, flight_time_ms)


def _run_for(bench: Bench, flight_time_ms: int) -> None:
    stats = bench.named("SystemStats")
    payload = pack_values(stats, {"FlightTime": flight_time_ms})
    bench.board.values[stats.object_id, 0] = payload
    bench.aircraft.flight.publish(stats.object_id)


def _reconnected(bench: Bench) -> None:
    bench.pass_time(0.5)
    bench.run(lambda: bench.vehicle.status.state is LinkState.CONNECTED)
    bench.pass_time(0.5)


def test_an_undo_with_nothing_left_to_do_makes_way_for_the_one_before(bench: Bench) -> None:
    _apply(bench, MIXER, ROLL, 70)
    _apply(bench, BANK, GAIN, 0.004)
    bench.put(BANK, GAIN, 0.005)
    bench.settings.undo()
    bench.finish()
    bench.settings.undo()
    bench.finish()
    assert bench.on_board(MIXER, ROLL) != 70
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.005)


def test_an_undo_that_failed_in_part_is_ended_by_the_next_without_blaming_anybody(
    bench: Bench,
) -> None:
    gain, roll = bench.on_board(BANK, GAIN), bench.on_board(MIXER, ROLL)
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage(MIXER, ROLL, 70)
    bench.settings.apply()
    bench.finish()
    bench.board.refused.add(bench.named(BANK).object_id)
    bench.settings.undo()
    bench.finish()
    assert (bench.on_board(MIXER, ROLL), bench.settings.history.redo_next) == (roll, None)
    bench.board.refused.clear()
    bench.settings.undo()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == gain
    assert bench.settings.left_alone == ()
    assert bench.settings.history.redo_next is not None


def test_undo_of_what_was_saved_in_part_saves_just_that_part(bench: Bench) -> None:
    before = bench.held(BANK)
    bench.board.refused.add(bench.named(MIXER).object_id)
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage(MIXER, ROLL, 70)
    bench.settings.apply(save=True)
    bench.finish()
    assert bench.stored(BANK) != before
    bench.settings.undo()
    bench.finish()
    assert bench.stored(BANK) == before
    assert bench.stored(MIXER) is None


def test_undo_after_a_later_save_is_saved_as_well(bench: Bench) -> None:
    before = bench.held(BANK)
    _apply(bench, BANK, GAIN, 0.004)
    bench.settings.save()
    bench.finish()
    bench.settings.undo()
    bench.finish()
    assert bench.stored(BANK) == before


def test_undo_of_what_was_only_applied_saves_nothing(bench: Bench) -> None:
    _apply(bench, BANK, GAIN, 0.004)
    bench.settings.undo()
    bench.finish()
    assert bench.stored(BANK) is None


def test_a_value_that_the_board_takes_and_does_not_keep_stays_staged(bench: Bench) -> None:
    honest = bench.board.write

    def forgets(object_id: int, instance: int, payload: bytes) -> bool:
        is_bank = object_id == bench.named(BANK).object_id
        return True if is_bank else honest(object_id, instance, payload)

    bench.board.write = forgets  # type: ignore[method-assign]
    bench.settings.stage(BANK, GAIN, 0.004)
    transfer = bench.settings.apply()
    bench.finish()
    assert transfer.items[0].outcome is EditOutcome.DIFFERENT
    assert bench.settings.is_staged(BANK, GAIN)
    assert bench.settings.value(BANK, GAIN) == pytest.approx(0.004)


def test_what_another_station_wrote_unheard_is_not_taken_back(bench: Bench) -> None:
    definition = bench.named(BANK)
    address = definition.object_id, 0
    row = row_of(definition, bench.held(BANK))
    bench.board.values[address] = pack_values(definition, {"RollMax": 33}, row)
    _apply(bench, BANK, GAIN, 0.004)
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.004)
    assert bench.on_board(BANK, "RollMax") == 33


def test_a_restart_in_the_middle_is_made_good(catalogue: Catalogue) -> None:
    bench = Bench(catalogue, large_board(catalogue, 24))
    _run_for(bench, 60_000)
    wanted = stage_numbers(bench, 20, 3)
    transfer = bench.settings.apply()
    bench.run(lambda: transfer.done >= 5)
    _restart(bench)  # it is heard of at once: the link stays up
    bench.finish()
    assert transfer.is_verified
    for name, (path, value) in wanted.items():
        assert bench.on_board(name, path) == value


def test_a_restart_stages_what_it_has_taken_and_says_so(bench: Bench) -> None:
    _run_for(bench, 60_000)
    _apply(bench, BANK, GAIN, 0.004)
    _apply(bench, MIXER, ROLL, 70, save=True)
    assert bench.settings.unsaved == ((BANK, 0),)
    _restart(bench)
    _reconnected(bench)
    assert bench.settings.unsaved == ()
    assert bench.settings.value(BANK, GAIN) == pytest.approx(0.004)
    assert bench.on_board(BANK, GAIN) != pytest.approx(0.004)
    assert [edit.name for edit in bench.settings.staged()] == [BANK]
    assert "restarted" in bench.settings.notice


def test_a_restart_that_took_nothing_is_not_worth_a_word(bench: Bench) -> None:
    _run_for(bench, 60_000)
    _restart(bench)
    _reconnected(bench)
    assert bench.settings.notice == ""


def test_another_board_that_came_while_all_waited_gets_nothing(bench: Bench) -> None:
    before = bench.on_board(BANK, GAIN)
    bench.link.faults = Faults(loss=1.0)
    bench.run(lambda: bench.vehicle.status.state is not LinkState.CONNECTED)
    bench.settings.stage(BANK, GAIN, 0.004)
    transfer = bench.settings.apply()
    _other_serial(bench)
    bench.link.faults = Faults()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == before
    assert "another board" in transfer.items[0].reason


def test_what_is_staged_stays_with_its_board(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    for is_back in (False, True):
        bench.link.faults = Faults(loss=1.0)
        bench.run(lambda: bench.vehicle.status.state is not LinkState.CONNECTED)
        _other_serial(bench)
        bench.link.faults = Faults()
        _reconnected(bench)
        assert bench.settings.is_staged(BANK, GAIN) is is_back
        assert "1 change" in bench.settings.notice


def test_a_transfer_ends_when_its_link_is_ended(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.link.faults = Faults(loss=1.0)
    transfer = bench.settings.apply()
    bench.pass_time(0.2)
    bench.vehicle.status = LinkStatus(LinkState.DISCONNECTED)
    bench.settings.poll()
    assert transfer.is_finished
    assert "disconnected" in transfer.items[0].reason
    assert bench.settings.is_staged(BANK, GAIN)
