"""Switch positions of the flight mode switch, one a row, and where the switch is now."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from plugins.flight_modes.grid import (
    caption,
    choice_editor,
    explain_options,
    heading,
    hide_absent,
    offer,
)
from telemetry.configuration.flight_modes.modes import flight_mode
from telemetry.configuration.flight_modes.setup import FlightModeSetup, Position
from telemetry.configuration.settings.configuration import Configuration
from widgets.collapsible import FOLD_MARGINS
from widgets.labels import set_look
from widgets.parts import STRETCH, make_column, make_grid, make_label, make_row
from widgets.settings.editor import SettingEditor

_HEADINGS = ("", "", "Mode", "Gains", "Help by GPS", "What it does")
_MOST = 6


@dataclass(frozen=True, slots=True)
class _Row:
    mark: QLabel
    title: QLabel
    mode: SettingEditor
    bank: SettingEditor
    assist: SettingEditor
    does: QLabel

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return self.mark, self.title, self.mode, self.bank, self.assist, self.does


class PositionsView(QWidget):
    """Mode, bank and assistance of each position; those that the switch does not have are hidden.

    `keeper` is the object that has FlightModePosition.
    """

    def __init__(self, settings: Configuration, keeper: str) -> None:
        super().__init__()
        self._settings = settings
        self.number = choice_editor(
            settings, "ManualControlSettings", "FlightModeNumber", _counts(_MOST)
        )
        self.number.setFixedWidth(120)
        self._headings = [heading(text) for text in _HEADINGS[:-1]] + [caption(_HEADINGS[-1])]
        self.rows = [_make_row(settings, keeper, index) for index in range(_MOST)]
        self.position: int | None = None
        """Where the switch is, counted from 0; None while the aircraft does not say."""
        self._number_caption = caption("Positions of the switch")
        top = make_row(self._number_caption, self.number, STRETCH)
        grid = make_grid(spacing=(8, 4), shares={5: 1})
        grid.setColumnMinimumWidth(0, 44)
        for column, label in enumerate(self._headings):
            grid.addWidget(label, 0, column)
        for number, row in enumerate(self.rows, 1):
            for column, widget in enumerate(row.widgets):
                grid.addWidget(widget, number, column, Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(make_column(top, grid, margins=FOLD_MARGINS))

    def refresh(self) -> None:
        """Show what is staged and on board, and the switch."""
        self.number.refresh()
        hide_absent(self.number, self._number_caption)
        for row in self.rows:
            for editor in (row.mode, row.bank, row.assist):
                editor.refresh()
            explain_options(row.mode, lambda mode: flight_mode(mode).does)
        self._mark()

    def show_setup(self, setup: FlightModeSetup) -> None:
        """Take over what was read: which positions are in use, and what they do."""
        offer(self.number, _counts(len(setup.positions)))
        for row, index in zip(self.rows, range(_MOST), strict=True):
            is_used = index < setup.count
            for widget in row.widgets:
                widget.setVisible(is_used)
            if is_used:
                row.does.setText(_does(setup.positions[index], setup))
        for column, name in ((3, "bank"), (4, "assist")):
            editors: list[SettingEditor] = [getattr(row, name) for row in self.rows]
            has_any = any(editor.editor is not None for editor in editors)
            self._headings[column].setVisible(has_any)
            for editor in editors:
                editor.setVisible(has_any and editor.isVisibleTo(self))

    def _mark(self) -> None:
        position = self._switch()
        if position == self.position:
            return
        self.position = position
        for index, row in enumerate(self.rows):
            is_here = index == position
            row.mark.setText("now ▶" if is_here else "")
            set_look(row.title, "tone", "selected" if is_here else "")

    def _switch(self) -> int | None:
        sample = self._settings.aircraft.sample("ManualControlCommand")
        if sample is None or not sample.definition.has_field("FlightModeSwitchPosition"):
            return None
        return int(sample["FlightModeSwitchPosition"])


def _make_row(settings: Configuration, keeper: str, index: int) -> _Row:
    mark = make_label(tone="selected")
    does = make_label(tone="muted", wraps=True)
    row = _Row(
        mark,
        QLabel(f"Position {index + 1}"),
        SettingEditor(settings, keeper, f"FlightModePosition.{index}"),
        SettingEditor(settings, "StabilizationSettings", f"FlightModeMap.{index}"),
        SettingEditor(settings, "StabilizationSettings", f"FlightModeAssistMap.{index}"),
        does,
    )
    row.mode.setMinimumWidth(170)
    row.bank.setMinimumWidth(100)
    row.assist.setMinimumWidth(120)
    return row


def _does(position: Position, setup: FlightModeSetup) -> str:
    axes = setup.sets.get(position.set_number)
    if axes is None:
        return flight_mode(position.mode).does
    return ", ".join(f"{axis} {mode}" for axis, mode in axes.items())


def _counts(most: int) -> dict[int, str]:
    return {number: str(number) for number in range(1, most + 1)}
