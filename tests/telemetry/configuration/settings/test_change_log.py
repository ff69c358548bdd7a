"""What was changed since connecting: when, from which page, before and after, saved or not."""

import pytest

from telemetry.configuration.settings.live_tuning import LiveTuning
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.configuration.settings.bench import Bench

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


def apply(bench: Bench, *, save: bool = False) -> None:
    bench.settings.apply(save=save)
    bench.finish()


def test_a_change_says_when_from_where_and_what(bench: Bench) -> None:
    with bench.settings.staging_from("Stabilization"):
        bench.settings.stage(BANK, "RollMax", 40)
    bench.pass_time(2.0)
    assert bench.settings.changes.entries == ()
    apply(bench)
    (change,) = bench.settings.changes.entries
    assert (change.setting, change.page) == (f"{BANK}.RollMax", "Stabilization")
    assert (change.before, change.after, change.is_saved) == (55, 40, False)
    track = bench.vehicle.recording.track(BANK)
    assert track is not None
    assert change.t == track.times[-1] > 2.0
    assert change.event.text == f"Changed {BANK}.RollMax 55 → 40"


def test_saving_later_counts_and_undo_is_a_change_too(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    apply(bench)
    bench.settings.save()
    bench.finish()
    (change,) = bench.settings.changes.entries
    assert change.is_saved
    bench.settings.undo()
    bench.finish()
    assert [entry.page for entry in bench.settings.changes.entries] == ["", "Undo"]
    assert bench.settings.changes.entries[1].after == change.before


def test_what_never_arrived_is_no_change(bench: Bench) -> None:
    bench.board.refused.add(bench.named(BANK).object_id)
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage("MixerSettings", "MixerValueRoll", 70)
    apply(bench)
    assert [c.setting for c in bench.settings.changes.entries] == ["MixerSettings.MixerValueRoll"]


def test_gains_that_follow_a_slider_are_one_change(bench: Bench) -> None:
    before = bench.on_board(BANK, GAIN)
    tuning = LiveTuning(bench.settings, BANK)
    tuning.start(bench.clock.now)
    for gain in (0.004, 0.005, 0.006):
        bench.settings.stage(BANK, GAIN, gain)
        bench.run(lambda: tuning.poll(bench.clock.now) or not bench.settings.draft.count)
    bench.finish()
    (change,) = bench.settings.changes.entries
    assert (change.before, change.after) == (before, pytest.approx(0.006))
    bench.settings.stage(BANK, GAIN, 0.007)
    apply(bench)
    assert len(bench.settings.changes.entries) == 2


def test_another_board_has_changes_of_its_own(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    apply(bench)
    serial = bench.settings.aircraft.serial
    bench.put("FirmwareIAPObj", "CPUSerial.0", int(serial[:2], 16) ^ 0xFF)
    bench.run(lambda: bench.settings.changes.entries == ())
