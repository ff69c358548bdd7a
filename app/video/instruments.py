"""Painted instruments: what lies over a film's picture, readable over bright sky and dark ground.

Each is painted into pixels of its own, and only when it would look different.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from telemetry.recording.flight_state import FlightState
from telemetry.recording.interpolated_state import InterpolatedFlight
from telemetry.recording.mode_words import mode_words
from widgets.display_units import DisplayUnits
from widgets.instruments.attitude import AttitudeField
from widgets.instruments.layout import lay_out
from widgets.instruments.pens import PenSet
from widgets.instruments.tapes import show_number
from widgets.stick_view import StickView
from widgets.theme import Theme

UNKNOWN: Final = "–"
"""What stands in the place of a value that nobody knows."""
_BACKDROP = 0.6
_THIN = "\N{THIN SPACE}"


class PaintedInstrument(Protocol):
    """Paints itself into a rectangle that begins at 0, 0."""

    def look(self, flight: InterpolatedFlight, t: float) -> object:
        """What is to be seen: two equal looks have the same pixels."""

    def paint(self, painter: QPainter, look: Any) -> None:
        """Paint a look over nothing."""


class Readout:
    """A value with its name and unit."""

    def __init__(self, shows: str, size: QSize, theme: Theme) -> None:
        self._title, self._read = _READOUTS[shows]
        self._size, self._theme = size, theme

    def look(self, flight: InterpolatedFlight, t: float) -> tuple[str, str, str]:
        """Name, value and unit."""
        text, unit = self._read(flight.at(t), self._theme.units)
        return self._title, text, unit if text != UNKNOWN else ""

    def paint(self, painter: QPainter, look: tuple[str, str, str]) -> None:
        """A plate with the name above the value."""
        title, text, unit = look
        rect = QRectF(0.0, 0.0, self._size.width(), self._size.height())
        side = rect.height()
        paint_plate(painter, rect, self._theme)
        inset = 0.14 * side
        room = rect.width() - 2 * inset
        small, large = 0.22 * side, _fitting(self._theme, text, unit, (0.46 * side, room))
        self._write(painter, (inset, inset + 0.8 * small), title, small)
        x = self._write(painter, (inset, side - inset), text, large)
        self._write(painter, (x + 0.12 * large, side - inset), unit, 0.5 * large)

    def _write(self, painter: QPainter, at: tuple[float, float], text: str, pixels: float) -> float:
        """Write on a baseline, with an outline in the colour of what lies behind; the end of it."""
        font = self._theme.font_of(round(pixels), bold=True)
        path = QPainterPath()
        path.addText(QPointF(*at), font, text)
        outline = QPen(self._theme.color("surface"), max(1.5, 0.1 * pixels))
        outline.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, outline)
        painter.fillPath(path, self._theme.color("text"))
        return at[0] + QFontMetricsF(font).horizontalAdvance(text)


class HorizonInstrument:
    """The attitude indicator of the flight display, with nothing beside it."""

    def __init__(self, size: QSize, theme: Theme) -> None:
        self._rect, self._theme = QRect(0, 0, size.width(), size.height()), theme
        ink = PenSet(theme, lay_out(2 * size.width(), 2 * size.height(), has_words=False))
        self._radius = ink.px(12)
        self._field = AttitudeField(self._rect, ink, 1.0, has_slip=False)

    def look(self, flight: InterpolatedFlight, t: float) -> tuple[float, float] | None:
        """Roll and pitch as far as they can be told apart; None where they are not known."""
        state = flight.at(t)
        if state.roll_deg is None or state.pitch_deg is None:
            return None
        return round(state.roll_deg, 1), round(state.pitch_deg, 1)

    def paint(self, painter: QPainter, look: tuple[float, float] | None) -> None:
        """Sky and ground, or a dash."""
        rect = self._rect.toRectF()
        if look is None:
            paint_unknown(painter, rect, self._theme)
            return
        self._field.paint(painter, FlightState(0.0, roll_deg=look[0], pitch_deg=look[1]))
        keep_rounded(painter, rect, self._radius)


class TwoSticks:
    """The pilot's sticks, in mode 2."""

    def __init__(self, size: QSize, theme: Theme) -> None:
        self._rect, self._theme = QRectF(0.0, 0.0, size.width(), size.height()), theme
        self._views = (StickView("Yaw", "Throttle"), StickView("Roll", "Pitch"))
        for view in self._views:
            view.setFont(theme.font_of(_STICK_TEXT_PX))
            view.resize(_STICK_PX, _STICK_PX)

    def look(self, flight: InterpolatedFlight, t: float) -> tuple[float, ...] | None:
        """Right and up of the left stick, then of the right one; None where they are not known."""
        sticks = flight.sticks_at(t)
        if sticks is None:
            return None
        up = 2.0 * min(max(sticks.throttle, 0.0), 1.0) - 1.0
        return tuple(round(place, 2) for place in (sticks.yaw, up, sticks.roll, -sticks.pitch))

    def paint(self, painter: QPainter, look: tuple[float, ...] | None) -> None:
        """Both side by side, or a dash."""
        rect = self._rect
        if look is None:
            paint_unknown(painter, rect, self._theme)
            return
        paint_plate(painter, rect, self._theme, 1.0)
        scale = 0.94 * min(rect.width() / 2, rect.height()) / _STICK_PX
        painter.translate(rect.center())
        painter.scale(scale, scale)
        painter.translate(-_STICK_PX, -_STICK_PX / 2)
        for view, place in zip(self._views, (look[:2], look[2:]), strict=True):
            view.show_position(*place)
            painter.setFont(view.font())
            view.paint(painter, self._theme)
            painter.translate(_STICK_PX, 0.0)


