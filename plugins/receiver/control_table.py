"""Control table: all controls of an aircraft, with what the receiver hears now."""

from collections.abc import Iterator

from plugins.receiver.control_row import COLUMNS, EDITED, ControlRow
from telemetry.configuration.receiver.controls import COMMAND, SETTINGS, Control, control_names
from telemetry.configuration.settings.configuration import Configuration
from widgets.change_detector import ChangeDetector
from widgets.parts import clear_layout, make_grid
from widgets.settings.column_head import column_head
from widgets.settings.editor import SettingEditor
from widgets.theme import Theme, ThemedWidget

_BAR_COLUMN = COLUMNS.index("Pulse now")


class ControlTable(ThemedWidget):
    """One row per control, assigned or not."""

    def __init__(self, settings: Configuration, theme: Theme) -> None:
        super().__init__()
        self.rows: dict[str, ControlRow] = {}
        self._settings = settings
        self._theme: Theme = theme
        self._seen = ChangeDetector()
        self._grid = make_grid(self, spacing=(4, 2), shares={_BAR_COLUMN: 1})

    def refresh(self, controls: tuple[Control, ...]) -> None:
        """Show the settings of these controls."""
        for _ in self.build():
            pass
        for control in controls:
            self.rows[control.name].refresh(control)

    def build(self) -> Iterator[None]:
        """Make the rows of this aircraft's controls, one in each step, if they are not there."""
        names = control_names(self._settings.definition(SETTINGS))
        if names != tuple(self.rows):
            yield from self._build(names)

    def show_pulses(self, controls: tuple[Control, ...]) -> None:
        """Show where the controls are. `controls` are in the order of the firmware's channels."""
        if not self._seen.has_changed(self._settings.aircraft.stamp(COMMAND), controls):
            return
        sample = self._settings.aircraft.sample(COMMAND)
        raws = tuple(sample["Channel"]) if sample is not None else ()
        for index, control in enumerate(controls):
            raw = int(raws[index]) if index < len(raws) else None
            self.rows[control.name].show_pulse(control, raw)

    def editor(self, path: str) -> SettingEditor | None:
        """The editor of a path like "ChannelMin.Roll"."""
        field, _, name = path.partition(".")
        row = self.rows.get(name)
        return row.editors.get(field) if row is not None else None

    def _build(self, names: tuple[str, ...]) -> Iterator[None]:
        clear_layout(self._grid)
        for row in self.rows.values():
            row.deleteLater()
        self._seen.forget()
        self.rows = {}
        for column, head in enumerate(COLUMNS if names else ()):
            label = column_head(head, over_editors=column in EDITED)
            self._grid.addWidget(label, 0, column)
        for number, name in enumerate(names, 1):
            row = self.rows[name] = ControlRow(self._settings, name)
            row.add_to(self._grid, number)
            row.bar.apply_theme(self._theme)
            yield
