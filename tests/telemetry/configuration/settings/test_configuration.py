"""Staged, applied, read back, saved, undone: over a real conversation in simulated time."""

import math
from dataclasses import replace

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.settings.transfer import EditOutcome
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.configuration.settings.bench import Bench, large_board, stage_numbers
from tests.telemetry.protocol.session.fakes import small_board

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


def test_what_is_staged_is_not_on_board_before_apply(bench: Bench) -> None:
    before = bench.on_board(BANK, GAIN)
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.pass_time(1.0)
    assert bench.on_board(BANK, GAIN) == before
    assert bench.settings.value(BANK, GAIN) == pytest.approx(0.004)
    assert [edit.name for edit in bench.settings.staged()] == [BANK]


def test_why_an_object_is_not_known_is_told(bench: Bench) -> None:
    aircraft = bench.settings.aircraft
    assert aircraft.why_absent("Nonsense", ", so it is quiet") == (
        "This aircraft has no Nonsense, so it is quiet."
    )
    bench.vehicle.status = LinkStatus(state=LinkState.FETCHING)
    assert aircraft.why_absent("Nonsense") == "Not received yet."
    bench.vehicle.status = LinkStatus(state=LinkState.REPLAY)
    assert aircraft.why_absent("Nonsense") == "The log has no Nonsense up to its cursor."


def test_apply_writes_reads_back_and_empties_the_draft(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    transfer = bench.settings.apply()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.004)
    assert [item.outcome for item in transfer.items] == [EditOutcome.WRITTEN]
    assert transfer.is_verified
    assert bench.settings.staged() == ()
    assert bench.stored(BANK) is None
    assert bench.settings.unsaved == ((BANK, 0),)


