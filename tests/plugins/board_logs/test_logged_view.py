"""What is logged, on the page of a simulated board: staged, applied, read back; kept in files."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel
from pytestqt.qtbot import QtBot

from plugins.board_logs.actions import show_logs
from plugins.board_logs.logged_view import LoggedView
from plugins.board_logs.panel import BoardLogsPanel
from telemetry.configuration.board_logs.log_presets import LOG_PRESETS
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from tests.plugins.driven import Driven, driving
from tests.simulated_board import SimulatedBench
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard

PAGE = "board_logs.flights"


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    names = (*SMALL, "GyroState", "DebugLogSettings", "DebugLogStatus")
    return Bench(catalogue, MemoryBoard(catalogue.find(n, DEFAULT_RELEASE) for n in names))


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    with driving(qtbot, bench.vehicle) as driven:
        yield driven


@pytest.fixture
def view(driven: Driven) -> LoggedView:
    page = driven.page(PAGE)
    assert isinstance(page, BoardLogsPanel)
    page.tabs.setCurrentIndex(1)
    driven.refresh()
    return page.logged


def choose(view: LoggedView, name: str) -> None:
    line = [one.name for one in view.model.rows].index(name)
    flags = QItemSelectionModel.SelectionFlag
    how = flags.ClearAndSelect | flags.Rows
    view.table.selectionModel().select(view.model.index(line, 0), how)


def cells(view: LoggedView, name: str) -> tuple[str, ...]:
    return next(view.model.shown(one).texts for one in view.model.rows if one.name == name)


def test_a_preset_is_staged_and_how_long_it_lasts_is_said(
    view: LoggedView, driven: Driven, bench: Bench
) -> None:
    assert "switched off" in view.duration.text()
    bench.put("DebugLogStatus", "FreeSlots", 8000)
    row = 1 + [preset.name for preset in LOG_PRESETS].index("video")
    view.preset.setCurrentIndex(row)
    view.preset.activated.emit(row)
    driven.refresh()
    assert cells(view, "GyroState")[1:3] == ("Periodically", "20\u2009ms")
    assert "staged" in view.staged.text()
    # On this board that is 50 Hz of 16 bytes, 20 of 32, 2 of 9 and one of 42, each with 17 before
    # it: 50 x 33 + 20 x 49 + 2 x 26 + 59 = 2,741 bytes a second. At 196 to 200 of them in a
    # block 8,000 blocks last 572 to 584 s.
    assert "Full in about 10 min while armed" in view.duration.text()


def test_what_is_chosen_is_set_applied_and_read_back(
    view: LoggedView, driven: Driven, bench: Bench
) -> None:
    assert not view.set_chosen.isEnabled()
    choose(view, "GyroState")
    assert view.set_chosen.isEnabled()
    view.period.setValue(40)
    view.set_chosen.click()
    driven.refresh()
    assert cells(view, "GyroState") == (
        *("GyroState", "Periodically", "40\u2009ms", "16", "25", "100\u2009%", "yes"),
    )
    assert [one.name for one in view.table.chosen] == ["GyroState"]  # it stays chosen
    bench.settings.apply()
    bench.finish()
    packed = bench.board.values[bench.named("GyroState").object_id + 1, 0]
    assert Metadata.unpack(packed).logging == UpdatePolicy(UpdateMode.PERIODIC, 40)
    driven.refresh()
    assert cells(view, "GyroState")[-1] == ""
    view.only_logged.setChecked(True)
    assert [one.name for one in view.model.rows] == ["GyroState"]


def test_it_is_kept_in_a_file_and_taken_from_one(
    view: LoggedView, driven: Driven, bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(view, "GyroState")
    view.set_chosen.click()
    path = tmp_path / "logged.xml"

    def wait_for(words: str) -> None:
        qtbot.waitUntil(lambda: bool(driven.refresh()) or bool(driven.messages))
        assert words in driven.messages.pop()

    view.files.save(view.table_now(), path)
    wait_for("was written")
    bench.settings.draft.clear()
    odd = b'<setting name="Odd" level="0" period="0"/>'
    path.write_bytes(path.read_bytes().replace(b"    <setting ", odd + b"<setting ", 1))
    view.files.load(path)
    wait_for("this aircraft lacks Odd")
    assert bench.settings.value("GyroStateMeta", "LoggingPeriod") == 100
    view.files.load(tmp_path / "none.xml")
    wait_for("none.xml cannot be read: No such file")
    path.write_bytes(b"<settings/>")
    view.files.load(path)
    wait_for("logged.xml is no file of what is logged: line 1: 'version' is a number")


def test_the_menu_leads_to_the_page(driven: Driven) -> None:
    assert not driven.panel.findChildren(BoardLogsPanel)
    show_logs(driven.context)
    driven.refresh()
    (page,) = driven.panel.findChildren(BoardLogsPanel)
    assert page.flights.isVisible()


@pytest.mark.slow
def test_the_simulated_board_takes_it(qtbot: QtBot, catalogue: Catalogue) -> None:
    bench = SimulatedBench(catalogue)
    bench.pass_time(5.0)
    with driving(qtbot, bench.vehicle) as driven:
        page = driven.page(PAGE)
        assert isinstance(page, BoardLogsPanel)
        view = page.logged
        view.preset.setCurrentIndex(1)
        view.preset.activated.emit(1)
        bench.settings.apply()
        bench.finish()
        assert bench.settings.transfer is not None
        assert bench.settings.transfer.is_verified
        driven.refresh()
        assert cells(view, "AttitudeState")[1:3] == ("Periodically", "100\u2009ms")
        assert cells(view, "AttitudeState")[-1] == ""
