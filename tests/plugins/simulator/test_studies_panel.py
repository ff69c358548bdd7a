"""The studies panel shows what a study finds while it flies, and flies one flight of it again."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.simulator.studies_panel import StudiesPanel
from plugins.simulator.study_model import StudyTableView
from simulation.studies.ending import read_table
from simulation.studies.flight import Drawn, Flown
from simulation.studies.result_folder import JOURNAL, begin_result
from simulation.studies.study import read_study
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.simulation.studies.written_results import WIND, flown_in, lands_in_little_wind
from widgets.interval_chart import IntervalChart
from widgets.theme import load_theme

SCENARIO = """
name = "pulse"
scenario = "attitude-pulse"
flights = 2
[vary]
"scenario.pulse_s" = { uniform = [0.05, 0.1] }
"""
ISHIGAMI = """
name = "many"
function = "tests.simulation.studies.functions:ishigami"
flights = 9
[vary]
x1 = { uniform = [-3.0, 3.0] }
x2 = { uniform = [-3.0, 3.0] }
x3 = { uniform = [-3.0, 3.0] }
"""


class Student:
    """Opens studies in the panel, and reads what it shows."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.opened: list[Path] = []
        self.followed: list[tuple[Callable[[], str], Callable[[], None]]] = []
        self.context = PanelContext(
            Fleet(),
            load_theme("light"),
            ImmediateJobs(),
            open_log=self.opened.append,
            follow=self._follow,
        )
        self.panel = StudiesPanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(560, 900)
        self.panel.show()

    def _follow(self, words: Callable[[], str], cancel: Callable[[], None]) -> Callable[[], None]:
        self.followed.append((words, cancel))
        return lambda: self.followed.remove((words, cancel))

    def open(self, source: Path, result: Path | None = None) -> None:
        """Open a study's file, or a result of it, as a workspace does."""
        one = [str(source), str(result or "")]
        self.panel.restore_state({"chosen": one, "opened": [one]})
        self.look()

    def open_result(self, folder: Path) -> None:
        self.open(folder / "study.toml", folder)

    def look(self) -> None:
        """Have the panel take over what its jobs have done."""
        for _ in range(3):
            self.panel.refresh(0.0)

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        def is_so_now() -> bool:
            self.look()
            return is_so()

        self._qtbot.waitUntil(is_so_now, timeout=60_000)

    def button(self, text: str) -> QPushButton:
        (found,) = [b for b in self.panel.findChildren(QPushButton) if b.text() == text]
        return found

    @property
    def table(self) -> StudyTableView:
        (table,) = self.panel.findChildren(StudyTableView)
        return table

    def column(self, title: str) -> list[str]:
        model = self.table.flights
        place = model.titles.index(title)
        return [model.index(row, place).data() for row in range(model.rowCount())]

    @property
    def said(self) -> list[str]:
        labels = self.panel.findChildren(QLabel)
        return [label.text() for label in labels if label.isVisible() and label.text()]

    @property
    def curves(self) -> dict[str, int]:
        """How many points each curve of the diagrams has, by its name."""
        (view,) = self.panel.findChildren(pg.GraphicsLayoutWidget)
        drawn = [item for item in view.scene().items() if isinstance(item, pg.PlotDataItem)]
        return {item.name(): 0 if item.xData is None else len(item.xData) for item in drawn}

    def chart(self, name: str) -> IntervalChart:
        charts = self.panel.findChildren(IntervalChart)
        return next(chart for chart in charts if chart.accessibleName() == name)

    def choose_columns(self, of: str, against: str = "") -> None:
        boxes = {box.accessibleName(): box for box in self.panel.findChildren(QComboBox)}
        wanted = {
            "Metric or parameter that the figures are of": of,
            "What it is drawn against": against,
        }
        for name, value in wanted.items():
            boxes[name].setCurrentIndex(boxes[name].findData(value))
        self.look()


@pytest.fixture
def student(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Student]:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))
    student = Student(qtbot)
    yield student
    student.context.close()


