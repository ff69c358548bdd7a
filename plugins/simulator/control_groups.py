"""Simulator control groups: all that can be changed in flight, as rows that fold away."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from simulation.simulator.controls import CONTROLS, ControlRange, fault_range
from widgets.collapsible import CollapsibleGroup
from widgets.parts import make_button, make_column, make_grid, make_label
from widgets.theme import Theme, hand_theme
from widgets.value_slider import ValueSlider
from widgets.wrapped_row import WrappedRow

MOTORS = "Motors"
_OPEN_AT_FIRST = frozenset({"Wind"})
_FLAG_GAP_PX = 8
_PERCENT = 0.01
_HELP = {
    "turbulence_mps": "Dryden turbulence by the wind at 6 m: 7 is light, 15 moderate, 23 severe.",
    "roughness_m": "How rough the ground is: the rougher, the less wind low down.",
    "gust_length_m": "How far one flies through a gust until it blows fully.",
    "gust_now": "It blows as set above, from now on, once.",
    "gps_satellites": "Below 4 there is no fix.",
    "bench_hold": "Somebody lifts it off the ground and holds it; else it stands on its feet.",
    "bench_tumble_dps": "Turned about all axes, as for calibrating the magnetometer.",
    "stuck": "The newest sample comes over and over, with new stamps.",
    "clock_offset_ms": "Its stamps, against the flight's time.",
    "bias_m": "Added to every distance.",
    "battery_charge": "What is left now. Setting it is like another battery.",
}
# Pairs of controls that say a velocity of the air, as pilots speak of it.
_FLOWS = {
    "Wind": ("wind_north_mps", "wind_east_mps"),
    "Gust": ("gust_north_mps", "gust_east_mps"),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A control's slider; `unit` is what one of the numbers shown is for the simulator."""

    control: ControlRange
    slider: ValueSlider
    unit: float


class ControlGroups(QWidget):
    """Shows and changes the controls of `simulation.simulator.controls`, and the faults of the
    sensors that the aircraft looks by."""

    asked = Signal(object)
    """The user wants these: a mapping of control names to values."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[str, _Row] = {}
        self._flows: dict[str, _Flow] = {}
        self.folds: dict[str, CollapsibleGroup] = {}
        self._layout = make_column(spacing=4)
        self.setLayout(self._layout)
        self._empty: dict[str, QWidget] = {}
        self._sensors: tuple[ControlRange, ...] = ()
        self._wanted_open = _OPEN_AT_FIRST
        self._add_groups(CONTROLS)

    def build_next(self, theme: Theme) -> bool:
        """Make the rows of the next group that has none, unfolded ones first; False if all have.

        All at once would keep the window from answering for a third of a second.
        """
        title = next(
            (title for title in self._empty if self.folds[title].is_open),
            next(iter(self._empty), None),
        )
        if title is None:
            return False
        body = self._empty.pop(title)
        self._fill(body, title, [c for c in (*CONTROLS, *self._sensors) if c.group == title])
        hand_theme(body, theme)
        return True

    def show_values(self, values: Mapping[str, float]) -> None:
        """Show what the simulator says; what it does not name is as at first."""
        for name, row in self._rows.items():
            row.slider.show_value(values.get(name, row.control.default) / row.unit)
        for flow in self._flows.values():
            flow.show_values(values)
        for title, fold in self.folds.items():
            fold.set_note(self._note(title))

    def show_sensors(self, faults: Mapping[str, float]) -> None:
        """Offer these faults of sensors that look, by "MOUNT.FAULT", with what is usual, in a
        group for each sensor."""
        found = (fault_range(name, usual) for name, usual in faults.items())
        sensors = tuple(one for one in found if one is not None)
        if sensors == self._sensors:
            return
        for control in self._sensors:
            self._rows.pop(control.name, None)
        for title in dict.fromkeys(control.group for control in self._sensors):
            self._empty.pop(title, None)
            fold = self.folds.pop(title)
            fold.hide()
            fold.deleteLater()
        self._sensors = sensors
        self._add_groups(sensors)

    def open_only(self, titles: Collection[str]) -> None:
        """Unfold these groups, those too that there are only later, and fold the others."""
        self._wanted_open = frozenset(titles)
        for title, fold in self.folds.items():
            fold.set_open(title in self._wanted_open)

    def show_motors(self, count: int) -> None:
        """Offer the failure of only so many motors."""
        motors = [row for row in self._rows.values() if row.control.group == MOTORS]
        for number, row in enumerate(motors, 1):
            row.slider.setVisible(number <= count)

    def calm(self) -> dict[str, float]:
        """The values of a calm day and a whole aircraft."""
        return {c.name: c.default for c in (*CONTROLS, *self._sensors) if not _is_action(c)}

    def _note(self, title: str) -> str:
        rows = [row for row in self._rows.values() if row.control.group == title]
        changed = sum(not row.slider.is_normal for row in rows if row.control.lasts)
        changed += title in self._flows and not self._flows[title].is_calm
        return f"{changed} changed" if changed else ""

    # How it is made ---------------------------------------------------------------------

    def _add_groups(self, controls: Iterable[ControlRange]) -> None:
        """A fold without rows for each group."""
        for title in dict.fromkeys(control.group for control in controls):
            body = self._empty[title] = QWidget()
            self.folds[title] = CollapsibleGroup(title, body, title in self._wanted_open)
            self._layout.addWidget(self.folds[title])

    def _fill(self, body: QWidget, title: str, controls: list[ControlRange]) -> None:
        grid = make_grid(body, margins=(24, 0, 0, 8), spacing=(8, 4))
        flow = _FLOWS.get(title, ())
        if flow:
            self._flows[title] = _Flow(title, flow[0], flow[1])
            self._flows[title].asked.connect(self.asked)
            self._flows[title].add_to(grid)
        rows = [control for control in controls if control.name not in flow]
        if all(": " in control.title for control in rows):
            self._add_table(grid, rows)
        else:
            self._add_rows(grid, rows)

    def _add_rows(self, grid: QGridLayout, controls: Iterable[ControlRange]) -> None:
        grid.setColumnStretch(1, 1)
        flags = list[ValueSlider]()
        for control in controls:
            if _is_action(control):
                grid.addWidget(self._action(control), grid.rowCount(), 0, 1, 3)
                continue
            slider = self._row(control).slider
            if slider.is_flag:
                flags.append(slider)
            else:
                slider.add_to(grid, grid.rowCount())
        grid.addLayout(WrappedRow(*flags, spacing=_FLAG_GAP_PX), grid.rowCount(), 0, 1, 3)

    def _add_table(self, grid: QGridLayout, controls: Iterable[ControlRange]) -> None:
        """One line for each thing, one column for each fault; titles are "thing: fault"."""
        things: dict[str, int] = {}
        faults: dict[str, int] = {}
        for control in controls:
            thing, _, fault = control.title.partition(": ")
            if thing not in things:
                things[thing] = len(things) + 1
                grid.addWidget(QLabel(thing), things[thing], 0)
            if fault not in faults:
                faults[fault] = len(faults) + 1
                head = make_label(fault.capitalize(), tone="muted")
                grid.addWidget(head, 0, faults[fault])
            self._row(control).slider.add_cell_to(grid, things[thing], faults[fault])
        grid.setColumnStretch(len(faults), 1)

    def _row(self, control: ControlRange) -> _Row:
        """A control's slider. Shares of one are shown in percent."""
        is_share = (control.low, control.high, control.unit) == (0.0, 1.0, "") and control.step < 1
        unit = _PERCENT if is_share else 1.0
        slider = ValueSlider(
            control.title,
            "%" if is_share else control.unit,
            (control.low / unit, control.high / unit),
            control.step / unit,
            control.default / unit,
            _help(control),
        )
        slider.changed.connect(lambda v: self.asked.emit({control.name: v * unit}))
        self._rows[control.name] = row = _Row(control, slider, unit)
        return row

    def _action(self, control: ControlRange) -> QPushButton:
        ask = partial(self.asked.emit, {control.name: 1.0})
        return make_button(control.title, ask, tip=_help(control))


