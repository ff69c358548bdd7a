"""Trainer mix view: the devices that fly the aircraft, the pilot's and a student's beside it."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from plugins.pilot.devices.chosen_devices import NOTHING, ChosenDevices
from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.hub import InputDevice
from plugins.pilot.devices.mix import MixSetup, Takeover
from telemetry.base.statement import Statement
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS, StickControl
from widgets.choices import fill_choice, make_choice
from widgets.parts import STRETCH, make_button, make_column, make_grid, make_label, make_row
from widgets.state_label import StateLabel
from widgets.wheel_filter import wheel_needs_focus

FIRST_READY = "The first that is set up"
NOBODY = "Nobody"
NOT_USED = "One that nobody has set up is not used, nor a program that nobody has chosen."
NO_AIRCRAFT = "No aircraft. Connect to one to choose what flies it."
_TAKEOVERS: tuple[tuple[str, Takeover], ...] = (
    ("by moving a stick, or a button", "moving"),
    ("by a button only", "button"),
)


class MixView(QWidget):
    """`chosen(chosen)` is emitted for what the user does."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.pilot = make_choice("Device that flies")
        self.student = make_choice("Device of the student")
        self.takeover = make_choice("How the instructor takes over", _TAKEOVERS)
        self.has: dict[StickControl, QCheckBox] = {
            control: QCheckBox(control.capitalize()) for control in STICK_CONTROLS
        }
        self.now = StateLabel(wraps=True, keeps_room=True, calm="")
        self.give = make_button("Give the controls to the student", self._give)
        self.take = make_button("Take over", self._take, "primary")
        self._choice: DeviceChoice | None = None
        self._lay_out()
        wheel_needs_focus(self.pilot, self.student, self.takeover)
        for box in (self.pilot, self.student, self.takeover):
            box.currentIndexChanged.connect(lambda _index: self._emit())
        for check in self.has.values():
            check.toggled.connect(lambda _on: self._emit())

    def show_choice(self, choice: DeviceChoice | None, devices: tuple[InputDevice, ...]) -> None:
        """Show what flies an aircraft; None without one."""
        self._choice = choice
        chosen = choice.chosen if choice is not None else ChosenDevices()
        _fill(self.pilot, FIRST_READY, devices, chosen.pilot)
        _fill(self.student, NOBODY, devices, chosen.student)
        fill_choice(self.takeover, _TAKEOVERS, chosen.mix.takeover)
        for control, check in self.has.items():
            with QSignalBlocker(check):
                check.setChecked(control in chosen.mix.student_controls)
        for part in (self.pilot, self.student):
            part.setEnabled(choice is not None)
        has_student = choice is not None and bool(chosen.student)
        is_student = choice is not None and choice.inputs.mix.is_student_flying
        for widget in (self.takeover, *self.has.values()):
            widget.setEnabled(has_student)
        self.give.setEnabled(has_student and not is_student)
        self.take.setEnabled(has_student and is_student)
        self.now.state(Statement(_sentence(choice, devices), ends="another device is chosen"))

    def _give(self) -> None:
        if self._choice is not None:
            self._choice.inputs.mix.give()

    def _take(self) -> None:
        if self._choice is not None:
            self._choice.inputs.mix.take()

    def _emit(self) -> None:
        given = frozenset(control for control, check in self.has.items() if check.isChecked())
        mix = MixSetup(given, self.takeover.currentData())
        self.chosen.emit(ChosenDevices(self.pilot.currentData(), self.student.currentData(), mix))

    def _lay_out(self) -> None:
        grid = make_grid(margins=None, shares={1: 1})
        rows = (
            ("Pilot or instructor", make_row(self.pilot)),
            ("Student", make_row(self.student)),
            ("The student has", make_row(*self.has.values(), STRETCH)),
            ("The instructor takes over", make_row(self.takeover)),
        )
        for number, (title, part) in enumerate(rows):
            grid.addWidget(make_label(title, tone="muted"), number, 0)
            grid.addLayout(part, number, 1)
        buttons = make_row(self.give, self.take, STRETCH)
        self.setLayout(make_column(grid, self.now, buttons, STRETCH, spacing=8))


def _fill(box: QComboBox, nothing: str, devices: tuple[InputDevice, ...], current: str) -> None:
    """The devices that are there, and the chosen one even if it is not."""
    entries = [(nothing, NOTHING)]
    entries += [(device_title(device, devices), device.key) for device in devices]
    if current not in [key for _, key in entries]:
        entries.append(("A device that is not plugged in", current))
    fill_choice(box, entries, current)


def device_title(device: InputDevice, devices: tuple[InputDevice, ...]) -> str:
    """A device's name, with a number where several have it."""
    alike = [other.key for other in devices if other.kind.name == device.kind.name]
    number = f" ({alike.index(device.key) + 1})" if len(alike) > 1 else ""
    return f"{device.kind.name}{number}"


def _sentence(choice: DeviceChoice | None, devices: tuple[InputDevice, ...]) -> str:
    if choice is None:
        return NO_AIRCRAFT
    pilot = next((device for device in devices if device.key == choice.pilot), None)
    if pilot is None:
        return f"No device flies. {NOT_USED}"
    if choice.chosen.student and choice.inputs.mix.is_student_flying:
        return "The student has the controls when Controller is the input in Controls."
    return f"{device_title(pilot, devices)} flies when Controller is the input in Controls."
