"""Step test view before anything is sent: present and staged gains flown in the simulator."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from plugins.api import PageContext
from plugins.stabilization.gain_grid import AXES
from plugins.stabilization.step_gains import aircraft_of, airframe_with, simulated_aircraft
from plugins.stabilization.step_run import Answer, StepResult, StepRun
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.stabilization_banks import SHARED, bank_title
from telemetry.recording.sample import Value
from telemetry.vehicle.vehicle import Vehicle
from widgets.choices import make_choice
from widgets.collapsible import FOLD_MARGINS
from widgets.labels import set_text
from widgets.line_chart import Line, LineChart
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row

_FLY = "Fly the step test"
_PRESENT, _STAGED = "on board", "staged"
_TOKENS = {_PRESENT: "series_1", _STAGED: "series_2"}
_MUCH_OVERSHOOT, _RESTLESS = 0.25, 0.15
_UNITS = {"Roll": "deg", "Pitch": "deg", "Yaw": "deg/s"}


@dataclass(frozen=True, slots=True)
class _Flight:
    """Gains to be flown, and what they are called."""

    name: str
    bank: Mapping[str, Value]
    shared: Mapping[str, Value]


class StepTestView(QWidget):
    """Flies the bank that shows, as on board and as staged, one after the other."""

    def __init__(self, context: PageContext, vehicle: Vehicle, settings: Configuration) -> None:
        super().__init__()
        self.results: dict[str, StepResult] = {}
        self._vehicle = vehicle
        self._settings = settings
        self._bank = ""
        self._flights: list[_Flight] = []
        self._run: tuple[_Flight, StepRun] | None = None
        self._flown_for: Mapping[str, Value] = {}
        self._seen: object = None
        known = simulated_aircraft()
        self.aircraft = make_choice(
            "",
            [(entry.title, entry.name) for entry in known],
            chosen=aircraft_of(vehicle.name, known),
            tip="Which simulated aircraft flies the gains.",
        )
        self.fly = make_button(_FLY, self.start)
        self.fly.setToolTip(
            "Flies a step on each stick in the simulator, with the gains on board and, if any are "
            "staged, with those. Nothing is sent to your aircraft."
        )
        self.status = make_label(wraps=True)
        self.charts: dict[str, LineChart] = {}
        self.texts: dict[str, QLabel] = {}
        charts = QHBoxLayout()
        for axis in AXES:
            charts.addLayout(self._column_of(axis))
        top = make_row(self.aircraft, self.fly, STRETCH)
        self.setLayout(make_column(top, self.status, charts, margins=FOLD_MARGINS))
        set_text(self.status, self._introduction(), "muted")
        context.on_close(self.stop)

    @property
    def is_flying(self) -> bool:
        """Whether the simulator is at it."""
        return self._run is not None

    def show_bank(self, bank: str) -> None:
        """Test another bank from now on."""
        if bank != self._bank:
            self._bank = bank
            self.stop()
            self.results.clear()
            self._draw()
            set_text(self.status, self._introduction(), "muted")

    def start(self) -> None:
        """Fly what is on board, then what is staged if that is something else."""
        self.stop()
        self.results.clear()
        self._seen = None
        self.fly.setText(_FLY)
        settings = self._settings
        aircraft, bank = settings.aircraft, self._bank
        present = _Flight(_PRESENT, aircraft.values(bank), aircraft.values(SHARED))
        staged = _Flight(_STAGED, settings.values(bank), settings.values(SHARED))
        self._flights = [present]
        if (staged.bank, staged.shared) != (present.bank, present.shared):
            self._flights.append(staged)
        self._flown_for = staged.bank
        self._next()

    def stop(self) -> None:
        """End a flight that is under way."""
        if self._run is not None:
            self._run[1].close()
        self._run, self._flights = None, []
        self.fly.setEnabled(True)

    def refresh(self) -> None:
        """Look whether the simulator has come down."""
        self.fly.setEnabled(self._run is None and bool(self._settings.values(self._bank)))
        if self._run is None:
            self._notice_changes()
            return
        flight, run = self._run
        result = run.poll()
        if result is not None:
            run.close()
            self._run = None
            self.results[flight.name] = result
            self._draw()
            self._next()

    # Inside

    def _notice_changes(self) -> None:
        stamp = self._settings.aircraft.stamp(self._bank), self._settings.version
        if not self.results or stamp == self._seen:
            return
        self._seen = stamp
        is_old = self._settings.values(self._bank) != self._flown_for
        self.fly.setText("Fly it again: the gains have changed" if is_old else _FLY)

    def _next(self) -> None:
        if not self._flights:
            self._conclude()
            return
        flight = self._flights.pop(0)
        name = self.aircraft.currentData()
        airframe = airframe_with(name, flight.bank, flight.shared, self._vehicle.catalogue)
        try:
            self._run = flight, StepRun(airframe)
        except OSError as error:
            self.stop()
            set_text(
                self.status, f"The simulator could not be started ({error.strerror}).", "danger"
            )
            return
        set_text(
            self.status,
            f"Flying {bank_title(self._bank)} as it is {flight.name}. This takes some seconds; "
            "the first time up to a minute, while the simulator is compiled.",
            "muted",
        )

    def _conclude(self) -> None:
        problems = [result.problem for result in self.results.values() if result.problem]
        crashed = [name for name, result in self.results.items() if result.has_crashed]
        if problems:
            set_text(self.status, " ".join(problems), "danger")
        elif crashed:
            names = " and ".join(f"those {name}" for name in crashed)
            set_text(
                self.status, f"It crashes with these gains: {names}. Do not fly them.", "danger"
            )
        else:
            set_text(self.status, f"Flown by the simulated {self._whose()}", "muted")

    def _whose(self) -> str:
        title = self.aircraft.currentText()
        if self._vehicle.name.startswith(f"sim:{self.aircraft.currentData()}"):
            return f"{title}, which is this aircraft."
        return (
            f"{title}. Your aircraft has other motors and another mass: compare the lines with "
            "each other rather than trust the numbers."
        )

    def _draw(self) -> None:
        for axis, chart in self.charts.items():
            answers = {
                name: result.answers[axis]
                for name, result in self.results.items()
                if axis in result.answers
            }
            lines = [
                Line(name, _TOKENS[name], answer.time_s, answer.flown)
                for name, answer in answers.items()
            ]
            if answers:
                first = next(iter(answers.values()))
                asked = Line("asked", "commanded", first.time_s, first.desired, is_dashed=True)
                lines.insert(0, asked)
            chart.show_lines(lines)
            text, is_bad = _words(answers)
            set_text(self.texts[axis], text, "caution" if is_bad else "muted")

    def _column_of(self, axis: str) -> QVBoxLayout:
        chart = self.charts[axis] = LineChart(axis, "s", _UNITS[axis], 170)
        chart.notice = "Not flown yet."
        text = self.texts[axis] = QLabel()
        text.setWordWrap(True)
        text.setMinimumWidth(160)
        text.setAlignment(Qt.AlignmentFlag.AlignTop)
        return make_column(chart, text)

    def _introduction(self) -> str:
        return (
            "See what gains do before your aircraft gets them: the simulator flies a step of 15° "
            "in roll and pitch and of 30°/s in yaw, with what is on board and what is staged."
        )


def _words(answers: Mapping[str, Answer]) -> tuple[str, bool]:
    """Both answers beside each other, and whether the last of them is bad."""
    if not answers:
        return "", False
    rows = [
        ("Rise", [_time(a.rise_s) for a in answers.values()]),
        ("overshoot", [_share(a.overshoot) for a in answers.values()]),
        ("settled after", [_time(a.settling_s) for a in answers.values()]),
    ]
    text = ", ".join(f"{name} {' → '.join(values)}" for name, values in rows) + "."
    last = list(answers.values())[-1]
    if last.rest is not None and last.rest > _RESTLESS:
        return f"{text} It keeps swinging: lower these gains.", True
    if last.overshoot is not None and last.overshoot > _MUCH_OVERSHOOT:
        return f"{text} That is much overshoot.", True
    return text, False


def _time(seconds: float | None) -> str:
    return "never" if seconds is None else f"{1000.0 * seconds:.0f}\N{NARROW NO-BREAK SPACE}ms"


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100.0 * share:.0f}\N{NARROW NO-BREAK SPACE}%"
