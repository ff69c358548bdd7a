"""Failsafe view: what the aircraft does when the receiver or the battery fails."""

from PySide6.QtWidgets import QLabel, QWidget

from plugins.flight_modes.grid import (
    caption,
    choice_editor,
    heading,
    hide_absent,
    offer,
    percent_editor,
    seconds_editor,
)
from telemetry.configuration.flight_modes.setup import FlightModeSetup
from telemetry.configuration.settings.configuration import Configuration
from widgets.collapsible import FOLD_MARGINS
from widgets.parts import make_column, make_grid
from widgets.settings.editor import SettingEditor
from widgets.settings.form import ObjectForm

_RECEIVER, _MODES = "ManualControlSettings", "FlightModeSettings"
_CHANNELS = (
    *("Throttle", "Roll", "Pitch", "Yaw", "Collective"),
    *("Accessory0", "Accessory1", "Accessory2", "Accessory3"),
)
_CHANNELS_A_ROW = 5
_OLD_FIELD = "FailsafeBehavior"


class FailsafeView(QWidget):
    """Positions to go to, and where controls are taken to be, while nobody commands."""

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self._settings = settings
        keep = _choices(FlightModeSetup((), 0, {}))
        switch = "FailsafeFlightModeSwitchPosition"
        battery = "BatteryFailsafeSwitchPositions"
        self.position = choice_editor(settings, _RECEIVER, switch, keep)
        self.warning = choice_editor(settings, _MODES, f"{battery}.Warning", keep)
        self.critical = choice_editor(settings, _MODES, f"{battery}.Critical", keep)
        self.wait = seconds_editor(settings, _MODES, "BatteryFailsafeDebounceTimer")
        self.channels = {
            name: percent_editor(settings, _RECEIVER, f"FailsafeChannel.{name}")
            for name in _CHANNELS
        }
        self.old = ObjectForm(settings, _RECEIVER, (_OLD_FIELD,))
        self._rows: tuple[tuple[QLabel, SettingEditor], ...] = (
            (caption("Receiver lost: go to"), self.position),
            (caption("Battery warning: go to"), self.warning),
            (caption("Battery critical: go to"), self.critical),
            (caption("once the battery alarm has lasted"), self.wait),
        )
        self._channel_captions = {name: heading(name) for name in _CHANNELS}
        self._about = caption(
            "Where the sticks are taken to be while the receiver is lost, in every mode; −100 % of "
            "the throttle is off. Arming goes by them too: one on the side that disarms stops the "
            "motors while it lands or comes home."
        )
        self._about.setWordWrap(True)
        self._lay_out()

    def refresh(self) -> None:
        """Show what is staged and on board."""
        for label, editor in self._rows:
            editor.refresh()
            hide_absent(editor, label)
        for name, editor in self.channels.items():
            editor.refresh()
            hide_absent(editor, self._channel_captions[name])
        self._about.setVisible(self.channels["Throttle"].editor is not None)
        is_old = self._settings.has(_RECEIVER, _OLD_FIELD)
        self.old.setVisible(is_old)
        if is_old:
            self.old.refresh()

    def show_setup(self, setup: FlightModeSetup) -> None:
        """Take over what the positions are called."""
        choices = _choices(setup)
        for editor in (self.position, self.warning, self.critical):
            offer(editor, choices)

    def _lay_out(self) -> None:
        rows = make_grid(spacing=(8, 4), shares={2: 1})
        for number, (label, editor) in enumerate(self._rows):
            editor.setFixedWidth(260)
            rows.addWidget(label, number, 0)
            rows.addWidget(editor, number, 1)
        sticks = make_grid(spacing=(8, 0))
        for number, name in enumerate(_CHANNELS):
            below, column = divmod(number, _CHANNELS_A_ROW)
            self.channels[name].setFixedWidth(112)
            sticks.addWidget(self._channel_captions[name], 2 * below, column)
            sticks.addWidget(self.channels[name], 2 * below + 1, column)
        sticks.setColumnStretch(_CHANNELS_A_ROW, 1)
        self.setLayout(make_column(rows, self._about, sticks, self.old, margins=FOLD_MARGINS))


def _choices(setup: FlightModeSetup) -> dict[int, str]:
    keep = {-1: "Stay in its mode"}
    return keep | {p.index: f"{p.title}: {p.mode}" for p in setup.used}