_STICK_PX, _STICK_TEXT_PX = 130, 13
"""What a stick is drawn for; it is made larger and smaller as a whole."""

_Reading = tuple[str, str]
_Read = Callable[[FlightState, DisplayUnits], _Reading]


def _speed(state: FlightState, units: DisplayUnits) -> _Reading:
    return _number(units.value(state.groundspeed_mps, "m/s")), units.speed


def _height(state: FlightState, units: DisplayUnits) -> _Reading:
    return _number(units.value(state.height_m, "m")), units.height


def _climb(state: FlightState, units: DisplayUnits) -> _Reading:
    return _number(units.climb_shown(state.climb_mps)), units.climb


def _heading(state: FlightState, _units: DisplayUnits) -> _Reading:
    return (UNKNOWN if state.yaw_deg is None else f"{round(state.yaw_deg) % 360:03d}"), "°"


def _distance(state: FlightState, units: DisplayUnits) -> _Reading:
    far_m = state.distance_home_m
    text, _, unit = (UNKNOWN if far_m is None else units.distance_text(far_m)).partition(_THIN)
    return text, unit


def _battery(state: FlightState, _units: DisplayUnits) -> _Reading:
    percent = state.battery_percent
    return _number(state.battery_v), "V" if percent is None else f"V  {percent:.0f} %"


def _mode(state: FlightState, _units: DisplayUnits) -> _Reading:
    return (mode_words(state.flight_mode) if state.flight_mode else UNKNOWN), ""


_READOUTS: Final[Mapping[str, tuple[str, _Read]]] = {
    "speed": ("Speed", _speed),
    "height": ("Height", _height),
    "climb": ("Climb", _climb),
    "heading": ("Heading", _heading),
    "distance": ("From home", _distance),
    "battery": ("Battery", _battery),
    "mode": ("Mode", _mode),
}


def _number(value: float | None) -> str:
    return UNKNOWN if value is None else show_number(value)


def _fitting(theme: Theme, text: str, unit: str, room: tuple[float, float]) -> float:
    """The height of letters with which value and unit have room: at most so high and so wide."""
    pixels, width = room
    wanted = QFontMetricsF(theme.font_of(round(pixels), bold=True)).horizontalAdvance(text)
    if unit:
        small = theme.font_of(round(0.5 * pixels), bold=True)
        wanted += 0.12 * pixels + QFontMetricsF(small).horizontalAdvance(unit)
    return pixels * min(1.0, width / max(wanted, 1.0))


def paint_plate(painter: QPainter, rect: QRectF, theme: Theme, opacity: float = _BACKDROP) -> None:
    """The backdrop of an instrument, through which the picture can be seen."""
    colour = QColor(theme.color("surface"))
    colour.setAlphaF(opacity)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    radius = 0.1 * min(rect.width(), rect.height())
    painter.drawRoundedRect(rect, radius, radius)


def paint_unknown(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """An empty backdrop with a dash."""
    paint_plate(painter, rect, theme)
    painter.setPen(theme.color("text"))
    painter.setFont(theme.font_of(round(0.2 * rect.height()), bold=True))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, UNKNOWN)


def keep_rounded(painter: QPainter, rect: QRectF, radius: float) -> None:
    """Make the corners of what was painted transparent."""
    path = QPainterPath()
    path.addRect(rect)
    rounded = QPainterPath()
    rounded.addRoundedRect(rect, radius, radius)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.fillPath(path.subtracted(rounded), Qt.BrushStyle.SolidPattern)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def make_instrument(shows: str, size: QSize, theme: Theme) -> PaintedInstrument:
    """The instrument that a template calls so."""
    if shows == "horizon":
        return HorizonInstrument(size, theme)
    if shows == "sticks":
        return TwoSticks(size, theme)
    return Readout(shows, size, theme)
