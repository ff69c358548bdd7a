"""The identification panel: what it asks of the commands, and what it shows of their reports."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.identification import identify_view, tune_view
from plugins.identification.panel import IdentificationPanel
from plugins.testing import add, catalogue, replayed_vehicle
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.plugins.identification.reports import (
    BANK,
    KP,
    identify_report,
    refused_report,
    tune_report,
)
from tests.plugins.stabilization.test_page import board_with_banks
from tests.telemetry.configuration.settings.bench import Bench
from widgets.theme import hand_theme, load_theme

FAKE = ("tests.plugins.identification.fake_command",)


class Analyst:
    """Reviews a flight in the panel. `told` is what the commands will report."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self._qtbot, self._folder = qtbot, folder
        self.vehicle = replayed_vehicle()
        self.log = folder / "flight.opl"
        flight_of(self.vehicle).log = self.log
        self.fleet = Fleet()
        self.fleet.add(self.vehicle)
        self.followed: list[tuple[Callable[[], str], Callable[[], None]]] = []
        self.context = VehicleContext(
            self.fleet, load_theme("light"), ImmediateJobs(), follow=self._follow
        )
        self.panel = IdentificationPanel(self.context)
        qtbot.addWidget(self.panel)
        hand_theme(self.panel, self.context.theme)
        self.panel.resize(640, 600)
        self.panel.show()
        timeline, recording = self.vehicle.timeline, self.vehicle.recording
        timeline.advance(0.0, recording.first_s, recording.last_s)
        self.panel.refresh(0.0)

    def _follow(self, words: Callable[[], str], cancel: Callable[[], None]) -> Callable[[], None]:
        self.followed.append((words, cancel))
        return self.followed.clear

    def tell(self, **told: Any) -> None:
        """Have the next commands report so."""
        (self._folder / "fake.json").write_text(json.dumps(told))

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        def is_so_now() -> bool:
            self.panel.refresh(0.0)
            return is_so()

        self._qtbot.waitUntil(is_so_now, timeout=30_000)

    def identify(self) -> None:
        """Press the button, and wait until the command has ended."""
        run = self.panel.identify.run
        run.begin.click()
        self.wait_for(lambda: not run.is_running)

    def tune(self) -> None:
        run = self.panel.tune.run
        self.panel.tabs.setCurrentWidget(self.panel.tune)
        run.begin.click()
        self.wait_for(lambda: not run.is_running)

    @property
    def called(self) -> list[Any]:
        """What the commands were called with."""
        lines = (self._folder / "called").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def curves(self) -> dict[str, pg.PlotDataItem]:
        """What is drawn, by name."""
        (view,) = self.panel.findChildren(pg.GraphicsLayoutWidget)
        drawn = [item for item in view.scene().items() if isinstance(item, pg.PlotDataItem)]
        return {item.name(): item for item in drawn}

    def rows(self) -> list[list[str]]:
        table = self.panel.identify.table
        return [
            [table.item(row, column).text() for column in range(table.columnCount())]
            for row in range(table.rowCount())
        ]


@pytest.fixture
def analyst(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Analyst]:
    monkeypatch.setenv("FAKE_COMMAND", str(tmp_path / "fake.json"))
    monkeypatch.setattr(identify_view, "IDENTIFY", FAKE)
    monkeypatch.setattr(tune_view, "TUNE", FAKE)
    analyst = Analyst(qtbot, tmp_path)
    yield analyst
    analyst.context.close()


@pytest.mark.slow
def test_it_asks_for_what_is_chosen_of_the_selected_stretch(analyst: Analyst) -> None:
    view = analyst.panel.identify
    analyst.tell(report=identify_report(analyst.log))
    analyst.identify()
    view.aircraft.choose("ar100b")
    for action in view.what.menu().actions():
        action.setChecked(action.data() in ("wind", "drag"))
    assert view.what.text() == "Find: wind, drag"
    analyst.vehicle.timeline.select(2.0, 18.0)
    analyst.identify()
    plain, chosen = (call["arguments"] for call in analyst.called)
    assert plain == [str(analyst.log), "--series"]
    assert chosen[:4] == [str(analyst.log), "--series", "--aircraft", "ar100b"]
    assert chosen[4] == "--save"
    assert chosen[6:] == ["--what", "wind,drag", "--from", "2.000", "--to", "18.000"]


