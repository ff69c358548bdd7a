"""Stick curve rows of each control: dead zone, expo and rate, and the curve of one."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QRadioButton, QWidget

from plugins.pilot.devices.profile import ControlSetup, Profile
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS, StickControl
from widgets.forms.spin_boxes import NumberBox
from widgets.line_chart import Line, LineChart, Mark
from widgets.parts import STRETCH, make_column, make_grid, make_label, make_row
from widgets.plot.window import Span
from widgets.wheel_filter import wheel_needs_focus

_TITLES = ("Curve of", "Dead zone", "Expo", "Rate")
_BOX_PX = 78
_POINTS = np.linspace(-1.0, 1.0, 101)


class CurveRows(QWidget):
    """A row for each control and the curve of the one that is chosen. `changed(control, setup)` is
    emitted for what the user does."""

    changed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.curve = CurvePreview()
        self.rows = {control: CurveRow(control, self) for control in STICK_CONTROLS}
        grid = make_grid(margins=None, spacing=(8, 4))
        for column, title in enumerate(_TITLES):
            grid.addWidget(make_label(title, tone="muted"), 0, column)
        for number, row in enumerate(self.rows.values(), start=1):
            for column, part in enumerate(row.parts):
                grid.addWidget(part, number, column)
        left = make_column(grid, STRETCH)
        layout = make_row(left, (make_column(self.curve, STRETCH), 1), margins=0, spacing=12)
        self.setLayout(layout)
        self.rows["roll"].shown.setChecked(True)

    def show_profile(self, profile: Profile, reading: Reading | None) -> None:
        """Show how a profile shapes travel, and where the stick of the curve is."""
        for control, row in self.rows.items():
            row.show_setup(profile.control(control))
            if row.shown.isChecked():
                self.curve.show_control(control, profile.control(control), reading)


class CurveRow:
    """The parts of one row."""

    def __init__(self, control: StickControl, owner: CurveRows) -> None:
        self._control = control
        self._owner = owner
        self._setup: ControlSetup | None = None
        self.shown = QRadioButton(control.capitalize())
        self.dead_zone = _percent(f"Dead zone of {control}", 0, 50)
        self.expo = _percent(f"Expo of {control}", 0, 100)
        self.rate = _percent(f"Rate of {control}", 5, 100)
        self.parts: tuple[QWidget, ...] = (self.shown, self.dead_zone, self.expo, self.rate)
        for box in (self.dead_zone, self.expo, self.rate):
            box.valueChanged.connect(lambda _value: self._take_shape())

    def show_setup(self, setup: ControlSetup) -> None:
        """Show what is set up; nothing is emitted, and what somebody types stays."""
        if setup == self._setup:
            return
        self._setup = setup
        for box, share in (
            (self.dead_zone, setup.dead_zone),
            (self.expo, setup.expo),
            (self.rate, setup.rate),
        ):
            with QSignalBlocker(box):
                box.setValue(100 * share)
        self.expo.setEnabled(self._control != "throttle" or setup.springs)

    def _take_shape(self) -> None:
        if self._setup is None:
            return
        self._setup = replace(
            self._setup,
            dead_zone=self.dead_zone.value() / 100,
            expo=self.expo.value() / 100,
            rate=self.rate.value() / 100,
        )
        self.shown.setChecked(True)
        self._owner.changed.emit(self._control, self._setup)


class CurvePreview(LineChart):
    """What one control gives over the travel of its stick, in per cent."""

    def __init__(self) -> None:
        super().__init__("Roll", "% of travel", "% given", height=180)
        self.x_span = Span(-100.0, 100.0)
        self._shown: object = None

    def show_control(
        self, control: StickControl, setup: ControlSetup, reading: Reading | None
    ) -> None:
        """Draw a control's curve, with a line where its stick is."""
        travel = setup.travel(reading) if reading is not None else None
        here = None if travel is None else round(100 * travel)
        if (control, setup, here) == self._shown:
            return
        self._shown = (control, setup, here)
        is_throttle = control == "throttle"
        self.retitle(control.capitalize(), "% given")
        given = setup.shape_throttle if is_throttle else setup.shape
        values = np.array([given(float(point)) for point in _POINTS])
        straight = (_POINTS + 1.0) / 2.0 if is_throttle else _POINTS
        self.y_span = Span(0.0 if is_throttle else -100.0, 100.0)
        marks = () if here is None else (Mark(here, f"{here} %".replace("-", "−"), "commanded"),)
        self.show_lines(
            (
                Line("straight", "muted", 100 * _POINTS, 100 * straight, is_dashed=True),
                Line("given", "accent", 100 * _POINTS, 100 * values),
            ),
            marks,
        )


def _percent(name: str, low: int, high: int) -> NumberBox:
    box = NumberBox(name, (low, high), 0, " %")
    box.setFixedWidth(_BOX_PX)
    wheel_needs_focus(box)
    return box