def test_failures_come_first_and_any_column_sorts(student: Student, tmp_path: Path) -> None:
    folder = flown_in(tmp_path / "landing", lands_in_little_wind)
    wind = read_table(folder).parameters[WIND]
    student.open_result(folder.path)
    failed = np.flatnonzero(wind > 6.0).tolist()
    flights = list(map(int, student.column("Flight")))
    assert flights != sorted(flights)
    assert flights == failed + np.flatnonzero(wind <= 6.0).tolist()
    assert student.column("Outcome")[: len(failed) + 1] == ["failed"] * len(failed) + ["passed"]
    assert student.column("Reason")[0] == "touchdown <img src=x onerror=alert(1)>"
    assert f"40 of 40 flights: {40 - len(failed)} passed, {len(failed)} failed" in student.said
    place = student.table.flights.titles.index(WIND)
    student.table.sortByColumn(place, Qt.SortOrder.DescendingOrder)
    assert list(map(int, student.column("Flight"))) == np.argsort(-wind).tolist()
    student.table.sortByColumn(place, Qt.SortOrder.AscendingOrder)
    assert list(map(int, student.column("Flight"))) == np.argsort(wind).tolist()


@pytest.mark.slow
def test_figures_are_of_the_columns_chosen(student: Student, tmp_path: Path) -> None:
    folder = flown_in(tmp_path / "landing", lands_in_little_wind)
    wind = read_table(folder).parameters[WIND]
    student.open_result(folder.path)
    assert student.curves["passed"] == (wind <= 6.0).sum()
    assert student.curves["failed"] == (wind > 6.0).sum()
    student.choose_columns("touchdown_mps", "mass_kg")
    row = student.chart("Rank correlations").rows[0]
    assert (row.name, row.value) == (WIND, pytest.approx(1.0))
    assert not student.chart("First Sobol indices").isVisible()
    mean = (0.5 + 0.1 * wind).mean()
    assert any(text.startswith(f"Mean {mean:.4g} (") for text in student.said)
    assert student.panel.save_state()["columns"] == ["touchdown_mps", "mass_kg"]


@pytest.mark.slow
def test_indices_show_where_there_are_some(student: Student, tmp_path: Path) -> None:
    def fly(drawn: Drawn) -> Flown:
        return Flown(drawn.index, {"wind": float(str(drawn.values[WIND]))}, "passed")

    student.open_result(flown_in(tmp_path / "sobol", fly, 64, "sobol").path)
    student.choose_columns("wind")
    first = {row.name: row.value for row in student.chart("First Sobol indices").rows}
    assert first[WIND] == pytest.approx(1.0, abs=0.05)
    assert first["mass_kg"] == pytest.approx(0.0, abs=0.05)


@pytest.mark.slow
def test_a_study_is_read_on_while_it_is_flown(student: Student, tmp_path: Path) -> None:
    folder = flown_in(tmp_path / "landing", lands_in_little_wind)
    journal = folder.path / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:10]) + lines[10][:7])  # torn, as it is being written
    student.open_result(folder.path)
    assert student.table.flights.rowCount() == 10
    student.table.selectRow(3)
    chosen = student.table.chosen
    journal.write_bytes(b"".join(lines))
    student.wait_for(lambda: student.table.flights.rowCount() == 40)
    assert student.table.chosen == chosen, "and what was chosen stays so"


def test_damage_is_said(student: Student, tmp_path: Path) -> None:
    folder = flown_in(tmp_path / "landing", lands_in_little_wind)
    with (folder.path / JOURNAL).open("ab") as journal:
        journal.write(b"[1, 2]\n")
    student.open_result(folder.path)
    assert any(text.startswith("Line 41 of ") and "Delete it" in text for text in student.said)
    student.open_result(flown_in(tmp_path / "whole", lands_in_little_wind).path)
    assert student.table.flights.rowCount() == 40
    assert not any("damaged" in text for text in student.said)


