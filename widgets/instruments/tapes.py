"""The speed and altitude tapes and the vertical-speed bar."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from widgets.instruments.pens import PenSet, half_px, shape
from widgets.text_layout_cache import LEFT, RIGHT


@dataclass(frozen=True, slots=True)
class ClimbScale:
    """How far the climb bar reaches, and where it is marked; marks are told in `told_in` units."""

    full: float
    marks: tuple[float, ...]
    told_in: float = 1.0


CLIMB_SCALES = {
    "m/s": ClimbScale(10.0, (1.0, 2.0, 5.0)),
    "ft/min": ClimbScale(2000.0, (200.0, 400.0, 800.0), told_in=100.0),
    "ft/s": ClimbScale(30.0, (3.0, 6.0, 15.0)),
}
"""By unit; feet per minute are told in hundreds."""


@dataclass(frozen=True, slots=True)
class TapeScale:
    """How a tape is divided: value between ticks, between numbers, and over its whole height; with
    how many decimals it is read."""

    minor: float
    major: float
    span: float
    least: float = -math.inf
    places: int = 1


_FAST = TapeScale(minor=2.0, major=10.0, span=40.0, least=0.0)
TAPE_SCALES = {
    "m/s": TapeScale(minor=1.0, major=5.0, span=20.0, least=0.0),
    "kt": _FAST,
    "mph": _FAST,
    "m": TapeScale(minor=2.0, major=10.0, span=40.0),
    "ft": TapeScale(minor=5.0, major=25.0, span=120.0, places=0),
}
"""Of speeds and heights, by unit."""


def show_number(value: float, places: int = 1) -> str:
    """A number with as many decimals as have room: none from 1000 on. Minus is a true minus."""
    text = f"{value:.{places if abs(value) < 999.5 else 0}f}"
    if float(text) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", "−")


class Tape:
    """A vertical scale sliding behind a fixed reading. `faces_right`: the pointer's side; its title
    may be wider than itself by `spare_px`, to the right."""

    def __init__(
        self,
        rect: QRect,
        ink: PenSet,
        scale: TapeScale,
        *,
        faces_right: bool,
        spare_px: int = 0,
    ) -> None:
        self.rect = rect
        self.scale = scale
        self._ink = ink
        self._faces_right = faces_right
        header = ink.px(20)
        self.header = QRect(rect.x(), rect.y(), rect.width() + spare_px, header)
        self.footer = QRect(rect.x(), rect.bottom() + 1 - header, rect.width(), header)
        self._window = rect.adjusted(0, header, 0, -header)
        self.middle_y = self._window.y() + self._window.height() / 2
        self.px_per_unit = self._window.height() / scale.span
        self._edge = rect.right() + 1 if faces_right else rect.x()
        self._inward = -1 if faces_right else 1
        self._box = self._reading_box()

    def y_of(self, value: float, shown: float) -> float:
        """Where `value` stands while the tape shows `shown`."""
        return self.middle_y - (value - shown) * self.px_per_unit

    def title_of(self, titles: Sequence[str]) -> str:
        """The first of them for which there is room, or the last."""
        width = self._ink.small.width
        room = (title for title in titles if width(title) <= self.header.width())
        return next(room, titles[-1])

    def paint_static(self, painter: QPainter) -> None:
        """Draw the ground of the tape into a cached layer."""
        self._ink.plate(painter, QRectF(self.rect), 8)

    def paint(
        self,
        painter: QPainter,
        value: float | None,
        bug: float | None,
        titles: Sequence[str],
        note: str = "",
    ) -> None:
        """Draw the tape at `value` with a magenta bug; None is shown as a dash, never as 0."""
        ink, header = self._ink, self.header
        place = (header.x() + header.width() / 2, header.center().y() + 1)
        ink.write(painter, ink.small, "muted", [(*place, self.title_of(titles))])
        middle_x = self.rect.x() + self.rect.width() / 2
        if value is not None:
            painter.save()
            painter.setClipRect(self._window)
            self._paint_scale(painter, value)
            painter.restore()
            if bug is not None:
                self._paint_bug(painter, value, bug)
        self._paint_reading(painter, self._reading(value))
        if note:
            texts = [(middle_x, self.footer.center().y() + 1.0, note)]
            ink.write(painter, ink.small, "text", texts)

    def look(
        self, value: float | None, bug: float | None, titles: Sequence[str], note: str = ""
    ) -> tuple[object, ...]:
        """What is painted the same, give or take half a pixel, has an equal look."""
        places = (None if at is None else half_px(at * self.px_per_unit) for at in (value, bug))
        return (*places, self._reading(value), *titles, note)

    def _reading(self, value: float | None) -> str:
        return "–" if value is None else show_number(value, self.scale.places)

    def _paint_scale(self, painter: QPainter, value: float) -> None:
        ink, scale = self._ink, self.scale
        first = math.floor((value - scale.span / 2) / scale.minor)
        last = math.ceil((value + scale.span / 2) / scale.minor)
        steps = round(scale.major / scale.minor)
        lines, numbers = [], []
        room = ink.body.cap_height  # a number that would be cut off by the end is left out
        first_y, last_y = self._window.top() + room, self._window.bottom() - room
        number_x = self._edge + self._inward * ink.px(20)
        major_px, minor_px = self._inward * ink.px(13), self._inward * ink.px(7)
        for index in range(first, last + 1):
            at = index * scale.minor
            if at < scale.least:
                continue
            y = round(self.y_of(at, value)) + 0.5
            is_major = index % steps == 0
            length = major_px if is_major else minor_px
            lines.append(QLineF(self._edge, y, self._edge + length, y))
            if is_major and first_y <= y <= last_y:
                numbers.append((number_x, y, show_number(at, 0)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(ink.pen("tape_mark", 1.0))
        painter.drawLines(lines)
        anchor = RIGHT if self._faces_right else LEFT
        ink.write(painter, ink.body, "tape_mark", numbers, anchor)

    def _paint_bug(self, painter: QPainter, value: float, bug: float) -> None:
        """A notched bug on the pointer's edge; it waits at the end when out of range."""
        half = self._ink.px(11)
        limit_top, limit_bottom = self._window.top() + half, self._window.bottom() - half
        y = min(max(self.y_of(bug, value), limit_top), limit_bottom)
        x, deep, notch = self._edge, self._inward * self._ink.px(8), self._ink.px(5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ink.brush("commanded"))
        corners = [(0, -half), (deep, -half), (deep, -notch), (deep * 0.3, 0)]
        corners += [(deep, notch), (deep, half), (0, half)]
        painter.drawPolygon(shape(x, y, *corners))

    def _reading_box(self) -> QPolygonF:
        ink = self._ink
        half, tip = ink.px(16), ink.px(8)
        far = self.rect.x() if self._faces_right else self.rect.right() + 1
        near = self._edge + self._inward * tip
        upper = [(far, -half), (near, -half), (near, -tip)]
        lower = [(x, -y) for x, y in reversed(upper)]
        return shape(0, round(self.middle_y), *upper, (self._edge, 0), *lower)

    def _paint_reading(self, painter: QPainter, text: str) -> None:
        ink = self._ink
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.brush("readout"))
        painter.drawPolygon(self._box)
        box = self._box.boundingRect()
        tip, margin = ink.px(8), ink.px(5)
        right = box.right() - margin - (tip if self._faces_right else 0)
        room = box.width() - tip - 2 * margin
        letters = ink.large if ink.large.width(text) <= room else ink.body
        ink.write(painter, letters, "text_on_readout", [(right, box.center().y(), text)], RIGHT)


