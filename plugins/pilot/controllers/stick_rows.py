"""Stick rows: the controls of a profile, what moves each, and what it is given."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from plugins.pilot.controllers.bars import ShareBar, axis_name
from plugins.pilot.devices.profile import AxisSetup, ControlSetup, Profile
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS, StickControl
from widgets.choices import fill_choice, make_choice
from widgets.parts import make_button, make_grid, make_label
from widgets.wheel_filter import wheel_needs_focus

_TITLES = ("", "Gives", "Moved by", "", "", "Reversed")
_DETECT_TIP = "Then push the stick as asked: the axis that moves most is taken."
_OTHER_SIDE_TIP = "For two triggers on one control: then push the one that moves it back."
_NOTHING = "Nothing"


class StickRows(QWidget):
    """A row for each control. `changed(control, setup)` is emitted for what the user does;
    `detect_asked(control, other_side)` asks for the axis that is moved next."""

    changed = Signal(str, object)
    detect_asked = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[StickControl, StickRow] = {}
        grid = make_grid(self, spacing=(8, 4), shares={1: 3, 2: 2})
        for column, title in enumerate(_TITLES):
            grid.addWidget(make_label(title, tone="muted"), 0, column)
        for number, control in enumerate(STICK_CONTROLS, start=1):
            row = self.rows[control] = StickRow(control, self)
            for column, part in enumerate(row.parts):
                grid.addWidget(part, number, column)

    def show_profile(self, profile: Profile, axis_names: tuple[str, ...]) -> None:
        """Show how a profile sets its controls up."""
        for control, row in self.rows.items():
            row.show_setup(profile.control(control), axis_names)

    def show_reading(self, profile: Profile, reading: Reading | None) -> None:
        """Show what the profile makes of a reading."""
        for control, row in self.rows.items():
            setup = profile.control(control)
            travel = setup.travel(reading) if reading is not None else None
            shaped = setup.shape_throttle if control == "throttle" else setup.shape
            row.bar.show_value(None if travel is None else shaped(travel))


class StickRow:
    """The parts of one row."""

    def __init__(self, control: StickControl, owner: StickRows) -> None:
        self._control = control
        self._owner = owner
        self._setup = ControlSetup()
        self._offered: list[tuple[AxisSetup, ...]] = []
        name = control.capitalize()
        self.bar = ShareBar(f"What {control} is given", from_left=control == "throttle")
        self.axis = make_choice(f"What moves {control}")
        self.axis.setMinimumContentsLength(7)
        ask = owner.detect_asked.emit
        self.detect = make_button("Detect", lambda: ask(control, False), tip=_DETECT_TIP)
        self.other_side = make_button("Other side", lambda: ask(control, True), tip=_OTHER_SIDE_TIP)
        self.reverse = QCheckBox()
        self.reverse.setAccessibleName(f"{name} reversed")
        self.parts: tuple[QWidget, ...] = (
            QLabel(name),
            self.bar,
            self.axis,
            self.detect,
            self.other_side,
            self.reverse,
        )
        wheel_needs_focus(self.axis)
        self.axis.currentIndexChanged.connect(lambda _index: self._take_axis())
        self.reverse.toggled.connect(self._take_reversal)

    def show_setup(self, setup: ControlSetup, axis_names: tuple[str, ...]) -> None:
        """Show what is set up; nothing is emitted."""
        self._setup = setup
        self._fill_axes(setup, axis_names)
        single = setup.axes[0] if len(setup.axes) == 1 else None
        self.reverse.setEnabled(bool(setup.axes))
        with QSignalBlocker(self.reverse):
            self.reverse.setChecked(any(axis.is_reversed for axis in setup.axes))
        self.other_side.setVisible(single is not None and single.part != "both")

    def _fill_axes(self, setup: ControlSetup, names: tuple[str, ...]) -> None:
        """All axes, and what is set up where that is not one whole axis of the device."""
        entries: list[tuple[str, tuple[AxisSetup, ...]]] = [(_NOTHING, ())]
        entries += [(name, (AxisSetup(axis),)) for axis, name in enumerate(names)]
        current = 0
        if setup.axes:
            first = setup.axes[0]
            current = 1 + first.axis
            if len(setup.axes) > 1 or first.part != "both" or first.axis >= len(names):
                current = len(entries)
                entries.append((_described(setup, names), setup.axes))
        self._offered = [axes for _, axes in entries]
        fill_choice(self.axis, [(text, row) for row, (text, _) in enumerate(entries)], current)

    def _take_axis(self) -> None:
        axes = self._offered[self.axis.currentIndex()]
        self._owner.changed.emit(self._control, replace(self._setup, axes=axes))

    def _take_reversal(self, wanted: bool) -> None:
        axes = tuple(replace(axis, is_reversed=wanted) for axis in self._setup.axes)
        self._owner.changed.emit(self._control, replace(self._setup, axes=axes))


def _described(setup: ControlSetup, names: tuple[str, ...]) -> str:
    signs = {"both": "", "raises": " up", "lowers": " down"}
    return ", ".join(f"{axis_name(a.axis, names)}{signs[a.part]}" for a in setup.axes)
