"""Output row of the table: what an output drives, its live pulse and its ends."""

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from telemetry.configuration.outputs.output import Output
from telemetry.configuration.settings.configuration import Configuration
from widgets.pulse_bar import PulseBar, PulseSpan
from widgets.settings.editor import SettingEditor

OBJECT = "ActuatorSettings"
_PULSE_PX = 100
ENDS = ("ChannelMin", "ChannelNeutral", "ChannelMax")
COLUMNS = ("", "Drives", "Bank", "Pulse now", "Min", "Neutral", "Max", "Rev.")
EDITED = (4, 5, 6)
"""Which columns have bound editors."""


class OutputRow(QWidget):
    """Puts its parts into a row of a grid; this widget itself stays out of sight."""

    def __init__(self, settings: Configuration, number: int, label: str) -> None:
        super().__init__()
        self.number = number
        self.is_shown = True
        self._settings = settings
        self._paths = tuple(f"{end}.{label}" for end in ENDS)
        self.title = QLabel()
        self.bank = QLabel()
        self.bar = PulseBar(f"Pulse of output {number}")
        self.editors = {path: SettingEditor(settings, OBJECT, path) for path in self._paths}
        for editor in self.editors.values():
            editor.setFixedWidth(_PULSE_PX)
        self.reverse = QCheckBox()
        self.reverse.setAccessibleName(f"Output {number} reversed")
        self.reverse.setToolTip("Swap minimum and maximum, so that a servo moves the other way.")
        self.reverse.clicked.connect(self._swap)
        self._parts: list[QWidget] = [
            QLabel(f"{number}"),
            self.title,
            self.bank,
            self.bar,
            *self.editors.values(),
            self.reverse,
        ]
        self.hide()

    def add_to(self, grid: QGridLayout, row: int) -> None:
        """Put the parts into the columns of `grid`."""
        for column, part in enumerate(self._parts):
            grid.addWidget(part, row, column)
        self.setParent(grid.parentWidget())
        self.hide()

    def show_row(self, is_shown: bool) -> None:
        """Show or hide the whole row."""
        self.is_shown = is_shown
        for part in self._parts:
            part.setVisible(is_shown)

    def show_output(self, output: Output) -> None:
        """Show what is staged and on board."""
        self.title.setText(output.title)
        self.bank.setText(str(output.bank) if output.bank else "–")
        self.bank.setToolTip(f"{output.mode}, {output.rate_hz} Hz" if output.mode else "")
        self.reverse.setChecked(output.is_reversed)
        is_servo = output.is_servo or not output.is_used
        can_swap = is_servo and output.minimum != output.maximum
        self.reverse.setEnabled(can_swap and not self._settings.aircraft.is_log)
        for editor in self.editors.values():
            editor.refresh()

    def show_pulse(self, pulse: int | None, output: Output, note: str) -> None:
        """Show the live pulse."""
        span = PulseSpan(output.minimum, output.neutral, output.maximum, output.rest)
        self.bar.show_pulse(pulse, span, note)

    def _swap(self) -> None:
        """Stage the two ends exchanged."""
        low, _, high = (self._settings.value(OBJECT, path) for path in self._paths)
        if low is not None and high is not None:
            self._settings.stage_all(OBJECT, {self._paths[0]: high, self._paths[2]: low})
