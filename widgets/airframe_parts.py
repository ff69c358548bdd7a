"""Airframe parts seen from above: motors and servos, turning, deflected, numbered by output."""

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPen

from telemetry.configuration.airframe.airframe import FIXED_WING, GROUND, HELICOPTER
from telemetry.configuration.airframe.drawing import DrawnPart
from widgets.airframe_canvas import Canvas

_LARGEST_SWING_DEG: Final = 35.0
_FLAPS: Final = ("Aileron", "Elevator", "Elevon", "Vtail")
_SWINGS: Final = ("Rudder", "Tail", "Balance")
_SWING: Final = 0.22
_ARC: Final = 16  # Qt counts sixteenths of a degree
_OFFSET: Final = 0.3  # of the radius: how far two motors of one place are drawn apart


def paint_motor(
    canvas: Canvas, part: DrawnPart, family: str, radius: float, value: float, turn_deg: float
) -> None:
    """A motor with its propeller, or its wheel, `turn_deg` further round. `value` is -1 to 1."""
    if family == FIXED_WING:
        _paint_edge_on(canvas, part, value, turn_deg)
    else:
        centre = _centre(canvas, part, radius)
        wide = {GROUND: 0.2, HELICOPTER: 0.9}.get(family, radius)
        _paint_disc(canvas, part, centre, canvas.px(wide), value, turn_deg)
        _paint_number(canvas, part, _badge_place(canvas, part, centre, wide))


def paint_servo(canvas: Canvas, part: DrawnPart, frame: str, value: float) -> None:
    """A surface, wheel or arm, deflected by `value` from -1 to 1."""
    if part.name.startswith(_FLAPS):
        _paint_flap(canvas, part, value)
    elif part.name.startswith("Steering") and "Boat" not in frame:
        places = (0.0,) if frame == "GroundVehicleMotorcycle" else (-0.44, 0.44)
        _paint_wheels(canvas, part, value, places)
    elif part.name.startswith((*_SWINGS, "Steering")):
        _paint_swing(canvas, part, value)
    elif part.name == "YawServo":
        # On the arm, ahead of the propeller that it tilts.
        _paint_arm(canvas, part, value, canvas.at(part.place[0] + 0.3, part.place[1]), 90.0)
    else:
        _paint_arm(canvas, part, value, canvas.at(*part.place), 0.0)


def _centre(canvas: Canvas, part: DrawnPart, radius: float) -> QPointF:
    shift = {"top": -1.0, "bottom": 1.0}.get(part.layer, 0.0) * canvas.px(radius) * _OFFSET
    return canvas.at(*part.place) + QPointF(shift, shift)


def _badge_place(canvas: Canvas, part: DrawnPart, centre: QPointF, wide: float) -> QPointF:
    if not part.layer:
        return centre
    shift = canvas.px(wide) * 0.45 * (-1.0 if part.layer == "top" else 1.0)
    return centre + QPointF(shift, shift)


def _paint_disc(
    canvas: Canvas, part: DrawnPart, centre: QPointF, radius: float, value: float, turn_deg: float
) -> None:
    painter, token = canvas.painter, _token(part)
    painter.setPen(canvas.pen(token))
    painter.setBrush(canvas.colour(token, 0.08 + 0.22 * min(abs(value), 1.0)))
    painter.drawEllipse(centre, radius, radius)
    ring = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    painter.setPen(QPen(canvas.theme.color(token), 3.0 * canvas.theme.line_px))
    painter.drawArc(ring, 90 * _ARC, round(-360 * _ARC * min(max(value, -1.0), 1.0)))
    turn = math.radians(turn_deg)
    blade = QPointF(math.sin(turn), -math.cos(turn)) * radius * 0.92
    painter.drawLine(centre - blade, centre + blade)
    if part.spin:
        _paint_spin(canvas, centre, radius * 0.72, part.spin)


