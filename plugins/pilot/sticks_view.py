"""Sticks view: both sticks, what flies, and the choice of what to fly by hand with."""

from typing import Final

from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from plugins.pilot.button_row import HEIGHT_PX
from plugins.pilot.hand_input import ON_SCREEN
from plugins.pilot.input_box import InputBox
from plugins.pilot.let_go import make_let_go
from plugins.pilot.screen_sticks import ScreenSticks
from plugins.pilot.state_line import StateLine
from telemetry.base.statement import Statement
from telemetry.vehicle.sticks import Sticks
from widgets.parts import make_column, make_row

_KEEPS_SIZE: Final = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon


class SticksView(QWidget):
    """It decides nothing: what is chosen and dragged is emitted by `input`, `let_go`, `thumbs`."""

    def __init__(self) -> None:
        super().__init__()
        self.input = InputBox()
        self.input.say_less(True)
        # Qt would give it another size for a moment whenever its words change.
        self.input.setSizeAdjustPolicy(_KEEPS_SIZE)
        self.input.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.let_go = make_let_go()
        self.let_go.setMinimumHeight(HEIGHT_PX)
        self.thumbs = ScreenSticks()
        self._note = StateLine()
        sticks = make_row((self.thumbs.left, 1), (self.thumbs.right, 1), spacing=8)
        chosen = make_row((self.input, 2), (self.let_go, 1), spacing=6)
        column = make_column((sticks, 1), self._note, chosen, margins=(8, 6, 8, 6), spacing=4)
        self.setLayout(column)
        self.show_unavailable()

    def say(self, statement: Statement) -> None:
        """Show what flies."""
        self._note.state(statement)

    def show_unavailable(self) -> None:
        """There is nothing to fly."""
        self.let_go.setEnabled(False)
        self._enable_sticks(is_enabled=False)

    def show_sticks(self, sticks: Sticks, *, springs: bool, can_let_go: bool) -> None:
        """Put the knobs where the sticks are."""
        self.thumbs.show(sticks, springs=springs)
        self._enable_sticks(is_enabled=self.input.source in ON_SCREEN)
        self.let_go.setEnabled(can_let_go)

    def _enable_sticks(self, *, is_enabled: bool) -> None:
        for view in (self.thumbs.left, self.thumbs.right):
            view.setEnabled(is_enabled)
