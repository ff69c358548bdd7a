"""Alarm strip, always there: arming, mode, time, GPS, battery, link, and the worst alarm.

Every field has a fixed place, so that nothing moves when a value gains a digit. A click, Enter or
Space opens the explanation of everything that is wrong, inside the window and not modal.
"""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from telemetry.base.finding import Finding, Level
from telemetry.recording.alarms import Alarm
from telemetry.recording.flight_state import FlightState
from telemetry.recording.freshness import Freshness
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from widgets.alarm_explanation import AlarmExplanation
from widgets.alarm_items import KNOWN_NOW, AlarmItem, alarm_items, seconds_text
from widgets.instruments.status_texts import (
    Word,
    armed_word,
    battery_words,
    gps_word,
    link_word,
    mode_word,
)
from widgets.level_mark import draw_level_mark
from widgets.text_layout_cache import CENTRE, LEFT, TextLayoutCache
from widgets.theme import Theme

HEIGHT_PX = 36
_WIDEST = (
    "DISARMED",
    "Automatic take-off",
    "Not ready",
    "GPS 3D diff · 12",
    "88.8 V  100 %",
    "Reconnecting",
)
_LEAST_ALARM_PX = 250
_MARGIN_PX, _SMALL_MARGIN_PX = 12, 8
_LINK = _WIDEST.index("Reconnecting")
_GIVE_WAY = tuple(
    _WIDEST.index(word)
    for word in ("Reconnecting", "Not ready", "GPS 3D diff · 12", "Automatic take-off")
)
"""The fields that go first where there is too little room for all: the toolbar has the link too."""
_BADGES = {
    Level.ERROR: ("danger_soft", "danger", "text"),
    Level.WARNING: ("caution_soft", "attention", "text"),
    Level.INFO: ("raised", "muted", "text"),
    Level.UNKNOWN: ("raised", "muted", "muted"),
}
"""Ground, edge and words of the alarm."""
_CURRENT = (LinkState.FETCHING, LinkState.CONNECTED, LinkState.REPLAY)


