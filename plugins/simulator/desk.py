"""The simulator's desk: stop and hurry time, start anew, make weather and trouble."""

import math
from collections.abc import Callable

from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from plugins.api import Json, PanelContext
from plugins.simulator.link import SimulatorLink
from plugins.simulator.remote import Remote
from simulation.controls import CONTROLS, Control
from simulation.report import Report
from widgets.theme import Theme
from widgets.value_slider import ValueSlider

NO_SIMULATOR = (
    "This desk works on a simulator that this station runs. Connect to one, such as sim:ar100b."
)
_SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
_WIND = ("wind_north_mps", "wind_east_mps")
_LINK_TITLE = "Radio link"
_FLAG_COLUMNS = 2
# Name on the wire: title, unit, greatest value and step as shown, and what one of them is there.
_LINK = {
    "loss": ("Packets lost", "%", 100.0, 1.0, 0.01),
    "corruption": ("Bytes damaged", "%", 5.0, 0.05, 0.01),
    "latency_s": ("Delay", "ms", 2000.0, 10.0, 0.001),
}


class DeskPanel(QWidget):
    """Commands the simulator that flies the vehicle shown."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._remote: Remote | None = None
        self._sliders: dict[str, ValueSlider] = {}
        self._link_sliders: dict[str, ValueSlider] = {}
        self._wind = _WindRows()
        self._state = QLabel()
        self._state.setWordWrap(True)
        self._pause = QPushButton("Pause")
        self._pause.setToolTip("Time stands still; the link stays up.")
        self._pause.clicked.connect(self._toggle_pause)
        self._speed = QComboBox()
        self._speed.setAccessibleName("Speed of time")
        for speed in _SPEEDS:
            self._speed.addItem(f"{speed:g} × real time", speed)
        self._speed.setCurrentIndex(_SPEEDS.index(1.0))
        self._speed.activated.connect(lambda: self._ask(speed=float(self._speed.currentData())))
        self._reset = QPushButton("Start anew")
        self._reset.setToolTip("A new aircraft on the ground, battery full. The sliders stay.")
        self._reset.clicked.connect(lambda: self._ask(reset=True))
        self._calm = QPushButton("All to normal")
        self._calm.setToolTip("No wind, no faults, a perfect link.")
        self._calm.clicked.connect(self._calm_down)
        self._body = QWidget()
        self._lay_out()
        self._show_absent()

    def refresh(self, t: float) -> None:
        """Exchange words with the simulator and show what it says."""
        vehicle = self._context.vehicle
        link = vehicle.link if vehicle is not None else None
        self._remote = link.remote if isinstance(link, SimulatorLink) else None
        if self._remote is None:
            self._show_absent()
            return
        refusal = self._remote.poll()
        if refusal:
            self._context.show_message(refusal)
        if self._remote.report is not None:
            self._show(self._remote.report)

    def apply_theme(self, theme: Theme) -> None:
        """Everything here is styled by the application's sheet."""

    def save_state(self) -> Json:
        """Nothing: the simulator keeps what is set."""
        return {}

    # What is shown ----------------------------------------------------------------------

    def _show_absent(self) -> None:
        self._state.setText(NO_SIMULATOR)
        self._set_enabled(False)

    def _show(self, report: Report) -> None:
        self._set_enabled(True)
        self._pause.setText("Go on" if report.speed == 0.0 else "Pause")
        if report.speed in _SPEEDS and not self._speed.view().isVisible():
            self._speed.setCurrentIndex(_SPEEDS.index(report.speed))
        self._state.setText(_sentence(report))
        for name, slider in self._sliders.items():
            slider.show_value(report.values.get(name, slider.default))
        for name, slider in self._link_sliders.items():
            slider.show_value(report.link[name] / _LINK[name][-1])
        self._wind.show(*(report.values.get(name, 0.0) for name in _WIND))

    def _set_enabled(self, enabled: bool) -> None:
        for part in (self._body, self._pause, self._speed, self._reset, self._calm):
            part.setEnabled(enabled)

    # What is asked ----------------------------------------------------------------------

    def _ask(self, **wishes: object) -> None:
        if self._remote is not None:
            self._remote.ask(**wishes)

    def _toggle_pause(self) -> None:
        if self._remote is None or self._remote.report is None:
            return
        resumed = float(self._speed.currentData())
        self._ask(speed=resumed if self._remote.report.speed == 0.0 else 0.0)

    def _calm_down(self) -> None:
        values = {name: slider.default for name, slider in self._sliders.items()}
        self._ask(set={**values, **dict.fromkeys(_WIND, 0.0)})
        self._ask(link=dict.fromkeys(self._link_sliders, 0.0))

    # How it is arranged -----------------------------------------------------------------

    def _lay_out(self) -> None:
        time_row = QHBoxLayout()
        for part in (self._pause, self._speed, self._reset, self._calm):
            part.setMinimumHeight(32)
            time_row.addWidget(part)
        groups = QVBoxLayout(self._body)
        groups.setContentsMargins(0, 0, 8, 0)
        for title in dict.fromkeys(control.group for control in CONTROLS):
            rows = [control for control in CONTROLS if control.group == title]
            groups.addWidget(self._group(title, rows))
        groups.addWidget(self._link_group())
        groups.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self._body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(8, 8, 8, 8)
        whole.addWidget(self._state)
        whole.addLayout(time_row)
        whole.addWidget(area, 1)

    def _group(self, title: str, rows: list[Control]) -> QGroupBox:
        box, grid = _grid_box(title)
        flags = QGridLayout()
        line = 0
        if any(control.name in _WIND for control in rows):
            line = self._wind.add_to(grid, 0)
            self._wind.on_change = lambda north, east: self._ask(
                set=dict(zip(_WIND, (north, east), strict=True))
            )
        for control in rows:
            if control.name in _WIND:
                continue
            slider = _slider_of(control)
            slider.changed.connect(lambda v, name=control.name: self._ask(set={name: v}))
            self._sliders[control.name] = slider
            if slider.is_flag:
                flags.addWidget(slider, *divmod(flags.count(), _FLAG_COLUMNS))
                continue
            slider.add_to(grid, line)
            line += 1
        grid.addLayout(flags, line, 0, 1, 3)
        return box

    def _link_group(self) -> QGroupBox:
        box, grid = _grid_box(_LINK_TITLE)
        for line, (name, (title, unit, most, step, scale)) in enumerate(_LINK.items()):
            slider = ValueSlider(title, unit, (0.0, most), step, 0.0)
            slider.changed.connect(
                lambda v, name=name, scale=scale: self._ask(link={name: v * scale})
            )
            slider.add_to(grid, line)
            self._link_sliders[name] = slider
        return box


