"""Airframe view from above: numbered motors that turn, servos and surfaces that move."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Final

from PySide6.QtCore import QPointF, QSize, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QSizePolicy

from telemetry.configuration.airframe.airframe import CUSTOM, MULTIROTOR
from telemetry.configuration.airframe.drawing import Drawing, DrawnPart
from widgets.airframe_bodies import paint_body
from widgets.airframe_canvas import Canvas
from widgets.airframe_parts import paint_motor, paint_servo
from widgets.theme import PaintedWidget, Theme

_TURNS_PER_S: Final = 1.4
"""How fast a propeller at full thrust turns on screen: slow enough to see which way."""
_RESTING_DEG: Final = 30.0
_LARGEST_RADIUS: Final = 0.48
_REACH: Final = 1.5
"""Arm lengths from the middle to the edge for what is not a multirotor."""


class AirframeView(PaintedWidget):
    """Draws a Drawing. `set_values` gives each output's value (-1 to 1) by number; `advance` lets
    propellers turn on, and costs nothing while none does."""

    def __init__(self) -> None:
        super().__init__()
        self.drawing = Drawing(CUSTOM, "Custom", ())
        """What is drawn."""
        self._values: Mapping[int, float] = {}
        self._turns_deg: dict[str, float] = {}
        self.setMinimumSize(200, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(330, 280)

    def show_drawing(self, drawing: Drawing) -> None:
        """Show another aircraft, or the same one with other outputs."""
        if drawing != self.drawing:
            self.drawing = drawing
            self.setAccessibleName(_words(drawing))
            self.update()

    def set_values(self, values: Mapping[int, float]) -> None:
        """How far each output is driven."""
        if values != self._values:
            self._values = dict(values)
            self.update()

    def turn_deg(self, name: str) -> float:
        """How far round a motor is, clockwise from the nose."""
        return self._turns_deg.get(name, 0.0)

    def advance(self, seconds: float) -> None:
        """Let the motors turn for some time."""
        is_moved = False
        for part in self.drawing.parts:
            value = self._values.get(part.output, 0.0)
            if part.is_motor and value:
                way = -1.0 if part.spin == "ccw" else 1.0
                step = way * value * _TURNS_PER_S * 360.0 * seconds
                self._turns_deg[part.name] = (self.turn_deg(part.name) + step) % 360.0
                is_moved = True
        if is_moved:
            self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        canvas = _canvas(painter, QSizeF(self.size()), theme, self.drawing)
        _paint(canvas, self.drawing, self._values, self.turn_deg)


def airframe_picture(drawing: Drawing, theme: Theme, side_px: int, pixel_ratio: float) -> QPixmap:
    """A small picture of an aircraft at rest, for choosing among many."""
    picture = QPixmap(round(side_px * pixel_ratio), round(side_px * pixel_ratio))
    picture.setDevicePixelRatio(pixel_ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        canvas = _canvas(painter, QSizeF(side_px, side_px), theme, drawing)
        _paint(replace(canvas, is_numbered=False), drawing, {}, lambda _name: _RESTING_DEG)
    return picture


def _canvas(painter: QPainter, size: QSizeF, theme: Theme, drawing: Drawing) -> Canvas:
    """As large as `size` allows."""
    reach = _REACH
    if drawing.family in (MULTIROTOR, CUSTOM):
        reach = _reach(drawing.parts, _radius(drawing.parts))
    side = min(size.width(), size.height())
    centre = QPointF(size.width() / 2, size.height() / 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return Canvas(painter, theme, centre, side / (2.0 * reach))


def _paint(
    canvas: Canvas,
    drawing: Drawing,
    values: Mapping[int, float],
    turn_deg: Callable[[str], float],
) -> None:
    radius = _radius(drawing.parts)
    paint_body(canvas, drawing)
    for part in sorted(drawing.parts, key=_depth):
        value = values.get(part.output, 0.0)
        if part.is_motor:
            paint_motor(canvas, part, drawing.family, radius, value, turn_deg(part.name))
        else:
            paint_servo(canvas, part, drawing.frame, value)


def _depth(part: DrawnPart) -> int:
    """What is drawn later is above."""
    return {"bottom": 0, "top": 2}.get(part.layer, 1) + (0 if part.is_motor else 2)


def _radius(parts: tuple[DrawnPart, ...]) -> float:
    """Propellers as large as they can be without touching."""
    places = {part.place for part in parts if part.is_motor}
    apart = [math.dist(one, other) for one, other in combinations(places, 2)]
    return min([_LARGEST_RADIUS, *(0.46 * distance for distance in apart)])


def _reach(parts: tuple[DrawnPart, ...], radius: float) -> float:
    """How far the drawing goes from its middle."""
    wide = radius * (1.35 if any(part.layer for part in parts) else 1.0) + 0.08
    ends = [max(map(abs, part.place)) + (wide if part.is_motor else 0.25) for part in parts]
    return max([1.0 + wide, *ends])


def _words(drawing: Drawing) -> str:
    """The drawing for whoever has it read aloud."""
    parts = (f"{part.name} on output {part.output or 'none'}" for part in drawing.parts)
    return f"{drawing.frame}: {', '.join(parts)}"
