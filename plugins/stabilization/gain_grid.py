"""Gain grid: settings by aircraft axes and gains, as they belong together."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.stabilization_banks import twin_of
from widgets.parts import clear_layout, make_grid, make_label
from widgets.settings.editor import SettingEditor


@dataclass(frozen=True, slots=True)
class Column:
    """A gain: its heading, and its path for roll, pitch and yaw ("" where there is none)."""

    title: str
    paths: tuple[str, str, str]


AXES = ("Roll", "Pitch", "Yaw")


def pid_columns(fields: tuple[str, str, str], gains: Sequence[str]) -> tuple[Column, ...]:
    """Columns of fields that hold one axis each, with a gain per element."""
    roll, pitch, yaw = fields
    return tuple(Column(g, (f"{roll}.{g}", f"{pitch}.{g}", f"{yaw}.{g}")) for g in gains)


def axis_column(field: str, title: str) -> Column:
    """A column of a field that has an element per axis."""
    return Column(title, (f"{field}.Roll", f"{field}.Pitch", f"{field}.Yaw"))


class GainGrid(QWidget):
    """A row per axis. What the firmware lacks altogether is left out and named by `missing`."""

    def __init__(self, settings: Configuration, name: str, columns: Sequence[Column]) -> None:
        super().__init__()
        self.editors: dict[str, SettingEditor] = {}
        self.missing: tuple[str, ...] = ()
        self._settings = settings
        self._name = name
        self._columns = tuple(columns)
        self._built_for: object = None
        self._is_linked = False
        self._grid = make_grid(self, spacing=4)
        self.refresh()

    def refresh(self) -> None:
        """Show what is staged and on board."""
        definition = self._settings.definition(self._name)
        if definition is not self._built_for:
            self._built_for = definition
            self._build()
        for editor in self.editors.values():
            editor.refresh()

    def set_linked(self, is_linked: bool) -> None:
        """Have roll and pitch take each other's values, or not."""
        self._is_linked = is_linked
        for path, editor in self.editors.items():
            twin = twin_of(path)
            editor.twin = twin if is_linked and twin in self.editors else ""

    def _build(self) -> None:
        clear_layout(self._grid)
        self.editors.clear()
        known = self._settings.values(self._name)
        present = [c for c in self._columns if any(path in known for path in c.paths)]
        self.missing = tuple(c.title for c in self._columns if c not in present) if known else ()
        for row, axis in enumerate(AXES, 1):
            self._grid.addWidget(QLabel(axis), row, 0)
        for number, column in enumerate(present, 1):
            heading = make_label(column.title, tone="muted")
            heading.setIndent(14)
            self._grid.addWidget(heading, 0, number)
            self._grid.setColumnStretch(number, 1)
            for row, path in enumerate(column.paths, 1):
                if path in known:
                    editor = SettingEditor(self._settings, self._name, path)
                    self.editors[path] = editor
                    self._grid.addWidget(editor, row, number, Qt.AlignmentFlag.AlignVCenter)
        self._grid.setColumnMinimumWidth(0, 48)
        self.set_linked(self._is_linked)
