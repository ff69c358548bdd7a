"""Mission simulation panel: the plan flown before it is flown: how it went, and what it took."""

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from plugins.api import Json, PanelContext
from plugins.plan.flown_aircraft import body_named, connected_title
from plugins.plan.shared_plan import shared_plan_of
from telemetry.base.simulation_command import aircraft_names
from telemetry.base.statement import Statement
from widgets.change_detector import ChangeDetector
from widgets.choices import make_choice
from widgets.forms.spin_boxes import NumberBox
from widgets.line_chart import Line, LineChart
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme
from widgets.wheel_filter import wheel_needs_focus

_FASTEST_MPS = 50.0
_LEAST_PERCENT = 10.0
_ROOM_FOR_CHART_PX = 340
_CONNECTED_ROW = 0
_LINES = 3
_AIRCRAFT_TIP = (
    "Which aircraft flies: one that is shipped, or the connected one's gains, limits, modes and, "
    "where it drives the same motors, mixer, on the shipped body that resembles it most."
)
_EMPTY = (
    "Fly it in the simulator: track, height and battery that are to be expected show here, on the "
    "map and in the height profile."
)


class SimulationPanel(QWidget):
    """The panel "plan.simulation". The wind is given as in weather reports: where it comes from."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._plan = plan = shared_plan_of(context)
        context.on_close(plan.opened())
        self._changed, self._met = ChangeDetector(), ChangeDetector()
        self._has_connected = False
        aircraft = aircraft_names()
        self.aircraft = make_choice("Simulated aircraft", aircraft, tip=_AIRCRAFT_TIP)
        self.wind = NumberBox("Wind", (0.0, _FASTEST_MPS), 0, "\u202fm/s")
        self.wind_from = NumberBox("Wind from", (0.0, 360.0), 0, "\u202f°")
        self.wind_from.setWrapping(True)
        wheel_needs_focus(self.aircraft, self.wind, self.wind_from)
        self.aircraft.currentIndexChanged.connect(lambda _row: self._take_fields())
        for box in (self.wind, self.wind_from):
            box.valueChanged.connect(lambda _value: self._take_fields())
        self.fly = make_button("Fly it", plan.fly, role="primary")
        self.stop = make_button("Stop", plan.flying.stop)
        self.text = FittedStateLabel()
        self.chart = LineChart("Battery left", "s", "%")
        self.chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.chart.least_y = _LEAST_PERCENT
        wind = make_row(
            make_label("Wind", tone="muted"), self.wind,
            make_label("from", tone="muted"), self.wind_from, STRETCH, spacing=4,
        )  # fmt: skip
        buttons = make_row(self.fly, self.stop, STRETCH, spacing=4)
        parts = (self.aircraft, wind, buttons, self.text, (self.chart, 1))
        self.setLayout(make_column(*parts, margins=8, spacing=4))
        self.setProperty("keepsLetters", True)

    def apply_theme(self, theme: Theme) -> None:
        """Keep a few lines for what is said: it moves nothing."""
        self.text.keep_lines(_LINES, theme)

    def refresh(self, t: float) -> None:
        """See whether the simulator is done; show what it said."""
        plan = self._plan
        plan.poll()
        self._meet_aircraft()
        refusal = plan.why_not_fly()
        self.fly.setEnabled(not refusal)
        self.fly.setToolTip(refusal)
        self.stop.setEnabled(plan.flying.is_busy)
        said = plan.flown
        self.text.state(said or Statement(_EMPTY))
        if self._changed.has_changed(plan.flying.version):
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, what was found is said in words alone."""
        super().resizeEvent(event)
        self.chart.setVisible(self.height() >= _ROOM_FOR_CHART_PX)

    def save_state(self) -> Json:
        """Aircraft and wind."""
        return {
            "aircraft": self._plan.flying.aircraft,
            "wind": self.wind.value(),
            "wind_from": self.wind_from.value(),
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        row = self.aircraft.findText(str(state.get("aircraft", "")))
        if row >= 0:
            self.aircraft.setCurrentIndex(row)
        for box, key in ((self.wind, "wind"), (self.wind_from, "wind_from")):
            value = state.get(key)
            if isinstance(value, int | float):
                box.setValue(float(value))

    def _meet_aircraft(self) -> None:
        """The settings of the aircraft that is connected can be chosen, and are at first; a
        simulated one flies as it is shipped."""
        vehicle = self._plan.vehicle
        title = connected_title(vehicle)
        if not self._met.has_changed(title):
            return
        if self._has_connected:
            self._has_connected = False
            self.aircraft.removeItem(_CONNECTED_ROW)
        if title and vehicle is not None:
            self._has_connected = True
            self.aircraft.insertItem(_CONNECTED_ROW, title)
            row = self.aircraft.findText(body_named(vehicle))
            self.aircraft.setCurrentIndex(max(row, _CONNECTED_ROW))

    def _take_fields(self) -> None:
        flying = self._plan.flying
        flying.is_connected_one = (
            self._has_connected and self.aircraft.currentIndex() == _CONNECTED_ROW
        )
        if not flying.is_connected_one:
            flying.aircraft = self.aircraft.currentText()
        flying.wind_mps, flying.wind_from_deg = self.wind.value(), self.wind_from.value()

    def _show(self) -> None:
        found = self._plan.flying.result
        times = np.array(found.times_s if found else ())
        energies = np.array(found.energies_percent if found else ())
        lines = [Line("Predicted", "series_3", times, energies)] if found else []
        self.chart.show_lines(lines)
