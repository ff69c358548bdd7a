"""Status texts in the corners of the flight display: mode, arming, GPS, link and battery."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from telemetry.base.finding import Level
from telemetry.recording.flight_state import FlightState
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from widgets.alarm_items import POOR_LINK_PERCENT
from widgets.instruments.pens import PenSet
from widgets.text_layout_cache import LEFT, RIGHT

GPS_FIX_WORDS = {
    "NoGPS": "no receiver",
    "NoFix": "no fix",
    "Fix2D": "2D",
    "Fix3D": "3D",
    "Fix3DDGNSS": "3D diff",
    "Diff3D": "3D diff",
}
SILENT_GPS_S = 5.0
LOW_BATTERY_PERCENT = (30.0, 15.0)
_LINK_DOWN = (LinkState.DISCONNECTED, LinkState.LOST, LinkState.RECONNECTING)


@dataclass(frozen=True, slots=True)
class Word:
    """A short text and the theme token it is drawn in."""

    text: str
    token: str = "text"


def armed_word(state: FlightState) -> Word:
    """The arming state; armed is amber because the motors may turn."""
    if state.armed is None:
        return Word("–", "muted")
    tokens = {"Armed": "caution", "Arming": "caution"}
    return Word(state.armed.upper(), tokens.get(state.armed, "muted"))


def mode_word(state: FlightState) -> Word:
    """The flight mode."""
    return Word(mode_words(state.flight_mode)) if state.flight_mode else Word("–", "muted")


def gps_word(state: FlightState) -> Word:
    """Fix and number of satellites."""
    if state.gps_fix is None:
        return Word("GPS –", "muted")
    if (state.gps_age_s or 0.0) > SILENT_GPS_S:
        return Word("GPS silent", "caution")
    fix = GPS_FIX_WORDS.get(state.gps_fix, state.gps_fix)
    if not state.has_fix:
        return Word(f"GPS {fix}", "caution")
    return Word(f"GPS {fix} · {state.gps_satellites or 0}")


def link_word(status: LinkStatus) -> Word:
    """Link quality, or what stands in its way."""
    if status.state is LinkState.REPLAY:
        return Word("Replay", "muted")
    if status.state in _LINK_DOWN:
        is_lost = status.state is LinkState.LOST or status.age_level is Level.ERROR
        return Word(status.word, "danger" if is_lost else "muted")
    if status.is_late:
        return Word(status.word, "danger" if status.is_silent else "caution")
    is_whole = status.state is LinkState.CONNECTED and status.fetched >= status.total
    if not is_whole or status.quality_percent is None:
        return Word(status.word, "muted")
    poor, bad = POOR_LINK_PERCENT
    quality = status.quality_percent
    token = "danger" if quality < bad else "caution" if quality < poor else "text"
    return Word(f"Link {quality} %", token)


def battery_words(state: FlightState) -> tuple[Word, Word]:
    """Voltage and charge on one line, current and energy used on the other."""
    if state.battery_v is None:
        return Word("Battery –", "muted"), Word("", "muted")
    percent, (low, empty) = state.battery_percent, LOW_BATTERY_PERCENT
    token = "text"
    text = f"{state.battery_v:.1f} V"
    if percent is not None:
        token = "danger" if percent < empty else "caution" if percent < low else "text"
        text += f"  {percent:.0f} %"
    used = [] if state.battery_a is None else [f"{state.battery_a:.1f} A"]
    return Word(text, token), Word("  ".join(used), "muted")


class Corners:
    """Paints the words of all four corners."""

    def __init__(self, ink: PenSet) -> None:
        self._ink = ink

    def paint(self, painter: QPainter, state: FlightState, status: LinkStatus) -> None:
        """Draw the words for `state` and `status`."""
        layout = self._ink.layout
        self._paint_title(painter, layout.mode, mode_word(state))
        self._paint_armed(painter, layout.armed, armed_word(state))
        self._paint_pair(painter, layout.left_corner, (gps_word(state), link_word(status)), LEFT)
        self._paint_pair(painter, layout.right_corner, battery_words(state), RIGHT)

    def look(self, state: FlightState, status: LinkStatus) -> tuple[object, ...]:
        """All words."""
        words = mode_word(state), armed_word(state), gps_word(state), link_word(status)
        return (*words, *battery_words(state))

    def _paint_title(self, painter: QPainter, rect: QRect, word: Word) -> None:
        ink = self._ink
        letters = ink.large if ink.large.width(word.text) <= rect.width() else ink.body
        text = letters.fits(word.text, rect.width() - ink.px(8))
        at = (rect.x() + ink.px(4), rect.center().y(), text)
        ink.write(painter, letters, word.token, [at], LEFT)

    def _paint_armed(self, painter: QPainter, rect: QRect, word: Word) -> None:
        """A badge: filled while armed, outlined while not, so that shape tells as well."""
        ink = self._ink
        width = min(ink.body.width("DISARMED") + ink.px(22), rect.width())
        badge = QRectF(rect.right() + 1 - width, rect.y() + 1, width, rect.height() - 2)
        is_armed = word.text == "ARMED"
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(ink.brush("attention") if is_armed else Qt.BrushStyle.NoBrush)
        painter.setPen(Qt.PenStyle.NoPen if is_armed else ink.pen(word.token, 1.4))
        radius = badge.height() / 2
        painter.drawRoundedRect(badge.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        token = "text_on_attention" if is_armed else word.token
        centre = badge.center()
        ink.write(painter, ink.body, token, [(centre.x(), centre.y(), word.text)])

    def _paint_pair(
        self, painter: QPainter, rect: QRect, words: tuple[Word, Word], anchor: float
    ) -> None:
        ink = self._ink
        x = rect.x() + ink.px(4) if anchor == LEFT else rect.right() - ink.px(4)
        for line, word in enumerate(words):
            y = rect.y() + rect.height() * (0.28 + 0.46 * line)
            letters = ink.body if line == 0 else ink.small
            if letters.width(word.text) > rect.width():
                letters = ink.small
            text = letters.fits(word.text, rect.width())
            ink.write(painter, letters, word.token, [(x, y, text)], anchor)
