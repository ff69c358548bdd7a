"""Identify view: what a log tells of wind and aircraft, beside what its sensors have measured."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QPushButton, QWidget

from plugins.api import Json, VehicleContext
from plugins.identification.aircraft_choice import AircraftChoice, AircraftKind
from plugins.identification.command_view import CommandView, Report
from plugins.identification.report_words import (
    about,
    explained_words,
    parameter_rows,
    sensor_title,
    sensor_words,
)
from plugins.identification.series_view import SensorSeries, SeriesView
from plugins.identification.value_table import ValueTable
from telemetry.base.clock import local_now
from telemetry.base.simulation_command import IDENTIFY, aircraft_names
from telemetry.configuration.board_logs.rate_preset import TITLE
from widgets.choices import fill_choice, make_choice
from widgets.dialogs import ask_where_to_save
from widgets.labels import show_text
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row, make_scrolled
from widgets.settings.rate_offer import RateOffer
from widgets.state_label import StateLabel
from widgets.wheel_filter import wheel_needs_focus

WHAT = {
    "wind": "Wind",
    "drag": "Drag",
    "thrust": "Thrust",
    "inertia": "Inertia",
    "motor": "Motor time constant",
    "delay": "Dead time",
    "bias": "Biases of gyros and accelerometers",
}
"""What can be found, by its word on the command line."""
_NO_LOG = "This flight has no log on disk yet."
_AIRCRAFT = AircraftKind(
    aircraft_names(),
    (".toml",),
    "No aircraft file",
    "Mass and geometry come from this file, and what is found is told as a ratio to it. Without "
    "one only the direction and relative strength of the wind can be told.",
)
_WHAT_IT_IS = (
    "Finds wind, drag, thrust, inertia, motors, delays and biases by flying the log again in the "
    "simulator: of the stretch between the in and out points of the time line, else of the whole "
    "log."
)
_NARROW_PX = 760
"""A view that is less wide has the plots below the table."""
_MOST_NAMED = 3
_SAVED = "identified.toml"


class IdentifyView(QWidget):
    """`report` is what was found last; its figures say what they are of."""

    reported = Signal()

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self.report: Report | None = None
        self.log = ""
        """What it is of."""
        self._made = local_now()
        self.aircraft = AircraftChoice(_AIRCRAFT)
        self.what = QPushButton()
        self.save = make_button("Save aircraft file …", self._ask_where)
        self.run = CommandView(context, "Identify", "Identifying", self._begin)
        self.rates = RateOffer()
        self.about = StateLabel(wraps=True)
        self.words = make_label(wraps=True)
        self.table = ValueTable("Parameters", ("Parameter", "Value ± sigma"))
        self.sensor = make_choice("Sensor", act=lambda _name: self._show_sensor())
        wheel_needs_focus(self.sensor)
        self.left = make_label(tone="muted", wraps=True)
        self.plots = SeriesView(context.theme)
        self.plots.seek_wanted.connect(self._seek)
        self._results = QWidget()
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._results)
        self._lay_out()
        self._show(None)

    def refresh(self, t: float) -> None:
        """Take over what the command has found, and draw the cursor."""
        report = self.run.poll()
        if report is not None:
            self._take(report)
        self.run.offer(self._refusal())
        self.rates.refresh(self._context.configuration, lacks_rate=self._lacks_rate)
        if self.report is not None:
            self.about.state(about(self.report, self._made, is_shown=self._is_shown))
            self.plots.show_time(t if self._is_shown else None)

    def save_state(self) -> Json:
        """What is asked for."""
        return {
            "aircraft": self.aircraft.chosen,
            "files": list(self.aircraft.files),
            "what": list(self._asked),
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self.aircraft.restore(state.get("aircraft"), state.get("files"))
        what = state.get("what")
        if isinstance(what, list):
            for action in self.what.menu().actions():
                action.setChecked(action.data() in what)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_PX
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._body.setDirection(down if is_narrow else across)

    # Running ----------------------------------------------------------------------------

    @property
    def _shown(self) -> str:
        """The log of the flight that is shown."""
        log = self._context.flight.log
        return str(log.absolute()) if log is not None else ""

    @property
    def _is_shown(self) -> bool:
        """Whether the report is of that log."""
        return self.log == self._shown

    @property
    def _asked(self) -> tuple[str, ...]:
        return tuple(action.data() for action in self.what.menu().actions() if action.isChecked())

    def _refusal(self) -> str:
        if not self._shown:
            return _NO_LOG
        return "" if self._asked else "Choose what is to be found."

    @property
    def _lacks_rate(self) -> bool:
        """Whether what was found, or why nothing was, names the rates as the remedy."""
        parameters = self.report["parameters"].values() if self.report is not None else ()
        reasons = [one["reason"] for one in parameters if not one["excited"]]
        return any(TITLE in text for text in (self.run.told.text(), *reasons))

    def _begin(self) -> None:
        self._show(None)
        self.log = self._shown
        self.run.start(IDENTIFY, self._arguments, Path(self.log).name)

    def _arguments(self, folder: Path) -> Sequence[str]:
        arguments = [self.log, "--series"]
        if self.aircraft.chosen:
            arguments += ["--aircraft", self.aircraft.chosen, "--save", str(folder / _SAVED)]
        if len(self._asked) < len(WHAT):
            arguments += ["--what", ",".join(self._asked)]
        selection = self._context.timeline.selection
        if selection is not None:
            start, end = selection
            arguments += ["--from", f"{start:.3f}", "--to", f"{end:.3f}"]
        return arguments

    def _take(self, report: Report) -> None:
        self._made = local_now()
        if report["refused"]:
            self.run.say(report["refused"], "caution")
        self._show(report)
        self.reported.emit()

    # What was found ---------------------------------------------------------------------

    def _show(self, report: Report | None) -> None:
        self.report = report
        found = report if report is not None and report["parameters"] else None
        show_text(self.words, _WHAT_IT_IS if report is None else "", "muted")
        if found is not None:
            show_text(self.words, explained_words(found), "")
        self.table.show_rows(parameter_rows(found) if found is not None else [])
        sensors = (report or {}).get("series", {})
        titles = [(sensor_title(name), name) for name in sensors]
        fill_choice(self.sensor, titles, self.sensor.currentData())
        self._results.setVisible(found is not None)
        self.save.setVisible(found is not None)
        is_kept = self._kept is not None
        self.save.setEnabled(is_kept)
        tip = "As a difference against the aircraft's file."
        if not is_kept and found is not None:
            tip = self.run.said if found["aircraft"] else "Choose an aircraft and identify it."
        self.save.setToolTip(tip)
        if report is None:
            self.about.state(None)
        self._show_sensor()

    def _show_sensor(self) -> None:
        name = self.sensor.currentData()
        if self.report is None or name is None:
            self.plots.show_series(None)
            show_text(self.left, "")
            return
        series = self.report["series"][name]
        columns = (np.array(series[k], np.float64) for k in ("time_s", "logged", "synthesised"))
        self.plots.show_series(SensorSeries(self.sensor.currentText(), series["unit"], *columns))
        show_text(self.left, sensor_words(self.report, name))

    def _seek(self, t: float) -> None:
        if self.report is not None and self._is_shown:
            self._context.timeline.seek(t)
            self._context.wake()

    @property
    def _kept(self) -> Path | None:
        """What the last command has written of the aircraft it found."""
        file = self.run.folder / _SAVED if self.run.folder is not None else None
        return file if file is not None and file.is_file() else None

    def _ask_where(self) -> None:
        ask_where_to_save(self, "Aircraft file", "Aircraft (*.toml)", ".toml", self._save, _SAVED)

    def _save(self, path: Path) -> None:
        kept = self._kept
        if kept is None:
            return
        try:
            shutil.copyfile(kept, path)
        except OSError as error:
            self.run.say(f"{path} cannot be written: {error.strerror}.", "danger")
            return
        self._context.show_message(f"The aircraft is in {path}.")

    # How it is arranged -----------------------------------------------------------------

    def _lay_out(self) -> None:
        menu = QMenu(self)
        for word, title in WHAT.items():
            action = menu.addAction(title)
            action.setData(word)
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(lambda _is_on: self._name_what())
        self.what.setMenu(menu)
        self._name_what()
        plots = QWidget()
        plots.setLayout(make_column(make_row((self.sensor, 1)), self.left, (self.plots, 1)))
        self.table.fit_height()
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.addWidget(self.table, 4, Qt.AlignmentFlag.AlignTop)
        self._body.addWidget(plots, 5, Qt.AlignmentFlag.AlignTop)
        rows = (self.aircraft, make_row(self.what, STRETCH), self.run)
        top = make_column(*rows, margins=(8, 8, 8, 4), spacing=4)
        said = (self.run.told, self.rates, self.about, self.words, make_row(self.save, STRETCH))
        page = make_column(*said, (self._results, 1), 0, margins=(8, 0, 8, 8), spacing=4)
        self.setLayout(make_column(top, (make_scrolled(page, keeps_width=True), 1), spacing=0))

    def _name_what(self) -> None:
        named = f"{len(self._asked)} of {len(WHAT)}"
        if len(self._asked) <= _MOST_NAMED:
            named = ", ".join(self._asked) or "nothing"
        self.what.setText("Find: all" if len(self._asked) == len(WHAT) else f"Find: {named}")
