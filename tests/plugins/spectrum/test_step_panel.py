"""The panel of step responses: a flight, and the same with other gains beside it."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.spectrum.step_job import ComparedLog, compared_log
from plugins.spectrum.step_panel import StepResponsePanel
from telemetry.recording.recording import Recording
from telemetry.review.flights.flight import FlightLog
from telemetry.review.flights.sync import Piece, Sync
from tests.telemetry.review.analysis.answering import answering

OTHER = "before.opl"


@pytest.fixture(scope="module")
def recording() -> Recording:
    return answering(9.0, 0.8, 20.0)


@pytest.fixture
def panel(qtbot: QtBot, context: VehicleContext) -> StepResponsePanel:
    panel = StepResponsePanel(context)
    qtbot.addWidget(panel)
    panel.resize(500, 700)
    panel.loop.setCurrentText("Attitude loop")
    return panel


def work(panel: StepResponsePanel) -> None:
    panel.refresh(0.0)
    panel.refresh(0.0)


@pytest.mark.slow
def test_curves_with_their_figures_or_the_reason(panel: StepResponsePanel) -> None:
    work(panel)
    (line,) = panel.charts["Roll"].lines
    assert line.errors is not None
    words = panel.texts["Roll"].text()
    assert words.startswith("Rises in ")
    assert "overshoots by" in words
    assert "It settles in" in words
    assert "moves in 20 s." in words
    assert panel.charts["Pitch"].lines == ()
    assert "fly pitch in Attitude" in panel.charts["Pitch"].notice
    panel.loop.setCurrentText("Rate loop")
    work(panel)
    assert panel.charts["Roll"].lines == ()
    assert "never asked the rate loop" in panel.charts["Roll"].notice
    assert not panel.grab().isNull()


@pytest.mark.slow
def test_only_the_selection_counts(panel: StepResponsePanel, context: VehicleContext) -> None:
    context.timeline.select(4.0, 8.0)
    work(panel)
    assert panel.charts["Roll"].lines == ()
    assert "are too short" in panel.charts["Roll"].notice
    assert panel.stretch.text() == "Of the selected 4.0 s."


@pytest.mark.slow
def test_other_gains_lie_beside(panel: StepResponsePanel, context: VehicleContext) -> None:
    context.flight.logs = (FlightLog(OTHER, Path(OTHER), answering(6.0, 0.4, 20.0)),)
    work(panel)
    assert [panel.log.itemText(i) for i in range(panel.log.count())] == [
        "Compare with …",
        f"Compare with {OTHER}",
    ]
    panel.log.setCurrentIndex(1)
    panel.log.activated.emit(1)
    work(panel)
    now, other = panel.charts["Roll"].lines
    assert other.name == OTHER
    assert float(other.y.max()) > float(now.y.max()) + 0.1, "it overshoots more with less damping"
    assert f"{OTHER}: Rises in" in panel.texts["Roll"].text()
    context.flight.logs = ()
    work(panel)
    assert panel.log.currentText() == f"{OTHER} is not here"
    state = panel.save_state()
    assert state == {"loop": "attitude", "compared": OTHER}


@pytest.mark.slow
def test_a_selection_is_taken_in_the_other_logs_time(
    panel: StepResponsePanel, context: VehicleContext
) -> None:
    late = Sync((Piece(offset_s=-5.0),))
    recording = answering(6.0, 0.4, 20.0)
    log = FlightLog(OTHER, Path(OTHER), recording, late)
    context.flight.logs = (log,)
    context.timeline.select(6.0, 18.0)
    panel.restore_state({"compared": OTHER, "loop": 3})
    assert compared_log(log, (6.0, 18.0)) == ComparedLog(OTHER, recording, (1.0, 13.0))
    elsewhere = replace(log, is_other_flight=True)
    assert compared_log(elsewhere, (6.0, 18.0)) == ComparedLog(OTHER, recording, None)
    assert compared_log(replace(log, recording=None), None) is None
    work(panel)
    assert panel.stretch.text() == ("This log: the selected 12 s. before.opl: the selected 12 s.")
