"""Scenarios panel: choose an experiment, set it up, fly it, and see its figures come out."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QSpinBox,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from plugins.api import Json, PanelContext
from plugins.simulator.figure_view import FigureView
from plugins.simulator.metric_words import number_of, range_of, title_of, unit_of
from plugins.simulator.scenario_run import ScenarioRun, ScenarioRunResult
from simulation.scenarios.figure import load_figure
from simulation.scenarios.scenario import Scenario, ScenarioError
from simulation.scenarios.scenario_file import load_scenario, scenario_names
from telemetry.base.clock import monotonic_s
from widgets.forms.spin_boxes import indent_text
from widgets.labels import set_text
from widgets.parts import (
    make_button,
    make_column,
    make_grid,
    make_label,
    make_scrolled,
)
from widgets.theme import Theme
from widgets.value_slider import ValueSlider
from widgets.wrapped_row import WrappedRow

_HEADS = ("Metric", "Measured", "Allowed", "")
_VERDICTS = {None: "", True: "holds", False: "missed"}
_NARROW_PX = 640
"""A panel that is less wide shows the list above the experiment."""
_LIST_PX, _LIST_SHARE_PX = 190, 136
_TONES = {"passed": "ok", "failed": "danger", "broken": "danger"}
_SEED_PX = 96
_LARGEST_SEED = 2**31 - 1


class ScenariosPanel(QWidget):
    """The panel "simulator.scenarios". Flying happens in a process of its own."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._theme = context.theme
        self._run: ScenarioRun | None = None
        self._is_flying = False
        self._started_s = 0.0
        self._scenarios = _load_all()
        self._sliders: dict[str, ValueSlider] = {}
        self._report: Mapping[str, Any] = {}
        self._list = QListWidget()
        self._list.setAccessibleName("Scenarios")
        self._title = make_label(size="title", wraps=True)
        self._source = make_label(tone="muted", wraps=True)
        self._parameters, self._rows = make_column(margins=None), QWidget()
        self._seed = QSpinBox()
        indent_text(self._seed)
        self._seed.setRange(0, _LARGEST_SEED)
        self._seed.setValue(1)
        self._seed.setPrefix("Seed ")
        self._seed.setToolTip("Another seed is another flight; the same one repeats it exactly.")
        self._fly = make_button("Fly it", self._start, "primary")
        self._stop = make_button("Stop", self._end_run)
        tip = "Open the recording of this run, as any other log."
        self._open = make_button("Replay it", self._open_flight, tip=tip)
        self._verdict = make_label(wraps=True)
        self._table = QTableWidget(0, len(_HEADS))
        self._figure = FigureView(context.theme)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._list.currentRowChanged.connect(lambda _row: self._choose())
        self._list.itemActivated.connect(lambda _item: self._start())
        context.on_close(self._end_run)
        self._list.setCurrentRow(0)

    def refresh(self, t: float) -> None:
        """See whether the run has come to its end."""
        if self._run is None or not self._is_flying:
            return
        result = self._run.poll()
        if result is None:
            self._verdict.setText(f"Flying, {monotonic_s() - self._started_s:.0f}\u202fs …")
        else:
            self._show_result(result)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        for row in range(self._list.count()):
            self._list.item(row).setSizeHint(QSize(0, theme.row_px()))
        self._show_metrics()

    def save_state(self) -> Json:
        """The scenario chosen."""
        scenario = self._chosen
        return {"scenario": scenario.name} if scenario else {}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        names = [scenario.name for scenario in self._scenarios]
        if state.get("scenario") in names:
            self._list.setCurrentRow(names.index(state["scenario"]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_PX
        wanted = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._splitter.orientation() != wanted:
            self._splitter.setOrientation(wanted)
            share = _LIST_SHARE_PX if is_narrow else _LIST_PX
            self._splitter.setSizes([share, max(self.height(), self.width()) - share])

    @property
    def _chosen(self) -> Scenario | None:
        row = self._list.currentRow()
        return self._scenarios[row] if 0 <= row < len(self._scenarios) else None

    # Choosing ---------------------------------------------------------------------------

    def _choose(self) -> None:
        scenario = self._chosen
        if scenario is None:
            return
        self._end_run()
        self._title.setText(scenario.title)
        words = [scenario.test, scenario.source, f"Aircraft {scenario.aircraft}"]
        self._source.setText(" · ".join(word for word in words if word))
        self._clear_result()
        self._show_parameters(scenario)

    def _show_parameters(self, scenario: Scenario) -> None:
        old, self._rows = self._rows, QWidget()
        old.hide()
        old.deleteLater()
        grid = make_grid(self._rows, shares={1: 1})
        self._sliders = {}
        for parameter in scenario.parameters:
            span = (parameter.low, parameter.high)
            step = 1.0 if parameter.whole else _step(*span)
            slider = ValueSlider(parameter.title, parameter.unit, span, step, parameter.default)
            slider.add_to(grid, grid.rowCount())
            self._sliders[parameter.name] = slider
        self._parameters.addWidget(self._rows)

    # Flying -----------------------------------------------------------------------------

    def _start(self) -> None:
        scenario = self._chosen
        if scenario is None:
            return
        self._end_run()
        self._clear_result()
        values = {name: slider.value for name, slider in self._sliders.items()}
        try:
            self._run = ScenarioRun(scenario.name, values, self._seed.value())
        except OSError as error:
            set_text(self._verdict, f"The scenario cannot be started: {error.strerror}.", "danger")
            return
        self._is_flying = True
        self._started_s = monotonic_s()
        self._offer()

    def _end_run(self) -> None:
        if self._run is not None:
            self._run.close()
        if self._is_flying:
            self._verdict.setText("Stopped.")
        self._run, self._is_flying = None, False
        self._offer()

    def _offer(self) -> None:
        """Enable what makes sense now; the keyboard stays with the button that is pressed next."""
        pressed_next = self._stop if self._is_flying else self._fly
        before = (self._fly, self._list) if self._is_flying else (self._stop,)
        pressed_next.setEnabled(True)
        if any(part.hasFocus() for part in before):
            pressed_next.setFocus()
        for part in (self._fly, self._list, self._rows, self._seed):
            part.setEnabled(not self._is_flying)
        self._stop.setEnabled(self._is_flying)
        has_flight = self._run is not None and not self._is_flying and self._run.recording.exists()
        self._open.setEnabled(has_flight)

    def _open_flight(self) -> None:
        if self._run is not None:
            self._context.open_log(self._run.recording)

    # The result -------------------------------------------------------------------------

    def _clear_result(self) -> None:
        set_text(self._verdict, "", "")
        self._report = {}
        self._show_metrics()
        self._figure.show_figure(None)
        self._figure.hide()

    def _show_result(self, result: ScenarioRunResult) -> None:
        self._is_flying = False
        self._offer()
        set_text(self._verdict, result.text, _TONES[result.outcome])
        self._report = result.report
        self._show_metrics()
        if self._run is not None and self._run.figure.exists():
            self._figure.show_figure(load_figure(self._run.figure))
            self._figure.show()

    def _show_metrics(self) -> None:
        """The table of what was measured; hidden while there is nothing."""
        metrics = self._report.get("metrics", {})
        bands = self._chosen.bands if self._chosen else {}
        self._table.setVisible(bool(metrics))
        self._table.setRowCount(len(metrics))
        for row, (name, value) in enumerate(metrics.items()):
            unit, band = unit_of(name), bands.get(name)
            holds = None if band is None else value is not None and band.holds(value)
            words = (
                title_of(name),
                number_of(value, unit),
                range_of(band, unit),
                _VERDICTS[holds],
            )
            for column, text in enumerate(words):
                item = QTableWidgetItem(text)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                item.setToolTip(name)
                if holds is not None and column == len(words) - 1:
                    item.setForeground(self._theme.color("ok" if holds else "danger"))
                self._table.setItem(row, column, item)
        height = self._table.horizontalHeader().sizeHint().height() + 4
        height += sum(self._table.rowHeight(row) for row in range(len(metrics)))
        self._table.setFixedHeight(height)

    # How it is arranged -----------------------------------------------------------------

    def _lay_out(self) -> None:
        with QSignalBlocker(self._list):
            for scenario in self._scenarios:
                item = QListWidgetItem(f"{scenario.test or '–'}   {scenario.name}")
                item.setToolTip(scenario.title)
                self._list.addItem(item)
        self._seed.setMinimumWidth(_SEED_PX)
        self._seed.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._table.setHorizontalHeaderLabels(_HEADS)
        self._table.setShowGrid(False)
        self._table.verticalHeader().hide()
        self._table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._table.horizontalHeader().setStretchLastSection(True)
        above = (
            self._title,
            self._source,
            self._parameters,
            WrappedRow(self._fly, self._stop, self._open, self._seed),
        )
        below = (self._verdict, self._table, (self._figure, 1), 0)
        splitter = self._splitter
        splitter.addWidget(self._list)
        splitter.addWidget(make_scrolled(make_column(*above, *below, margins=None)))
        splitter.setStretchFactor(0, 0)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([_LIST_PX, 600])
        self.setLayout(make_column(splitter))


def _load_all() -> Sequence[Scenario]:
    """The shipped scenarios, by test and name. One that cannot be read is left out."""
    found = []
    for name in scenario_names():
        try:
            found.append(load_scenario(name))
        except ScenarioError:
            continue
    return sorted(found, key=lambda scenario: (scenario.test or "~", scenario.name))


def _step(low: float, high: float) -> float:
    """A step of 1, 2 or 5 that divides the range into about a hundred."""
    rough = (high - low) / 100.0
    decade = 10.0 ** math.floor(math.log10(rough))
    return float(next(decade * n for n in (1.0, 2.0, 5.0, 10.0) if decade * n >= rough * 0.999))
