"""Airframe bodies seen from above, below their motors and servos."""

from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen

from telemetry.configuration.airframe.airframe import FIXED_WING, GROUND, HELICOPTER
from telemetry.configuration.airframe.drawing import Drawing
from widgets.airframe_canvas import Canvas

_Outline = tuple[tuple[float, float], ...]
_ARM: Final = 0.07
_FUSELAGE: Final[_Outline] = ((1.0, 0.0), (0.75, 0.1), (-0.2, 0.1), (-1.0, 0.04))
_WING: Final[_Outline] = ((0.5, 0.08), (0.4, 1.2), (0.2, 1.25), (0.2, 0.08))
_STABILISER: Final[_Outline] = ((-0.68, 0.04), (-0.78, 0.5), (-0.9, 0.52), (-0.9, 0.04))
_DELTA: Final[_Outline] = ((0.9, 0.0), (0.75, 0.1), (-0.2, 1.2), (-0.4, 1.2), (-0.4, 0.0))
_CABIN: Final[_Outline] = ((0.6, 0.0), (0.5, 0.16), (0.1, 0.24), (-0.25, 0.12), (-1.0, 0.03))
_CAR: Final[_Outline] = ((1.0, 0.0), (0.95, 0.34), (-0.95, 0.36), (-1.0, 0.0))
_CYCLE: Final[_Outline] = ((0.6, 0.0), (0.5, 0.08), (-0.6, 0.12), (-0.7, 0.0))
_TANK: Final[_Outline] = ((0.8, 0.0), (0.8, 0.3), (-0.8, 0.3), (-0.8, 0.0))
_TRACK: Final[_Outline] = ((0.95, 0.32), (0.95, 0.68), (-0.95, 0.68), (-0.95, 0.32))
_HULL: Final[_Outline] = ((1.15, 0.0), (0.8, 0.3), (0.2, 0.45), (-0.95, 0.4), (-1.0, 0.0))
_GROUND: Final[dict[str, tuple[_Outline, ...]]] = {
    "GroundVehicleCar": (_CAR,),
    "GroundVehicleDifferential": (_TANK, _TRACK),
    "GroundVehicleMotorcycle": (_CYCLE,),
    "GroundVehicleBoat": (_HULL,),
    "GroundVehicleDifferentialBoat": (_HULL,),
}


def paint_body(canvas: Canvas, drawing: Drawing) -> None:
    """Draw the body of a frame, with its nose marked."""
    families: dict[str, Callable[[Canvas, Drawing], None]] = {
        FIXED_WING: _paint_wings,
        HELICOPTER: _paint_helicopter,
        GROUND: _paint_vehicle,
    }
    families.get(drawing.family, _paint_arms)(canvas, drawing)


def _paint_arms(canvas: Canvas, drawing: Drawing) -> None:
    """Arms from the middle to every motor; a yaw servo turns the motor behind it."""
    painter = canvas.painter
    pen = QPen(canvas.colour("line"), max(3.0, canvas.px(_ARM)))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    for part in drawing.parts:
        if part.is_motor:
            painter.drawLine(canvas.at(0.0, 0.0), canvas.at(*part.place))
    painter.setPen(canvas.pen("muted"))
    painter.setBrush(canvas.colour("raised"))
    painter.drawEllipse(canvas.at(0.0, 0.0), canvas.px(0.24), canvas.px(0.24))
    _paint_nose(canvas, 0.2)


def _paint_wings(canvas: Canvas, drawing: Drawing) -> None:
    if drawing.frame == "FixedWingElevon":
        _paint_outlines(canvas, (_DELTA,))
        _paint_nose(canvas, 0.72)
        return
    _paint_outlines(canvas, (_WING, _STABILISER, _FUSELAGE))
    _paint_nose(canvas, 0.8)


def _paint_helicopter(canvas: Canvas, drawing: Drawing) -> None:
    _paint_outlines(canvas, (_CABIN,))
    _paint_nose(canvas, 0.56)


def _paint_vehicle(canvas: Canvas, drawing: Drawing) -> None:
    _paint_outlines(canvas, _GROUND.get(drawing.frame, (_CAR,)))
    _paint_nose(canvas, 0.55 if drawing.frame == "GroundVehicleMotorcycle" else 0.8)


def _paint_outlines(canvas: Canvas, outlines: Iterable[_Outline]) -> None:
    """Right halves, drawn on both sides."""
    painter = canvas.painter
    painter.setPen(canvas.pen("muted"))
    painter.setBrush(canvas.colour("raised"))
    for outline in outlines:
        mirrored = tuple((forward, -right) for forward, right in outline)
        if outline[0][1] == 0.0:
            painter.drawPolygon(canvas.shape(*outline, *reversed(mirrored)))
        else:
            painter.drawPolygon(canvas.shape(*outline))
            painter.drawPolygon(canvas.shape(*mirrored))


def _paint_nose(canvas: Canvas, forward: float) -> None:
    """An arrow head: this side flies ahead."""
    tip, size = canvas.at(forward, 0.0), max(5.0, canvas.px(0.08))
    canvas.painter.setPen(Qt.PenStyle.NoPen)
    canvas.painter.setBrush(canvas.colour("text"))
    left, right = tip + QPointF(-size, 1.6 * size), tip + QPointF(size, 1.6 * size)
    canvas.painter.drawPolygon([tip, right, tip + QPointF(0.0, 1.1 * size), left])
