"""Button rows: what the buttons of a device ask for."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from plugins.pilot.action_titles import ACTION_TITLES
from plugins.pilot.controllers.bars import axis_name
from plugins.pilot.devices.buttons import (
    ACTION,
    ARM,
    DISARM,
    GIVE_CONTROL,
    LEAST_HOLD_S,
    MARKER,
    POSITION,
    STOP,
    TAKE_CONTROL,
    hold_s,
)
from plugins.pilot.devices.profile import ButtonSetup, Profile, Trigger
from telemetry.flying.inputs.reading import Reading
from widgets.choices import make_choice
from widgets.forms.spin_boxes import NumberBox
from widgets.labels import set_text
from widgets.parts import clear_layout, make_button, make_grid, make_label
from widgets.wheel_filter import wheel_needs_focus

MOST_POSITIONS = 6
_BOX_PX = 78
EMPTY = "No button asks for anything yet. Give one the emergency stop first."
_TITLES = ("Button", "Asks for", "Hold", "Repeat", "")


def command_titles() -> dict[str, str]:
    """Everything that a button can ask for, in words."""
    titles = {
        STOP: "Emergency stop: motors off",
        ARM: "Arm",
        DISARM: "Disarm (on the ground)",
        **{f"{POSITION}{n}": f"Flight mode position {n}" for n in range(1, MOST_POSITIONS + 1)},
    }
    taken = {"arm", "stop"}
    for name, title in ACTION_TITLES:
        if name not in taken:
            titles[f"{ACTION}pilot.{name}"] = title
    titles |= {
        MARKER: "Set a marker",
        TAKE_CONTROL: "Instructor: take over",
        GIVE_CONTROL: "Instructor: give the controls",
    }
    return titles


class ButtonRows(QWidget):
    """A row for each button that asks for something. `changed(setups)` is emitted for what the
    user does."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._setups: tuple[ButtonSetup, ...] = ()
        self._axis_names: tuple[str, ...] = ()
        self._lights: list[QLabel] = []
        self._is_built = False
        self._grid = make_grid(self, spacing=(8, -1), shares={1: 1})

    def show_profile(self, profile: Profile, axis_names: tuple[str, ...]) -> None:
        """Show the buttons of a profile."""
        shown = (profile.buttons, axis_names)
        if self._is_built and shown == (self._setups, self._axis_names):
            return
        self._setups, self._axis_names = shown
        self._build()

    def show_reading(self, reading: Reading | None) -> None:
        """Mark what is pressed now."""
        for setup, light in zip(self._setups, self._lights, strict=True):
            is_down = reading is not None and setup.trigger.is_down(reading)
            mark = " ●" if is_down else ""
            set_text(light, f"{trigger_text(setup.trigger, self._axis_names)}{mark}")

    def _build(self) -> None:
        self._is_built = True
        clear_layout(self._grid)
        self._lights = []
        if not self._setups:
            self._grid.addWidget(make_label(EMPTY, tone="muted", wraps=True), 0, 0, 1, 5)
            return
        for column, title in enumerate(_TITLES):
            self._grid.addWidget(make_label(title, tone="muted"), 0, column)
        for row, setup in enumerate(self._setups):
            for column, part in enumerate(self._row(row, setup)):
                self._grid.addWidget(part, row + 1, column)

    def _row(self, row: int, setup: ButtonSetup) -> tuple[QWidget, ...]:
        light = QLabel(trigger_text(setup.trigger, self._axis_names))
        light.setMinimumWidth(light.fontMetrics().horizontalAdvance(f"{light.text()} ●"))
        self._lights.append(light)
        titles = command_titles()
        titles.setdefault(setup.command, setup.command.removeprefix(ACTION))
        name = f"What {light.text()} asks for"
        entries = [(title, command) for command, title in titles.items()]
        command = make_choice(name, entries, chosen=setup.command)
        command.setMinimumContentsLength(12)
        command.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        command.currentIndexChanged.connect(
            lambda _index: self._command(row, str(command.currentData()))
        )
        hold = _seconds("Hold", hold_s(setup), LEAST_HOLD_S.get(setup.command, 0.0))
        hold.valueChanged.connect(lambda s: self._put(row, replace(self._setups[row], hold_s=s)))
        repeat = _seconds("Repeat every", setup.repeat_s, 0.0)
        repeat.setSpecialValueText("never")
        repeat.valueChanged.connect(
            lambda s: self._put(row, replace(self._setups[row], repeat_s=s))
        )
        wheel_needs_focus(command, hold, repeat)
        remove = make_button("✕", lambda: self._remove(row), tip="It asks for nothing any more.")
        remove.setAccessibleName(f"Remove {light.text()}")
        return light, command, hold, repeat, remove

    def _command(self, row: int, command: str) -> None:
        changed = replace(self._setups[row], command=command)
        self.changed.emit((*self._setups[:row], changed, *self._setups[row + 1 :]))

    def _put(self, row: int, setup: ButtonSetup) -> None:
        """Take a number over that is being typed: its row stays as it stands."""
        self._setups = (*self._setups[:row], setup, *self._setups[row + 1 :])
        self.changed.emit(self._setups)

    def _remove(self, row: int) -> None:
        self.changed.emit((*self._setups[:row], *self._setups[row + 1 :]))


def trigger_text(trigger: Trigger, axis_names: tuple[str, ...]) -> str:
    """A button, or a stretch of an axis, in words."""
    if trigger.button is not None:
        return f"Button {trigger.button + 1}"
    low, high = (f"{100 * end:.0f}".replace("-", "−") for end in (trigger.low, trigger.high))
    return f"{axis_name(trigger.axis, axis_names)}: {low} to {high} %"


def _seconds(name: str, value: float, least: float) -> NumberBox:
    box = NumberBox(name, (least, 10.0), 1, " s", 0.1)
    box.setFixedWidth(_BOX_PX)
    box.setValue(value)
    return box
