"""Simulator controls panel: pause, speed, reset, weather, faults and radio link."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from plugins.simulator.control_groups import ControlGroups
from plugins.simulator.link import SimulatorLink
from plugins.simulator.remote import Remote
from simulation.serving.report import SimulatorReport
from telemetry.recording.recording import Recording
from widgets.choices import make_choice
from widgets.collapsible import CollapsibleGroup
from widgets.parts import STRETCH, make_button, make_column, make_grid, make_label, make_scrolled
from widgets.value_slider import ValueSlider

NO_SIMULATOR = (
    "These controls work on a simulator that this station runs. Connect to one, such as sim:ar100b."
)
_WAITING = "The simulator is starting."
_SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
_LINK_TITLE = "Radio link"
_MIXERS = 12
_GAP_PX = 8
_PATIENCE = 3
"""So many reports may still tell what was before a request arrived, or be late after a pause."""
# Name on the wire: title, unit, greatest value and step as shown, and what one of them is there.
_LINK = {
    "loss": ("Packets lost", "%", 100.0, 1.0, 0.01),
    "corruption": ("Bytes damaged", "%", 5.0, 0.05, 0.01),
    "latency_s": ("Delay", "ms", 2000.0, 10.0, 0.001),
}


class SimulatorControlsPanel(QWidget):
    """Commands the simulator that flies the vehicle shown."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._remote: Remote | None = None
        self._seen: SimulatorReport | None = None
        self._unheard = 0
        self._slow = 0
        self._groups = ControlGroups()
        self._groups.asked.connect(lambda values: self._ask(set=values))
        self._link_sliders: dict[str, ValueSlider] = {}
        self._link_fold = self._make_link_fold()
        self._state = make_label(wraps=True)
        tip = "Time stands still; the link stays up."
        self._pause = make_button("Pause", self._toggle_pause, tip=tip)
        speeds = [(f"{speed:g} × real time", speed) for speed in _SPEEDS]
        tip = "How fast time passes."
        self._speed = make_choice("Speed of time", speeds, chosen=1.0, tip=tip)
        self._speed.activated.connect(self._choose_speed)
        tip = "A new aircraft at the start, battery full. What is set below stays."
        self._reset = make_button("Start anew", lambda: self._ask(reset=True), tip=tip)
        tip = "No wind, no faults, a full battery, a perfect link."
        self._calm = make_button("All to normal", self._calm_down, tip=tip)
        self._time_parts = (self._pause, self._speed, self._reset, self._calm)
        self._time = make_grid(margins=None)
        self._time_columns = 0
        self._body = QWidget()
        self._lay_out()
        self._show_absent(NO_SIMULATOR)

    def refresh(self, t: float) -> None:
        """Exchange words with the simulator and show what it says; build what is not there yet."""
        if self._groups.build_next(self._context.theme) and self._seen is not None:
            self._groups.show_values(self._seen.values)
        vehicle = self._context.vehicle
        link = vehicle.link if vehicle is not None else None
        if not isinstance(link, SimulatorLink):
            self._remote = self._seen = None
            self._show_absent(NO_SIMULATOR)
            return
        self._remote = link.remote
        refusal = self._remote.poll()
        if refusal:
            self._context.show_message(refusal)
        report = self._remote.report
        if report is None:
            self._show_absent(link.progress or _WAITING)
        elif report is not self._seen:
            self._seen = report
            self._show(report)
            self._groups.show_sensors(report.sensor_faults)
            self._groups.show_motors(_motors(vehicle.recording) if vehicle else 0)

    def save_state(self) -> Json:
        """Which groups are unfolded; the simulator keeps what is set."""
        return {"open": [fold.title for fold in self._folds if fold.is_open]}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        chosen = state.get("open")
        if isinstance(chosen, list):
            self._groups.open_only([title for title in chosen if isinstance(title, str)])
            self._link_fold.set_open(_LINK_TITLE in chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_time()

    @property
    def _folds(self) -> list[CollapsibleGroup]:
        return [*self._groups.folds.values(), self._link_fold]

    # What is shown ----------------------------------------------------------------------

    def _show_absent(self, why: str) -> None:
        self._state.setText(why)
        self._set_enabled(False)

    def _show(self, report: SimulatorReport) -> None:
        self._set_enabled(True)
        self._pause.setText("Go on" if report.speed == 0.0 else "Pause")
        is_late = report.factor < 0.9 * report.speed
        self._slow = self._slow + 1 if is_late else 0
        self._state.setText(_sentence(report, self._slow > _PATIENCE))
        if self._unheard > 0:
            self._unheard -= 1
            return
        if report.speed in _SPEEDS and not self._speed.view().isVisible():
            self._speed.setCurrentIndex(_SPEEDS.index(report.speed))
        self._groups.show_values(report.values)
        for name, slider in self._link_sliders.items():
            slider.show_value(report.link[name] / _LINK[name][-1])
        changed = sum(not slider.is_normal for slider in self._link_sliders.values())
        self._link_fold.set_note(f"{changed} changed" if changed else "")

    def _set_enabled(self, enabled: bool) -> None:
        for part in (self._body, *self._time_parts):
            part.setEnabled(enabled)

    # What is asked ----------------------------------------------------------------------

    def _ask(self, **options: object) -> None:
        if self._remote is not None:
            self._remote.ask(**options)
            self._unheard = _PATIENCE

    @property
    def _stands_still(self) -> bool:
        return self._seen is not None and self._seen.speed == 0.0

    def _choose_speed(self) -> None:
        """While time stands still, the choice is for when it goes on."""
        if not self._stands_still:
            self._ask(speed=float(self._speed.currentData()))

    def _toggle_pause(self) -> None:
        self._ask(speed=float(self._speed.currentData()) if self._stands_still else 0.0)

    def _calm_down(self) -> None:
        self._ask(set=self._groups.calm(), link=dict.fromkeys(self._link_sliders, 0.0))
        self._unheard = 0  # show it as soon as it is so

    # How it is arranged -----------------------------------------------------------------

    def _lay_out(self) -> None:
        self._arrange_time()
        parts = (self._groups, self._link_fold)
        self._body.setLayout(make_column(*parts, STRETCH, margins=(0, 0, 8, 0), spacing=4))
        area = make_scrolled(self._body)
        self.setLayout(make_column(self._state, self._time, (area, 1), margins=(8, 8, 8, 8)))

    def _arrange_time(self) -> None:
        """All in a row, or two by two where they would be cut."""
        wanted_px = sum(part.sizeHint().width() + _GAP_PX for part in self._time_parts) + _GAP_PX
        columns = len(self._time_parts) if self.width() >= wanted_px else 2
        if columns == self._time_columns:
            return
        self._time_columns = columns
        for number, part in enumerate(self._time_parts):
            self._time.removeWidget(part)
            self._time.addWidget(part, *divmod(number, columns))

    def _make_link_fold(self) -> CollapsibleGroup:
        body = QWidget()
        grid = make_grid(body, margins=(24, 0, 0, 8), spacing=(8, 4), shares={1: 1})
        for line, (name, (title, unit, most, step, scale)) in enumerate(_LINK.items()):
            slider = ValueSlider(title, unit, (0.0, most), step, 0.0)
            slider.changed.connect(
                lambda v, name=name, scale=scale: self._ask(link={name: v * scale})
            )
            slider.add_to(grid, line)
            self._link_sliders[name] = slider
        return CollapsibleGroup(_LINK_TITLE, body, is_open=False)


def _motors(recording: Recording) -> int:
    """How many motors the mixer drives; all there can be before it is known."""
    mixer = recording.latest("MixerSettings", recording.last_s)
    if mixer is None:
        return _MIXERS
    kinds = (str(mixer[f"Mixer{number}Type"]) for number in range(1, _MIXERS + 1))
    return sum(kind == "Motor" for kind in kinds)


def _sentence(report: SimulatorReport, is_slow: bool) -> str:
    """What time does, and whether the aircraft is whole."""
    minutes, seconds = divmod(report.time_s, 60.0)
    clock = f"{int(minutes):02}:{seconds:04.1f}"
    if report.trouble:
        return f"{clock}. {report.trouble}"
    if report.has_crashed:
        return f"{clock}. Crashed. Start anew to fly again."
    if report.speed == 0.0:
        return f"{clock}. Time stands still."
    if is_slow:
        return f"{clock}, {report.factor:.1f} × real time: this machine is not faster now."
    return f"{clock}, {report.speed:g} × real time."
