"""Live tuning view: desired against actual of each axis, words on the gains, and the way back."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QWidget,
)

from plugins.api import PageContext
from plugins.stabilization.axis_analysis import AxisAnalysis, AxisReport
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.live_tuning import LiveTuning
from telemetry.configuration.settings.stabilization_banks import bank_in_use, bank_title
from telemetry.review.analysis.axis_signals import (
    AXES,
    FACTS,
    AxisSignals,
    Loop,
    axis_signals,
    changed_at,
    rate_hz,
)
from telemetry.review.analysis.step_response import StepResponse
from telemetry.vehicle.update_rates import UpdateRates
from telemetry.vehicle.vehicle import Vehicle
from widgets.collapsible import FOLD_MARGINS
from widgets.labels import set_text
from widgets.line_chart import Line, LineChart, Mark
from widgets.parts import STRETCH, make_button, make_column, make_grid, make_label, make_row
from widgets.plot.window import Span
from widgets.settings.rate_offer import RateOffer

_WINDOW_S = 10.0
_PERIOD_MS = 40
_SLOW_HZ = 20.0
_CHART_PX = 130
_KEY = "stabilization:"


class _AxisRow:
    """The charts of one axis and what is said of it."""

    def __init__(self, axis: str, grid: QGridLayout, row: int) -> None:
        self.axis = axis
        self.chart = LineChart(axis, "s", "", _CHART_PX)
        self.chart.x_span = Span(-_WINDOW_S, 0.0)
        self.chart.notice = "Nothing received yet."
        self.step = LineChart("Answer to a step", "s", "", _CHART_PX)
        self.step.y_span = Span(0.0, 1.6)
        self.text = make_label(wraps=True)
        grid.addWidget(self.chart, 2 * row, 0)
        grid.addWidget(self.step, 2 * row, 1)
        grid.addWidget(self.text, 2 * row + 1, 0, 1, 2)

    def show_signals(self, signals: AxisSignals, t: float) -> None:
        desired, actual = signals.desired, signals.actual
        held_x, held_y = _held(desired.times - t, desired.values)
        self.chart.show_lines(
            [
                Line("desired", "commanded", held_x, held_y, is_dashed=True),
                Line("actual", "series_1", actual.times - t, actual.values),
            ]
        )

    def show_report(self, report: AxisReport | None) -> None:
        text = report.text(self.axis) if report is not None else ""
        is_bad = report is not None and report.is_oscillating
        set_text(self.text, text, "caution" if is_bad else "muted")
        step = report.step if report is not None else None
        if not isinstance(step, StepResponse):
            self.step.notice = step.remedy if step is not None else "Fly, and move the stick."
            self.step.show_lines([])
            return
        self.step.x_span = Span(0.0, float(step.times[-1]))
        line = Line("", "series_2", step.times, step.response, errors=step.errors)
        self.step.show_lines([line], [Mark(1.0, "asked", is_level=True)])


class TuningView(QWidget):
    """Raises the rates of what it draws while it shows, and gives them back.

    `said(text)` is for the status line.
    """

    said = Signal(str)

    def __init__(self, context: PageContext, vehicle: Vehicle, settings: Configuration) -> None:
        super().__init__()
        self.rates = UpdateRates(vehicle.commands)
        self.analysis = AxisAnalysis(context.jobs)
        self._vehicle = vehicle
        self._settings = settings
        self._bank = ""
        self._seen: object = None
        self.loop = QComboBox()
        self.loop.addItems([loop.value for loop in Loop])
        self.loop.setToolTip("Which loop is drawn: the angle (outer) or the rate of turn (inner).")
        self.loop.currentIndexChanged.connect(self._on_loop)
        self.instant = QCheckBox("Send every 0.5 s")
        self.instant.setToolTip(
            "Sends what is staged of this bank at once and every half second, without Apply. "
            "It stops when the link is lost or the board refuses. Undo takes all of it back."
        )
        self.instant.toggled.connect(self._on_instant)
        self.keep = make_button("Keep", self._on_keep)
        self.keep.setToolTip("The gains on board are good: the way back leads here from now on.")
        self.back = make_button("Back to the last good set", self._on_back)
        self.back.setToolTip(
            "Stages the gains kept last (at first those found on board) and sends them at once."
        )
        self.status = make_label(tone="muted", wraps=True)
        grid = make_grid(spacing=(-1, 2), shares={0: 3, 1: 1})
        self.rows = {axis: _AxisRow(axis, grid, row) for row, axis in enumerate(AXES)}
        top = make_row(self.loop, self.instant, STRETCH, self.keep, self.back)
        self.offer = RateOffer()
        self.setLayout(make_column(top, self.status, self.offer, grid, margins=FOLD_MARGINS))
        self._on_loop()
        context.on_close(self.rates.restore)

    @property
    def tuning(self) -> LiveTuning:
        """Of the bank that shows; it outlives this view, so that the way back does too."""
        bank, settings = self._bank, self._settings
        return self._vehicle.attachment(f"{_KEY}{bank}", lambda: LiveTuning(settings, bank))

    @property
    def warning(self) -> str:
        """Which axes oscillate, for the heading; "" if none is known to."""
        reports = self.analysis.reports if self.isVisible() else {}
        swinging = [axis for axis, report in reports.items() if report.is_oscillating]
        return f"{' and '.join(swinging)} oscillates" if swinging else ""

    def show_bank(self, bank: str) -> None:
        """Tune another bank; instant sending ends with it."""
        if bank != self._bank:
            self.instant.setChecked(False)
            self._bank = bank
            _ = self.tuning  # what is on board now is good, before anything is edited

    def refresh(self, t: float) -> None:
        """Draw the last seconds before `t`; nothing while hidden."""
        if not self.isVisible() or not self._bank:
            return
        is_log = self._settings.aircraft.is_log
        if not is_log:
            self.rates.want(dict.fromkeys(self._objects(), _PERIOD_MS), self._vehicle.end_s)
        self._tune(is_log)
        recording, loop = self._vehicle.recording, self._loop
        if (seen := (recording.last_s, t)) == self._seen:
            return
        self._seen = seen
        slowest = None
        for axis, row in self.rows.items():
            signals = axis_signals(recording, loop, axis, t - _WINDOW_S, t)
            row.show_signals(signals, t)
            late = signals.actual.times[signals.actual.times > t - 2.0]
            slowest = min(rate_hz(late), slowest or np.inf)
        since = changed_at(recording, bank_in_use(self._settings) or self._bank, t)
        if self.analysis.poll(recording, loop, t, since):
            for axis, row in self.rows.items():
                row.show_report(self.analysis.reports.get(axis))
        self._say(slowest or 0.0, is_log)
        steps = [report.step for report in self.analysis.reports.values()]
        is_slow = (slowest or 0.0) < _SLOW_HZ and (is_log or self._is_held)
        lacks_rate = is_slow or any(step.lacks_rate for step in steps)
        self.offer.refresh(self._settings, lacks_rate=lacks_rate)

    def hideEvent(self, event: QHideEvent) -> None:
        self.rates.restore()
        self.instant.setChecked(False)
        super().hideEvent(event)

    # Inside

    @property
    def _loop(self) -> Loop:
        return Loop(self.loop.currentText())

    @property
    def _is_held(self) -> bool:
        """Whether the board sends what is drawn as often as was asked."""
        return all(change.is_active for change in self.rates.changes)

    def _objects(self) -> tuple[str, ...]:
        """What is drawn, by the names that this aircraft has; the mode tells what is asked."""
        names = set(self._vehicle.recording.names())
        facts = FACTS[self._loop]
        groups = (("StabilizationDesired",), facts.desired, facts.actual)
        chosen = (next((n for n in group if n in names), group[0]) for group in groups)
        return tuple(dict.fromkeys(chosen))

    def _on_loop(self) -> None:
        self.analysis.forget()
        self._seen = None
        for axis, row in self.rows.items():
            row.chart.retitle(axis, FACTS[self._loop].units)
            row.chart.least_y = FACTS[self._loop].smallest_move
            row.show_report(None)

    def _tune(self, is_log: bool) -> None:
        tuning = self.tuning
        tuning.poll(self._vehicle.end_s)
        if self.instant.isChecked() and not tuning.is_running:
            self.instant.setChecked(False)
            if tuning.reason:
                self.said.emit(tuning.reason)
        self.instant.setEnabled(not is_log)
        self.keep.setEnabled(not is_log)
        self.back.setEnabled(not is_log and tuning.differs)

    def _on_instant(self, is_on: bool) -> None:
        if not self._bank:
            return
        if is_on:
            self.tuning.start(self._vehicle.end_s)
        else:
            self.tuning.stop()

    def _on_keep(self) -> None:
        self.tuning.keep()
        self.said.emit(f"{bank_title(self._bank)} as it is on board is the last good set now.")

    def _on_back(self) -> None:
        why_not = self.tuning.back()
        self.instant.setChecked(False)
        self.said.emit(why_not or f"{bank_title(self._bank)} goes back to the last good set.")

    def _say(self, slowest_hz: float, is_log: bool) -> None:
        parts = []
        used = bank_in_use(self._settings)
        if used and used != self._bank:
            parts.append(f"It flies with {bank_title(used)} now; this is {bank_title(self._bank)}.")
        if is_log:
            parts.append(f"Recorded at {slowest_hz:.0f} Hz.")
        elif slowest_hz < _SLOW_HZ:
            why = "the link carries no more" if self._is_held else "asking for more"
            parts.append(f"{slowest_hz:.0f} readings per second: {why}.")
        else:
            parts.append(f"{slowest_hz:.0f} readings per second, while this is open.")
        lost = [change.text for change in self.rates.changes if change.state == "ended"]
        text = " ".join((*parts, *lost))
        set_text(self.status, text)


def _held(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A staircase: each value until the next, and the last one until now."""
    if not len(times):
        return times, values
    return (
        np.concatenate([np.repeat(times, 2)[1:], [0.0]]),
        np.repeat(values, 2),
    )
