"""The heading tape: where the nose points, where the aircraft moves, where home is."""

import math

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from telemetry.recording.flight_state import FlightState
from widgets.instruments.pens import PenSet, half_px, shape

LEAST_VISIBLE_DEG = 130.0
MOST_VISIBLE_DEG = 350.0
LEAST_COURSE_SPEED_MPS = 0.7
"""Below this ground speed the direction of motion is noise and is not shown."""
LEAST_HOME_DISTANCE_M = 3.0
_CARDINALS = {0: "N", 90: "E", 180: "S", 270: "W"}


def turn_deg(to_deg: float, from_deg: float) -> float:
    """The shortest turn between two headings, in -180 to 180, clockwise positive."""
    return (to_deg - from_deg + 180.0) % 360.0 - 180.0


class HeadingTape:
    """A horizontal scale sliding behind a fixed reading."""

    def __init__(self, rect: QRect, ink: PenSet) -> None:
        self.rect = rect
        self._ink = ink
        self.middle_x = rect.x() + rect.width() / 2
        visible_deg = rect.width() / (3.0 * ink.layout.unit)
        self.visible_deg = min(max(visible_deg, LEAST_VISIBLE_DEG), MOST_VISIBLE_DEG)
        self.px_per_deg = rect.width() / self.visible_deg
        self._has_numbers = 30.0 * self.px_per_deg > ink.small.width("0000")

    def x_of(self, heading_deg: float, shown_deg: float) -> float:
        """Where `heading_deg` stands while the tape shows `shown_deg`."""
        return self.middle_x + turn_deg(heading_deg, shown_deg) * self.px_per_deg

    def paint_static(self, painter: QPainter) -> None:
        """Draw the ground of the tape into a cached layer."""
        self._ink.plate(painter, QRectF(self.rect), 8)

    def paint(self, painter: QPainter, state: FlightState) -> None:
        """Draw the tape at the heading of `state`, a dash where it is not known."""
        heading = state.yaw_deg
        if heading is not None:
            painter.save()
            painter.setClipRect(self.rect)
            self._paint_scale(painter, heading)
            self._paint_marks(painter, state, heading)
            painter.restore()
        self._paint_reading(painter, _reading(heading))

    def look(self, state: FlightState) -> tuple[object, ...]:
        """States of equal looks are painted the same, give or take half a pixel."""
        heading = state.yaw_deg
        if heading is None:
            return ()
        shown = (heading, _course_deg(state), _home_deg(state), state.desired_yaw_deg)
        places = (None if deg is None else half_px(deg * self.px_per_deg) for deg in shown)
        return (_reading(heading), *places)

    def _paint_scale(self, painter: QPainter, heading: float) -> None:
        ink = self._ink
        top = self.rect.y()
        lines, letters, numbers = [], [], []
        text_y = top + ink.px(20)
        room = ink.small.width("000") / 2
        long_px, short_px = ink.px(10), ink.px(5)
        whole_left, whole_right = self.rect.left() + room, self.rect.right() - room
        first = math.floor((heading - self.visible_deg / 2) / 5.0)
        last = math.ceil((heading + self.visible_deg / 2) / 5.0)
        for index in range(first, last + 1):
            at = index * 5
            x = round(self.middle_x + (at - heading) * self.px_per_deg) + 0.5
            lines.append(QLineF(x, top, x, top + (short_px if at % 10 else long_px)))
            if not whole_left <= x <= whole_right:
                continue  # a number that would be cut off by the end is left out
            if at % 90 == 0:
                letters.append((x, text_y, _CARDINALS[at % 360]))
            elif at % 30 == 0 and self._has_numbers:
                numbers.append((x, text_y, f"{at % 360:03d}"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(ink.pen("tape_mark"))
        painter.drawLines(lines)
        ink.write(painter, ink.small, "tape_mark", numbers)
        ink.write(painter, ink.body, "text", letters)

    def _paint_marks(self, painter: QPainter, state: FlightState, heading: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        course, home = _course_deg(state), _home_deg(state)
        if course is not None:
            self._paint_diamond(painter, self._held_x(course, heading))
        if home is not None:
            self._paint_house(painter, self._held_x(home, heading))
        if state.desired_yaw_deg is not None:
            self._paint_bug(painter, self._held_x(state.desired_yaw_deg, heading))

    def _held_x(self, heading_deg: float, shown_deg: float) -> float:
        """The place of a mark, kept at the end of the tape when it is beyond it."""
        margin = self._ink.px(9)
        x = self.x_of(heading_deg, shown_deg)
        return min(max(x, self.rect.left() + margin), self.rect.right() - margin)

    def _paint_diamond(self, painter: QPainter, x: float) -> None:
        half, y = self._ink.px(5), self.rect.bottom() - self._ink.px(8)
        painter.setBrush(self._ink.brush("track"))
        corners = [(0, -half), (half, 0), (0, half), (-half, 0)]
        painter.drawPolygon(shape(x, y, *corners))

    def _paint_house(self, painter: QPainter, x: float) -> None:
        half, y = self._ink.px(5), self.rect.bottom() - self._ink.px(8)
        painter.setBrush(self._ink.brush("home"))
        corners = [(0, -half - 1), (half + 1, 0), (half - 1, 0), (half - 1, half)]
        corners += [(1 - half, half), (1 - half, 0), (-half - 1, 0)]
        painter.drawPolygon(shape(x, y, *corners))

    def _paint_bug(self, painter: QPainter, x: float) -> None:
        half, deep, notch = self._ink.px(10), self._ink.px(8), self._ink.px(5)
        y = self.rect.y()
        painter.setBrush(self._ink.brush("commanded"))
        corners = [(-half, 0), (-half, deep), (-notch, deep), (0, deep * 0.3)]
        corners += [(notch, deep), (half, deep), (half, 0)]
        painter.drawPolygon(shape(x, y, *corners))

    def _paint_reading(self, painter: QPainter, text: str) -> None:
        """The reading under the scale, and a pointer on the scale above it."""
        ink, x = self._ink, self.middle_x
        half, height = ink.large.width("000°") / 2 + ink.px(8), ink.px(25)
        top, bottom, tip = self.rect.y(), self.rect.bottom() + 1, ink.px(6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.brush("readout"))
        painter.drawRoundedRect(QRectF(x - half, bottom - height, 2 * half, height), 4, 4)
        painter.setBrush(ink.brush("text"))
        painter.drawPolygon(shape(x, top, (-tip, 0), (tip, 0), (0, 1.5 * tip)))
        texts = [(x, bottom - height / 2, text)]
        ink.write(painter, ink.large, "text_on_readout", texts)


def _reading(heading_deg: float | None) -> str:
    return "–" if heading_deg is None else f"{round(heading_deg) % 360:03d}°"


def _course_deg(state: FlightState) -> float | None:
    """Where the aircraft moves; None while it hardly does."""
    is_moving = (state.groundspeed_mps or 0.0) >= LEAST_COURSE_SPEED_MPS
    return state.course_deg if is_moving else None


def _home_deg(state: FlightState) -> float | None:
    """Where home is; None while the aircraft is there."""
    if (state.distance_home_m or 0.0) < LEAST_HOME_DISTANCE_M:
        return None
    return math.degrees(math.atan2(-(state.east_m or 0.0), -(state.north_m or 0.0)))
