"""Step response panel: each axis over a flight, beside another log's."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from plugins.api import Json, VehicleContext
from plugins.spectrum.latest_job import LatestJob
from plugins.spectrum.step_job import (
    ComparedLog,
    LogResponses,
    StepRequest,
    compared_log,
    work_out_steps,
)
from plugins.spectrum.step_words import response_line, response_words
from telemetry.review.analysis.axis_signals import AXES, Loop
from telemetry.review.analysis.findings.stretches import Span
from widgets.choices import fill_choice, make_choice
from widgets.line_chart import LineChart, Mark
from widgets.parts import STRETCH, make_column, make_label, make_row, make_scrolled
from widgets.settings.rate_offer import RateOffer

_TOKENS = ("series_1", "series_2")
_CHART_PX = 190


class StepResponsePanel(QWidget):
    """The panel "spectrum.step_response". `compared` is the name of the other log, "" for none."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._job: LatestJob[tuple[LogResponses, ...]] = LatestJob(context.jobs)
        self.compared = ""
        loops = [(f"{loop.value} loop", loop) for loop in Loop]
        tip = "Which loop's desired and actual values are compared."
        self.loop = make_choice("Control loop", loops, tip=tip)
        tip = "Another log of the flight, to see what other gains changed."
        self.log = make_choice("Log to compare with", tip=tip)
        self.log.activated.connect(self._choose_log)
        self.stretch = make_label("Working it out…", tone="muted", wraps=True)
        self.charts: dict[str, LineChart] = {}
        self.texts: dict[str, QLabel] = {}
        parts = [self._part_of(axis) for axis in AXES]
        body = QWidget()
        self.rates = RateOffer()
        body.setLayout(make_column(self.rates, *parts, STRETCH, margins=(8, 4, 8, 8)))
        area = make_scrolled(body)
        row = make_row(self.loop, self.log, STRETCH, margins=(4, 2, 4, 2), spacing=4)
        below = make_row((self.stretch, 1), margins=(8, 2, 8, 2))
        self._lacks_rate = False
        self.setLayout(make_column(row, below, (area, 1), spacing=0))
        if context.settings:
            self.restore_state(context.settings)
        self._list_logs()

    def refresh(self, t: float) -> None:
        """Take over what a job has worked out; start the next when something else is wanted."""
        self._list_logs()
        found = self._job.finished()
        if found is not None:
            self._show(found)
            self._lacks_rate = any(axis.found.lacks_rate for axis in found[0].axes)
        self.rates.refresh(self._context.configuration, lacks_rate=self._lacks_rate)
        recording, selection = self._context.recording, self._context.timeline.selection
        other = self._other(selection)
        request = StepRequest(self.loop.currentData(), selection, other)
        version = recording.version + (other.recording.version if other is not None else 0)
        self._job.want((recording, request), version, lambda: work_out_steps(recording, request))

    def _other(self, selection: Span | None) -> ComparedLog | None:
        logs = self._context.flight.logs
        log = next((log for log in logs if log.name == self.compared), None)
        return compared_log(log, selection) if log is not None else None

    def _list_logs(self) -> None:
        """Offer the flight's other logs, and the one that was chosen even while it is missing."""
        names = [log.name for log in self._context.flight.logs if log.recording is not None]
        titles = {"": "Compare with …", **{name: f"Compare with {name}" for name in names}}
        titles.setdefault(self.compared, f"{self.compared} is not here")
        fill_choice(self.log, [(title, name) for name, title in titles.items()], self.compared)
        self.log.setEnabled(len(titles) > 1)

    def _choose_log(self, _index: int) -> None:
        self.compared = self.log.currentData()

    def _show(self, found: tuple[LogResponses, ...]) -> None:
        told = [f"{one.name or 'This log'}: {one.stretch}." for one in found]
        self.stretch.setText(" ".join(told) if len(told) > 1 else f"Of {found[0].stretch}.")
        for index, axis in enumerate(AXES):
            lines = [
                response_line(one.axes[index].found, one.name or "this log", token)
                for one, token in zip(found, _TOKENS, strict=False)
            ]
            words = [response_words(one.axes[index], one.name) for one in found]
            chart = self.charts[axis]
            chart.notice = words[0]
            chart.show_lines(
                [line for line in lines if line is not None],
                [Mark(1.0, "desired", "commanded", is_level=True)] if any(lines) else (),
            )
            self.texts[axis].setText("\n".join(words if any(lines) else words[1:]))

    def _part_of(self, axis: str) -> QVBoxLayout:
        chart = self.charts[axis] = LineChart(axis, "s", "of a step of 1", _CHART_PX)
        chart.least_y = 1.2
        text = self.texts[axis] = make_label(tone="muted", wraps=True)
        text.setAlignment(Qt.AlignmentFlag.AlignTop)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return make_column(chart, text, spacing=2)

    # State

    def save_state(self) -> Json:
        """Which loop, and which other log."""
        return {"loop": self.loop.currentData().name.lower(), "compared": self.compared}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        loops = {loop.name.lower(): loop for loop in Loop}
        loop, compared = state.get("loop"), state.get("compared")
        if isinstance(loop, str) and loop in loops:
            self.loop.setCurrentIndex(self.loop.findData(loops[loop]))
        if isinstance(compared, str):
            self.compared = compared
