"""Guided view: how the guided panel looks, a cell per action, its numbers beside its button."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from telemetry.base.statement import Statement
from telemetry.missions.guided_actions import (
    FARTHEST_M,
    GUIDED_ACTIONS,
    HIGHEST_M,
    LOWEST_M,
    SMALLEST_ORBIT_M,
)
from widgets.forms.spin_boxes import NumberBox
from widgets.hold_button import HoldButton
from widgets.parts import (
    STRETCH,
    make_button,
    make_column,
    make_grid,
    make_label,
    make_row,
    make_scrolled,
)
from widgets.state_label import StateLabel
from widgets.theme import Theme

EVERY_ACTION: Final = tuple(action.id for action in GUIDED_ACTIONS)
_ARROWS_PX: Final = 38
_MAY_BREAK: Final = "\u200b"
_SPARE_PX: Final = 30
"""Margins, the space between two cells, and a scroll bar."""
_MOST_TAKE_OFF_M: Final = 50.0
"""Firmware climbs no higher by itself (vtolautotakeoffcontroller.cpp)."""


@dataclass(frozen=True, slots=True)
class GuidedNumber:
    """A number that is asked for with an action."""

    id: str
    title: str
    unit: str
    low: float
    high: float
    start: float


NUMBERS: Final[Mapping[str, tuple[GuidedNumber, ...]]] = {
    "take_off": (GuidedNumber("height", "Height", "m", LOWEST_M, _MOST_TAKE_OFF_M, 5.0),),
    "height": (GuidedNumber("height", "Height above home", "m", LOWEST_M, HIGHEST_M, 10.0),),
    "go_to": (
        GuidedNumber("distance", "Distance", "m", 1.0, FARTHEST_M, 20.0),
        GuidedNumber("bearing", "Direction from north", "°", 0.0, 359.0, 0.0),
    ),
    "orbit": (
        GuidedNumber("radius", "Radius", "m", SMALLEST_ORBIT_M, 500.0, 15.0),
        GuidedNumber("speed", "Speed", "m/s", 1.0, 20.0, 3.0),
    ),
    "speed": (GuidedNumber("speed", "Speed", "m/s", 1.0, 20.0, 5.0),),
    "heading": (GuidedNumber("heading", "Heading", "°", 0.0, 359.0, 0.0),),
}
_WORDS: Final = {
    "take_off": "Take off",
    "height": "Height",
    "go_to": "Go",
    "orbit": "Orbit",
    "speed": "Limit speed",
    "heading": "Turn",
    "pause": "Pause",
    "resume": "Resume",
}
_CELLS: Final = (
    (("take_off",), ("hold", "land")),
    (("height",), ("return", "pause", "resume")),
    (("go_to",), ("heading",)),
    (("orbit",), ("speed",)),
)
"""Two cells a row; actions in one cell stand beside each other."""
_BELOW: Final = tuple(action for row in _CELLS[2:] for cell in row for action in cell)


class GuidedView(QWidget):
    """Buttons, numbers and words. It decides nothing: what was held is emitted by its id."""

    asked = Signal(str)
    agreed = Signal()
    declined = Signal()
    freed = Signal()
    behaviour_pressed = Signal()

    def __init__(self, actions: Collection[str] = EVERY_ACTION) -> None:
        super().__init__()
        self._boxes: dict[tuple[str, str], NumberBox] = {}
        self._buttons = {action: self._make_button(action) for action in actions}
        self._free = make_button("No limit", self.freed.emit)
        self._free.setMinimumHeight(40)
        self._free.hide()
        self._behaviour = make_button("Behaviour", self.behaviour_pressed.emit)
        self._behaviour.setMinimumHeight(40)
        self._behaviour.setProperty("dense", True)
        self._note = StateLabel(wraps=True, keeps_room=True, calm="")
        self._note.setMinimumWidth(1)
        self._question = make_label(wraps=True)
        self._question.setMinimumWidth(1)
        self._agree = HoldButton("Hold to agree", "caution")
        self._agree.held.connect(self.agreed)
        self._decline = make_button("No", self.declined.emit)
        self._grid, self._columns = make_grid(margins=None, spacing=6), 0
        self._lay_out()
        self._fit()
        self.ask_consent("")

    def apply_theme(self, theme: Theme) -> None:
        """Take over new sizes of text."""
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def number(self, action: str, number: str) -> float:
        """What is entered for an action."""
        return self._boxes[action, number].value()

    def show_offer(self, offered: tuple[str, ...]) -> None:
        """Show these actions and no others, less where a question needs the room."""
        if self.is_asking:
            offered = tuple(action for action in offered if action not in _BELOW)
        for action, button in self._buttons.items():
            button.setVisible(action in offered)
        for (action, _), box in self._boxes.items():
            box.setVisible(action in offered)

    def show_refusals(self, refusals: Mapping[str, str | None], helps: Mapping[str, str]) -> None:
        """Have those be held that can be asked for; a tool tip says why the others cannot."""
        for action, button in self._buttons.items():
            refusal = refusals.get(action)
            button.setEnabled(refusal is None)
            button.setToolTip(refusal or f"Hold for 0.7 s. {helps.get(action, '')}")

    def show_mission(self, *, is_flown: bool, offered: tuple[str, ...]) -> None:
        """Pausing and resuming share a place."""
        for action, is_meant in (("pause", is_flown), ("resume", not is_flown)):
            if action in self._buttons:
                self._buttons[action].setVisible(is_meant and action in offered)

    def show_behaviour(self, flying: str, refusal: str | None, *, is_offered: bool) -> None:
        """What flies by the station's own sticks, and why nothing can."""
        self._behaviour.setVisible(is_offered and not self.is_asking)
        word = flying.partition(" ")[0]  # a script's name is as long as its author likes
        self._behaviour.setText(f"End {word}" if flying else "Behaviour")
        self._behaviour.setEnabled(bool(flying) or refusal is None)
        about = "Have the station fly it by the sticks: stay, orbit, follow, a script."
        self._behaviour.setToolTip(f"End {flying}" if flying else refusal or about)

    @property
    def below_behaviour(self) -> QPoint:
        """Where its menu opens, on the screen."""
        return self._behaviour.mapToGlobal(QPoint(0, self._behaviour.height()))

    def show_limit(self, *, is_limited: bool) -> None:
        """Whether the speed is limited, which can be ended."""
        self._free.setVisible(is_limited)

    def say(self, statement: Statement) -> None:
        """Show what goes on."""
        self._note.state(replace(statement, text=_breakable(statement.text)))

    def ask_consent(self, question: str) -> None:
        """Ask for a change of a setting; empty for none."""
        self._question.setText(_breakable(question))
        for widget in (self._question, self._agree, self._decline):
            widget.setVisible(bool(question))
        self._note.setVisible(not question)

    @property
    def is_asking(self) -> bool:
        """Whether consent is asked for."""
        return not self._question.isHidden()

    def _make_button(self, action: str) -> HoldButton:
        title = next(a.title for a in GUIDED_ACTIONS if a.id == action)
        button = HoldButton(_WORDS.get(action, title), "caution")
        button.setProperty("dense", True)
        button.setAccessibleName(title)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.held.connect(lambda: self.asked.emit(action))
        return button

    def _make_box(self, action: str, number: GuidedNumber) -> NumberBox:
        name = f"{number.title} to {_WORDS[action].lower()}"
        box = NumberBox(name, (number.low, number.high), 0, f"\u202f{number.unit}")
        box.setValue(number.start)
        box.setWrapping(number.unit == "°")
        box.setMinimumHeight(40)
        longest = f"{number.high:.0f}\u202f{number.unit}"
        box.setFixedWidth(box.fontMetrics().horizontalAdvance(longest) + _ARROWS_PX)
        box.setToolTip(number.title)
        self._boxes[action, number.id] = box
        return box

    def _lay_out(self) -> None:
        whole_cells = [cell for row in _CELLS for cell in row]
        cells = [tuple(a for a in cell if a in self._buttons) for cell in whole_cells]
        self._cells = [self._make_cell(cell) for cell in cells if cell]
        consent = make_row((self._agree, 1), self._decline, spacing=4)
        whole = (self._question, consent, self._grid, self._note, STRETCH)
        content = make_column(*whole, margins=8, spacing=6)
        inside = QWidget()
        inside.setLayout(content)
        area = make_scrolled(inside, keeps_width=True)
        for ground in (inside, area.viewport()):  # it lies on a panel, or on a card
            ground.setAutoFillBackground(False)
        self.setLayout(make_column(area))

    def _make_cell(self, actions: tuple[str, ...]) -> QWidget:
        parts: list[tuple[QWidget, int]] = []
        for action in actions:
            parts.append((self._buttons[action], 1))
            parts += [(self._make_box(action, n), 0) for n in NUMBERS.get(action, ())]
        if "speed" in actions:
            parts.append((self._free, 0))
        if "heading" in actions:
            parts.append((self._behaviour, 1))
        cell = QWidget()
        cell.setLayout(make_row(*parts, spacing=4))
        return cell

    def _fit(self) -> None:
        """Two cells beside each other, or all below each other where there is little width."""
        widest_px = max(cell.minimumSizeHint().width() for cell in self._cells)
        columns = 2 if 2 * widest_px + _SPARE_PX <= self.width() else 1
        if columns == self._columns:
            return
        self._columns = columns
        for number, cell in enumerate(self._cells):
            self._grid.addWidget(cell, *divmod(number, columns))
        for column in range(2):
            self._grid.setColumnStretch(column, int(column < columns))


def _breakable(sentence: str) -> str:
    """With places to break the paths of settings, which are longer than a narrow panel."""
    return re.sub(r"\.(?=[A-Z])", f".{_MAY_BREAK}", sentence)
