"""The page of the board itself, over the simulator's: what it shows, and starting it anew."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from plugins.system.page import SystemPage
from plugins.testing import replayed_vehicle
from telemetry.configuration.board.restart import Stage
from telemetry.configuration.board.restart_purpose import Purpose
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.armed_board import arm_always
from tests.plugins.driven import Driven, driving
from tests.simulated_board import SimulatedBench
from tests.telemetry.configuration.settings.bench import Bench

PAGE = "system.board"


@pytest.fixture
def bench(catalogue: Catalogue) -> SimulatedBench:
    bench = SimulatedBench(catalogue)
    bench.pass_time(5.0)
    return bench


@pytest.fixture
def driven(qtbot: QtBot, bench: SimulatedBench) -> Iterator[Driven]:
    with driving(qtbot, bench.vehicle) as driven:
        yield driven


@pytest.fixture
def page(driven: Driven, bench: SimulatedBench) -> SystemPage:
    page = driven.page(PAGE)
    assert isinstance(page, SystemPage)
    page.restart.clock = bench.clock
    return page


def hold(page: SystemPage, purpose: Purpose) -> None:
    """What holding a button ends in; the holding itself is the button's, and tested there."""
    assert page.restart.buttons[purpose].isEnabled()
    page.restart.buttons[purpose].held.emit()


def finish(page: SystemPage, bench: Bench, driven: Driven) -> None:
    restart = page.restart.restart
    assert restart is not None
    while not restart.is_finished:
        bench.pass_time(0.1)
        driven.refresh()


@pytest.mark.slow
def test_it_says_who_the_board_is_and_how_it_does(page: SystemPage) -> None:
    identity = {fact.name: fact.value for fact in page.identity.facts}
    assert identity["Firmware"] == "Lapwing simulator"
    assert identity["Board"] == "Revolution (0x0903)"
    assert identity["Definitions (UAVO hash)"].startswith("c16640bc")
    health = {fact.name: fact.value for fact in page.health.facts}
    assert health["Processor"].startswith("24")
    assert page.faults.findings == ()


@pytest.mark.slow
def test_running_tasks_are_rows_and_others_named(
    page: SystemPage, driven: Driven, bench: SimulatedBench
) -> None:
    bench.pass_time(16.0)  # tasks are told each 20 s
    page.task_fold.set_open(True)
    driven.refresh()
    names = []
    for row in range(page.tasks.table.rowCount()):
        item = page.tasks.table.item(row, 0)
        assert item is not None
        names.append(item.text())
    assert {"System", "Sensors", "GPS"} <= set(names)
    assert "AutoTune" in page.tasks.idle.text()


@pytest.mark.slow
def test_a_restart_goes_on_and_is_reported(
    page: SystemPage, bench: SimulatedBench, driven: Driven
) -> None:
    hold(page, Purpose.RESTART)
    driven.refresh()
    assert not page.restart.buttons[Purpose.ERASE].isEnabled()
    finish(page, bench, driven)
    assert page.restart.status.text().startswith("Restarted, ")
    assert page.restart.buttons[Purpose.ERASE].isEnabled()
    assert not page.restart.put_back.isVisible()
    assert bench.board_link.restarts == 1


@pytest.mark.slow
def test_what_an_erasure_took_can_be_staged_again(
    page: SystemPage, bench: SimulatedBench, driven: Driven
) -> None:
    hold(page, Purpose.ERASE)
    finish(page, bench, driven)
    assert bench.settings.on_board("FlightModeSettings", "Arming") == "Always Disarmed"
    assert page.restart.put_back.isVisible()
    page.restart.put_back.click()
    driven.refresh()
    assert bench.settings.value("FlightModeSettings", "Arming") == "Accessory 0"
    assert bench.settings.on_board("FlightModeSettings", "Arming") == "Always Disarmed"


@pytest.mark.slow
def test_what_is_not_saved_is_counted_before_a_restart(
    page: SystemPage, bench: SimulatedBench, driven: Driven
) -> None:
    bench.settings.stage("StabilizationSettingsBank1", "RollMax", 33)
    bench.settings.apply("test")
    bench.finish()
    driven.refresh()
    (words,) = [
        label.text()
        for label in page.restart.findChildren(type(page.restart.status))
        if label.text().startswith("Lost on board: what was changed")
    ]
    assert "one object" in words


@pytest.mark.slow
def test_armed_refuses_with_the_reason(
    page: SystemPage, bench: SimulatedBench, driven: Driven
) -> None:
    arm_always(bench.board_link.autopilot.board)
    bench.run(lambda: bench.settings.aircraft.is_armed)
    driven.refresh()
    assert page.restart.refusal.text() == "The aircraft is armed. Disarm it first."
    assert not any(button.isEnabled() for button in page.restart.buttons.values())
    page.restart.begin(Purpose.ERASE)  # as if the button had not noticed
    assert page.restart.restart is None
    bench.pass_time(11.0)  # its tasks are told each 10 s
    assert bench.settings.on_board("FlightModeSettings", "Arming") == "Always Armed"


@pytest.mark.slow
def test_a_restart_is_remembered_by_the_next_page(
    qtbot: QtBot, page: SystemPage, bench: SimulatedBench, driven: Driven
) -> None:
    hold(page, Purpose.RESTART)
    finish(page, bench, driven)
    other = SystemPage(driven.context)
    qtbot.addWidget(other)
    assert other.restart.restart is page.restart.restart
    assert other.restart.restart is not None
    assert other.restart.restart.stage is Stage.DONE


def test_a_log_shows_and_refuses(qtbot: QtBot) -> None:
    fleet = Fleet()
    fleet.add(replayed_vehicle())
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = driven.page(PAGE)
        assert isinstance(page, SystemPage)
        assert page.restart.refusal.text()
        assert not any(button.isEnabled() for button in page.restart.buttons.values())
        driven.context.close()