def test_a_kept_log_is_opened(student: Student, tmp_path: Path) -> None:
    def fly(drawn: Drawn) -> Flown:
        kept = {"opl": b"log"} if drawn.index == 1 else {}
        return Flown(drawn.index, {}, "failed" if kept else "passed", files=kept)

    folder = flown_in(tmp_path / "kept", fly, 3)
    student.open_result(folder.path)
    student.table.selectRow(1)
    assert not student.button("Open log").isEnabled()
    student.table.selectRow(0)
    student.button("Open log").click()
    assert student.opened == [folder.kept(1, "opl")]
    assert not student.button("Fly again").isEnabled(), "a function leaves no log"


def test_what_is_chosen_is_remembered(student: Student, tmp_path: Path) -> None:
    folder = flown_in(tmp_path / "landing", lands_in_little_wind)
    student.open_result(folder.path)
    state = student.panel.save_state()
    student.panel.restore_state({"chosen": 3, "opened": [4, ["a"], None], "columns": [1, 2]})
    student.panel.restore_state(state)
    assert student.panel.save_state() == state


def test_what_cannot_be_started_is_said(
    student: Student, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    student.open_result(flown_in(tmp_path / "landing", lands_in_little_wind).path)
    student.button("Run").click()
    assert "The study cannot be started: Cannot allocate memory." in student.said
    assert student.button("Run").isEnabled()
    assert not student.followed


def test_a_stopped_study_says_so_and_so_does_one_that_is_refused(
    student: Student, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("# About winds.\n" + SCENARIO.replace("pulse_s", "pulse_m"))
    other = tmp_path / "other.toml"
    other.write_text("# About others.\n" + SCENARIO)
    both = [[str(other), ""], [str(wrong), ""]]
    student.panel.restore_state({"chosen": both[1], "opened": both})
    assert any(text.startswith("About winds.") for text in student.said)
    student.button("Run").click()
    ((words, cancel),) = student.followed
    assert words() == "Study wrong begins …"
    cancel()
    assert words() in ("Study wrong is ending …", "")
    student.wait_for(lambda: not student.followed)
    assert "Stopped. What was flown is kept; Run goes on with it." in student.said
    assert any(text.startswith("About winds.") for text in student.said), "nothing was begun"


@pytest.mark.slow
def test_a_study_is_flown_into_a_new_folder(student: Student, tmp_path: Path) -> None:
    file = tmp_path / "many.toml"
    file.write_text(ISHIGAMI)
    student.open(file)
    student.button("Run").click()
    assert not student.button("Run").isEnabled()
    student.wait_for(student.button("Run").isEnabled)
    student.wait_for(lambda: student.table.flights.rowCount() == 9)
    assert "All flights are flown." in student.said
    (folder,) = (tmp_path / "home").rglob("many-*")
    assert sorted(map(int, student.column("Flight"))) == list(range(9))
    assert student.panel.save_state()["chosen"] == [str(file), str(folder)]


@pytest.mark.slow
@pytest.mark.starts_simulator
def test_a_flight_is_flown_again_and_opened(student: Student, tmp_path: Path) -> None:
    study = read_study(SCENARIO, tmp_path)
    folder = begin_result(tmp_path / "pulse", study, {})
    with folder.written() as journal:
        drawn = Drawn(1, {"scenario.pulse_s": 0.07}, 3)
        journal.add({1: drawn}, [Flown(1, {"made_up": 1.0}, "passed")])
    student.open_result(folder.path)
    student.table.selectRow(0)
    student.button("Fly again").click()
    assert not student.button("Fly again").isEnabled()
    student.wait_for(student.button("Fly again").isEnabled)
    (log,) = student.opened
    assert (log.name, log.exists()) == ("pulse-flight-1.opl", True)
    assert any(
        text.startswith("Flight 1 came out otherwise than in the study") for text in student.said
    )
    student.context.close()
    assert not log.exists(), "it leaves nothing behind"
