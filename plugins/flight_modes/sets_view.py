"""Stabilized sets 1 to 6: what roll, pitch, yaw and thrust do; those in use first."""

from collections.abc import Iterator

from PySide6.QtWidgets import QCheckBox, QWidget

from plugins.flight_modes.grid import explain_options, heading
from telemetry.configuration.flight_modes.modes import AXIS_MODES
from telemetry.configuration.flight_modes.setup import AXES, FlightModeSetup
from telemetry.configuration.settings.configuration import Configuration
from widgets.collapsible import FOLD_MARGINS
from widgets.parts import make_column, make_grid, make_label
from widgets.settings.editor import SettingEditor

_MOST = 6


class SetsView(QWidget):
    """A row per set and a column per axis. Sets that no position flies by are folded away."""

    def __init__(self, settings: Configuration, keeper: str) -> None:
        super().__init__()
        self.editors: dict[tuple[int, str], SettingEditor] = {}
        self._settings = settings
        self._setup = FlightModeSetup((), 0, {})
        self._titles = {number: make_label(wraps=True) for number in range(1, _MOST + 1)}
        self._headings = {axis: heading(axis) for axis in AXES}
        self.unused = QCheckBox()
        self.unused.setProperty("heading", True)
        self.unused.toggled.connect(lambda _is_on: self._arrange())
        self._grid = grid = make_grid(spacing=4)
        grid.setColumnMinimumWidth(0, 140)
        for column, axis in enumerate(AXES, 1):
            grid.addWidget(self._headings[axis], 0, column)
            grid.setColumnStretch(column, 1)
        self._keeper = keeper
        self.setLayout(make_column(grid, self.unused, margins=FOLD_MARGINS, spacing=4))

    def build(self) -> Iterator[None]:
        """Make the rows that are not there yet, one in each step."""
        for number, title in self._titles.items():
            if (number, AXES[0]) in self.editors:
                continue
            self._grid.addWidget(title, number, 0)
            for column, axis in enumerate(AXES, 1):
                path = f"Stabilization{number}Settings.{axis}"
                editor = SettingEditor(self._settings, self._keeper, path)
                editor.hide()
                self.editors[number, axis] = editor
                self._grid.addWidget(editor, number, column)
            yield

    def refresh(self) -> None:
        """Show what is staged and on board."""
        for _ in self.build():
            pass
        for editor in self.editors.values():
            editor.refresh()
            explain_options(editor, lambda mode: AXIS_MODES.get(mode, ""))

    def show_setup(self, setup: FlightModeSetup) -> None:
        """Take over which positions fly by which set."""
        for _ in self.build():
            pass
        self._setup = setup
        for number, title in self._titles.items():
            users = [str(p.index + 1) for p in setup.used if p.set_number == number]
            what = "positions" if len(users) > 1 else "position"
            where = f" ({what} {', '.join(users)})" if users else ""
            title.setText(f"Stabilized{number}{where}")
        self._arrange()

    def reveal_set(self, path: str) -> None:
        """Unfold what is not in use if a setting of it is looked for."""
        number = path.removeprefix("Stabilization")[:1]
        if number.isdigit() and int(number) not in self._setup.used_sets:
            self.unused.setChecked(True)

    def _arrange(self) -> None:
        used, known = self._setup.used_sets, self._setup.sets
        rest = [number for number in known if number not in used]
        for number in self._titles:
            is_shown = number in used or (number in known and self.unused.isChecked())
            self._titles[number].setVisible(is_shown)
            for axis in AXES:
                self.editors[number, axis].setVisible(is_shown and axis in known[number])
        for axis, label in self._headings.items():
            label.setVisible(any(axis in axes for axes in known.values()))
        names = ", ".join(str(number) for number in rest)
        self.unused.setText(f"Stabilized{names}: no position flies by them")
        self.unused.setVisible(bool(rest))
