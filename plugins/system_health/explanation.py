"""Alarm explanation card."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout

from plugins.system_health.tiles import severity_word
from telemetry.base.escaping import markup_text
from telemetry.base.finding import Level
from telemetry.recording.alarms import Alarm
from widgets.alarm_explanation import LevelMark
from widgets.labels import set_look
from widgets.parts import make_label, make_scrolled
from widgets.theme import Theme

HEIGHT_PX = 128
MARGIN_PX, LOW_MARGIN_PX = 12, 4
UNLIMITED_PX = 16_777_215  # what Qt takes for "no limit"


class ExplanationCard(QFrame):
    """One alarm explained: what it means and what to do. Where it is low it says so in one
    paragraph, and what is left scrolls.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", "plain")
        self._theme = theme
        self._alarm: Alarm | None = None
        self._is_known = False
        self._keeps_height = True
        self._is_low = False
        self._mark = LevelMark(theme, Level.UNKNOWN)
        self.words = make_label(wraps=True)
        self.words.setProperty("rich", True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        scroll = make_scrolled(self.words, keeps_width=True)
        self.words.setAutoFillBackground(False)  # the card shows through
        self._row = QHBoxLayout(self)
        self._row.setSpacing(8)
        self._row.addWidget(self._mark, alignment=Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(scroll, 1)
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self.keep_height(self._keeps_height)
        margin = round((LOW_MARGIN_PX if self._is_low else MARGIN_PX) * theme.scale)
        self._row.setContentsMargins(margin, margin, 2, 2 if self._is_low else margin)
        self.show_alarm(self._alarm, is_known=self._is_known)

    def keep_height(self, keeps: bool) -> None:
        """Stay equally high whatever is explained, so that the tiles above do not move."""
        self._keeps_height = keeps
        height = round(HEIGHT_PX * self._theme.scale)
        self.setMinimumHeight(height if keeps else 0)
        self.setMaximumHeight(height if keeps else UNLIMITED_PX)

    def set_low(self, is_low: bool) -> None:
        """Use every line there is."""
        if is_low == self._is_low:
            return
        self._is_low = is_low
        set_look(self.words, "textSize", "small" if is_low else "")
        self.apply_theme(self._theme)

    def show_alarm(self, alarm: Alarm | None, *, is_known: bool = True) -> None:
        """Explain `alarm`; None says that nothing is wrong, or not `is_known`: nothing was told."""
        self._alarm, self._is_known = alarm, is_known
        quiet = Level.OK if is_known else Level.UNKNOWN
        self._mark.show_level(alarm.level if alarm else quiet)
        if alarm is None and not is_known:
            self._write(
                "Nothing is known of the alarms",
                "No module on the aircraft has reported yet, so nobody knows whether it is fine.",
                "Do not arm before they have.",
            )
            return
        if alarm is None:
            self._write(
                "No alarm is active",
                "Every module that reports says that it is fine.",
                "Point at a tile to read what its alarm would mean.",
            )
            return
        self._write(
            f"{alarm.title}: {severity_word(alarm).lower()}",
            f"{_lead(alarm)}{alarm.meaning} {alarm.detail}".strip(),
            alarm.remedy,
        )

    def _write(self, title: str, meaning: str, remedy: str) -> None:
        title, meaning, remedy = markup_text(title), markup_text(meaning), markup_text(remedy)
        muted = self._theme.color("muted").name()
        title, gap = (f"{title}.", " ") if self._is_low else (title, "<br>")
        self.words.setText(
            f"<b>{title}</b>{gap}{meaning}{gap}<span style='color:{muted}'>{remedy}</span>"
        )


def _lead(alarm: Alarm) -> str:
    """Makes clear that a quiet alarm's text speaks of what it would mean."""
    if alarm.level is Level.UNKNOWN:
        return "This aircraft does not watch it. If it did: "
    return "If it were raised: " if alarm.level is Level.OK else ""
