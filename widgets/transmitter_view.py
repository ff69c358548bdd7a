"""Transmitter view from the front: two sticks that show the controls, and what is asked."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from widgets.parts import make_row
from widgets.stick_view import StickView

Names = tuple[str, str]
"""What a stick carries: left and right, up and down."""


class TransmitterView(QWidget):
    """Shows controls by name, -1 to 1, right and up positive. `moved(name, value)` tells what the
    user drags, where `can_drag`; what is in `stays` stays where it is left."""

    moved = Signal(str, float)

    def __init__(
        self, left: Names, right: Names, can_drag: bool = False, stays: tuple[str, ...] = ()
    ) -> None:
        super().__init__()
        self._names = (left, right)
        self.sticks = tuple(
            StickView(x, y, keeps_y=y in stays, takes_keys=can_drag) for x, y in self._names
        )
        row = make_row(spacing=16)
        self.setLayout(row)
        for stick, names in zip(self.sticks, self._names, strict=True):
            stick.setEnabled(can_drag)
            stick.setFixedSize(140, 150)
            stick.moved.connect(lambda x, y, names=names: self._moved(names, x, y))
            row.addWidget(stick)

    def show_values(self, values: Mapping[str, float]) -> None:
        """Where the controls are; those not named stand in the middle."""
        for stick, (x, y) in zip(self.sticks, self._names, strict=True):
            stick.show_position(values.get(x, 0.0), values.get(y, 0.0))

    def ask(self, name: str, sign: int = 0) -> None:
        """Ask for a move of one control, to and fro or to one side; "" for none."""
        for stick, (x, y) in zip(self.sticks, self._names, strict=True):
            axis = {x: "x", y: "y"}.get(name, "") if name else ""
            stick.ask(axis, sign if axis else 0)

    def _moved(self, names: Names, x: float, y: float) -> None:
        for name, value in zip(names, (x, y), strict=True):
            self.moved.emit(name, value)
