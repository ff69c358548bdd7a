"""The wind, where an aircraft tells it: by WindVelocityActual, which Tau Labs and dRonin have, or,
in the simulator, by GroundTruth. LibrePilot has no object for it: its aeroplanes know the wind
(fluidMovement of fixedwingflycontroller.cpp) and keep it to themselves."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from telemetry.recording.recording import Recording
from widgets.display_units import DisplayUnits
from widgets.map.decorations import paint_card
from widgets.map.kept_card import KeptCard
from widgets.map.projection import Viewport
from widgets.map.scene import Wind
from widgets.map.symbols import arrow
from widgets.theme import Theme

_FRESH_S = 3.0
_TOLD_FRESH_S = 6.0
"""WindVelocityActual comes every two seconds."""
_EDGE_PX, _GAP_PX = 8, 4
_LEAST_MPS = 0.05


def wind_of(recording: Recording, t: float) -> Wind | None:
    """The wind at `t`, None where nobody has told it of late. What an aircraft flies by counts more
    than what the simulator knows."""
    told = recording.latest("WindVelocityActual", t)
    if told is not None and t - told.t <= _TOLD_FRESH_S:
        return _from(float(told.raw("North")), float(told.raw("East")))
    return _true_wind(recording, t)


def _true_wind(recording: Recording, t: float) -> Wind | None:
    """How the aircraft moves over ground, less how it moves through the air.

    Angles of attack and slip are atan2(w, u) and asin(v / V) of the motion (u, v, w) through the
    air in the body's axes (FRD), as simulation/autopilot/truth.py fills them in.
    """
    truth = recording.latest("GroundTruth", t)
    if truth is None or t - truth.t > _FRESH_S:
        return None
    north, east = (float(truth.raw(f"VelocityNED.{axis}")) for axis in (0, 1))
    roll, pitch, yaw = (math.radians(float(truth.raw(f"RPY.{axis}"))) for axis in range(3))
    speed = float(truth.raw("TrueAirspeed"))
    attack, slip = (math.radians(float(truth.raw(f"AngleOf{of}"))) for of in ("Attack", "Slip"))
    u = speed * math.cos(slip) * math.cos(attack)
    v = speed * math.sin(slip)
    w = speed * math.cos(slip) * math.sin(attack)
    ahead = u * math.cos(pitch) + (v * math.sin(roll) + w * math.cos(roll)) * math.sin(pitch)
    right = v * math.cos(roll) - w * math.sin(roll)
    north -= ahead * math.cos(yaw) - right * math.sin(yaw)
    east -= ahead * math.sin(yaw) + right * math.cos(yaw)
    return _from(north, east)


def _from(north: float, east: float) -> Wind:
    """Air that moves like this, m/s."""
    return Wind(math.hypot(north, east), math.degrees(math.atan2(-east, -north)) % 360.0)


def wind_text(wind: Wind, units: DisplayUnits) -> str:
    """How strong the wind is, to a tenth, and where it comes from unless it is calm."""
    gain, _, unit = units.shown("m/s")
    text = f"Wind {wind.speed_mps * gain:.1f}\u2009{unit}"
    if wind.speed_mps >= _LEAST_MPS:
        text += f"  {round(wind.from_deg) % 360:03d}°"
    return text


def paint_wind(painter: QPainter, view: Viewport, theme: Theme, wind: Wind, kept: KeptCard) -> None:
    """Paint an arrow with the wind and where it comes from, in the top left corner."""
    text = wind_text(wind, theme.units)
    font = theme.font("body", bold=True)
    metrics = QFontMetrics(font, painter.device())
    height = metrics.height() + 8
    area = view.area
    # below the way home, which may be as wide as the window
    top = area.top + _EDGE_PX + height + _GAP_PX
    box = QRectF(area.left + _EDGE_PX, top, metrics.horizontalAdvance(text) + height + 14, height)
    goes_deg = round(wind.from_deg + 180.0 - view.rotation_deg) % 360

    def paint(own: QPainter, inner: QRectF) -> None:
        paint_card(own, theme, inner)
        own.setRenderHint(QPainter.RenderHint.Antialiasing)
        own.setFont(font)
        own.setPen(QPen(theme.color("text"), 1))
        own.setBrush(theme.color("text"))
        centre = QPointF(height / 2 + 2, inner.center().y())
        if wind.speed_mps >= _LEAST_MPS:
            own.drawPolygon(arrow(centre, goes_deg, 0.6))
        words = inner.adjusted(height + 2, 0, -4, 0)
        own.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)

    kept.paint(painter, theme, box, (text, goes_deg), paint)
