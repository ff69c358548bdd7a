"""Sending gains as one edits: when it sends, when it stops, and the way back."""

import pytest

from telemetry.configuration.settings.live_tuning import PERIOD_S, LiveTuning
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.configuration.settings.bench import Bench

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


@pytest.fixture
def tuning(bench: Bench) -> LiveTuning:
    return LiveTuning(bench.settings, BANK)


def run(bench: Bench, tuning: LiveTuning, seconds: float) -> None:
    end_s = bench.clock.now + seconds
    while bench.clock.now < end_s:
        tuning.poll(bench.clock.now)
        bench.pass_time(0.02)


@pytest.mark.slow
def test_nothing_is_sent_before_it_is_started(bench: Bench, tuning: LiveTuning) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    run(bench, tuning, 2.0)
    assert bench.on_board(BANK, GAIN) != pytest.approx(0.004)


def test_only_this_bank_is_sent_and_not_more_often_than_it_says(
    bench: Bench, tuning: LiveTuning
) -> None:
    bench.settings.stage("SystemSettings", "AirSpeedMax", 12.0)
    tuning.start(bench.clock.now)
    run(bench, tuning, 0.1)
    bench.settings.stage(BANK, GAIN, 0.004)
    run(bench, tuning, PERIOD_S / 2)
    assert bench.on_board(BANK, GAIN) != pytest.approx(0.004)
    run(bench, tuning, PERIOD_S)
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.004)
    assert bench.settings.is_staged("SystemSettings", "AirSpeedMax")


def test_a_refusal_stops_it_and_says_so(bench: Bench, tuning: LiveTuning) -> None:
    bench.board.refused = {bench.named(BANK).object_id}
    tuning.start(bench.clock.now)
    bench.settings.stage(BANK, GAIN, 0.004)
    run(bench, tuning, 3.0)
    assert not tuning.is_running
    assert tuning.reason.startswith("Stopped sending.")
    assert bench.settings.is_staged(BANK, GAIN)


def test_a_lost_link_stops_it(bench: Bench, tuning: LiveTuning) -> None:
    tuning.start(bench.clock.now)
    bench.vehicle.status = LinkStatus(LinkState.LOST)
    tuning.poll(bench.clock.now)
    assert not tuning.is_running
    assert "no link" in tuning.reason


def test_going_back_without_a_link_only_stages(bench: Bench, tuning: LiveTuning) -> None:
    before = bench.on_board(BANK, GAIN)
    bench.put(BANK, GAIN, 0.004)
    bench.vehicle.status = LinkStatus(LinkState.LOST)
    assert "no link" in tuning.back()
    assert bench.settings.value(BANK, GAIN) == before
    assert bench.settings.is_staged(BANK, GAIN)


def test_going_back_sends_the_last_good_set(bench: Bench, tuning: LiveTuning) -> None:
    before = bench.on_board(BANK, GAIN)
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.apply("Gain")
    bench.finish()
    assert tuning.differs
    assert tuning.back() == ""
    bench.finish()
    assert bench.on_board(BANK, GAIN) == before
    assert not tuning.differs