def _paint_spin(canvas: Canvas, centre: QPointF, radius: float, spin: str) -> None:
    """An arc with an arrow head at its end: which way it turns."""
    painter, way = canvas.painter, 1.0 if spin == "cw" else -1.0
    box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    painter.setPen(canvas.pen("text", 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    middle_deg, half_deg = 90.0, 45.0
    painter.drawArc(box, round((middle_deg - half_deg) * _ARC), round(2 * half_deg * _ARC))
    end = math.radians(middle_deg - way * half_deg)
    tip = centre + QPointF(math.cos(end), -math.sin(end)) * radius
    along = QPointF(math.sin(end), math.cos(end)) * way
    across = QPointF(-along.y(), along.x())
    size = max(4.0, radius * 0.22)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(canvas.colour("text"))
    back = tip - along * size * 0.5
    head = [tip + along * size, back + across * size * 0.7, back - across * size * 0.7]
    painter.drawPolygon(head)


def _paint_edge_on(canvas: Canvas, part: DrawnPart, value: float, turn_deg: float) -> None:
    """A propeller at the nose, seen from above: it turns through its edge."""
    painter, centre = canvas.painter, canvas.at(*part.place)
    seen = abs(math.cos(math.radians(turn_deg)))
    reach = QPointF(canvas.px(0.38) * (0.25 + 0.75 * seen), 0.0)
    pen = QPen(canvas.theme.color(_token(part)), 4.0 * canvas.theme.line_px)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawLine(centre - reach, centre + reach)
    span = canvas.px(0.38)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(canvas.colour(_token(part), 0.1 + 0.25 * min(abs(value), 1.0)))
    painter.drawEllipse(centre, span, max(4.0, span * 0.12))
    _paint_number(canvas, part, centre + QPointF(0.0, -14.0))


def _paint_flap(canvas: Canvas, part: DrawnPart, value: float) -> None:
    """A surface behind its hinge; deflected, it looks shorter and takes colour."""
    forward, right = part.place
    half = 0.22 if part.name.startswith(("Elevator", "Vtail")) else 0.38
    chord = 0.14 * math.cos(math.radians(_LARGEST_SWING_DEG * value))
    skew = 0.05 * value
    inner, outer = right - half, right + half
    corners = (
        (forward, inner),
        (forward, outer),
        (forward - chord, outer + skew),
        (forward - chord, inner + skew),
    )
    canvas.painter.setPen(canvas.pen("text", 1.2))
    canvas.painter.setBrush(canvas.colour("accent", 0.12 + 0.6 * min(abs(value), 1.0)))
    canvas.painter.drawPolygon(canvas.shape(*corners))
    place = canvas.at(forward + 0.13, right)
    _paint_number(canvas, part, place)
    _paint_gauge(canvas, place + QPointF(18.0, 0.0), value)


def _paint_swing(canvas: Canvas, part: DrawnPart, value: float) -> None:
    """A bar that turns about its front end."""
    hinge = canvas.at(*part.place)
    turn = math.radians(_LARGEST_SWING_DEG * value)
    end = hinge + QPointF(-math.sin(turn), math.cos(turn)) * canvas.px(_SWING)
    pen = QPen(canvas.theme.color("accent"), 5.0 * canvas.theme.line_px)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    canvas.painter.setPen(pen)
    canvas.painter.drawLine(hinge, end)
    along = (end - hinge) / canvas.px(_SWING)
    _paint_number(canvas, part, end + along * canvas.theme.font_px("body"))


def _paint_wheels(canvas: Canvas, part: DrawnPart, value: float, places: tuple[float, ...]) -> None:
    """The wheels of one axle, turned for steering."""
    painter, (forward, _) = canvas.painter, part.place
    for right in places:
        painter.save()
        painter.translate(canvas.at(forward * 0.8, right))
        painter.rotate(_LARGEST_SWING_DEG * value)
        painter.setPen(canvas.pen("text", 1.2))
        painter.setBrush(canvas.colour("accent", 0.25))
        wide, high = canvas.px(0.14), canvas.px(0.36)
        painter.drawRoundedRect(QRectF(-wide / 2, -high / 2, wide, high), 3, 3)
        painter.restore()
    _paint_number(canvas, part, canvas.at(forward * 0.8, 0.22))


def _paint_arm(
    canvas: Canvas, part: DrawnPart, value: float, centre: QPointF, rest_deg: float
) -> None:
    """A servo with its arm, which at rest points `rest_deg` clockwise from the right."""
    painter = canvas.painter
    turn = math.radians(60.0 * value - rest_deg)
    painter.setPen(QPen(canvas.theme.color("accent"), 4.0 * canvas.theme.line_px))
    # Long enough to show behind the number.
    reach = max(20.0, canvas.px(0.14)) if canvas.is_numbered else canvas.px(0.14)
    end = centre + QPointF(math.cos(turn), -math.sin(turn)) * reach
    painter.drawLine(centre, end)
    _paint_number(canvas, part, centre)


def _paint_gauge(canvas: Canvas, place: QPointF, value: float) -> None:
    """How far a surface is moved, where seen from above it hardly shows."""
    if not canvas.is_numbered:
        return
    half = 12.0
    painter = canvas.painter
    painter.setPen(canvas.pen("muted"))
    painter.drawLine(place + QPointF(0.0, -half), place + QPointF(0.0, half))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(canvas.colour("accent"))
    painter.drawEllipse(place + QPointF(0.0, -half * min(max(value, -1.0), 1.0)), 4.0, 4.0)


def _paint_number(canvas: Canvas, part: DrawnPart, place: QPointF) -> None:
    """The output's number on a disc; a dash and another colour where there is none."""
    if not canvas.is_numbered:
        return
    painter, theme = canvas.painter, canvas.theme
    radius = theme.font_px("body") * 0.8
    token = "text" if part.output else "caution"
    painter.setPen(QPen(theme.color(token), 1.2 * theme.line_px))
    painter.setBrush(theme.color("surface" if part.output else "caution_soft"))
    painter.drawEllipse(place, radius, radius)
    painter.setFont(theme.font("small", bold=True))
    painter.setPen(theme.color(token))
    box = QRectF(place.x() - radius, place.y() - radius, 2 * radius, 2 * radius)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(part.output) if part.output else "–")


def _token(part: DrawnPart) -> str:
    """The two senses of rotation are two colours, and an arrow besides."""
    return {"cw": "series_1", "ccw": "series_2"}.get(part.spin, "accent")
