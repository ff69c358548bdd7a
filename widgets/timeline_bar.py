"""Timeline bar at the foot of the window: the same for a flight in progress and one on disk."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QToolButton, QWidget

from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import Timeline, format_time, parse_time
from telemetry.review.flights.marker import words_of
from telemetry.review.flights.marker_editing import Marking
from widgets.change_detector import ChangeDetector
from widgets.icons import themed_icon
from widgets.labels import set_look, set_text
from widgets.note_popup import NotePopup
from widgets.parts import make_label, make_row
from widgets.seek_picture import VideoExtent
from widgets.seek_track import SeekTrack
from widgets.theme import Theme
from widgets.transport import SPEEDS, Transport

HEIGHT_PX = 56


@dataclass(frozen=True, slots=True)
class TimelineFlight:
    """A flight as the bar shows it: `events` are marked beside what was recorded, and under them
    what time the `videos` cover."""

    recording: Recording
    timeline: Timeline
    marking: Marking
    end_s: float
    events: tuple[Event, ...]
    videos: tuple[VideoExtent, ...]


class TimelineBar(QWidget):
    """Transport buttons, live or replay, the time, the speed and the flight as a strip.

    Call `show_flight` on the tick. `on_change` is called when the user moved the cursor,
    `on_problem` with a sentence when something typed cannot be understood.
    """

    def __init__(
        self,
        theme: Theme,
        transport: Transport,
        on_change: Callable[[], None],
        on_problem: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.setObjectName("timelineBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._transport = transport
        self._on_change = on_change
        self._on_problem = on_problem
        self._buttons: list[tuple[QToolButton, str]] = []
        self._read = ChangeDetector()
        self._shown = ChangeDetector()
        self._row = make_row(margins=(8, 0, 8, 0), spacing=2)
        self.setLayout(self._row)
        self._button("step-back", "One sample back (,)", lambda: transport.step_sample(-1))
        self._reverse = self._button("reverse", "Play backwards (J)", lambda: transport.play(-1))
        self._play = self._button("play", "Play or pause (Space)", transport.toggle)
        self._button("step-forward", "One sample on (.)", lambda: transport.step_sample(1))
        self._row.addSpacing(6)
        self._live = self._text_button("LIVE", "Return to the present (End)", transport.go_to_end)
        self._time = self._make_time_edit()
        self._length = make_label(tone="muted")
        self._row.addWidget(self._length)
        self._row.addSpacing(6)
        self._speed = self._make_speed_button()
        self._loop = self._make_loop_button()
        self._track = SeekTrack(theme, self._seek, self._select)
        self._row.addWidget(self._track, 1)
        self.apply_theme(theme)
        self.show_flight(None)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        self._forget()
        self.setFixedHeight(round(HEIGHT_PX * theme.scale))
        side = theme.target_px()
        for button, icon in self._buttons:
            button.setIcon(themed_icon(icon, theme))
            button.setIconSize(QSize(round(20 * theme.scale), round(20 * theme.scale)))
            button.setMaximumSize(side, side)
        metrics = QFontMetrics(theme.font())
        self._time.setFont(theme.font())
        self._time.setFixedWidth(metrics.horizontalAdvance("0:00:00.000") + round(24 * theme.scale))
        self._length.setFixedWidth(metrics.horizontalAdvance("/ 0:00:00") + 8)
        bold = QFontMetrics(theme.font("small", bold=True))
        self._live.setFont(theme.font("small", bold=True))
        self._live.setMaximumWidth(bold.horizontalAdvance("REPLAY") + round(24 * theme.scale))
        self._speed.setMaximumWidth(metrics.horizontalAdvance("−0.25×") + round(20 * theme.scale))
        for button in (self._live, self._speed):
            button.setMaximumHeight(side)

    def show_flight(self, flight: TimelineFlight | None) -> None:
        """Show where this flight's cursor stands."""
        recording = flight.recording if flight else None
        timeline = flight.timeline if flight else None
        self._transport.show(recording, timeline, flight.marking if flight else None)
        last_s = flight.end_s if flight else 0.0
        marks = (*self._transport.markers, *(flight.events if flight else ()))
        chosen = timeline and (timeline.in_s, timeline.out_s, timeline.is_looping)
        cursor = timeline and (timeline.t, timeline.mode, timeline.rate, chosen)
        flown = recording and (recording.version, recording.events())
        videos = flight.videos if flight else ()
        shown = (marks, videos, self._track.size(), timeline and timeline.focus)
        if not self._read.has_changed(recording, flown, cursor, last_s, shown):
            return
        self._track.show_flight(recording, timeline, last_s, marks, videos)
        state = timeline and (timeline.mode, timeline.rate, timeline.can_live, chosen)
        if self._shown.has_changed(state):
            self._show_state(timeline)
        if not self._time.hasFocus():  # it stands still while somebody types
            self._time.setText(_cursor_text(timeline))
        length = f"/ {format_time(last_s).rpartition('.')[0]}"
        set_text(self._length, length)

    def _show_state(self, timeline: Timeline | None) -> None:
        has_flight = timeline is not None
        for widget in (*(button for button, _ in self._buttons), self._time, self._speed):
            widget.setEnabled(has_flight)
        is_moving = timeline is not None and timeline.mode in ("playing", "live")
        is_reverse = timeline is not None and timeline.mode == "playing" and timeline.rate < 0
        self._play.setIcon(themed_icon("pause" if is_moving else "play", self._theme))
        self._reverse.setChecked(is_reverse)
        self._show_live(timeline)
        self._speed.setText(_speed_text(timeline.rate if timeline else 1.0))
        self._loop.setEnabled(has_flight)
        self._loop.setChecked(timeline is not None and timeline.is_looping)

    def _forget(self) -> None:
        """Show everything anew with the next tick."""
        self._read.forget()
        self._shown.forget()

    def _show_live(self, timeline: Timeline | None) -> None:
        can_live = timeline is None or timeline.can_live
        is_live = timeline is not None and timeline.mode == "live"
        self._live.setText("LIVE" if can_live else "REPLAY")
        self._live.setEnabled(can_live and timeline is not None)
        self._live.setChecked(is_live)
        role = "" if is_live or not can_live or timeline is None else "attention"
        set_look(self._live, "role", role)
        tip = "This is the present" if is_live else "Return to the present (End)"
        self._live.setToolTip(tip if can_live else "A flight from a file: nothing is sent")

    def _seek(self, t: float) -> None:
        if self._transport.timeline is not None:
            self._transport.timeline.seek(t)
            self._on_change()

    def _select(self, in_s: float | None, out_s: float | None) -> None:
        if self._transport.timeline is not None:
            self._transport.timeline.in_s, self._transport.timeline.out_s = in_s, out_s
            self._on_change()

    def ask_note(self) -> None:
        """Have a note written to the marker at the cursor; there need be none yet."""
        timeline, marking = self._transport.timeline, self._transport.marking
        if timeline is None or marking is None:
            return
        t, marker = timeline.t, marking.marker_at(timeline.t)

        def take(words: str) -> None:
            marking.write(t, words)
            self._on_change()

        popup = NotePopup(self.window(), words_of(marker) if marker else "", take)
        corner = self._track.mapTo(self.window(), QPoint(self._track.x_of(t), 0))
        popup.open_above(corner)

    def _take_typed_time(self) -> None:
        if self._time.isModified() and self._transport.timeline is not None:
            self._time.setModified(False)
            try:
                self._transport.timeline.seek(parse_time(self._time.text()))
            except ValueError as error:
                self._on_problem(f"{error}.")
        self._time.clearFocus()
        self._forget()
        self._on_change()

    def _button(self, icon: str, tip: str, run: Callable[[], None]) -> QToolButton:
        button = self._text_button("", tip, run)
        button.setProperty("role", "flat")
        button.setCheckable(icon == "reverse")
        self._buttons.append((button, icon))
        return button

    def _text_button(self, text: str, tip: str, run: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setCheckable(bool(text))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

        def act() -> None:
            run()
            self._forget()
            self._on_change()

        button.clicked.connect(lambda _checked=False: act())
        self._row.addWidget(button)
        return button

    def _make_time_edit(self) -> QLineEdit:
        edit = _TimeEdit()
        edit.setToolTip("The time in the flight; type another to go there")
        edit.setAccessibleName("Time in the flight")
        edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        edit.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        edit.editingFinished.connect(self._take_typed_time)
        self._row.addWidget(edit)
        return edit

    def _make_speed_button(self) -> QToolButton:
        menu = QMenu(self)
        for speed in SPEEDS:
            self._add_action(menu, _speed_text(speed), partial(self._transport.set_speed, speed))
        button = QToolButton()
        button.setProperty("role", "flat")
        button.setToolTip("How fast it plays")
        button.setAccessibleName("Speed")
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._row.addWidget(button)
        return button

    def _add_action(self, menu: QMenu, text: str, run: Callable[[], None]) -> None:
        def act() -> None:
            run()
            self._on_change()

        menu.addAction(text).triggered.connect(lambda _checked=False: act())

    def _make_loop_button(self) -> QToolButton:
        menu = QMenu(self)
        for text, run in (
            ("In point here\tI", self._transport.set_in),
            ("Out point here\tO", self._transport.set_out),
            ("No in and out points\tShift+O", self._transport.clear_selection),
        ):
            self._add_action(menu, text, run)
        tip = "Repeat between in and out (R); press long for more"
        button = self._button("loop", tip, self._transport.toggle_loop)
        button.setCheckable(True)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.DelayedPopup)
        return button


class _TimeEdit(QLineEdit):
    """All of the time is chosen when somebody goes there, so that typing replaces it."""

    _was_entered = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._was_entered = True
        self.selectAll()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._was_entered and not self.hasSelectedText():
            self.selectAll()
        self._was_entered = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setModified(False)
            self.clearFocus()
            return
        super().keyPressEvent(event)


def _cursor_text(timeline: Timeline | None) -> str:
    """Where the cursor is, to a millisecond where it stands."""
    stands = timeline is not None and timeline.mode == "paused"
    return format_time(timeline.t if timeline else 0.0, 3 if stands else 1)


def _speed_text(rate: float) -> str:
    """A signed speed such as 2.0x or −0.25x, with a proper minus sign."""
    digits = f"{abs(rate):.2f}" if abs(rate) < 1 and round(abs(rate), 1) != abs(rate) else ""
    size = digits or (f"{abs(rate):.1f}" if abs(rate) < 10 else f"{abs(rate):.0f}")
    return f"{'−' if rate < 0 else ''}{size}×"
