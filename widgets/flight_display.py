"""The primary flight display: attitude, speed, altitude, heading and the words beside them.

It shows one FlightState and one LinkStatus and keeps no other truth. What never moves is painted
once per size and theme; a state that would look the same as the last one costs nothing.
"""

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from widgets.change_detector import ChangeDetector
from widgets.instruments.attitude import AttitudeField
from widgets.instruments.heading import HeadingTape
from widgets.instruments.layout import Layout, lay_out
from widgets.instruments.pens import PenSet
from widgets.instruments.status_texts import Corners
from widgets.instruments.tapes import CLIMB_SCALES, TAPE_SCALES, ClimbBar, Tape, show_number
from widgets.theme import Theme

LEAST_SIZE_PX = (240, 180)
STALE_ATTITUDE_S = 1.0
STALE_POSITION_S = 3.0


class FlightDisplay(QWidget):
    """Paints a flight state; `show_state` brings a new one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(*LEAST_SIZE_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Flight display")
        self._theme = theme
        self._state: FlightState | None = None
        self._status = LinkStatus()
        self.fault = "No aircraft. Connect one, or open a log."
        """Why the attitude is crossed out; empty while it is shown."""
        self._shown = ChangeDetector()
        self._has_words = True
        self._parts: _Parts | None = None

    @property
    def has_words(self) -> bool:
        """Whether mode, arming, GPS, link and battery are told in its corners."""
        return self._has_words

    def show_words(self, has_words: bool) -> None:
        """Tell them there, or leave their room to the instruments."""
        self._has_words = has_words
        self._parts = None
        self.update()

    def sizeHint(self) -> QSize:
        """The size it is drawn for."""
        return QSize(600, 560)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self._parts = None
        self.update()

    def show_state(
        self, state: FlightState | None, status: LinkStatus, fault: str | None = None
    ) -> None:
        """Show `state`, or that there is none.

        `fault` is a sentence for why the attitude must not be believed; without one the state's
        own age decides.
        """
        self._state, self._status = state, status
        self.fault = fault if fault is not None else attitude_fault(state)
        if self._shown.has_changed(self._laid_out().look(state, status, self.fault)):
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new size before the next painting."""
        self._parts = None
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the state last shown."""
        with QPainter(self) as painter:
            self._laid_out().paint(painter, self._state, self._status, self.fault)

    def _laid_out(self) -> "_Parts":
        """The parts for the present size and theme."""
        ratio = self.devicePixelRatioF()
        if self._parts is None or self._parts.pixel_ratio != ratio:
            size, scale = self.size(), self._theme.scale
            layout = lay_out(size.width(), size.height(), scale, has_words=self._has_words)
            ink = PenSet(self._theme, layout)
            self._parts = _Parts(ink, size, ratio, has_words=self._has_words)
        return self._parts


def attitude_fault(state: FlightState | None) -> str:
    """Why the attitude of `state` must not be shown as true; empty when it may be."""
    if state is None:
        return "No aircraft. Connect one, or open a log."
    if state.roll_deg is None or state.pitch_deg is None or state.attitude_age_s is None:
        return "No attitude received yet"
    if state.attitude_age_s > STALE_ATTITUDE_S:
        return f"Attitude is {state.attitude_age_s:.0f} s old"
    return ""


def link_fault(status: LinkStatus) -> str:
    """Why a live display must not be believed; empty when the link stands."""
    return "Link lost" if status.state in (LinkState.LOST, LinkState.RECONNECTING) else ""


_TapeReading = tuple[float | None, float | None, tuple[str, ...], str]
"""Value, bug, titles and note of a tape."""


class _Parts:
    """All parts for one size and theme, with the layer of what never moves."""

    def __init__(self, ink: PenSet, size: QSize, pixel_ratio: float, *, has_words: bool) -> None:
        layout, units = ink.layout, ink.units
        self.pixel_ratio = pixel_ratio
        self._ink = ink
        self._layout: Layout = layout
        self._attitude = AttitudeField(layout.attitude, ink, pixel_ratio)
        self._speed = Tape(layout.speed, ink, TAPE_SCALES[units.speed], faces_right=True)
        scale, spare_px = TAPE_SCALES[units.height], layout.climb.width() + layout.px(6)
        self._altitude = Tape(layout.altitude, ink, scale, faces_right=False, spare_px=spare_px)
        self._climb = ClimbBar(layout.climb, ink, CLIMB_SCALES[units.climb])
        self._heading = HeadingTape(layout.heading, ink)
        self._corners = Corners(ink) if has_words else None
        self._ground = self._static_layer(size)

    def paint(
        self, painter: QPainter, state: FlightState | None, status: LinkStatus, fault: str
    ) -> None:
        """Draw one frame."""
        painter.drawPixmap(0, 0, self._ground)
        shown = state or FlightState(t=0.0)
        if fault:
            self._paint_crossed_out(painter, fault)
        else:
            self._attitude.paint(painter, shown)
        speed, altitude, climb = self._readings(shown)
        self._speed.paint(painter, *speed)
        self._altitude.paint(painter, *altitude)
        self._climb.paint(painter, climb)
        self._heading.paint(painter, FlightState(t=0.0) if fault else shown)
        if self._corners is not None:
            self._corners.paint(painter, shown, status)

    def look(self, state: FlightState | None, status: LinkStatus, fault: str) -> object:
        """What can be seen: two equal looks are painted the same, give or take half a pixel."""
        shown = state or FlightState(t=0.0)
        speed, altitude, climb = self._readings(shown)
        return (
            fault or (self._attitude.look(shown), self._heading.look(shown)),
            self._speed.look(*speed),
            self._altitude.look(*altitude),
            self._climb.look(climb),
            self._corners.look(shown, status) if self._corners is not None else None,
        )

    def _static_layer(self, size: QSize) -> QPixmap:
        pixmap = QPixmap(size * self.pixel_ratio)
        pixmap.setDevicePixelRatio(self.pixel_ratio)
        pixmap.fill(self._ink.color("surface"))
        with QPainter(pixmap) as painter:
            for part in (self._speed, self._altitude, self._heading, self._climb):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                part.paint_static(painter)
        return pixmap

    def _readings(self, state: FlightState) -> tuple[_TapeReading, _TapeReading, float | None]:
        """Speed, height and climb; what is older than three seconds is a dash, no frozen number."""
        is_old = (state.position_age_s or 0.0) > STALE_POSITION_S
        ground = None if is_old else state.groundspeed_mps
        has_airspeed = bool(state.airspeed_mps)  # exactly 0 is what firmware without a sensor sends
        units = self._ink.units
        ground = units.value(ground, "m/s")
        beside = f"GS {show_number(ground)}" if has_airspeed and ground is not None else ""
        airspeed = units.value(state.airspeed_mps, "m/s")
        speed, title = (airspeed, "AS") if has_airspeed else (ground, "GS")
        has_height = state.height_m is not None
        height, above = (state.height_m, "home") if has_height else (state.altitude_m, "sea")
        height = units.value(None if is_old else height, "m")
        bug = units.value(state.desired_height_m if has_height else None, "m")
        climb = units.climb_shown(None if is_old else state.climb_mps)
        places = 1 if units.climb == "m/s" else 0
        sign = "" if climb is None or climb < 0.5 * 0.1**places else "+"
        note = "" if climb is None else f"{sign}{show_number(climb, places)} {units.climb}"
        titles = (f"{units.height} above {above}", f"above {above}")
        speed_titles = (f"{title} {units.speed}",)
        return (speed, None, speed_titles, beside), (height, bug, titles, note), climb

    def _paint_crossed_out(self, painter: QPainter, fault: str) -> None:
        """A cross over an empty field, and why: never a picture that no longer is true."""
        ink, rect = self._ink, QRectF(self._layout.attitude)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink.plate(painter, rect, 12)
        inset = ink.px(14)
        cross = rect.adjusted(inset, inset, -inset, -inset)
        painter.setPen(ink.pen("danger", 4.0))
        painter.drawLine(QLineF(cross.topLeft(), cross.bottomRight()))
        painter.drawLine(QLineF(cross.topRight(), cross.bottomLeft()))
        painter.setFont(ink.body.font)
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        room = rect.adjusted(2 * inset, 2 * inset, -2 * inset, -2 * inset)
        text = painter.boundingRect(room, flags, fault)
        plate = text.adjusted(-ink.px(14), -ink.px(8), ink.px(14), ink.px(8))
        painter.setPen(ink.pen("danger", 1.4))
        painter.setBrush(ink.brush("raised"))
        painter.drawRoundedRect(plate, ink.px(8), ink.px(8))
        painter.setPen(ink.pen("text"))
        painter.drawText(text, flags, fault)
