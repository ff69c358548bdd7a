"""A view is built in slices, between which the window answers."""

import logging

import pytest
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from widgets import view_host
from widgets.error_card import ErrorCard
from widgets.view_host import Slices, ViewHost


class View(QWidget):
    """Counts how often it is asked."""

    asked = 0

    def ask(self) -> int:
        self.asked += 1
        return self.asked


class Bench:
    """A host, and what was done and answered in which order."""

    def __init__(self, qtbot: QtBot) -> None:
        self.done: list[str] = []
        self.host = ViewHost(lambda: "The page", "Nothing is touched.", logging.getLogger("test"))
        qtbot.addWidget(self.host)
        self.host.show()

    def slices(self, error: Exception | None = None) -> Slices:
        self.done.append("import")
        yield None
        yield View()
        for number in range(3):
            self.done.append(f"part {number}")
            yield None
        if error is not None:
            raise error
        self.done.append("end")

    def open(self, error: Exception | None = None) -> None:
        self.host.open_in_slices(self.slices(error), lambda: self.done.append("closed"))


@pytest.fixture
def bench(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(view_host, "STEP_S", 0.0)  # each slice takes longer than that
    return Bench(qtbot)


def test_events_are_answered_between_slices_and_a_half_built_view_is_not_asked(
    bench: Bench, qtbot: QtBot
) -> None:
    bench.open()
    assert bench.done == [], "opening itself takes no time"
    QTimer.singleShot(0, lambda: bench.done.append("answered"))
    QCoreApplication.processEvents()
    assert sorted(bench.done) == ["answered", "import"]
    while bench.host.view is None:
        QCoreApplication.processEvents()
    assert bench.host.call("ask") is None
    qtbot.waitUntil(lambda: not bench.host.is_building)
    assert bench.done[-1] == "end"
    assert bench.host.call("ask") == 1


def test_who_cannot_wait_has_it_finished(bench: Bench) -> None:
    bench.open()
    bench.host.finish()
    assert bench.done[-1] == "end"
    assert bench.host.call("ask") == 1


def test_closing_stops_building(bench: Bench) -> None:
    bench.open()
    QCoreApplication.processEvents()
    bench.host.close_view()
    assert not bench.host.is_building
    for _ in range(5):
        QCoreApplication.processEvents()
    assert bench.done == ["import", "closed"]
    assert bench.host.view is None


def test_a_slice_that_fails_leaves_a_card(bench: Bench, qtbot: QtBot) -> None:
    bench.open(OSError("no such part"))
    qtbot.waitUntil(lambda: not bench.host.is_building)
    (card,) = bench.host.findChildren(ErrorCard)
    assert any("no such part" in label.text() for label in card.findChildren(QLabel))
    assert bench.host.view is None
    assert bench.done[-1] == "closed"