class ClimbBar:
    """Vertical speed as a bar growing from the middle, on a logarithmic scale."""

    def __init__(self, rect: QRect, ink: PenSet, scale: ClimbScale) -> None:
        self.rect = rect
        self._scale = scale
        self._ink = ink
        self._middle_y = rect.y() + rect.height() / 2
        self._half = rect.height() / 2 - ink.px(20)
        self._bar_x = rect.x() + ink.px(4)
        self._bar_width = ink.px(6)

    def offset_px(self, climb: float) -> float:
        """How far above the middle `climb` stands."""
        tenths = min(abs(climb) / self._scale.full, 1.0) * 10.0
        return math.copysign(math.log1p(tenths) / math.log1p(10.0) * self._half, climb)

    def paint_static(self, painter: QPainter) -> None:
        """Draw marks and numbers into a cached layer."""
        ink, x = self._ink, self._bar_x + self._bar_width
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.brush("tape"))
        top, height = self._middle_y - self._half, 2 * self._half
        painter.drawRect(QRectF(self._bar_x, top, self._bar_width, height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for mark in (0.0, *self._scale.marks, self._scale.full):
            for climb in {mark, -mark}:
                y = round(self._middle_y - self.offset_px(climb)) + 0.5
                painter.setPen(ink.pen("tape_mark"))
                painter.drawLine(QLineF(x, y, x + ink.px(3), y))
                if mark in self._scale.marks:
                    painter.setFont(ink.small.font)
                    ink.small.draw(
                        painter, x + ink.px(5), y, f"{mark / self._scale.told_in:.0f}", LEFT
                    )

    def look(self, climb: float | None) -> int | None:
        """What is painted the same, give or take half a pixel, has an equal look."""
        return None if climb is None else half_px(self.offset_px(climb))

    def paint(self, painter: QPainter, climb: float | None) -> None:
        """Draw the bar; nothing where the aircraft does not say how fast it climbs."""
        if climb is None:
            return
        offset = self.offset_px(climb)
        top = self._middle_y - max(offset, 0.0)
        bar = QRectF(self._bar_x, top, self._bar_width, max(abs(offset), 1.5))
        painter.fillRect(bar, self._ink.brush("accent"))
