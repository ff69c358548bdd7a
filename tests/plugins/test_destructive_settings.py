"""What no aircraft survives is not sent by any part of the window before each has its own yes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.assistant import state as assistant_state
from plugins.assistant.page import AssistantPage
from plugins.assistant.summary_step import SummaryStep
from plugins.configuration_sets.page import SetsPage
from plugins.configure.all_settings import AllSettingsPage
from telemetry.base.folders import HOME_VARIABLE
from telemetry.configuration.assistant.proposal import SetupProposal
from telemetry.configuration.settings.files import write_settings
from telemetry.protocol.objects.catalogue import Catalogue
from tests.destructive_settings import (
    ROUNDS,
    SAMPLE,
    Values,
    board_for_all,
    document_of,
    names_of,
)
from tests.plugins.driven import Driven, driving
from tests.plugins.object_browser.driving import Browser
from tests.telemetry.configuration.settings.bench import Bench
from widgets.forms.editors import OptionEditor
from widgets.forms.special_editors import ChoiceEditor, ScaledEditor

HARMLESS = ("SystemSettings", "VehicleName")


class Window:
    """Configure on a board that has all the objects."""

    def __init__(self, qtbot: QtBot, bench: Bench, driven: Driven, folder: Path) -> None:
        self.qtbot = qtbot
        self.bench = bench
        self.driven = driven
        self.folder = folder

    @property
    def drawer(self):  # type: ignore[no-untyped-def]
        self.driven.refresh()
        return self.driven.panel.drawer

    def settle(self) -> None:
        self.bench.finish()
        self.driven.refresh()


@pytest.fixture
def window(
    qtbot: QtBot, catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Window]:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    bench = Bench(catalogue, board_for_all(catalogue))
    with driving(qtbot, bench.vehicle) as driven:
        yield Window(qtbot, bench, driven, tmp_path)


def by_its_editors(window: Window, wanted: Values) -> None:
    page = window.driven.page("configure.all_settings")
    assert isinstance(page, AllSettingsPage)
    for name, values in wanted.items():
        page.show_setting(name, next(iter(values)))
        for path, value in values.items():
            box = window.driven.editor(path).editor
            if isinstance(box, OptionEditor):
                box.setCurrentIndex(box.findText(str(value)))
                box.activated.emit(box.currentIndex())
            else:
                assert not isinstance(box, ChoiceEditor | ScaledEditor | None)
                box.setValue(value)  # type: ignore[union-attr]
    window.drawer.save.click()


def by_a_file(window: Window, wanted: Values) -> None:
    path = window.folder / "x.uav"
    write_settings(path, document_of(wanted, window.bench.catalogue))
    page = window.driven.page("configuration_sets.sets")
    assert isinstance(page, SetsPage)
    page.compare_file(path)
    compared(window, page, len(names_of(wanted)))


def by_a_set(window: Window, wanted: Values) -> None:
    page = window.driven.page("configuration_sets.sets")
    assert isinstance(page, SetsPage)
    path = window.folder / "home/data/sets/x"
    path.mkdir(parents=True, exist_ok=True)
    write_settings(path / "y.settings.toml", document_of(wanted, window.bench.catalogue))
    page.keep_as(f"{len(wanted)}", "", "")  # another one, so that the table is read anew
    page.compare.choose("set:x/y")
    compared(window, page, len(names_of(wanted)))


def compared(window: Window, page: SetsPage, count: int) -> None:
    def said() -> None:
        window.driven.refresh()
        assert f"{count} differ" in page.compare.text.text(), page.compare.text.text()

    window.qtbot.waitUntil(said)
    page.compare.all.click()
    page.compare.stage.click()
    window.drawer.save.click()


def by_the_assistant(window: Window, wanted: Values) -> None:
    plan = SetupProposal({name: dict(values) for name, values in wanted.items()}, (), ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assistant_state, "propose_setup", lambda *_: plan)
        page = window.driven.page("assistant.setup")
        assert isinstance(page, AssistantPage)
        page.state.change(frame=f"{len(wanted)}")  # a plan is kept while the answers are the same
        summary = SummaryStep(page.state)
        window.qtbot.addWidget(summary)
        summary.show_answers()
        summary.accept.click()
        window.settle()
        summary.show_answers()
        said = summary.outcome.text()
        assert all(name in said for name in names_of(wanted)), said


def by_the_object_browser(window: Window, wanted: Values) -> None:
    browser = Browser(window.qtbot, window.driven.context.child({}))
    browser.refresh(window.bench.vehicle.recording.last_s)
    for name, values in wanted.items():
        browser.select(name)
        for path, value in values.items():
            browser.edit(f"{name}.{path}", value)
        browser.press("save")
        window.settle()
    browser.context.close()


def paths_of(wanted: Values) -> list[tuple[str, str]]:
    return [(name, path) for name, values in wanted.items() for path in values]


DOORS: tuple[tuple[Callable[[Window, Values], None], tuple[Values, ...]], ...] = (
    *((by_a_file, ROUNDS), (by_a_set, ROUNDS), (by_the_assistant, ROUNDS)),
    *((by_its_editors, SAMPLE), (by_the_object_browser, SAMPLE)),
)


@pytest.mark.parametrize(("door", "rounds"), DOORS)
@pytest.mark.slow
def test_every_one_asks_and_none_is_sent(
    window: Window, door: Callable[[Window, Values], None], rounds: tuple[Values, ...]
) -> None:
    bench = window.bench
    for number, wanted in enumerate(rounds):
        before = {path: bench.settings.on_board(*path) for path in paths_of(wanted)}
        bench.settings.stage(*HARMLESS, f"{number}")  # so that there is something to send
        door(window, wanted)
        window.settle()
        assert set(window.drawer.doubts.boxes) == names_of(wanted)
        assert {path: bench.settings.on_board(*path) for path in paths_of(wanted)} == before
        if door not in (by_the_assistant, by_the_object_browser):  # which send their own only
            assert bench.settings.on_board(*HARMLESS) == f"{number}"
        window.drawer.discard.click()


@pytest.mark.slow
def test_with_a_yes_to_one_that_one_is_sent(window: Window) -> None:
    """The control; the others still wait."""
    (wanted, *_) = ROUNDS
    by_a_file(window, wanted)
    window.settle()
    window.drawer.doubts.boxes["FlightModeSettings.Arming"].click()
    window.drawer.apply.click()
    window.settle()
    assert window.bench.on_board("FlightModeSettings", "Arming") == "Always Armed"
    assert set(window.drawer.doubts.boxes) == names_of(wanted) - {"FlightModeSettings.Arming"}
