"""The panel of spectra, over a flight that shakes at known frequencies."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.spectrum.panel import SpectrumPanel
from plugins.spectrum.spectrum_job import SpectrumMode
from plugins.testing import add, live_vehicle
from telemetry.recording.recording import Recording
from telemetry.review.analysis.spectra.power_spectrum import PowerSpectrum
from tests.dropping import drop_onto

CHANGE_S = 15.0
"""When the shaking goes from 5 to 12 Hz."""


def shaking() -> Recording:
    """Half a minute of gyros at 50 Hz."""
    recording = Recording(source="made up")
    for step in range(1500):
        t = step / 50
        angle = 2.0 * math.pi * (5.0 if t < CHANGE_S else 12.0) * t
        add(recording, t, "GyroState", x=4.0 * math.sin(angle), y=1.0 * math.cos(angle), z=0.0)
        if step % 10 == 0:
            add(recording, t, "ActuatorDesired", Thrust=0.2 if t < CHANGE_S else 0.8)
            add(recording, t, "FlightStatus", Armed="Disarmed")
    return recording


@pytest.fixture(scope="module")
def recording() -> Recording:
    return shaking()


@pytest.fixture
def panel(qtbot: QtBot, context: VehicleContext) -> SpectrumPanel:
    panel = SpectrumPanel(context)
    qtbot.addWidget(panel)
    panel.resize(640, 400)
    panel.show()
    return panel


def work(panel: SpectrumPanel) -> None:
    """Have the job handed in, and its result taken."""
    panel.refresh(0.0)
    panel.refresh(0.0)


def peaks(panel: SpectrumPanel) -> list[list[int]]:
    """Of each field, in Hz."""
    assert panel.result is not None
    found = [one.found for one in panel.result.spectra]
    return [
        sorted(round(peak.frequency_hz) for peak in one.peaks)
        for one in found
        if isinstance(one, PowerSpectrum)
    ]


def test_exactly_the_selected_stretch_counts(panel: SpectrumPanel, context: VehicleContext) -> None:
    panel.set_paths(("GyroState.x", "GyroState.y"))
    assert panel.canvas.picture.notice == "Working it out…"
    work(panel)
    assert peaks(panel) == [[5, 12], [5, 12]]
    assert panel.words.text().startswith("Of the whole 30 s.")
    context.timeline.select(0.0, 14.0)
    work(panel)
    assert peaks(panel) == [[5], [5]]
    context.timeline.select(16.0, 29.0)
    work(panel)
    assert peaks(panel) == [[12], [12]]
    assert panel.words.text().startswith("Of the selected 13 s.")
    assert "12 Hz at" in panel.words.text()
    assert "as a sine of ± 4 °/s" in panel.words.text()


def test_expressions_have_spectra_too(panel: SpectrumPanel) -> None:
    panel.set_paths(("=2 * GyroState.x",))
    work(panel)
    assert "as a sine of ± 5.7" in panel.words.text(), "8 for half of the time: 8 / √2"
    panel.set_paths(("=GyroState.w",))
    work(panel)
    assert "not recorded" in panel.canvas.picture.notice
    panel.set_paths(("FlightStatus.Armed",))
    work(panel)
    assert "options" in panel.canvas.picture.notice


def test_what_does_not_change_says_so(panel: SpectrumPanel) -> None:
    panel.set_paths(("GyroState.x", "GyroState.z"))
    work(panel)
    assert "GyroState.z: It does not change in this stretch." in panel.words.text()
    assert len(panel.canvas.picture.lines) == 1


@pytest.mark.parametrize("is_log", [False, True])
def test_maps_show_when_and_at_which_throttle(panel: SpectrumPanel, is_log: bool) -> None:
    panel.log.setChecked(is_log)
    panel.set_paths(("GyroState.x",))
    for mode, early, late in (
        (SpectrumMode.SPECTROGRAM, 7.0, 23.0),
        (SpectrumMode.THROTTLE, 22, 82),
    ):
        panel.mode.setCurrentIndex(panel.mode.findData(mode))
        work(panel)
        image = panel.canvas.picture.image
        assert image is not None
        for at, hz in ((early, 5.0), (late, 12.0)):
            column = np.searchsorted(image.edges, at) - 1
            loudest = image.frequencies[np.argmax(image.level_db[column])]
            assert loudest == pytest.approx(hz, abs=0.8)
        assert not panel.grab().isNull()


def test_a_click_in_a_spectrogram_moves_the_cursor(
    panel: SpectrumPanel, context: VehicleContext
) -> None:
    panel.set_paths(("GyroState.x",))
    panel.mode.setCurrentIndex(panel.mode.findData(SpectrumMode.SPECTROGRAM))
    work(panel)
    area = panel.canvas.area
    click(panel, area.center())
    assert context.timeline.t == pytest.approx(15.0, abs=0.5)
    panel.mode.setCurrentIndex(panel.mode.findData(SpectrumMode.POWER))
    work(panel)
    click(panel, area.topLeft() + QPointF(5.0, 5.0))
    assert context.timeline.t == pytest.approx(15.0, abs=0.5), (
        "there is no time in a power spectrum"
    )


def click(panel: SpectrumPanel, at: QPointF) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for kind in (QMouseEvent.Type.MouseButtonPress, QMouseEvent.Type.MouseButtonRelease):
        QApplication.sendEvent(panel.canvas, QMouseEvent(kind, at, at, left, left, none))


def test_the_pointer_reads_off(panel: SpectrumPanel) -> None:
    panel.set_paths(("GyroState.x",))
    work(panel)
    area, none = panel.canvas.area, Qt.MouseButton.NoButton
    at = QPointF(area.left() + area.width() * 12.0 / 25.0, area.center().y())
    move = QMouseEvent(
        QMouseEvent.Type.MouseMove, at, at, none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(panel.canvas, move)
    hz, level = panel.canvas.readout.split("   ")
    assert float(hz.removesuffix(" Hz")) == pytest.approx(12.0, abs=0.1)
    assert float(level.removesuffix(" dB")) > 0.0


def test_a_dropped_array_stands_for_its_elements(panel: SpectrumPanel) -> None:
    mime = QMimeData()
    mime.setText("GyroState.x GyroState.y")
    drop_onto(panel, mime)
    assert panel.paths == ("GyroState.x", "GyroState.y")


def test_state_returns(qtbot: QtBot, panel: SpectrumPanel, context: VehicleContext) -> None:
    panel.set_paths(("GyroState.x", "=2*GyroState.y"))
    panel.mode.setCurrentIndex(2)
    panel.window_length.setCurrentIndex(3)
    panel.log.setChecked(True)
    again = SpectrumPanel(context)
    qtbot.addWidget(again)
    again.restore_state(panel.save_state())
    assert again.save_state() == panel.save_state()
    again.restore_state({"fields": 3, "mode": [], "window_s": "x", "log": 1})
    assert again.paths == panel.paths


def test_the_wheel_keeps_to_what_there_is(panel: SpectrumPanel) -> None:
    panel.set_paths(("GyroState.x",))
    work(panel)
    whole = panel.canvas.picture.scale
    scale = whole.zoomed(0.5, 0.5, whole)
    assert (scale.low, scale.high) == pytest.approx((6.25, 18.75))
    assert scale.moved(5.0, whole).high == pytest.approx(25.0)
    assert scale.zoomed(100.0, 0.5, whole) == whole
    assert panel.canvas.childAt(QPoint(3, 3)) is None


def test_a_flight_that_goes_on_is_not_worked_out_with_every_sample(
    qtbot: QtBot, context: VehicleContext
) -> None:
    flight = live_vehicle()
    context.fleet.add(flight)
    context.fleet.choose(flight)
    live = SpectrumPanel(context)
    qtbot.addWidget(live)
    live.set_paths(("AttitudeState.Roll",))
    work(live)
    first = live.result
    assert first is not None
    add(flight.recording, 21.0, "AttitudeState", Roll=1.0)
    work(live)
    assert live.result is first
    live.set_paths(("AttitudeState.Pitch",))
    work(live)
    assert live.result is not first


def test_the_picture_keeps_its_height_however_much_there_is_to_say(
    panel: SpectrumPanel,
) -> None:
    panel.set_paths(tuple(f"={factor} * GyroState.x" for factor in range(1, 7)))
    work(panel)
    QApplication.processEvents()
    assert len(panel.words.text()) > 400
    assert panel.canvas.height() > 0.6 * panel.height()
