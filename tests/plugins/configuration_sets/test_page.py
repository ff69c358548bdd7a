"""Keeping, comparing and staging sets on the page that a user sees."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.configuration_sets.page import SetsPage
from plugins.testing import replayed_vehicle
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.driven import Driven, driving
from tests.telemetry.configuration.settings.bench import Bench

PAGE = "configuration_sets.sets"
BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


@pytest.fixture
def driven(
    qtbot: QtBot, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Driven]:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))
    with driving(qtbot, bench.vehicle) as driven:
        yield driven


@pytest.fixture
def page(driven: Driven) -> SetsPage:
    page = driven.page(PAGE)
    assert isinstance(page, SetsPage)
    return page


def compared(qtbot: QtBot, driven: Driven, page: SetsPage, words: str) -> None:
    """Wait until a comparison says this."""

    def said() -> None:
        driven.refresh()
        assert words in page.compare.text.text(), page.compare.text.text()

    qtbot.waitUntil(said)


def detune(bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.005)
    bench.settings.stage(BANK, "RollMax", 40)
    bench.settings.apply()
    bench.finish()


def keep(page: SetsPage, name: str) -> None:
    page.keep.click()
    page.form.name.setText(name)
    page.form.purpose.setText("racing")
    page.form.ok.click()


@pytest.mark.slow
def test_a_kept_set_brings_ticked_rows_back(
    qtbot: QtBot, driven: Driven, page: SetsPage, bench: Bench
) -> None:
    before = bench.on_board(BANK, GAIN)
    keep(page, "As new")
    detune(bench)
    item = page.table.topLevelItem(0)
    assert item is not None
    assert item.text(1) == "racing"
    page.compare.choose(f"set:{page.table.chosen.board}/As new")  # type: ignore[union-attr]
    compared(qtbot, driven, page, "2 differ")
    row = page.compare.table.topLevelItem(0)
    assert row is not None
    unwanted = next(row.child(i) for i in range(2) if row.child(i).text(0) == "RollMax")
    unwanted.setCheckState(0, unwanted.checkState(0).Unchecked)
    page.compare.stage.click()
    assert [dict(edit.after) for edit in bench.settings.staged()] == [{GAIN: before}]
    bench.settings.apply()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == before
    assert bench.on_board(BANK, "RollMax") == 40


def set_serial(bench: Bench, number: int) -> None:
    """Another board answers behind the link."""
    path = "CPUSerial"
    definition = bench.named("FirmwareIAPObj")
    row = bench.board.values[definition.object_id, 0]
    payload = pack_values(definition, {path: [number] * 12}, row_of(definition, row))
    bench.board.values[definition.object_id, 0] = payload
    bench.aircraft.flight.publish(definition.object_id)
    bench.pass_time(0.2)


@pytest.mark.slow
def test_settings_of_another_aircraft_say_so_and_leave_what_belongs_to_it_unticked(
    qtbot: QtBot, driven: Driven, page: SetsPage, bench: Bench
) -> None:
    set_serial(bench, 0xA1)
    bench.put("SystemSettings", "VehicleName", "Red quad")
    keep(page, "Of red")
    set_serial(bench, 0xB2)
    detune(bench)
    bench.put("SystemSettings", "VehicleName", "Blue quad")
    page.refresh(0.0)
    entry = page.table.chosen
    assert entry is not None
    page.compare.choose(f"set:{entry.board}/Of red")
    compared(qtbot, driven, page, "3 differ")
    said = page.compare.text.text()
    assert "These are the settings of another aircraft: Red quad, " in said
    assert f"serial number {'a1' * 12}" in said
    assert "What belongs to it is not ticked: its name." in said
    assert sorted(path for _, path in page.compare.table.ticked()) == ["RollMax", GAIN]


@pytest.mark.slow
def test_a_comparison_is_made_anew_when_another_board_answers(
    qtbot: QtBot, driven: Driven, page: SetsPage, bench: Bench
) -> None:
    set_serial(bench, 0xA1)
    keep(page, "Of the first")
    entry = page.table.chosen
    assert entry is not None
    detune(bench)
    page.compare.choose(f"set:{entry.board}/Of the first")
    compared(qtbot, driven, page, "2 differ")
    set_serial(bench, 0xB2)
    bench.put(BANK, "RollMax", 55)
    page.compare.refresh()
    assert not page.compare.stage.isEnabled()
    compared(qtbot, driven, page, "1 differ")
    assert "of another aircraft" in page.compare.text.text()


@pytest.mark.parametrize("name", ["board.uav", "board.settings.toml"])
def test_an_exported_file_compares_equal(
    qtbot: QtBot, driven: Driven, page: SetsPage, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    page.export_to(path)
    assert page.text.text().startswith(f"Written: {name}")
    page.compare_file(path)
    compared(qtbot, driven, page, "0 differ")


def test_a_torn_file_is_told_and_harms_nothing(
    qtbot: QtBot, driven: Driven, page: SetsPage, bench: Bench, tmp_path: Path
) -> None:
    path = tmp_path / "torn.uav"
    page.export_to(path)
    path.write_bytes(path.read_bytes()[:300])
    page.compare_file(path)
    compared(qtbot, driven, page, "torn.uav")
    assert not page.compare.stage.isEnabled()
    assert bench.settings.staged() == ()


def test_a_deleted_set_can_be_taken_back(driven: Driven, page: SetsPage) -> None:
    keep(page, "Precious")
    page.delete.click()
    assert page.table.topLevelItemCount() == 0
    page.take_back.click()
    item = page.table.topLevelItem(0)
    assert item is not None
    assert item.text(0) == "Precious"


def test_a_name_that_is_taken_is_told_where_it_is_typed(driven: Driven, page: SetsPage) -> None:
    keep(page, "Mine")
    keep(page, "Mine")
    assert page.form.isVisible()
    assert page.table.topLevelItemCount() == 1


def test_a_log_can_be_compared_but_nothing_staged(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))
    fleet = Fleet()
    fleet.add(replayed_vehicle())
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = driven.page(PAGE)
        assert isinstance(page, SetsPage)
        assert page.compare.a.itemText(0) == "In this log"
        assert not page.compare.stage.isEnabled()
        driven.context.close()
