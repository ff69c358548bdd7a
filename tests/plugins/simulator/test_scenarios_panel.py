"""The scenarios panel flies experiments in processes of their own and shows what came out."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QListWidget, QPushButton, QTableWidget
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.simulator.figure_view import FigureView
from plugins.simulator.scenario_run import ScenarioRun
from plugins.simulator.scenarios_panel import ScenariosPanel
from plugins.testing import catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from widgets.theme import load_theme

pytestmark = pytest.mark.starts_simulator


class Experimenter:
    """Chooses, sets up and flies scenarios in the panel, and reads what it shows."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.opened: list[Path] = []
        self.context = PanelContext(
            Fleet(), load_theme("light"), ImmediateJobs(), open_log=self.opened.append
        )
        self.panel = ScenariosPanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(900, 700)
        self.panel.show()

    def choose(self, name: str) -> None:
        (names,) = self.panel.findChildren(QListWidget)
        rows = [names.item(row).text().split()[-1] for row in range(names.count())]
        names.setCurrentRow(rows.index(name))

    def tick(self, title: str) -> None:
        checks = self.panel.findChildren(QCheckBox)
        (check,) = [c for c in checks if c.text() == title]
        check.click()

    def button(self, text: str) -> QPushButton:
        (found,) = [b for b in self.panel.findChildren(QPushButton) if b.text() == text]
        return found

    def fly(self) -> str:
        """Fly what is set up to its end; returns the verdict."""
        self.button("Fly it").click()

        def has_ended() -> bool:
            self.panel.refresh(0.0)
            return self.button("Fly it").isEnabled()

        self._qtbot.waitUntil(has_ended)
        return self.verdict

    @property
    def verdict(self) -> str:
        return next(
            (
                label.text()
                for label in self.panel.findChildren(QLabel)
                if label.property("tone") in ("ok", "danger") or label.text() == "Stopped."
            ),
            "",
        )

    @property
    def rows(self) -> dict[str, tuple[str, ...]]:
        """What the table shows: measured, allowed and verdict by metric."""
        (table,) = self.panel.findChildren(QTableWidget)
        cells = [
            [item.text() for c in range(4) if (item := table.item(row, c)) is not None]
            for row in range(table.rowCount() if table.isVisible() else 0)
        ]
        return {title: tuple(rest) for title, *rest in cells}

    @property
    def figure(self) -> FigureView:
        (figure,) = self.panel.findChildren(FigureView)
        return figure

    @property
    def curves(self) -> int:
        (view,) = self.figure.findChildren(pg.GraphicsLayoutWidget)
        return sum(isinstance(item, pg.PlotDataItem) for item in view.scene().items())


@pytest.fixture
def experimenter(qtbot: QtBot) -> Iterator[Experimenter]:
    experimenter = Experimenter(qtbot)
    yield experimenter
    experimenter.context.close()


@pytest.mark.slow
def test_a_flight_that_passes_shows_its_figures_and_can_be_replayed(
    experimenter: Experimenter,
) -> None:
    experimenter.choose("lost-sticks")
    assert not experimenter.button("Replay it").isEnabled()
    said = experimenter.fly()
    assert said.startswith("Passed over ")
    assert said.endswith(": every figure lies in its band.")
    assert experimenter.rows
    assert {verdict for *_, verdict in experimenter.rows.values()} <= {"holds", ""}
    experimenter.button("Replay it").click()
    (log,) = experimenter.opened
    recording = read_log(log, catalogue()).recording
    assert -recording.series("AttitudeSimulated.Position.Down")[1].min() > 1.0, "it flew"
    experimenter.context.close()
    assert not log.exists(), "it leaves nothing behind"


@pytest.mark.slow
def test_a_figure_that_misses_its_band_is_named_and_without_a_flight_none_is_replayed(
    experimenter: Experimenter,
) -> None:
    experimenter.choose("thrust-curve")
    experimenter.tick("The table changes the sign of C_T2 with that of v1")
    assert experimenter.fly().startswith("Failed: largest_error is 2.1")
    measured, allowed, verdict = experimenter.rows["Largest error"]
    assert (measured[:3], allowed, verdict) == ("2.1", "at most 1e-12", "missed")
    assert experimenter.rows["Climbing costs"][-1] == "holds"
    assert experimenter.figure.isVisible()
    assert experimenter.curves > 0
    assert not experimenter.button("Replay it").isEnabled()


def test_a_stopped_flight_ends_its_process_and_says_so(
    experimenter: Experimenter, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*args: object, **options: object) -> "subprocess.Popen[bytes]":
        started.append(popen(*args, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    experimenter.choose("endurance")
    experimenter.button("Fly it").click()
    experimenter.panel.refresh(0.0)
    assert not experimenter.button("Fly it").isEnabled()
    assert started[0].poll() is None
    experimenter.button("Stop").click()
    assert started[0].poll() is not None
    assert experimenter.verdict == "Stopped."
    assert experimenter.button("Fly it").isEnabled()
    assert not experimenter.button("Replay it").isEnabled()
    assert experimenter.rows == {}
    experimenter.button("Fly it").click()
    experimenter.context.close()
    assert started[1].poll() is not None, "closing the panel ends a flight too"


def test_what_cannot_be_started_is_said(
    experimenter: Experimenter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    experimenter.button("Fly it").click()
    assert experimenter.verdict == "The scenario cannot be started: Cannot allocate memory."
    assert experimenter.button("Fly it").isEnabled()


@pytest.mark.slow
def test_a_run_that_is_refused_says_why(qtbot: QtBot) -> None:
    run = ScenarioRun("attitude-pulse", {"pulse_s": 99.0}, seed=1)
    qtbot.waitUntil(lambda: run.poll() is not None)
    result = run.poll()
    run.close()
    assert result is not None
    assert (result.outcome, result.text) == (
        "broken",
        "The scenario did not fly: pulse_s cannot be 99; give 0.02 to 2 s.",
    )


def test_the_scenario_chosen_is_remembered(experimenter: Experimenter) -> None:
    experimenter.choose("wind-limit")
    state = experimenter.panel.save_state()
    experimenter.choose("power")
    experimenter.panel.restore_state(state)
    assert experimenter.panel.save_state() == {"scenario": "wind-limit"}
    experimenter.panel.restore_state({"scenario": "gone"})
    assert experimenter.panel.save_state() == {"scenario": "wind-limit"}