def test_what_was_found_shows_with_what_it_is_about(analyst: Analyst) -> None:
    analyst.tell(report=identify_report(analyst.log))
    analyst.identify()
    view = analyst.panel.identify
    assert analyst.rows() == [
        ["Wind to the north", "4.23 ± 0.12\u202fm/s"],
        ["Drag per mass", "1.0732 ± 0.0098\u202fx file"],
        [
            "Bias of the gyro, z",
            "Not told by this flight: Hover, and turn once around the vertical.",
        ],
    ]
    assert "Explains 93\u202f%" in view.words.text()
    assert view.words.text().startswith("Wind 4.23 ± 0.12\u202fm/s from 180° ± 1.7°.")
    held_out = "held out: 85\u202f% to 95\u202f% by sensor; velocity north hardly moved."
    assert held_out in view.words.text()
    assert "2 windows were left out" in view.words.text()
    assert view.about.text().startswith("Of flight.opl, 2.0 to 18.0\u202fs, with ar100b;")
    assert "Another flight" not in view.about.text()
    flight_of(analyst.vehicle).log = analyst.log.with_name("other.opl")
    analyst.panel.refresh(0.0)
    assert "Another flight is shown now." in view.about.text()


@pytest.mark.slow
def test_a_sensor_shows_as_logged_and_as_synthesised(analyst: Analyst) -> None:
    report = identify_report(analyst.log)
    analyst.tell(report=report)
    analyst.identify()
    view = analyst.panel.identify
    view.sensor.setCurrentIndex(view.sensor.findData("accel_z"))
    view.sensor.activated.emit(view.sensor.currentIndex())
    shown = view.plots.series
    assert shown is not None
    assert shown.unit == "m/s²"
    assert shown.logged.tolist() == report["series"]["accel_z"]["logged"]
    assert shown.synthesised.tolist() == report["series"]["accel_z"]["synthesised"]
    assert analyst.curves().keys() == {"logged", "synthesised", "residual"}
    residual = analyst.curves()["residual"]
    breaks = np.flatnonzero(residual.opts["connect"] == 0)
    assert shown.time_s[breaks].tolist() == pytest.approx([7.95, 20.0]), "nothing is left out else"
    assert residual.yData == pytest.approx(0.1 * np.cos(7.0 * shown.time_s))
    assert "of 12,345 samples, whiteness 0.83 (0.95 where only noise is left)" in view.left.text()
    assert "Held out: 85\u202f% explained" in view.left.text()
    view.plots.seek_wanted.emit(7.5)
    assert analyst.vehicle.timeline.t == 7.5
    view.sensor.setCurrentIndex(view.sensor.findData("velocity_north"))
    view.sensor.activated.emit(view.sensor.currentIndex())
    assert "Held out: hardly moved" in view.left.text()


@pytest.mark.slow
def test_a_refusal_is_a_sentence(analyst: Analyst) -> None:
    view = analyst.panel.identify
    analyst.tell(report=refused_report(analyst.log, "It hovers only."), code=3)
    analyst.identify()
    assert view.run.told.text() == "It hovers only."
    assert not view.table.isVisible()
    analyst.tell(said="lapwing identify: flight.opl has no gyros; log them.", code=1)
    analyst.identify()
    assert view.run.told.text() == "flight.opl has no gyros; log them."
    assert view.run.begin.isEnabled()
    assert not view.rates.isVisible()
    said = "GyroState was recorded once a second; take the preset 'Rates for tuning'."
    analyst.tell(said=f"lapwing identify: {said}", code=1)
    analyst.identify()
    assert view.run.told.text() == f"flight.opl: {said}"
    analyst.panel.refresh(0.0)
    assert view.rates.isVisible()
    assert "press “Stage rates for tuning”" in view.rates.text.text()


