"""The checklist panel, ticked and edited by hand."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.checklist_panel import ChecklistPanel
from telemetry.configuration.arming.preflight import HAND_ITEMS, preflight_of
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.flying.fakes import Ground
from widgets.setting_links import SettingLinks
from widgets.state_label import StateLabel
from widgets.theme import load_theme


class Looked:
    def __init__(self, qtbot: QtBot) -> None:
        self.ground = Ground()
        self.ground.settings()
        self.ground.status(0.5, "Disarmed")
        fleet = Fleet()
        fleet.add(self.ground.vehicle)
        self.jobs = ThreadPoolExecutor(1)
        self.context = PanelContext(fleet, load_theme("light"), self.jobs)
        self.panel = ChecklistPanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(540, 300)
        self.panel.show()
        self.panel.refresh(0.5)

    def boxes(self) -> dict[str, QCheckBox]:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return {box.text(): box for box in self.panel.findChildren(QCheckBox)}

    def press(self, text: str) -> None:
        button = next(b for b in self.panel.findChildren(QPushButton) if b.text() == text)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def words(self) -> str:
        labels = self.panel.findChildren(QLabel)
        return " ".join(label.text() for label in labels if label.isVisible())


@pytest.fixture
def looked(qtbot: QtBot) -> Iterator[Looked]:
    made = Looked(qtbot)
    yield made
    made.jobs.shutdown()


def test_says_what_is_missing_and_what_to_do(looked: Looked) -> None:
    assert "Not ready" in looked.words()
    assert "Stand under a free sky" in looked.words()
    assert tuple(looked.boxes()) == HAND_ITEMS


def test_the_name_of_a_setting_follows_the_words_and_leads_to_it(looked: Looked) -> None:
    name = "ManualControlSettings.FailsafeFlightModeSwitchPosition"
    texts = [label.text() for label in looked.panel.findChildren(StateLabel)]
    assert not [text for text in texts if "ManualControlSettings" in text]
    links = [link for link in looked.panel.findChildren(SettingLinks) if link.isVisible()]
    (link,) = (link for link in links if name in link.text())
    went: list[str] = []
    looked.context.run_action = went.append
    link.linkActivated.emit(name)
    assert configuration_of(looked.ground.vehicle).asked_for == name
    assert went == ["show-configure"]


def test_a_tick_is_kept_until_it_is_taken_back(looked: Looked) -> None:
    looked.boxes()[HAND_ITEMS[0]].click()
    assert preflight_of(looked.ground.vehicle).ticked == {HAND_ITEMS[0]}
    looked.boxes()[HAND_ITEMS[0]].click()
    assert preflight_of(looked.ground.vehicle).ticked == frozenset()


def test_the_list_is_edited_as_text_and_cancel_keeps_it(looked: Looked) -> None:
    looked.press("Edit the list")
    editor = looked.panel.findChildren(QPlainTextEdit)[0]
    editor.setPlainText("Camera is on")
    looked.press("Cancel")
    looked.panel.refresh(0.6)
    assert tuple(looked.boxes()) == HAND_ITEMS
    looked.press("Edit the list")
    editor.setPlainText("Camera is on")
    looked.press("Keep")
    looked.panel.refresh(0.7)
    assert tuple(looked.boxes()) == ("Camera is on",)


def test_a_failsafe_that_comes_home_or_lands_is_offered_and_staged(looked: Looked) -> None:
    """Of the six positions of this switch the last is ReturnToBase, the fifth Land."""
    assert "it falls, since its failsafe cuts the throttle" in looked.words()
    looked.press("Stage Land as failsafe")
    settings = configuration_of(looked.ground.vehicle)
    (edit,) = settings.staged()
    assert edit.after == {"FailsafeFlightModeSwitchPosition": 4}
    looked.panel.refresh(1.1)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    texts = [button.text() for button in looked.panel.findChildren(QPushButton)]
    assert not [text for text in texts if text.startswith("Stage ")]
