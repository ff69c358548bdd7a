"""The virtual transmitter and the pilot's seat: one of them has a simulated aircraft at a time."""

from collections.abc import Callable
from queue import SimpleQueue

import pytest
from pytestqt.qtbot import QtBot

from plugins.pilot import guide
from plugins.pilot.seat import FLYING, Seat
from plugins.pilot.transmitter import PERIOD_S
from plugins.receiver.virtual import TITLE, VirtualTransmitter
from telemetry.protocol.links.memory import MemoryLink
from telemetry.vehicle.sticks import Sticks
from tests.plugins.pilot.cockpit import StillTransmitter
from tests.plugins.pilot.fakes import Ground


class Both:
    """A simulated aircraft on the ground, a seat that somebody sits in, and the page's part."""

    def __init__(self, qtbot: QtBot) -> None:
        self.now = 100.0
        self.ground = Ground()
        self.ground.settings()
        self.ground.status(0.0, "Disarmed")
        self.ground.vehicle.link = link = MemoryLink("sim:test", SimpleQueue(), SimpleQueue())
        link.address = "sim:test"
        self.seat = Seat(self.ground.vehicle, self._make)
        self.seat.join()
        self.virtual = VirtualTransmitter(self.ground.vehicle)
        qtbot.addWidget(self.virtual)
        self.virtual.refresh()

    def _make(self, send: Callable[[Sticks | None], None]) -> StillTransmitter:
        self.transmitter = StillTransmitter(send, lambda: self.now, lambda: None)
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

    def situation(self) -> guide.Situation:
        return self.seat.look(self.ground.vehicle.end_s)[1]


@pytest.fixture
def both(qtbot: QtBot) -> Both:
    return Both(qtbot)


def test_while_it_transmits_the_seat_sends_nothing_and_says_why(both: Both) -> None:
    both.seat.disarm(both.situation())  # what a flight that has ended leaves behind
    assert set(both.step()) == {Sticks()}
    both.virtual.on.setChecked(True)
    both.virtual.switch.setChecked(True)
    both.step()
    assert set(both.step()) == {Sticks(arm=True)}
    assert TITLE in str(guide.why_not_arm(both.situation()))
    both.virtual.on.setChecked(False)
    assert guide.why_deaf(both.situation()) is None
    assert set(both.step()) == {Sticks()}


def test_while_the_seat_flies_it_cannot_be_switched_on_and_says_why(both: Both) -> None:
    both.ground.status(0.1, "Armed", "PositionHold", thrust=0.5)
    both.seat.act("Land", both.situation())
    both.virtual.refresh()
    assert not both.virtual.on.isEnabled()
    assert FLYING in both.virtual.about.text()
    both.virtual.on.setChecked(True)
    assert not both.virtual.on.isChecked()
    assert both.seat.request.transmitting


def test_an_emergency_stop_switches_it_off(both: Both) -> None:
    both.virtual.on.setChecked(True)
    both.virtual.switch.setChecked(True)
    assert set(both.step("Armed")) == {Sticks(arm=True)}
    assert guide.can_stop(both.situation())
    both.seat.disarm(both.situation())
    assert not both.virtual.on.isChecked()
    assert set(both.step("Armed")) == {Sticks()}