def test_it_says_how_far_it_is_and_can_be_cancelled(analyst: Analyst) -> None:
    analyst.tell(said="12 of 40 windows")
    run = analyst.panel.identify.run
    run.begin.click()
    assert not run.begin.isEnabled()
    analyst.wait_for(lambda: "12 of 40 windows" in run.told.text())
    ((words, cancel),) = analyst.followed
    assert words().startswith("Identifying flight.opl, 0\u202fs … 12 of 40 windows")
    cancel()
    analyst.wait_for(lambda: not run.is_running)
    assert run.told.text() == "Identifying flight.opl was cancelled."
    assert not analyst.followed
    assert run.begin.isEnabled()


def test_closing_the_panel_ends_it(analyst: Analyst) -> None:
    analyst.tell()
    analyst.panel.identify.run.begin.click()
    folder = analyst.panel.identify.run.folder
    assert folder is not None
    analyst.context.close()
    assert not analyst.panel.identify.run.is_running
    assert not analyst.followed
    assert not folder.exists()


def test_a_flight_without_a_log_on_disk_is_refused(analyst: Analyst) -> None:
    flight_of(analyst.vehicle).log = None
    analyst.panel.refresh(0.0)
    run = analyst.panel.identify.run
    assert not run.begin.isEnabled()
    assert run.refused.text() == "This flight has no log on disk yet."


@pytest.mark.slow
def test_the_aircraft_is_saved_and_tuned(analyst: Analyst, tmp_path: Path) -> None:
    view, tune = analyst.panel.identify, analyst.panel.tune
    analyst.tell(report=identify_report(analyst.log, ""))
    analyst.identify()
    assert not view.save.isEnabled(), "without an aircraft there is no difference"
    view.aircraft.choose("ar100b")
    analyst.tell(report=identify_report(analyst.log))
    analyst.identify()
    view.save.click()
    (dialog,) = view.findChildren(QFileDialog)
    saved = tmp_path / "mine.toml"
    dialog.fileSelected.emit(str(saved))
    dialog.close()
    assert saved.read_text() == 'base = "ar100b"\n'
    assert tune.aircraft.chosen == "ar100b"
    assert tune.source.currentText() == "As identified"
    analyst.tell(report=tune_report())
    analyst.tune()
    call = analyst.called[-1]
    assert call["arguments"][:2] == ["ar100b", "--identified"]
    assert call["identified"]["covariance"]["names"] == ["wind_north_mps", "drag_per_mass"]
    assert "series" not in call["identified"]
    assert "as identified from flight.opl" in tune.about.text()


@pytest.mark.slow
def test_an_aircraft_that_was_saved_can_be_tuned(analyst: Analyst, tmp_path: Path) -> None:
    tune, saved = analyst.panel.tune, str(tmp_path / "mine.toml")
    analyst.panel.tabs.setCurrentWidget(tune)
    assert tune.words.isVisible(), "it says what it does before it has done it"
    assert "Nothing is sent" in tune.words.text()
    analyst.panel.identify.aircraft.choose(saved)
    analyst.tell(report=identify_report(analyst.log, saved))
    analyst.identify()
    assert tune.aircraft.chosen == saved
    own = str(tmp_path / "mine.json")
    tune.aircraft.choose(own)
    analyst.identify()
    assert tune.aircraft.chosen == own, "it may name that file"
    tune.aircraft.choose(saved)
    tune.source.setCurrentIndex(tune.source.findText("As in its file"))
    analyst.tell(report=tune_report())
    analyst.tune()
    assert analyst.called[-1]["arguments"] == [saved]


def test_gains_of_the_log_are_the_present_ones(analyst: Analyst) -> None:
    tune = analyst.panel.tune
    analyst.panel.refresh(0.0)
    assert tune.source.count() == 1, "the log does not say by which gains it was flown"
    for name in (BANK, "StabilizationSettings"):
        add(analyst.vehicle.recording, 0.0, name)
    tune.aircraft.choose("ar100b")
    analyst.panel.refresh(0.0)
    tune.source.setCurrentIndex(tune.source.findText("With this log's gains"))
    analyst.tell(report=tune_report())
    analyst.tune()
    assert analyst.called[-1]["arguments"] == [str(analyst.log), "--aircraft", "ar100b"]
    assert "with the gains of flight.opl" in tune.about.text()