class _WindRows:
    """The mean wind as pilots speak of it: how strong, and where it comes from."""

    def __init__(self) -> None:
        self.on_change: Callable[[float, float], None] = lambda north, east: None
        self._speed = ValueSlider("Wind", "m/s", (0.0, 20.0), 0.5, 0.0)
        self._from = ValueSlider("Wind from", "°", (0.0, 355.0), 5.0, 0.0)
        for slider in (self._speed, self._from):
            slider.changed.connect(self._tell)

    def add_to(self, grid: QGridLayout, line: int) -> int:
        """Put the rows into `grid` and return the next free one."""
        self._speed.add_to(grid, line)
        self._from.add_to(grid, line + 1)
        return line + 2

    def show(self, north: float, east: float) -> None:
        """Show the velocity of the air, m/s. Calm air keeps the direction that was chosen."""
        speed = math.hypot(north, east)
        self._speed.show_value(speed)
        if speed > 0.0:
            self._from.show_value(math.degrees(math.atan2(-east, -north)) % 360.0)

    def _tell(self) -> None:
        direction = math.radians(self._from.value)
        speed = self._speed.value
        self.on_change(-speed * math.cos(direction), -speed * math.sin(direction))


def _slider_of(control: Control) -> ValueSlider:
    span = (control.low, control.high)
    return ValueSlider(control.title, control.unit, span, control.step, control.default)


def _grid_box(title: str) -> tuple[QGroupBox, QGridLayout]:
    box = QGroupBox(title)
    grid = QGridLayout(box)
    grid.setColumnStretch(1, 1)
    grid.setContentsMargins(8, 8, 8, 8)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(2)
    return box, grid


def _sentence(report: Report) -> str:
    """What time does, and whether the aircraft is whole."""
    minutes, seconds = divmod(report.time_s, 60.0)
    clock = f"{int(minutes):02}:{seconds:04.1f}"
    if report.trouble:
        return f"{clock}. {report.trouble}"
    if report.has_crashed:
        return f"{clock}. Crashed. Start anew to fly again."
    if report.speed == 0.0:
        return f"{clock}. Time stands still."
    if report.factor < 0.9 * report.speed:
        return f"{clock}, {report.factor:.1f} × real time: this machine is not faster now."
    return f"{clock}, {report.speed:g} × real time."
