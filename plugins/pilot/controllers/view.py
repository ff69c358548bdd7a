"""Input device layout: devices on the left, what is made of one on the right."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from plugins.pilot.controllers.bars import ReadingView
from plugins.pilot.controllers.button_rows import ButtonRows
from plugins.pilot.controllers.curve_rows import CurveRows
from plugins.pilot.controllers.mix_view import MixView, device_title
from plugins.pilot.controllers.programs import ProgramsView
from plugins.pilot.controllers.stick_rows import StickRows
from plugins.pilot.devices.hub import DeviceHub, InputDevice
from plugins.pilot.devices.profile import MODES
from telemetry.base.statement import Statement
from widgets.choices import fill_choice, make_choice
from widgets.fitted_text import FittedText
from widgets.parts import (
    STRETCH,
    make_button,
    make_column,
    make_label,
    make_row,
    make_scrolled,
)
from widgets.state_label import StateLabel
from widgets.wheel_filter import wheel_needs_focus

NO_DEVICE = (
    "Nothing is plugged in. Plug in a game controller, an RC transmitter by USB or a 3-D mouse, or "
    "let a program write the sticks."
)
_LEFT_PX = 190
_LIST_PX = 48
_MARGIN_PX = 8
_MODES = [(f"Mode {mode}", mode) for mode in MODES]


class ControllersView(QWidget):
    """Widgets and their places. It decides nothing."""

    device_chosen = Signal(str)
    scope_chosen = Signal(str)
    mode_chosen = Signal(int)
    springs_chosen = Signal(bool)
    wizard_pressed = Signal()
    calibrate_pressed = Signal()
    button_pressed = Signal()
    cancel_pressed = Signal()
    save_pressed = Signal()
    revert_pressed = Signal()
    import_pressed = Signal()
    export_pressed = Signal()

    def __init__(self, hub: DeviceHub) -> None:
        super().__init__()
        self.devices = QListWidget()
        self.devices.setAccessibleName("Input devices")
        self.devices.setMinimumHeight(_LIST_PX)
        self.devices.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.reading = ReadingView()
        self.empty = make_label(NO_DEVICE, tone="muted", wraps=True)
        self.title = FittedText()
        self.title.setProperty("textSize", "title")
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.scope = make_choice("Aircraft that the profile is for")
        self.scope.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.note = StateLabel(wraps=True, keeps_room=True, calm="")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setMaximumWidth(120)
        self.cancel = make_button("Cancel", self.cancel_pressed.emit)
        self.sticks = StickRows()
        self.curves = CurveRows()
        self.mode = make_choice("Mode of the sticks", _MODES)
        self.springs = QCheckBox("The throttle springs to the middle")
        self.wizard = make_button("Set up step by step", self.wizard_pressed.emit, "primary")
        self.calibrate = make_button("Calibrate ends", self.calibrate_pressed.emit)
        self.buttons = ButtonRows()
        self.add_button = make_button("Detect a button…", self.button_pressed.emit)
        self.mix = MixView()
        self.programs = ProgramsView(hub)
        self.save = make_button("Save", self.save_pressed.emit, "primary")
        self.revert = make_button("Revert", self.revert_pressed.emit)
        self.import_file = make_button("Import…", self.import_pressed.emit)
        self.export_file = make_button("Export…", self.export_pressed.emit)
        self.tabs = QTabWidget()
        wheel_needs_focus(self.scope, self.mode)
        self._lay_out()
        self._connect()

    @property
    def setting_up(self) -> tuple[QPushButton, ...]:
        """What begins to change the profile."""
        return (self.wizard, self.calibrate, self.add_button, self.import_file)

    def show_devices(
        self, devices: tuple[InputDevice, ...], states: dict[str, str], chosen: str
    ) -> None:
        """List what is there, each with its state in words."""
        entries = [
            (device.key, f"{device_title(device, devices)}\n{states[device.key]}")
            for device in devices
        ]
        shown = [
            (item.data(Qt.ItemDataRole.UserRole), item.text())
            for item in map(self.devices.item, range(self.devices.count()))
        ]
        with QSignalBlocker(self.devices):
            if entries != shown:
                self.devices.clear()
                for key, text in entries:
                    item = QListWidgetItem(text)
                    item.setData(Qt.ItemDataRole.UserRole, key)
                    item.setToolTip(text)
                    self.devices.addItem(item)
            keys = [key for key, _ in entries]
            self.devices.setCurrentRow(keys.index(chosen) if chosen in keys else -1)
        self.devices.setVisible(bool(entries))
        self.empty.setVisible(not entries)

    def show_scopes(self, entries: list[tuple[str, str]], chosen: str) -> None:
        """The aircraft that a profile can be for."""
        fill_choice(self.scope, entries, chosen)

    def show_throttle(self, mode: int, *, springs: bool) -> None:
        """Show the mode, and how the throttle is."""
        fill_choice(self.mode, _MODES, mode)
        with QSignalBlocker(self.springs):
            self.springs.setChecked(springs)

    def say(self, statement: Statement, calm: str = "") -> None:
        """The sentence above the tabs; `calm` is its tone where it is no trouble."""
        self.note.calm = calm
        self.note.state(statement)

    def show_progress(self, done: int, of: int) -> None:
        """How far a procedure is; 0 of 0 for none."""
        self.progress.setVisible(of > 0)
        self.progress.setRange(0, max(1, of))
        self.progress.setValue(done)

    def _connect(self) -> None:
        self.devices.currentItemChanged.connect(lambda item, _before: self._choose_device(item))
        for box, chosen in ((self.scope, self.scope_chosen), (self.mode, self.mode_chosen)):
            box.currentIndexChanged.connect(
                lambda _index, box=box, chosen=chosen: chosen.emit(box.currentData())
            )
        self.springs.toggled.connect(self.springs_chosen)

    def _choose_device(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.device_chosen.emit(item.data(Qt.ItemDataRole.UserRole))

    def _lay_out(self) -> None:
        left = QWidget()
        left.setFixedWidth(_LEFT_PX)
        left.setLayout(make_column((self.devices, 1), self.empty, self.reading, spacing=8))
        head = make_row((self.title, 1), make_label("Profile for", tone="muted"), self.scope)
        self.note.setMinimumHeight(self.cancel.sizeHint().height())
        told = make_row((self.note, 1), self.progress, self.cancel, self.revert, self.save)
        begin = make_row(self.wizard, self.calibrate, STRETCH, self.import_file, self.export_file)
        kind = make_row(self.mode, self.springs, STRETCH)
        sticks = make_column(begin, self.sticks, kind, STRETCH, spacing=8)
        curves = make_column(self.curves, STRETCH)
        buttons = make_column(self.buttons, make_row(self.add_button, STRETCH), STRETCH, spacing=8)
        for title, layout in (("Sticks", sticks), ("Curves", curves), ("Buttons", buttons)):
            self.tabs.addTab(_scrolled(layout), title)
        self.tabs.addTab(_scrolled(make_column(self.mix)), "Who flies")
        self.tabs.addTab(_scrolled(make_column(self.programs)), "Programs")
        right = make_column(head, told, (self.tabs, 1), spacing=6)
        self.setLayout(make_row(left, (right, 1), margins=_MARGIN_PX, spacing=12))


def _scrolled(layout: QVBoxLayout) -> QWidget:
    """A part that scrolls where there is little room, and never sideways into nothing."""
    layout.setContentsMargins(0, _MARGIN_PX, _MARGIN_PX, 0)
    return make_scrolled(layout)