def test_gains_that_do_not_hold_are_a_sentence(analyst: Analyst) -> None:
    tune = analyst.panel.tune
    tune.aircraft.choose("ar100b")
    analyst.panel.refresh(0.0)
    analyst.tell(report={"refused": "No gains hold the margins."}, code=3)
    analyst.tune()
    assert tune.run.told.text() == "No gains hold the margins."
    assert not tune.table.isVisible()


def test_choices_show_beside_the_present_gains(analyst: Analyst) -> None:
    tune = analyst.panel.tune
    assert not tune.run.begin.isEnabled()
    tune.aircraft.choose("ar100b")
    analyst.panel.refresh(0.0)
    report = tune_report()
    analyst.tell(report=report)
    analyst.tune()
    assert analyst.called[-1]["arguments"] == ["ar100b"]
    assert tune.choice.currentText() == "Middle gains"
    texts = [tune.table.item(0, column).text() for column in range(4)]
    assert texts == ["Rise time, roll", "≤\u202f150\u202fms", "200\u202fms", "125\u202fms"]
    assert "Thrust was taken to be known to 5 %" in tune.words.text()
    assert "49 of 50 flights that the search has not seen" in tune.words.text()
    assert "AR100B quadrotor, as in its file" in tune.about.text()
    names = [series.label for series in tune.charts.front.series]
    assert names == ["choices", "present", "chosen"]
    assert tune.charts.front.series[-1].x.tolist() == [125.0]
    steps = [line.name for line in tune.charts.steps["roll"].lines if line.name]
    assert steps == ["asked", "present", "chosen"]
    assert len(tune.charts.neighbours.lines) == len(report["neighbours"])
    tune.choice.setCurrentIndex(0)
    tune.choice.activated.emit(0)
    assert "49 of 50" not in tune.words.text(), "these were not flown"
    first = tune.table.item(0, 0).foreground().color()
    assert first == analyst.context.theme.color("danger"), "167 ms are more than 150 ms"
    assert tune.table.item(1, 0).foreground().color() == analyst.context.theme.color("text")
    assert "misses 150 ms" in tune.words.text()
    assert tune.words.property("tone") == "caution"


def test_gains_are_staged_for_a_connected_aircraft_and_never_sent(analyst: Analyst) -> None:
    tune = analyst.panel.tune
    tune.aircraft.choose("ar100b")
    analyst.panel.refresh(0.0)
    analyst.tell(report=tune_report())
    analyst.tune()
    assert not tune.stage.stage.isEnabled()
    assert "Connect an aircraft" in tune.stage.told.text()
    bench = Bench(catalogue(), board_with_banks(catalogue()))
    analyst.fleet.add(bench.vehicle)
    bench.run(lambda: bench.settings.aircraft.is_complete)
    analyst.panel.refresh(0.0)
    tune.stage.stage.click()
    kp = bench.settings.draft.of((BANK, 0))[KP]
    assert kp == pytest.approx(0.004)
    assert "2 values of Bank 1 are staged in Configure for bench" in tune.stage.told.text()
    assert not bench.settings.is_busy
    assert not bench.settings.history.undo_next, "nothing was sent"
    assert bench.settings.on_board(BANK, KP) != pytest.approx(0.004)
    bench.settings.apply()
    bench.finish()
    analyst.panel.refresh(0.0)
    assert tune.stage.told.text() == "bench has these gains."
    bench.settings.undo()
    bench.finish()
    analyst.panel.refresh(0.0)
    assert not tune.stage.told.text(), "they are neither staged nor on board"


def test_what_is_asked_for_comes_back_with_the_workspace(analyst: Analyst) -> None:
    view = analyst.panel.identify
    view.aircraft.choose("/home/mine.toml")
    view.what.menu().actions()[0].setChecked(False)
    kept = analyst.panel.save_state()
    view.aircraft.choose("")
    view.what.menu().actions()[0].setChecked(True)
    analyst.panel.restore_state(json.loads(json.dumps(kept)))
    assert analyst.panel.save_state() == kept
    assert view.aircraft.chosen == "/home/mine.toml"
