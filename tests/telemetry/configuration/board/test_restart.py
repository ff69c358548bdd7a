"""Restarting, starting with default hardware and erasing, against the simulator's board."""

from collections.abc import Callable

import pytest

from telemetry.configuration.board.restart import Restart, Stage
from telemetry.configuration.board.restart_commands import why_not
from telemetry.configuration.board.restart_purpose import Purpose
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.armed_board import arm_always
from tests.simulated_board import SimulatedBench
from tests.telemetry.configuration.settings.bench import Bench


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def bench(catalogue: Catalogue) -> SimulatedBench:
    bench = SimulatedBench(catalogue)
    bench.pass_time(3.0)
    return bench


def begin(bench: Bench, purpose: Purpose = Purpose.RESTART) -> Restart:
    return Restart(bench.vehicle, purpose, bench.clock)


def finish(bench: Bench, restart: Restart) -> None:
    """Poll ten times a second until it is over."""
    due_s = [bench.clock.now]

    def is_over() -> bool:
        if bench.clock.now >= due_s[0]:
            due_s[0] = bench.clock.now + 0.1
            restart.poll()
        return restart.is_finished

    bench.run(is_over, limit_s=200.0)


@pytest.mark.slow
def test_a_restart_is_reported_with_its_time(bench: SimulatedBench) -> None:
    restart = begin(bench)
    finish(bench, restart)
    assert restart.stage is Stage.DONE
    assert restart.text in ("Restarted, 1 s.", "Restarted, 2 s.", "Restarted, 3 s.")
    assert bench.board_link.restarts == 1
    assert bench.vehicle.status.state is LinkState.CONNECTED


@pytest.mark.slow
def test_what_was_not_saved_is_gone_and_shown_to_be(bench: SimulatedBench) -> None:
    settings = bench.settings
    before = settings.on_board("StabilizationSettingsBank1", "RollMax")
    settings.stage("StabilizationSettingsBank1", "RollMax", 33)
    settings.apply("test")
    bench.finish()
    assert settings.on_board("StabilizationSettingsBank1", "RollMax") == 33
    finish(bench, begin(bench))
    assert settings.on_board("StabilizationSettingsBank1", "RollMax") == before
    assert settings.unsaved == ()


@pytest.mark.slow
def test_erased_settings_are_all_defaults_and_fetched_again(bench: SimulatedBench) -> None:
    settings = bench.settings
    kept = settings.snapshot("before")
    assert settings.on_board("FlightModeSettings", "Arming") == "Accessory 0"
    restart = begin(bench, Purpose.ERASE)
    finish(bench, restart)
    assert restart.stage is Stage.DONE
    assert restart.text.startswith("Erased and restarted, ")
    assert settings.on_board("FlightModeSettings", "Arming") == "Always Disarmed"
    settings.stage_snapshot(kept)
    assert settings.value("FlightModeSettings", "Arming") == "Accessory 0"


@pytest.mark.slow
def test_a_safe_start_touches_the_hardware_settings_only(bench: SimulatedBench) -> None:
    settings = bench.settings
    assert settings.on_board("HwSettings", "RM_FlexiPort") == "GPS"
    finish(bench, begin(bench, Purpose.SAFE_START))
    assert settings.on_board("HwSettings", "RM_FlexiPort") == "Disabled"
    assert settings.on_board("FlightModeSettings", "Arming") == "Accessory 0"


def test_never_while_armed(bench: SimulatedBench) -> None:
    arm_always(bench.board_link.autopilot.board)
    bench.run(lambda: bench.settings.aircraft.is_armed)
    assert why_not(bench.vehicle) == "The aircraft is armed. Disarm it first."
    with pytest.raises(RuntimeError, match="armed"):
        begin(bench)


def test_arming_in_between_ends_it(bench: SimulatedBench) -> None:
    restart = begin(bench)
    restart.poll()
    bench.pass_time(0.2)
    arm_always(bench.board_link.autopilot.board)
    bench.run(lambda: bench.settings.aircraft.is_armed)
    finish(bench, restart)
    assert restart.stage is Stage.FAILED
    assert "armed" in restart.text
    assert bench.board_link.restarts == 0


@pytest.mark.slow
def test_nothing_restarts_long_after_it_was_asked_for(bench: SimulatedBench) -> None:
    restart = begin(bench)
    restart.poll()
    bench.pass_time(30.0)
    finish(bench, restart)
    assert restart.stage is Stage.FAILED
    bench.pass_time(5.0)
    assert bench.board_link.restarts == 0


@pytest.mark.slow
def test_a_board_that_goes_on_is_not_said_to_have_restarted(bench: SimulatedBench) -> None:
    bench.board_link.is_deaf_to_restarts = True
    restart = begin(bench)
    finish(bench, restart)
    assert restart.stage is Stage.FAILED
    assert "goes on without a restart" in restart.text


def test_a_board_that_stays_away_is_said_to(bench: SimulatedBench) -> None:
    restart = begin(bench)
    due_s = [0.0]

    def is_waiting() -> bool:
        if bench.clock.now >= due_s[0]:
            due_s[0] = bench.clock.now + 0.1
            restart.poll()
        return restart.stage is Stage.WAITING

    bench.run(is_waiting)
    bench.vehicle.status = LinkStatus(LinkState.RECONNECTING)
    for _ in range(140):
        bench.clock.now += 0.1
        restart.poll()
    assert "unplug it and plug it in again" in restart.words
    for _ in range(500):
        bench.clock.now += 0.1
        restart.poll()
    assert restart.stage is Stage.FAILED
    assert "has not come back" in restart.text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_poor_link_does_not_keep_it_from_restarting(catalogue: Catalogue, seed: int) -> None:
    bench = SimulatedBench(catalogue, Faults(loss=0.05, doubling=0.05), seed)
    bench.pass_time(2.0)
    restart = begin(bench)
    finish(bench, restart)
    assert restart.stage is Stage.DONE
    assert bench.board_link.restarts >= 1


REASONS: list[tuple[Callable[[Bench], None], str]] = [
    (lambda b: setattr(b.vehicle, "status", LinkStatus(LinkState.REPLAY)), "of the past"),
    (lambda b: setattr(b.vehicle, "status", LinkStatus(LinkState.LOST)), "no link"),
    (lambda b: setattr(b.vehicle, "status", LinkStatus(LinkState.FETCHING)), "fetched"),
]


@pytest.mark.parametrize(("change", "reason"), REASONS)
def test_refusals_have_their_reason(
    bench: SimulatedBench, change: Callable[[Bench], None], reason: str
) -> None:
    assert why_not(bench.vehicle) == ""
    change(bench)
    assert reason in why_not(bench.vehicle)