def test_save_keeps_what_was_applied_before(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.apply()
    bench.finish()
    transfer = bench.settings.save()
    bench.finish()
    assert transfer.is_verified
    assert bench.stored(BANK) == bench.board.values[bench.named(BANK).object_id, 0]
    assert bench.settings.unsaved == ()


def test_a_value_that_is_on_board_already_is_no_change(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage(BANK, GAIN, bench.on_board(BANK, GAIN))  # type: ignore[arg-type]
    assert bench.settings.staged() == ()


def test_undo_and_redo_across_objects(bench: Bench) -> None:
    gain, curve = bench.on_board(BANK, GAIN), bench.on_board("MixerSettings", "ThrottleCurve1.50")
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage("MixerSettings", "ThrottleCurve1.50", 0.4)
    bench.settings.apply("A test")
    bench.finish()
    assert bench.settings.history.undo_next is not None
    assert bench.settings.history.undo_next.title == "A test"
    bench.settings.undo()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == gain
    assert bench.on_board("MixerSettings", "ThrottleCurve1.50") == curve
    bench.settings.redo()
    bench.finish()
    assert bench.on_board("MixerSettings", "ThrottleCurve1.50") == pytest.approx(0.4)


def test_undo_of_something_saved_is_saved(bench: Bench) -> None:
    before = bench.board.values[bench.named(BANK).object_id, 0]
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.apply(save=True)
    bench.finish()
    assert bench.stored(BANK) != before
    bench.settings.undo()
    bench.finish()
    assert bench.stored(BANK) == before


def test_undo_leaves_alone_what_somebody_else_changed_since(bench: Bench) -> None:
    bench.settings.stage_all(BANK, {GAIN: 0.004, "RollMax": 40})
    bench.settings.apply()
    bench.finish()
    bench.put(BANK, GAIN, 0.005)
    bench.settings.undo()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.005)
    assert bench.on_board(BANK, "RollMax") == 55
    assert bench.settings.left_alone == (f"{BANK}.{GAIN}",)


def test_a_refused_object_says_so_and_stays_staged_and_the_others_arrive(bench: Bench) -> None:
    bench.board.refused.add(bench.named(BANK).object_id)
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage("MixerSettings", "MixerValueRoll", 70)
    transfer = bench.settings.apply()
    bench.finish()
    outcomes = {item.edit.name: item.outcome for item in transfer.items}
    assert outcomes == {BANK: EditOutcome.REFUSED, "MixerSettings": EditOutcome.WRITTEN}
    assert "refused" in next(item.reason for item in transfer.items if item.reason)
    assert [edit.name for edit in bench.settings.staged()] == [BANK]
    assert not transfer.is_verified


def test_a_board_that_keeps_other_values_is_found_out(bench: Bench) -> None:
    honest = bench.board.write

    def clamps(object_id: int, instance: int, payload: bytes) -> bool:
        if object_id == bench.named(BANK).object_id:
            return True  # taken, and forgotten
        return honest(object_id, instance, payload)

    bench.board.write = clamps  # type: ignore[method-assign]
    bench.settings.stage(BANK, GAIN, 0.004)
    transfer = bench.settings.apply(save=True)
    bench.finish()
    assert transfer.items[0].outcome is EditOutcome.DIFFERENT
    assert not transfer.items[0].is_saved
    assert bench.settings.history.undo_next is None


def test_a_link_that_drops_in_the_middle_is_waited_for(bench: Bench) -> None:
    names = [BANK, "MixerSettings", "SystemSettings"]
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage("MixerSettings", "MixerValueRoll", 70)
    bench.settings.stage("SystemSettings", "VehicleName", "Lapwing")
    transfer = bench.settings.apply(save=True)
    bench.link.faults = Faults(loss=1.0)
    bench.pass_time(12.0)
    assert not transfer.is_finished
    bench.link.faults = Faults()
    bench.finish()
    assert transfer.is_verified
    assert [item.edit.name for item in transfer.items] == names
    assert bench.on_board("MixerSettings", "MixerValueRoll") == 70


def test_another_board_behind_the_same_link_gets_nothing(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    before = bench.on_board(BANK, GAIN)
    bench.link.faults = Faults(loss=1.0)
    transfer = bench.settings.apply()
    bench.pass_time(12.0)
    who = bench.named("FirmwareIAPObj")
    changed = bytearray(bench.board.values[who.object_id, 0])
    changed[who.dtype.fields["CPUSerial"][1]] ^= 0xFF  # type: ignore[index]
    bench.board.values[who.object_id, 0] = bytes(changed)
    bench.link.faults = Faults()
    bench.finish()
    assert not transfer.is_verified
    assert "another board" in transfer.items[0].reason
    assert bench.on_board(BANK, GAIN) == before


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_many_objects_over_a_bad_radio_end_as_they_should(catalogue: Catalogue, seed: int) -> None:
    bench = Bench(catalogue, large_board(catalogue, 24), seed=seed)
    bench.link.faults = Faults(loss=0.05, doubling=0.05, latency_s=0.03)
    wanted = stage_numbers(bench, 20, 1 + seed)
    transfer = bench.settings.apply(save=True)
    bench.finish()
    assert transfer.is_verified, [(i.edit.name, i.outcome, i.reason) for i in transfer.items]
    for name, (path, value) in wanted.items():
        assert bench.on_board(name, path) == value
        assert bench.stored(name) == bench.held(name)


def test_illegal_is_never_staged_and_unusual_is_said(bench: Bench) -> None:
    with pytest.raises(ValueError, match="RollMax takes 0 to 255, not 300"):
        bench.settings.stage(BANK, "RollMax", 300)
    with pytest.raises(ValueError, match="takes a number"):
        bench.settings.stage(BANK, GAIN, math.nan)
    with pytest.raises(ValueError, match="RollMax takes a number, not inf"):
        bench.settings.stage(BANK, "RollMax", math.inf)
    assert bench.settings.judge(BANK, "RollMax", -math.inf).level is Level.ERROR
    with pytest.raises(ValueError, match="no element 'Kx'"):
        bench.settings.stage(BANK, "RollRatePID.Kx", 1.0)
    assert bench.settings.judge(BANK, "RollMax", 300).level is Level.ERROR
    assert bench.settings.judge(BANK, "RollMax", 190).level is Level.WARNING
    assert bench.settings.judge(BANK, "RollMax", 50).level is Level.OK


def test_restore_stages_what_was_on_board_at_connect(bench: Bench) -> None:
    before = bench.on_board(BANK, GAIN)
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.apply()
    bench.finish()
    bench.settings.stage_baseline()
    bench.settings.apply()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == before


def test_a_stopped_transfer_says_what_was_not_sent(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.link.faults = Faults(loss=1.0)
    transfer = bench.settings.apply()
    bench.settings.cancel()
    assert transfer.items[0].outcome is EditOutcome.NOT_SENT
    assert [edit.name for edit in bench.settings.staged()] == [BANK]


def test_redo_saves_no_more_than_was_saved(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.apply()
    bench.finish()
    for again in (bench.settings.undo, bench.settings.redo):
        again()
        bench.finish()
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.004)
    assert bench.stored(BANK) != bench.held(BANK)
    assert bench.settings.unsaved == ((BANK, 0),)
    bench.settings.save()
    bench.finish()
    for again in (bench.settings.undo, bench.settings.redo):
        again()
        bench.finish()
    assert bench.stored(BANK) == bench.held(BANK)
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.004)


def test_another_instance_of_a_settings_object_is_staged_and_an_absent_one_refused(
    catalogue: Catalogue,
) -> None:
    several = replace(catalogue.find("StabilizationSettingsBank2"), single_instance=False)
    board = small_board(catalogue)
    board.definitions[several.object_id] = several
    for instance in range(2):
        board.values[several.object_id, instance] = several.default_row().tobytes()
    bench = Bench(catalogue, board)
    recording = bench.vehicle.recording
    recording.append(recording.last_s, several, 1, several.default_row().tobytes())
    with pytest.raises(ValueError, match="with instance 2"):
        bench.settings.stage(several.name, "RollMax", 40, 2)
    bench.settings.stage(several.name, "RollMax", 40, 1)
    assert [edit.address for edit in bench.settings.staged()] == [(several.name, 1)]
    assert bench.settings.value(several.name, "RollMax", 1) == 40
    assert bench.settings.on_board(several.name, "RollMax", 1) == 55


def test_what_is_beyond_its_limits_stays_staged_until_it_is_meant(bench: Bench) -> None:
    """The limits are those of LibrePilot's stabilizationsettingsbank1.xml."""
    settings, gain, angle = bench.settings, (BANK, 0, GAIN), (BANK, 0, "RollMax")
    settings.stage(BANK, GAIN, -9.0)
    settings.stage(BANK, "RollMax", 255)
    settings.stage(BANK, "PitchMax", 41)
    assert set(settings.unconfirmed()) == {gain, angle}
    settings.apply()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.003)
    assert (bench.on_board(BANK, "RollMax"), bench.on_board(BANK, "PitchMax")) == (55, 41)
    settings.confirm([gain, angle])
    settings.stage(BANK, "RollMax", 254)  # another value is meant anew
    assert set(settings.unconfirmed()) == {angle}
    settings.apply()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == pytest.approx(-9.0)
    assert bench.on_board(BANK, "RollMax") == 55
    settings.undo()  # what was on board before needs no word
    bench.finish()
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.003)
