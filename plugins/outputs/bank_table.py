"""Output banks: rates and protocols, one row for each bank of outputs that share a timer."""

from PySide6.QtWidgets import QLabel, QWidget

from telemetry.configuration.airframe.banks import banks_of
from telemetry.configuration.outputs.output import PWM, RATES
from telemetry.configuration.settings.configuration import Configuration
from widgets.parts import clear_layout, make_grid, make_label
from widgets.settings.column_head import column_head
from widgets.settings.editor import SettingEditor

OBJECT = "ActuatorSettings"
_HEADS = ("Bank", "Outputs", "Protocol", "Rate (Hz)")
_UNKNOWN = "It is not known which outputs share a bank on this board; its manual says so."


class BankTable(QWidget):
    """Protocol and rate of each bank. A rate counts in PWM only, and is greyed elsewhere."""

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self.editors: dict[str, SettingEditor] = {}
        self._settings = settings
        self._built: object = None
        self._rates: list[tuple[SettingEditor, str]] = []
        self._grid = make_grid(self, spacing=(12, 4))

    def refresh(self) -> None:
        """Follow the aircraft and what is staged."""
        definition, board = self._settings.definition(OBJECT), self._settings.aircraft.board
        if (definition, board) != self._built:
            self._built = (definition, board)
            self._build()
        for editor in self.editors.values():
            editor.refresh()
        for editor, mode_path in self._rates:
            mode = self._settings.value(OBJECT, mode_path)
            editor.setEnabled(mode in (PWM, None))

    def _build(self) -> None:
        clear_layout(self._grid)
        self.editors.clear()
        self._rates.clear()
        definition = self._settings.definition(OBJECT)
        rate = next((n for n in RATES if definition is not None and definition.has_field(n)), "")
        if definition is None or not rate:
            return
        for column, head in enumerate(_HEADS):
            self._grid.addWidget(column_head(head, over_editors=column > 1), 0, column)
        banks = banks_of(self._settings.aircraft.board)
        f = definition.field_named(rate)
        for number in range(1, f.elements + 1):
            outputs = banks[number - 1] if number <= len(banks) else ()
            if not banks or outputs:
                self._add_row(number, outputs, rate, f.element_label(number - 1))
        row = f.elements + 1
        if definition.has_field("DShotMode"):
            self._grid.addWidget(QLabel("DShot speed (kHz)"), row, 0, 1, 2)
            self._grid.addWidget(self._editor("DShotMode"), row, 2)
        if not banks:
            note = make_label(_UNKNOWN, tone="muted")
            note.setWordWrap(True)
            self._grid.addWidget(note, row + 1, 0, 1, len(_HEADS) + 1)
        self._grid.setColumnStretch(len(_HEADS), 1)

    def _add_row(self, number: int, outputs: tuple[int, ...], rate: str, label: str) -> None:
        self._grid.addWidget(QLabel(f"Bank {number}"), number, 0)
        self._grid.addWidget(QLabel(", ".join(map(str, outputs)) or "–"), number, 1)
        mode_path = f"BankMode.{label}"
        if self._settings.has(OBJECT, "BankMode"):
            self._grid.addWidget(self._editor(mode_path), number, 2)
        editor = self._editor(f"{rate}.{label}")
        editor.setMaximumWidth(110)
        self._rates.append((editor, mode_path))
        self._grid.addWidget(editor, number, 3)

    def _editor(self, path: str) -> SettingEditor:
        editor = self.editors[path] = SettingEditor(self._settings, OBJECT, path)
        editor.setMinimumWidth(110)
        return editor
