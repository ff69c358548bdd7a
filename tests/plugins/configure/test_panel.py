"""The Configure view as a user meets it: find a setting, change it, apply it, take it back."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from plugins.airframe.mixer_table import MixerTable
from plugins.configure import actions
from plugins.testing import replayed_vehicle
from telemetry.configuration.settings.slots import field_paths
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.recording import Recording
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.plugins.driven import Driven, driving
from tests.telemetry.configuration.settings.bench import Bench
from widgets.curve_editor import CurveEditor
from widgets.forms.editors import NumberEditor
from widgets.settings.editor import SettingEditor
from widgets.theme import hand_theme, load_theme

_KEPT_BY_STATIONS = ("SystemSettings.GUIConfigData",)
"""Its bits are what the outputs of the airframe page are."""
BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


def open_setting(driven: Driven, text: str) -> None:
    driven.panel.list.box.setText(text)
    driven.panel.list.box.returnPressed.emit()
    driven.panel.refresh(0.0)
    QCoreApplication.processEvents()


@pytest.mark.slow
def test_find_change_apply_undo(qtbot: QtBot, driven: Driven, bench: Bench) -> None:
    open_setting(driven, "bank1 rollratepid kp")
    shown = driven.editor(GAIN)
    assert isinstance(shown.editor, NumberEditor)
    before = bench.on_board(BANK, GAIN)
    shown.editor.selectAll()
    qtbot.keyClicks(shown.editor, "0.004")
    qtbot.keyClick(shown.editor, Qt.Key.Key_Return)
    driven.panel.refresh(0.0)
    drawer = driven.panel.drawer
    assert drawer is not None
    assert drawer.text.text() == "1 change in 1 object not sent."
    assert bench.on_board(BANK, GAIN) == before
    drawer.apply.click()
    bench.finish()
    driven.panel.refresh(0.0)
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.004)
    assert drawer.text.text() == "1 object on board, not saved there yet."
    drawer.undo.click()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == before
    driven.panel.refresh(0.0)
    drawer.show_list.click()
    rows = [drawer.changed.topLevelItem(number) for number in range(2)]
    assert [row.text(5) for row in rows if row is not None] == ["Undo", "Stabilization"]
    assert [row.text(3) for row in rows if row is not None] == ["0.003", "0.004"]


@pytest.mark.slow
def test_a_search_for_an_element_goes_to_that_element(driven: Driven, bench: Bench) -> None:
    """The last of each array; a curve and the mixer showed themselves, whatever was asked of."""
    driven.panel.activateWindow()
    for name, path in _last_elements(bench):
        open_setting(driven, f"{name}.{path}")
        driven.refresh()
        shown = driven.panel.focusWidget()
        label = path.partition(".")[2]
        if isinstance(shown, CurveEditor):
            assert label in shown.accessibleName(), path
        elif isinstance(shown, MixerTable):
            cell = shown.visualRect(shown.currentIndex())
            assert shown.cells.index_of(path) == shown.currentIndex()
            assert shown.viewport().visibleRegion().contains(cell.center()), path
        else:
            editor = shown.parentWidget() if shown is not None else None
            assert isinstance(editor, SettingEditor)
            assert (editor.name, editor.path) == (name, path)
            assert editor.visibleRegion().boundingRect().height() == editor.height(), path


def _last_elements(bench: Bench) -> Iterator[tuple[str, str]]:
    for name in bench.vehicle.recording.names():
        track = bench.vehicle.recording.track(name)
        assert track is not None
        definition = track.definition
        for field in definition.fields if definition.settings else ():
            if field.elements > 1 and f"{name}.{field.name}" not in _KEPT_BY_STATIONS:
                yield name, field_paths(field)[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (f"{BANK}.{GAIN}", f"{BANK}.{GAIN}"),
        (f"{BANK}.ManualRate", f"{BANK}.ManualRate.Roll"),
    ],
)
def test_another_view_leads_to_a_setting(driven: Driven, asked: str, shown: str) -> None:
    driven.panel.activateWindow()
    driven.context.show_setting(asked)
    driven.refresh()
    driven.refresh()
    focused = driven.panel.focusWidget()
    editor = focused.parentWidget() if focused is not None else None
    assert isinstance(editor, SettingEditor)
    assert f"{editor.name}.{editor.path}" == shown
    driven.panel.show_page("configure.all_settings")
    driven.refresh()
    assert driven.panel.save_state() == {"page": "configure.all_settings"}, "asked for once"


def test_a_row_that_is_not_ticked_stays_staged(driven: Driven, bench: Bench) -> None:
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.settings.stage(BANK, "RollMax", 40)
    driven.panel.refresh(0.0)
    drawer = driven.panel.drawer
    assert drawer is not None
    drawer.show_list.click()
    row = drawer.pending.topLevelItem(1)
    assert row is not None
    row.setCheckState(0, Qt.CheckState.Unchecked)
    drawer.apply.click()
    bench.finish()
    assert bench.on_board(BANK, GAIN) == pytest.approx(0.004)
    assert bench.on_board(BANK, "RollMax") == 55
    assert bench.settings.is_staged(BANK, "RollMax")


def test_a_log_is_read_only(qtbot: QtBot, jobs: ThreadPoolExecutor) -> None:
    fleet = Fleet()
    fleet.add(replayed_vehicle())
    driven = Driven(qtbot, fleet, jobs)
    drawer = driven.panel.drawer
    assert drawer is not None
    assert "nothing is sent" in drawer.text.text()
    assert not drawer.apply.isEnabled()
    driven.context.close()


def test_the_list_of_pages_takes_the_room_that_its_text_needs(driven: Driven) -> None:
    before = driven.panel.list.width()
    hand_theme(driven.panel, load_theme("dark", 1.5))
    assert driven.panel.list.width() == pytest.approx(before * 1.5, abs=2)
    hand_theme(driven.panel, load_theme("dark", 1.0))
    assert driven.panel.list.width() == pytest.approx(before, abs=2)


def test_undo_and_redo_by_key_say_what_they_do(driven: Driven, bench: Bench) -> None:
    actions.undo(driven.context)
    assert driven.messages[-1].startswith("Nothing to undo")
    bench.settings.stage(BANK, "RollMax", 40)
    bench.settings.apply()
    bench.finish()
    actions.undo(driven.context)
    assert driven.messages[-1] == f"Taking back on board: {BANK}.RollMax."
    bench.finish()
    assert bench.on_board(BANK, "RollMax") == 55
    actions.redo(driven.context)
    bench.finish()
    assert bench.on_board(BANK, "RollMax") == 40


def test_until_the_settings_are_known_there_is_a_skeleton_and_no_button(
    qtbot: QtBot, catalogue: Catalogue
) -> None:
    vehicle = Vehicle("new", Recording("new"), catalogue, LiveCommands(lambda: None, lambda: 0.0))
    vehicle.status = LinkStatus(LinkState.FETCHING, fetched=3, total=9)
    with driving(qtbot, vehicle) as driven:
        panel = driven.panel
        assert panel.skeleton.isVisible()
        assert panel.skeleton.text.text() == "Fetching 3/9."
        assert not [button for button in panel.findChildren(QPushButton) if button.isVisible()]
        vehicle.status = LinkStatus(LinkState.CONNECTED)
        driven.refresh()
        assert panel.skeleton.isHidden()
        assert panel.stack is not None
        vehicle.status = LinkStatus(LinkState.LOST)  # what is known stays in sight
        driven.refresh()
        assert panel.skeleton.isHidden()


@pytest.mark.slow
def test_a_page_is_built_while_the_window_answers(driven: Driven) -> None:
    panel = driven.panel
    panel.start_search()
    panel.show_page("stabilization.stabilization")
    assert panel.stack is not None
    assert panel.stack.is_building
    panel.show_page("hardware.modules")  # nobody has to wait for the first
    while panel.stack.is_building:
        driven.refresh()
    panel.show_page("stabilization.stabilization")
    while panel.stack.is_building:
        driven.refresh()
    driven.refresh()
    assert driven.editor(GAIN).isVisible()
    assert panel.focusWidget() is panel.list.box, "the keyboard stays where it was"
