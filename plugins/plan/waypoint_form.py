"""Waypoint form: every mode, end condition, command and jump with its words and limits."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from plugins.plan.popup_button import PopupButton
from plugins.plan.shared_plan import SharedPlan
from plugins.plan.waypoint_table import HEIGHTS_M, SPEEDS_MPS
from telemetry.base.statement import Statement
from telemetry.missions.mission import HeightReference, LegAction, MissionWaypoint, Parameters
from telemetry.missions.waypoint_options import (
    COMMAND_BY_NAME,
    COMMANDS,
    END_CONDITION_BY_NAME,
    END_CONDITIONS,
    MODE_BY_NAME,
    MODES,
    PARAMETERS,
    OptionParameter,
)
from widgets.choices import make_choice
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_button, make_column, make_grid, make_label, make_row
from widgets.state_label import StateLabel
from widgets.theme import Theme
from widgets.wheel_filter import wheel_needs_focus

REFERENCES: Final = {
    HeightReference.HOME: "above home",
    HeightReference.SEA: "above sea level",
    HeightReference.GROUND: "above ground",
}
_LEAST_LETTERS: Final = 6
_SPEED_PX: Final = 76
_BOX_PX: Final = 92
_BUTTON_PX: Final = 68
_GAP_PX: Final = 4
_EXPLANATION_PX: Final = 320
Change = Callable[[MissionWaypoint], MissionWaypoint]


class ParameterBoxes(QWidget):
    """The numbers of an option that mean something, with their titles unless there is but one.
    `on_change` gets which it is and what."""

    def __init__(
        self, on_change: Callable[[OptionParameter, float], None], count: int = PARAMETERS
    ) -> None:
        super().__init__()
        self._on_change = on_change
        self._shown: tuple[OptionParameter, ...] = ()
        grid = make_grid(self, spacing=4)
        self._labels, self.boxes = [], []
        for i in range(count):
            label, box = QLabel(), NumberBox()
            box.setKeyboardTracking(False)
            box.valueChanged.connect(lambda value, i=i: self._changed(i, value))
            wheel_needs_focus(box)
            label.setBuddy(box)
            if count > 1:
                grid.addWidget(label, i // 2, i % 2 * 2)
            grid.addWidget(box, i // 2, i % 2 * 2 + 1)
            self._labels.append(label)
            self.boxes.append(box)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)

    def show_values(self, parameters: Sequence[OptionParameter], values: Parameters) -> None:
        """Show these, with the values they have."""
        self._shown = tuple(parameters)
        self.setVisible(bool(parameters))
        for i, (label, box) in enumerate(zip(self._labels, self.boxes, strict=True)):
            is_shown = i < len(self._shown)
            label.setVisible(is_shown and len(self.boxes) > 1)
            box.setVisible(is_shown)
            if not is_shown:
                continue
            parameter = self._shown[i]
            with QSignalBlocker(box):
                label.setText(parameter.title)
                box.setAccessibleName(parameter.title)
                box.setToolTip(f"{parameter.title}. {parameter.explanation}".rstrip())
                box.setSuffix(f"\u202f{parameter.unit}" if parameter.unit else "")
                box.setDecimals(1 if parameter.unit else 2)
                box.setRange(parameter.low, parameter.high)
                box.setValue(values[parameter.index])

    def _changed(self, i: int, value: float) -> None:
        if i < len(self._shown):
            self._on_change(self._shown[i], value)


class WaypointForm(QWidget):
    """What is usual of the waypoint chosen last, in three lines that keep their place; the rest
    opens over the stage. It changes all that are chosen, a place only its own."""

    def __init__(self, plan: SharedPlan) -> None:
        super().__init__()
        self._plan = plan
        self.name = QLineEdit()
        self.locked = QCheckBox("Locked: it stays where it is")
        self.latitude, self.longitude = _degrees(90.0), _degrees(180.0)
        self.height_box, self.speed_box = _number(HEIGHTS_M, "m"), _number(SPEEDS_MPS, "m/s")
        self.reference = _combo("Height counted from", REFERENCES.items())
        self.mode = _combo("How it flies there", ((mode.name, mode.title) for mode in MODES))
        self.mode_parameters = ParameterBoxes(self._set_mode_parameter)
        self.condition = _combo("Until", ((one.name, one.title) for one in END_CONDITIONS))
        self.condition_parameter = ParameterBoxes(self._set_condition_parameter, 1)
        self.condition_parameters = ParameterBoxes(self._set_condition_parameter)
        self.command = _combo("What comes then", ((one.name, one.title) for one in COMMANDS))
        self.jump, self.error = _combo("Jump to"), _combo("If it cannot fly this, go to")
        self._jump_label = QLabel("Jump to")
        self._number = StateLabel(keeps_room=True, calm="")
        self._explanation = make_label(tone="muted", wraps=True)
        self.show_on_map = make_button("Show", plan.look_at_selection, tip="Show it on the map.")
        self.more = PopupButton("More …", self._make_rest(), "Place, name, jumps and the rest.")
        self._lay_out()
        self._connect()

    def apply_theme(self, theme: Theme) -> None:
        """Keep room for the numbers of what is chosen."""
        self._number.setFixedWidth(QFontMetrics(theme.font()).horizontalAdvance("9 of 99"))

    def take(self) -> None:
        """Show the waypoint that is chosen now."""
        draft = self._plan.draft
        index = draft.current
        self.setEnabled(index is not None)
        if index is None:
            return
        waypoint, count = draft.mission.waypoints[index], len(draft.mission.waypoints)
        chosen = len(draft.selected)
        words = f"{index + 1}" if chosen == 1 else f"{chosen} of {count}"
        self._number.state(Statement(words, version=draft.selected, ends="others are chosen"))
        self._show_place(waypoint)
        self._show_action(waypoint.action, index, count)

    def _show_place(self, waypoint: MissionWaypoint) -> None:
        if not self.name.hasFocus() or not self.name.isModified():
            self.name.setText(waypoint.name)
        with QSignalBlocker(self.locked):
            self.locked.setChecked(waypoint.is_locked)
        for box, value in (
            (self.latitude, waypoint.latitude_deg),
            (self.longitude, waypoint.longitude_deg),
            (self.height_box, waypoint.height_m),
            (self.speed_box, waypoint.velocity_mps),
        ):
            box.setEnabled(not waypoint.is_locked)
            with QSignalBlocker(box):
                box.setValue(value)
        _choose(self.reference, waypoint.height_reference)

    def _show_action(self, action: LegAction, index: int, count: int) -> None:
        mode = MODE_BY_NAME.get(action.mode)
        condition = END_CONDITION_BY_NAME.get(action.end_condition)
        command = COMMAND_BY_NAME.get(action.command)
        _choose(self.mode, action.mode)
        _choose(self.condition, action.end_condition)
        _choose(self.command, action.command)
        self.mode_parameters.show_values(mode.parameters if mode else (), action.mode_parameters)
        numbers, values = condition.parameters if condition else (), action.condition_parameters
        self.condition_parameter.show_values(numbers[:1], values)
        self.condition_parameters.show_values(numbers[1:], values)
        jumps = command is not None and bool(command.jumps_if)
        self._jump_label.setVisible(jumps)
        self.jump.setVisible(jumps)
        _fill_targets(self.jump, count, action.jump_destination, "the next one")
        _fill_targets(self.error, count, action.error_destination, "nothing else")
        self.speed_box.setVisible(mode is None or mode.has_velocity)
        texts = [part.explanation for part in (mode, condition, command) if part]
        self._explanation.setText(" ".join(text for text in texts if text))

    # Changes

    def _change(self, what: str, change: Change, *, only_current: bool = False) -> None:
        draft = self._plan.draft
        if draft.current is None:
            return
        chosen = (draft.current,) if only_current else draft.selected
        waypoints = list(draft.mission.waypoints)
        for i in chosen:
            waypoints[i] = change(waypoints[i])
        title = f"{what} of {'waypoint' if len(chosen) == 1 else 'waypoints'} "
        title += ", ".join(str(i + 1) for i in sorted(chosen))
        mission = draft.mission.with_waypoints(tuple(waypoints))
        draft.edit(title, mission, f"form {what} {chosen}")
        self.take()

    def _member(self, what: str, member: str, *, only_current: bool = False) -> Callable[..., None]:
        def take(value: Any) -> None:
            self._change(what, lambda w: replace(w, **{member: value}), only_current=only_current)

        return take

    def _set_action(self, what: str, **members: Any) -> None:
        self._change(what, lambda w: replace(w, action=replace(w.action, **members)))

    def _set_mode(self) -> None:
        name = self.mode.currentData()
        defaults = _defaults(MODE_BY_NAME[name].parameters)
        self._set_action("How it flies", mode=name, mode_parameters=defaults)

    def _set_condition(self) -> None:
        name = self.condition.currentData()
        defaults = _defaults(END_CONDITION_BY_NAME[name].parameters)
        self._set_action("Until when", end_condition=name, condition_parameters=defaults)

    def _set_mode_parameter(self, parameter: OptionParameter, value: float) -> None:
        def change(waypoint: MissionWaypoint) -> MissionWaypoint:
            values = _put(waypoint.action.mode_parameters, parameter.index, value)
            return replace(waypoint, action=replace(waypoint.action, mode_parameters=values))

        self._change(parameter.title, change)

    def _set_condition_parameter(self, parameter: OptionParameter, value: float) -> None:
        def change(waypoint: MissionWaypoint) -> MissionWaypoint:
            values = _put(waypoint.action.condition_parameters, parameter.index, value)
            return replace(waypoint, action=replace(waypoint.action, condition_parameters=values))

        self._change(f"{parameter.title} until the end", change)

    def _rename(self) -> None:
        text = self.name.text().strip()
        self.name.setModified(False)
        self._member("Name", "name", only_current=True)(text)

    # Looks

    def _connect(self) -> None:
        self.name.editingFinished.connect(self._rename)
        self.locked.toggled.connect(self._member("Lock", "is_locked"))
        place = {"only_current": True}
        self.latitude.valueChanged.connect(self._member("Latitude", "latitude_deg", **place))
        self.longitude.valueChanged.connect(self._member("Longitude", "longitude_deg", **place))
        self.height_box.valueChanged.connect(self._member("Height", "height_m"))
        self.speed_box.valueChanged.connect(self._member("Speed", "velocity_mps"))
        set_reference = self._member("What the height counts from", "height_reference")
        self.reference.activated.connect(lambda _row: set_reference(self.reference.currentData()))
        self.mode.activated.connect(lambda _row: self._set_mode())
        self.condition.activated.connect(lambda _row: self._set_condition())
        self.command.activated.connect(
            lambda _row: self._set_action("What comes then", command=self.command.currentData())
        )
        self.jump.activated.connect(
            lambda _row: self._set_action(
                "Where it jumps", jump_destination=self.jump.currentData()
            )
        )
        self.error.activated.connect(
            lambda _row: self._set_action(
                "Where it goes after an error", error_destination=self.error.currentData()
            )
        )

    def _lay_out(self) -> None:
        for box in (self.speed_box, self.condition_parameter):
            policy = box.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            box.setSizePolicy(policy)
        for button in (self.more, self.show_on_map):
            button.setProperty("tight", True)
            button.setFixedWidth(_BUTTON_PX)
        for number in (self.speed_box, self.height_box, *self.condition_parameter.boxes):
            number.setProperty("dense", True)
            number.setFixedWidth(_SPEED_PX if number is self.speed_box else _BOX_PX)
        until = make_label("until", tone="muted")
        until.setBuddy(self.condition)
        rows = (
            make_row(self._number, (self.mode, 1), self.speed_box, self.more, spacing=_GAP_PX),
            make_row(self.height_box, (self.reference, 1), self.show_on_map, spacing=_GAP_PX),
            make_row(until, (self.condition, 1), self.condition_parameter, spacing=_GAP_PX),
        )
        self.setLayout(make_column(*rows, margins=(8, 4, 8, 0), spacing=_GAP_PX))

    def _make_rest(self) -> QGridLayout:
        """What is seldom changed of a waypoint."""
        grid = make_grid(margins=12, spacing=(8, 4), shares={1: 1})
        wide = (self.mode_parameters, self.condition_parameters)
        fields: tuple[tuple[str | QLabel, QWidget], ...] = (
            ("Name", self.name),
            ("Latitude", self.latitude),
            ("Longitude", self.longitude),
            ("Then", self.command),
            (self._jump_label, self.jump),
            ("If it cannot fly this, go to", self.error),
        )
        for row, (title, field) in enumerate(fields):
            label = QLabel(title) if isinstance(title, str) else title
            label.setBuddy(field)
            field.setAccessibleName(label.text())
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
        for part in (self.locked, *wide, self._explanation):
            grid.addWidget(part, grid.rowCount(), 0, 1, 2)
        self._explanation.setMinimumWidth(_EXPLANATION_PX)
        return grid


def _number(limits: tuple[float, float], unit: str) -> NumberBox:
    box = NumberBox("", limits, 1, f"\u202f{unit}")
    box.setKeyboardTracking(False)
    wheel_needs_focus(box)
    return box


def _degrees(most: float) -> NumberBox:
    box = _number((-most, most), "°")
    box.setDecimals(7)
    box.setSingleStep(1e-5)
    return box


def _combo(name: str, items: Iterable[tuple[str, str]] = ()) -> QComboBox:
    combo = make_choice(name, ((title, data) for data, title in items), tip=name)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(_LEAST_LETTERS)
    wheel_needs_focus(combo)
    return combo


def _choose(combo: QComboBox, data: object) -> None:
    combo.setCurrentIndex(next((i for i in range(combo.count()) if combo.itemData(i) == data), -1))


def _fill_targets(combo: QComboBox, count: int, destination: int, none: str) -> None:
    """Every waypoint by its number, and what a destination below 0 means."""
    with QSignalBlocker(combo):
        combo.clear()
        combo.addItem(none, -1)
        for i in range(count):
            combo.addItem(f"waypoint {i + 1}", i)
        if destination < -1:
            combo.addItem(f"{-destination} further on", destination)
        _choose(combo, destination)


def _defaults(parameters: Sequence[OptionParameter]) -> Parameters:
    values = [0.0] * PARAMETERS
    for parameter in parameters:
        values[parameter.index] = parameter.default
    a, b, c, d = values
    return a, b, c, d


def _put(values: Parameters, i: int, value: float) -> Parameters:
    changed = list(values)
    changed[i] = value
    a, b, c, d = changed
    return a, b, c, d