class _Flow(QWidget):
    """A horizontal wind as pilots speak of it: how strong, and where it comes from."""

    asked = Signal(object)

    def __init__(self, title: str, north: str, east: str) -> None:
        super().__init__()
        self._north, self._east = north, east
        help = "At 6 m above the ground; less below." if title == "Wind" else ""
        self._speed = ValueSlider(title, "m/s", (0.0, 20.0), 0.5, 0.0, help)
        self._from = ValueSlider(
            f"{title} from", "°", (0.0, 355.0), 5.0, 0.0, "0 is north, 90 east."
        )
        for slider in (self._speed, self._from):
            slider.changed.connect(self._ask)

    @property
    def is_calm(self) -> bool:
        """Whether the air is at rest."""
        return self._speed.is_normal

    def add_to(self, grid: QGridLayout) -> None:
        """Put the two rows into `grid`."""
        for slider in (self._speed, self._from):
            slider.add_to(grid, grid.rowCount())
        self.setParent(grid.parentWidget())
        self.hide()

    def show_values(self, values: Mapping[str, float]) -> None:
        """Show the velocity of the air. Calm air keeps the direction that was chosen."""
        north, east = values.get(self._north, 0.0), values.get(self._east, 0.0)
        speed = math.hypot(north, east)
        self._speed.show_value(speed)
        if speed > 0.0:
            self._from.show_value(math.degrees(math.atan2(-east, -north)) % 360.0)

    def _ask(self) -> None:
        direction = math.radians(self._from.value)
        speed = self._speed.value
        self.asked.emit(
            {self._north: -speed * math.cos(direction), self._east: -speed * math.sin(direction)}
        )


def _help(control: ControlRange) -> str:
    """What helps with a control, or with this fault of any sensor that looks."""
    return _HELP.get(control.name.rpartition(".")[2], "")


def _is_action(control: ControlRange) -> bool:
    """Whether it is done rather than set."""
    return not control.lasts and (control.high, control.step) == (1.0, 1.0)