class AlarmStrip(QWidget):
    """Paints the strip; `show_state` brings new values."""

    opened = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._words: tuple[Word, ...] = ()
        self.items: tuple[AlarmItem, ...] = ()
        """What asks for attention, the worst first."""
        self._quiet = Word("No aircraft", "muted")
        self._behind = ""
        self._is_old = False
        self._is_overloaded = False
        self._ready: Word | None = None
        self._not_ready = ""
        self._notices: Sequence[Finding] = ()
        self._conditions: Sequence[Finding] = ()
        self._explanation: AlarmExplanation | None = None
        self.apply_theme(theme)
        self.show_state(FlightState(t=0.0), LinkStatus(), None)

    def sizeHint(self) -> QSize:
        """As wide as all fields with a short alarm; the height never changes."""
        return QSize(self._fields_width(self._body) + _LEAST_ALARM_PX, self._height_px())

    def minimumSizeHint(self) -> QSize:
        """The least width at which the worst alarm is still named."""
        return QSize(_LEAST_ALARM_PX, self._height_px())

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self._body = TextLayoutCache(theme.font("body", bold=True))
        self._small = TextLayoutCache(theme.font("small", bold=True))
        self.setFixedHeight(self._height_px())
        self.update()

    def show_state(
        self,
        flight: FlightState,
        status: LinkStatus,
        alarms: Sequence[Alarm] | None,
        present: FlightState | None = None,
        freshness: Freshness = KNOWN_NOW,
    ) -> None:
        """Show one instant. `alarms` are the active ones, worst first.

        `present` is given while looking back in a flight that goes on: the alarms are then those
        of the present, which may not be missed, nor that the aircraft is armed.

        None says that the aircraft has not reported on its alarms, which is not the same as that
        there are none. `freshness` is how old they and the attitude are where that is too old.
        """
        words = (
            armed_word(flight),
            mode_word(flight),
            self._time_word(flight, status),
            gps_word(flight),
            battery_words(flight)[0],
            _short(link_word(status)),
        )
        items = alarm_items(
            status,
            alarms or (),
            freshness,
            is_overloaded=self._is_overloaded,
            notices=self._notices,
            conditions=self._conditions,
        )
        quiet = _quiet_word(flight, status, alarms)
        if self._not_ready and _is_on_ground(flight, status):
            quiet = Word(self._not_ready, "caution")
        behind = "" if present is None else _behind(flight, present)
        is_old = bool(behind) or not _is_current(status)
        shown = (words, items, quiet, behind, is_old)
        if shown == (self._words, self.items, self._quiet, self._behind, self._is_old):
            return
        is_explained_anew = (items, quiet) != (self.items, self._quiet)
        self._words, self._quiet, self._behind, self._is_old = words, quiet, behind, is_old
        self.items = items
        if is_explained_anew and self._explanation is not None:
            self._explain(self._explanation)
        self.setAccessibleName(f"Alarms: {self.headline()}")
        self.update()

    def show_overload(self, is_overloaded: bool) -> None:
        """Say with the next state that the computer does not keep up, or no longer."""
        self._is_overloaded = is_overloaded

    def show_ready(self, is_ready: bool | None, why_not: str = "") -> None:
        """Say with the next state whether the aircraft is ready to fly, in the place of the time
        while it is disarmed, and why not where nothing asks for more attention; None: not known.
        """
        self._ready = None
        if is_ready is not None:
            self._ready = Word("Ready", "ok") if is_ready else Word("Not ready", "caution")
        self._not_ready = why_not

    def _time_word(self, flight: FlightState, status: LinkStatus) -> Word:
        if self._ready is not None and _is_on_ground(flight, status):
            return self._ready
        return _time_word(flight)

    def show_notices(self, notices: Sequence[Finding]) -> None:
        """Say with the next state what parts of the station say of the aircraft."""
        self._notices = notices

    def show_conditions(self, conditions: Sequence[Finding]) -> None:
        """Say with the next state what warnings of the station last; the code is their subject."""
        self._conditions = conditions

    def worst_text(self) -> str:
        """The headline of the worst item and how many there are besides; empty when none."""
        if not self.items:
            return ""
        more = len(self.items) - 1
        return self.items[0].headline + (f"  +{more}" if more else "")

    def headline(self) -> str:
        """What stands at the right: that this is not the present, and the worst alarm."""
        now = self.worst_text() or self._quiet.text
        if not self._behind:
            return now
        return f"{self._behind}  ·  now: {now}" if self.items else self._behind

    @property
    def field_texts(self) -> tuple[str, ...]:
        """What stands at the left, in fixed places."""
        return tuple(word.text for word in self._words)

    @property
    def is_explained(self) -> bool:
        return self._explanation is not None and self._explanation.isVisible()

    def toggle_explanation(self) -> None:
        if self._explanation is None:
            self._explanation = AlarmExplanation(self._theme, self.window())
            self._explanation.closed.connect(self.setFocus)
            self._explain(self._explanation)
        if self._explanation.isVisible():
            self._explanation.dismiss()
        else:
            self._explanation.open_below(self)
            self.opened.emit()

    def close_explanation(self) -> None:
        """Put it away, if it is open."""
        if self._explanation is not None and self._explanation.isVisible():
            self._explanation.dismiss()

    def _explain(self, explanation: AlarmExplanation) -> None:
        explanation.show_items(self.items, is_known=self._quiet.token == "ok")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.toggle_explanation()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space do what a click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.toggle_explanation()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all fields and the worst alarm."""
        with QPainter(self) as painter:
            theme, height = self._theme, self.height()
            painter.fillRect(self.rect(), theme.color("surface"))
            self._paint_fields(painter)
            self._paint_alarm(painter, self.alarm_rect())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(QPen(theme.color("line"), theme.line_px))
            painter.drawLine(0, height - 1, self.width(), height - 1)
            if self.hasFocus():
                painter.setPen(QPen(theme.color("focus"), 2.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _height_px(self) -> int:
        return round(HEIGHT_PX * self._theme.scale)

    def _field_widths(self, text_cache: TextLayoutCache) -> list[float]:
        margin = self._margin_px(text_cache)
        return [text_cache.width(text) + 2 * margin for text in _WIDEST]

    def _margin_px(self, text_cache: TextLayoutCache) -> int:
        is_small = text_cache is self._small
        return round((_SMALL_MARGIN_PX if is_small else _MARGIN_PX) * self._theme.scale)

    def _fields_width(self, text_cache: TextLayoutCache) -> int:
        return round(sum(self._field_widths(text_cache)))

    def alarm_rect(self) -> QRectF:
        """Where the alarm stands: what shows beside it leaves it its room."""
        text_cache, fields = self._fields()
        widths = self._field_widths(text_cache)
        left = sum(widths[index] for index in fields)
        return QRectF(left, 3, self.width() - left - 6, self.height() - 6)

    def _fields(self) -> tuple[TextLayoutCache, tuple[int, ...]]:
        """The letters and the fields for which there is room beside the alarm."""
        room = self.width() - _LEAST_ALARM_PX * self._theme.scale
        everything = tuple(range(len(_WIDEST)))
        if self._fields_width(self._body) <= room:
            return self._body, everything
        widths, fields = self._field_widths(self._small), list(everything)
        for index in _GIVE_WAY:
            if sum(widths[i] for i in fields) <= room:
                break
            fields.remove(index)
        return self._small, tuple(fields)

    def _paint_fields(self, painter: QPainter) -> None:
        theme, y = self._theme, self.height() / 2
        x = 0.0
        text_cache, fields = self._fields()
        margin = self._margin_px(text_cache)
        widths = self._field_widths(text_cache)
        for index in fields:
            word, width = self._words[index], widths[index]
            if index == 0:
                self._paint_badge(painter, QRectF(4, 4, width - 8, self.height() - 8), word)
            else:
                painter.setFont(text_cache.font)
                painter.setPen(theme.color(self._token_of(index, word)))
                text = text_cache.fits(word.text, width - margin)
                text_cache.draw(painter, x + margin, y, text, LEFT)
                painter.fillRect(QRectF(round(x), 8, 1, self.height() - 16), theme.color("line"))
            x += width

    def _token_of(self, index: int, word: Word) -> str:
        """What is old is grey; the word of the link itself says how it stands now."""
        is_link_now = index == _LINK and not self._behind
        return word.token if is_link_now or not self._is_old else "muted"

    def _paint_badge(self, painter: QPainter, rect: QRectF, word: Word) -> None:
        """Arming: filled amber while armed, outlined otherwise."""
        theme, is_armed = self._theme, word.text == "ARMED" and not self._is_old
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        token = self._token_of(0, word)
        painter.setPen(Qt.PenStyle.NoPen if is_armed else QPen(theme.color(token), 1.4))
        painter.setBrush(theme.color("attention") if is_armed else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        painter.setPen(theme.color("text_on_attention" if is_armed else token))
        painter.setFont(self._small.font)
        self._small.draw(painter, rect.center().x(), self.height() / 2, word.text, CENTRE)

    def _paint_alarm(self, painter: QPainter, rect: QRectF) -> None:
        """The worst alarm: a filled badge that cannot be overlooked, or a quiet word."""
        theme, text_cache = self._theme, self._body
        item = self.items[0] if self.items else None
        token = self._quiet.token
        if item is not None or self._behind:
            level = item.level if item is not None else Level.WARNING
            ground, edge, token = _BADGES[max(level, Level.WARNING) if self._behind else level]
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(ground))
            painter.drawRoundedRect(rect, 6, 6)
            painter.setBrush(theme.color(edge))
            painter.drawRoundedRect(QRectF(rect.x(), rect.y(), 6, rect.height()), 3, 3)
        side = rect.height() * 0.62
        mark = QRectF(rect.x() + 14, rect.center().y() - side / 2, side, side)
        level = item.level if item else Level.OK if self._quiet.token == "ok" else Level.UNKNOWN
        draw_level_mark(painter, mark, level, theme)
        text = self.headline()
        painter.setFont(text_cache.font)
        painter.setPen(theme.color(token))
        room = rect.right() - mark.right() - 18
        text_cache.draw(
            painter, mark.right() + 9, self.height() / 2, text_cache.fits(text, room), LEFT
        )


def _short(word: Word) -> Word:
    """As the strip has room for it; of what is still to come the toolbar says the whole."""
    return Word(word.text.removesuffix(" objects"), word.token)


def _is_current(status: LinkStatus) -> bool:
    """Whether the aircraft, or the log, goes on telling how it stands."""
    return status.state in _CURRENT and not status.is_late


def _quiet_word(flight: FlightState, status: LinkStatus, alarms: Sequence[Alarm] | None) -> Word:
    """What stands there while nothing asks for attention."""
    if alarms is None or (not alarms and flight.armed is None):
        return Word("No alarms received yet", "muted")
    return (
        Word("No alarms", "ok")
        if _is_current(status)
        else Word("No alarms when last heard", "muted")
    )


def _is_on_ground(flight: FlightState, status: LinkStatus) -> bool:
    return flight.armed == "Disarmed" and _is_current(status)


def _behind(flight: FlightState, present: FlightState) -> str:
    armed = ", now ARMED" if present.is_armed else ""
    return f"Looking back {seconds_text(present.t - flight.t)}{armed}"


def _time_word(flight: FlightState) -> Word:
    """How long the aircraft has been armed; grey once it no longer is."""
    if flight.armed_s is None:
        return Word("--:--:--", "muted")
    whole = int(flight.armed_s)
    text = f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"
    return Word(text, "text" if flight.is_armed else "muted")
