"""The virtual transmitter and the flight controls: one has a simulated aircraft at a time."""

from queue import SimpleQueue

import pytest
from pytestqt.qtbot import QtBot

from plugins.receiver.virtual import TITLE, VirtualTransmitter
from telemetry.flying import actions
from telemetry.flying.control_right import FLYING
from telemetry.flying.controls import FlightControls
from telemetry.flying.situation import Situation
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet
from telemetry.protocol.links.memory import MemoryLink
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.fakes import Ground
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter


class Both:
    """A simulated aircraft on the ground, its controls, which are joined, and the page's part."""

    def __init__(self, qtbot: QtBot) -> None:
        self.now = 100.0
        self.ground = Ground()
        self.ground.settings()
        self.ground.status(0.0, "Disarmed")
        self.ground.vehicle.link = link = MemoryLink("sim:test", SimpleQueue(), SimpleQueue())
        link.address = "sim:test"
        self.controls = FlightControls(self.ground.vehicle, self._make)
        self.controls.join()
        self.virtual = VirtualTransmitter(self.ground.vehicle)
        qtbot.addWidget(self.virtual)
        self.virtual.refresh()

    def _make(self, outlet: StickOutlet) -> SteppedTransmitter:
        self.transmitter = SteppedTransmitter(outlet, lambda: self.now)
        return self.transmitter

    def step(self, armed: str = "Disarmed") -> list[Sticks | None]:
        """Everything sent while both go on for a moment."""
        sent = self.ground.commands.sticks
        sent.clear()
        for _ in range(5):
            self.now += PERIOD_S
            self.ground.status(self.now, armed)
            self.transmitter.step(PERIOD_S, None)
            self.virtual.refresh()
        return list(sent)

    def situation(self) -> Situation:
        return self.controls.situation_at(self.ground.vehicle.end_s)[1]


@pytest.fixture
def both(qtbot: QtBot) -> Both:
    return Both(qtbot)


def test_while_it_transmits_the_controls_send_nothing_and_says_why(both: Both) -> None:
    both.controls.disarm(both.situation())  # what a flight that has ended leaves behind
    assert set(both.step()) == {Sticks()}
    both.virtual.on.setChecked(True)
    both.virtual.switch.setChecked(True)
    both.step()
    assert set(both.step()) == {Sticks(arm=True)}
    assert TITLE in str(actions.why_not_arm(both.situation()))
    both.virtual.on.setChecked(False)
    assert actions.why_deaf(both.situation()) is None
    assert set(both.step()) == {Sticks()}


def test_while_the_seat_flies_it_cannot_be_switched_on_and_says_why(both: Both) -> None:
    both.ground.status(0.1, "Armed", "PositionHold", thrust=0.5)
    both.controls.act("Land", both.situation())
    both.virtual.refresh()
    assert not both.virtual.on.isEnabled()
    assert FLYING in both.virtual.about.text()
    both.virtual.on.setChecked(True)
    assert not both.virtual.on.isChecked()
    assert both.controls.request.transmitting


def test_an_emergency_stop_switches_it_off(both: Both) -> None:
    both.virtual.on.setChecked(True)
    both.virtual.switch.setChecked(True)
    assert set(both.step("Armed")) == {Sticks(arm=True)}
    assert actions.can_stop(both.situation())
    both.controls.disarm(both.situation())
    assert not both.virtual.on.isChecked()
    assert set(both.step("Armed")) == {Sticks()}
