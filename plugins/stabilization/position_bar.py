"""Switch position bar: the bank of each flight mode position, and where the switch is now."""

from PySide6.QtWidgets import QLabel, QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.stabilization_banks import (
    SHARED,
    position_count,
    switch_position,
)
from widgets.labels import set_text
from widgets.parts import clear_layout, make_grid, make_label
from widgets.settings.editor import SettingEditor

_FIELD = "FlightModeMap"


class PositionBar(QWidget):
    """An editor per position; the one the switch is in is marked. Empty without banks."""

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self.editors: dict[str, SettingEditor] = {}
        self._settings = settings
        self._captions: list[QLabel] = []
        self._built_for: object = None
        self._seen: object = None
        self._grid = make_grid(self, spacing=(4, 0))

    def refresh(self) -> None:
        """Show what is staged, on board, and where the switch is."""
        definition = self._settings.definition(SHARED)
        if definition is not self._built_for:
            self._built_for = definition
            self._build()
        for editor in self.editors.values():
            editor.refresh()
        seen = switch_position(self._settings), position_count(self._settings)
        if seen != self._seen:
            self._seen = seen
            self._mark(*seen)

    def _build(self) -> None:
        clear_layout(self._grid)
        self.editors.clear()
        self._captions, self._seen = [], None
        definition = self._settings.definition(SHARED)
        paths = [
            path
            for path, slot in (slots_of(definition).items() if definition is not None else ())
            if slot.field.name == _FIELD
        ]
        if not paths:
            return
        title = make_label("Flight mode\nswitch", tone="muted")
        self._grid.addWidget(title, 0, 0, 2, 1)
        for column, path in enumerate(paths, 1):
            caption = QLabel()
            caption.setIndent(14)
            caption.setProperty("textSize", "small")
            self._captions.append(caption)
            editor = self.editors[path] = SettingEditor(self._settings, SHARED, path)
            self._grid.addWidget(caption, 0, column)
            self._grid.addWidget(editor, 1, column)
            self._grid.setColumnStretch(column, 1)

    def _mark(self, position: int | None, count: int | None) -> None:
        for number, caption in enumerate(self._captions, 1):
            is_here = number == position
            is_unused = count is not None and number > count
            text = f"{number}: here now" if is_here else f"{number}"
            text = f"{number}: not used" if is_unused and not is_here else text
            set_text(caption, text, "selected" if is_here else "muted")
