"""Output table: all outputs of an aircraft as rows, with what they are told now."""

from collections.abc import Iterator

from PySide6.QtWidgets import QCheckBox

from plugins.outputs.output_row import COLUMNS, EDITED, OBJECT, OutputRow
from telemetry.configuration.outputs.output import Output
from telemetry.configuration.settings.configuration import Configuration
from telemetry.recording.sample import Sample
from widgets.change_detector import ChangeDetector
from widgets.parts import clear_layout, make_column, make_grid
from widgets.settings.column_head import column_head
from widgets.settings.editor import SettingEditor
from widgets.theme import Theme, ThemedWidget

_BAR_COLUMN = COLUMNS.index("Pulse now")
_COMMAND = "ActuatorCommand"


class OutputTable(ThemedWidget):
    """Rows of outputs; those that drive nothing are folded away."""

    def __init__(self, settings: Configuration, theme: Theme) -> None:
        super().__init__()
        self.rows: list[OutputRow] = []
        self._settings = settings
        self._theme: Theme = theme
        self._labels = ChangeDetector()
        self._outputs: tuple[Output, ...] = ()
        self._seen_pulses = ChangeDetector()
        self.all = QCheckBox("Show outputs that drive nothing")
        self.all.toggled.connect(self._show_rows)
        self.all.hide()
        self._grid = make_grid(spacing=(8, 2), shares={_BAR_COLUMN: 1})
        self.setLayout(make_column(self._grid, self.all))

    def show_outputs(self, outputs: tuple[Output, ...]) -> None:
        """Show the settings of these outputs."""
        is_other_use = [o.is_used for o in outputs] != [o.is_used for o in self._outputs]
        for _ in self.build(outputs):
            pass
        self._outputs = outputs
        for row, output in zip(self.rows, outputs, strict=True):
            row.show_output(output)
        if is_other_use:
            self._show_rows()

    def show_pulses(self) -> None:
        """Show what the outputs are told now."""
        sample = self._settings.aircraft.sample(_COMMAND)
        if not self._seen_pulses.has_changed(
            self._settings.aircraft.stamp(_COMMAND), id(self._outputs)
        ):
            return
        pulses = _pulses(sample)
        note = "" if sample is not None else "Not received yet"
        for row, output in zip(self.rows, self._outputs, strict=True):
            known = output.number <= len(pulses)
            row.show_pulse(pulses[output.number - 1] if known else None, output, note)

    def show_setting(self, path: str) -> SettingEditor | None:
        """The editor of a path, in sight."""
        for row in self.rows:
            if path in row.editors:
                if not row.is_shown:
                    self.all.setChecked(True)
                return row.editors[path]
        return None

    def build(self, outputs: tuple[Output, ...]) -> Iterator[None]:
        """Make the rows of these outputs, one in each step, if they are not there."""
        definition = self._settings.definition(OBJECT)
        labels: tuple[str, ...] = ()
        if definition is not None and outputs:
            f = definition.field_named("ChannelMin")
            labels = tuple(f.element_label(i) for i in range(f.elements))
        if self._labels.has_changed(labels):
            self._outputs = outputs
            yield from self._build(labels)

    def _build(self, labels: tuple[str, ...]) -> Iterator[None]:
        clear_layout(self._grid)
        for row in self.rows:
            row.deleteLater()
        self.rows = []
        self._seen_pulses.forget()
        if not labels:
            return
        for column, head in enumerate(COLUMNS):
            label = column_head(head, over_editors=column in EDITED)
            self._grid.addWidget(label, 0, column)
        for number, label_text in enumerate(labels, 1):
            row = OutputRow(self._settings, number, label_text)
            row.add_to(self._grid, number)
            row.bar.apply_theme(self._theme)
            self.rows.append(row)
            self._show_rows()
            yield

    def _show_rows(self) -> None:
        used = {output.number for output in self._outputs if output.is_used}
        shows_all = self.all.isChecked() or not used
        for row in self.rows:
            row.show_row(shows_all or row.number in used)
        self.all.setVisible(bool(self.rows) and 0 < len(used) < len(self.rows))


def _pulses(sample: Sample | None) -> tuple[int, ...]:
    return tuple(int(pulse) for pulse in sample["Channel"]) if sample is not None else ()
