"""Control row of the table: its channel, its live pulse, its ends, its smoothing."""

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from telemetry.configuration.receiver.controls import SETTINGS, Control, title_of, why_no_pulse
from telemetry.configuration.settings.configuration import Configuration
from widgets.forms.editors import NumberEditor
from widgets.labels import set_look
from widgets.pulse_bar import PulseBar, PulseSpan
from widgets.settings.editor import SettingEditor

COLUMNS = ("", "Receiver", "Ch.", "Pulse now", "Min", "Neutral", "Max", "Rev.", "Smooth")
EDITED = (1, 2, 4, 5, 6, 8)
"""Which columns have bound editors."""
_FIELDS = ("ChannelGroups", "ChannelNumber", "ChannelMin", "ChannelNeutral", "ChannelMax")
_RESPONSE = "ResponseTime"
_WIDTHS = {"ChannelGroups": 108, "ChannelNumber": 54, _RESPONSE: 70}
_PULSE_PX = 76


class ControlRow(QWidget):
    """Puts its parts into a row of a grid; this widget itself stays out of sight."""

    def __init__(self, settings: Configuration, name: str) -> None:
        super().__init__()
        self.name = name
        self._settings = settings
        self.title = QLabel(title_of(name))
        self.bar = PulseBar(f"Pulse of {title_of(name)}")
        self.editors = {f: SettingEditor(settings, SETTINGS, f"{f}.{name}") for f in _FIELDS}
        definition = settings.definition(SETTINGS)
        if definition is not None and definition.has_field(_RESPONSE):
            labels = definition.field_named(_RESPONSE).element_names
            if name in labels:
                path = f"{_RESPONSE}.{name}"
                self.editors[_RESPONSE] = SettingEditor(settings, SETTINGS, path)
        for field, editor in self.editors.items():
            editor.fix_width(_WIDTHS.get(field, _PULSE_PX))
        self.reverse = QCheckBox()
        self.reverse.setAccessibleName(f"{title_of(name)} reversed")
        self.reverse.setToolTip(
            "Swap minimum and maximum, so that the control works the other way."
        )
        self.reverse.clicked.connect(self._swap)
        self.hide()

    def add_to(self, grid: QGridLayout, row: int) -> None:
        """Put the parts into the columns of `grid`."""
        group, number, *pulses = (self.editors[field] for field in _FIELDS)
        parts = [self.title, group, number, self.bar, *pulses, self.reverse]
        for column, part in enumerate(parts):
            grid.addWidget(part, row, column)
        if _RESPONSE in self.editors:
            grid.addWidget(self.editors[_RESPONSE], row, len(parts))
        self.setParent(grid.parentWidget())
        self.hide()

    def refresh(self, control: Control) -> None:
        """Show what is staged and on board."""
        self.reverse.setChecked(control.is_reversed)
        can_swap = control.minimum != control.maximum and not self._settings.aircraft.is_log
        self.reverse.setEnabled(can_swap)
        for editor in self.editors.values():
            editor.refresh()
            _make_narrow(editor)

    def show_pulse(self, control: Control, raw: int | None) -> None:
        """Show where it is now, or why nobody knows."""
        why = why_no_pulse(control, raw)
        span = PulseSpan(control.minimum, control.neutral, control.maximum, control.neutral)
        self.bar.show_pulse(None if why else raw, span, why)

    def _swap(self) -> None:
        """Stage the two ends exchanged."""
        low, high = f"ChannelMin.{self.name}", f"ChannelMax.{self.name}"
        least, most = (self._settings.value(SETTINGS, path) for path in (low, high))
        if least is not None and most is not None:
            self._settings.stage_all(SETTINGS, {low: most, high: least})


def _make_narrow(editor: SettingEditor) -> None:
    """Eleven rows of six numbers leave no room for arrows; the keyboard has them."""
    inside = editor.editor
    if isinstance(inside, NumberEditor) and not inside.property("dense"):
        set_look(inside, "dense", True)
