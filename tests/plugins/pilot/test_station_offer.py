"""An aircraft with a radio: what would change is shown, and only the button that says so agrees."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.panel import ControlsPanel
from plugins.pilot.station_offer import AGREE, NOT_NOW, TAKE, TAKEN, TakeReceiverDialog
from telemetry.configuration.settings.temporary_settings import temporary_settings_of
from telemetry.vehicle.commands import Command, Ticket, Write
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.flying.fakes import Ground, NotingCommands
from widgets.theme import load_theme


class Posted(NotingCommands):
    def __init__(self) -> None:
        super().__init__()
        self.posted: list[Command] = []

    def post(self, command: Command) -> Ticket:
        self.posted.append(command)
        return Ticket()


class Field:
    """The panel of an aircraft on S.Bus."""

    def __init__(self, qtbot: QtBot) -> None:
        self.ground = Ground()
        self.commands = Posted()
        self.ground.vehicle.commands = self.commands
        self.ground.settings(source="S.Bus")
        self.ground.status(0.0, "Disarmed")
        self.ground.say(0.0, "FirmwareIAPObj", {"CPUSerial": list(range(12))})
        temporary_settings_of(self.ground.vehicle).poll()
        self.told: list[str] = []
        fleet = Fleet()
        fleet.add(self.ground.vehicle)
        self.jobs = ThreadPoolExecutor(1)
        self.context = PanelContext(
            fleet, load_theme("light"), self.jobs, show_message=self.told.append
        )
        self.panel = ControlsPanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(1200, 600)  # the long words of all buttons fit, in any font
        self.panel.show()
        self.panel.refresh(0.0)

    @property
    def offer(self) -> QPushButton:
        (found,) = [b for b in self.panel.findChildren(QPushButton) if b.text() == TAKE]
        return found

    def ask(self) -> TakeReceiverDialog:
        self.offer.click()
        return self.panel.findChildren(TakeReceiverDialog)[-1]


def press(dialog: TakeReceiverDialog, text: str) -> None:
    (button,) = [b for b in dialog.findChildren(QPushButton) if b.text() == text]
    button.click()


@pytest.fixture
def field(qtbot: QtBot) -> Iterator[Field]:
    made = Field(qtbot)
    yield made
    made.context.close()
    made.jobs.shutdown()


def test_the_difference_and_what_happens_without_sticks_are_shown(field: Field) -> None:
    dialog = field.ask()
    words = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    assert "ChannelGroups: Throttle from S.Bus to GCS" in words
    assert "When sticks or link are lost" in words
    assert "given back when you disconnect" in words


def test_agreeing_writes_once(field: Field) -> None:
    press(field.ask(), AGREE)
    (write,) = field.commands.posted
    assert isinstance(write, Write)
    assert write.name == "ManualControlSettings"
    assert write.values["ChannelGroups.Throttle"] == "GCS"
    assert field.told == [TAKEN]


@pytest.mark.parametrize("how", [NOT_NOW, "close", "Esc"])
def test_whatever_else_closes_it_means_no(field: Field, how: str) -> None:
    dialog = field.ask()
    if how == NOT_NOW:
        press(dialog, NOT_NOW)
    elif how == "Esc":
        dialog.reject()
    else:
        dialog.close()
    assert field.commands.posted == []
    assert field.told == []


def test_a_dangerous_failsafe_is_told_with_its_remedy(field: Field) -> None:
    values = {"FailsafeChannel.Accessory0": -1.0, "FailsafeFlightModeSwitchPosition": 4}
    field.ground.settings(source="S.Bus", more=values)
    words = [label.text() for label in field.ask().findChildren(QLabel)]
    assert any("the motors stop in the air" in text for text in words)
    assert any("Have the failsafe set accessory 0 to 0." in text for text in words)


def test_an_armed_aircraft_is_not_asked(field: Field) -> None:
    field.ground.status(1.0, "Armed")
    field.panel.refresh(1.0)
    assert not field.offer.isEnabled()
    assert "Disarm it first" in field.offer.toolTip()


def test_one_that_listens_already_is_offered_nothing(field: Field) -> None:
    field.ground.settings()
    field.panel.refresh(1.0)
    assert [
        b for b in field.panel.findChildren(QPushButton) if b.text() == TAKE and b.isVisible()
    ] == []
