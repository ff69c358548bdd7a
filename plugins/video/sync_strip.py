"""Synchronisation by hand: scrub the video alone, set anchors, nudge, type."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QSlider, QToolButton, QWidget

from plugins.video.anchor_list import AnchorList
from plugins.video.search_card import SearchCard
from plugins.video.sync_edits import SyncEdits, anchors_of
from telemetry.base.statement import Statement
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import LEAST_RATE, MOST_RATE, Anchor, Piece
from widgets.change_detector import ChangeDetector
from widgets.forms.refusal import say_refused
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.state_label import StateLabel
from widgets.wheel_filter import wheel_needs_focus
from widgets.wrapped_row import WrappedRow

FOUND = "What was found is not taken over yet: Accept it, or discard it and set it by hand."
SearchState = Literal["", "running", "found", "nothing"]
"""What has come of looking for the synchronisation of a video; "" where nothing was."""

_BY_HAND = (
    "Not synchronised. By hand: put the cursor on what the video shows, too; find it with the "
    "slider; press Set here."
)
_UNKNOWN: Mapping[SearchState, str] = {
    "": _BY_HAND,
    "running": "Not synchronised yet: how it runs is being looked for.",
    "found": FOUND,
    "nothing": _BY_HAND,
}
_KNOWN: Mapping[SearchState, str] = {
    "": "Synchronised: ",
    "running": "Looked for anew; until then ",
    "found": "Until you accept what was found: ",
    "nothing": "As before, since nothing was found: ",
}
_NUDGES = (-10, -1, 1, 10)
_FARTHEST_S = 1e6
_TICKS_PER_S = 1000
_BOX_PX = 84
_NUDGE_PX = 32
_LINES = 3


@dataclass(frozen=True, slots=True)
class SyncMoment:
    """What the strip is to show: the video, the cursor, and what of the video is on screen.

    `medium_s` is None while nothing is; `frame_s` is how long a frame lasts.
    """

    video: FlightVideo
    flight_s: float
    medium_s: float | None
    duration_s: float
    frame_s: float
    is_alone: bool
    search: SearchState = ""

    @property
    def number(self) -> int | None:
        """The number of the piece that runs there; None where none does."""
        sync = self.video.sync
        return None if sync is None or self.medium_s is None else sync.piece_at(self.medium_s)


class SyncStrip(QWidget):
    """`left_cursor` says whether the video is scrubbed alone, `scrubbed` where to; `go_wanted`
    asks for an instant of the flight."""

    left_cursor = Signal(bool)
    scrubbed = Signal(float)
    go_wanted = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._edits: SyncEdits | None = None
        self._now: SyncMoment | None = None
        self._shown = ChangeDetector()
        self.status = StateLabel(wraps=True, keeps_room=True, calm="")
        self.status.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.by_hand = QWidget()
        """Everything for doing it by hand; what was found takes its place until it is answered."""
        self.alone = QToolButton()
        self.alone.setText("Scrub alone")
        self.alone.setCheckable(True)
        self.alone.setToolTip("The video leaves the cursor; find in it what the cursor stands at")
        self.alone.toggled.connect(self.left_cursor.emit)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Time of the video")
        self.slider.setMinimumWidth(_BOX_PX)
        self.slider.valueChanged.connect(lambda value: self.scrubbed.emit(value / _TICKS_PER_S))
        self.time = make_label(tone="muted")
        self.set_here = make_button("Set here", self._set_here)
        self.set_here.setToolTip("The frame shown was taken at the cursor's instant: an anchor")
        self.undo = make_button("Undo", self._undo)
        self.undo.setEnabled(False)
        self.offset = self._box("Offset in seconds", -_FARTHEST_S, _FARTHEST_S, 3, 0.01)
        self.offset.setSuffix(" s")
        self.rate = self._box("Rate", LEAST_RATE, MOST_RATE, 6, 0.0001)
        self.search = SearchCard()
        self.anchors = AnchorList()
        self.anchors.remove_wanted.connect(self._remove)
        self.anchors.go_wanted.connect(self.go_wanted.emit)
        self._nudge_buttons = [self._nudge_button(frames) for frames in _NUDGES]
        self._lay_out()

    def show_moment(self, now: SyncMoment, edits: SyncEdits) -> None:
        """Show how this video runs; changes go to `edits`."""
        self._now, self._edits = now, edits
        self._keep_lines()
        medium = None if now.medium_s is None else round(now.medium_s, 3)
        can_undo = edits.can_undo(now.video.name)
        sync = now.video.sync
        ends = "the video is synchronised otherwise"
        self.status.state(Statement(describe(now), now.video.name, sync, ends=ends))
        self._offer(now.search)
        if not self._shown.has_changed(now.video, medium, now.duration_s, now.is_alone, can_undo):
            return
        self.undo.setEnabled(can_undo)
        self.set_here.setEnabled(now.medium_s is not None)
        for button in self._nudge_buttons:
            button.setEnabled(sync is not None)
        self._show_slider(now)
        self._show_line(now)
        self.anchors.show_anchors(anchors_of(sync))

    def show_nothing(self, why: str, *, can_search: bool = False) -> None:
        """Say why nothing can be synchronised by hand; nothing of another video stays."""
        self._now = self._edits = None
        self._shown.forget()
        self.status.state(Statement(why))
        self._offer("")
        self.by_hand.setEnabled(False)
        self.search.start.setEnabled(can_search)
        self.time.setText("")
        self.anchors.show_anchors(())

    def nudge(self, frames: int) -> None:
        """Show so many frames later at every instant."""
        if self._now is not None and self._edits is not None:
            self._edits.nudge(self._now.video.name, frames * self._now.frame_s)

    def take_back(self) -> bool:
        """Undo the last change; False if there is none."""
        return self._undo()

    # Inside

    def _lay_out(self) -> None:
        scrub = make_row(self.alone, (self.slider, 1), self.time)
        act = WrappedRow(self.set_here, self.undo, *self._nudge_buttons, spacing=4)
        line = make_row(
            QLabel("Offset"), (self.offset, 3), QLabel("Rate"), (self.rate, 2), spacing=4
        )
        self.by_hand.setLayout(make_column(scrub, act, line, self.anchors, spacing=4))
        parts = (self.status, self.search.begin, self.by_hand, self.search, STRETCH)
        self.setLayout(make_column(*parts, margins=(8, 4, 8, 8), spacing=4))
        self._leave_focus()

    def _leave_focus(self) -> None:
        """Have a press take no focus: once its button is hidden or disabled, the next would get it,
        and what is typed would go there."""
        for button in self.findChildren(QAbstractButton):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _keep_lines(self) -> None:
        """Have room for the longest of the sentences, so that none moves what is below it."""
        line_px = math.ceil(QFontMetricsF(self.status.font()).lineSpacing())
        self.status.setMinimumHeight(_LINES * line_px)

    def _offer(self, search: SearchState) -> None:
        self.by_hand.setVisible(search != "found")
        self.by_hand.setEnabled(True)
        self.search.start.setEnabled(True)

    def _show_slider(self, now: SyncMoment) -> None:
        with QSignalBlocker(self.alone), QSignalBlocker(self.slider):
            self.alone.setChecked(now.is_alone)
            self.alone.setEnabled(now.video.sync is not None)
            self.slider.setEnabled(now.is_alone)
            self.slider.setRange(0, max(0, int(_TICKS_PER_S * now.duration_s) - 1))
            self.slider.setPageStep(_TICKS_PER_S)
            self.slider.setSingleStep(max(1, round(_TICKS_PER_S * now.frame_s)))
            if now.medium_s is not None:
                self.slider.setValue(round(_TICKS_PER_S * now.medium_s))
        self.time.setText("" if now.medium_s is None else f"{now.medium_s:.2f} s")

    def _show_line(self, now: SyncMoment) -> None:
        """Of the piece that runs at the cursor; between two there is none to be typed."""
        sync, number = now.video.sync, now.number
        is_between = sync is not None and len(sync.pieces) > 1 and number is None
        piece = Piece(0.0) if sync is None else sync.pieces[number or 0]
        for box, value in ((self.offset, piece.offset_s), (self.rate, piece.rate)):
            box.setEnabled(not is_between)
            with QSignalBlocker(box):
                box.setValue(value)

    def _set_here(self) -> None:
        now, edits = self._now, self._edits
        if now is None or edits is None or now.medium_s is None:
            return
        try:
            edits.set_here(now.video.name, now.flight_s, now.medium_s)
        except ValueError as error:
            say_refused(self.set_here, f"{error}.".capitalize())
            return
        self.left_cursor.emit(False)

    def _remove(self, anchor: Anchor) -> None:
        if self._now is not None and self._edits is not None:
            try:
                self._edits.remove_anchor(self._now.video.name, anchor)
            except ValueError as error:
                say_refused(self.anchors, f"{error}.".capitalize())

    def _undo(self) -> bool:
        if self._now is None or self._edits is None:
            return False
        return self._edits.undo(self._now.video.name)

    def _type_line(self) -> None:
        if self._now is not None and self._edits is not None:
            name = self._now.video.name
            number = self._now.number or 0
            self._edits.type_line(name, self.offset.value(), self.rate.value(), number)

    def _box(self, name: str, least: float, most: float, digits: int, step: float) -> NumberBox:
        box = NumberBox(name, (least, most), digits, step=step)
        box.setProperty("dense", True)
        box.setMinimumWidth(_BOX_PX)
        box.setKeyboardTracking(False)
        box.valueChanged.connect(lambda _value: self._type_line())
        wheel_needs_focus(box)
        return box

    def _nudge_button(self, frames: int) -> QPushButton:
        title = f"{frames:+d}".replace("-", "−")
        button = make_button(title, lambda: self.nudge(frames))
        button.setProperty("tight", True)
        button.setMinimumWidth(_NUDGE_PX)
        button.setToolTip(f"Show {abs(frames)} frames {'later' if frames > 0 else 'earlier'}")
        button.setAccessibleName(f"Nudge by {frames} frames")
        return button


def describe(now: SyncMoment) -> str:
    """How a video runs with the flight, in words; of several pieces the one at the cursor."""
    sync, number = now.video.sync, now.number
    if sync is None:
        return _UNKNOWN[now.search]
    if len(sync.pieces) > 1 and number is None:
        return f"{_KNOWN[now.search]}{len(sync.pieces)} pieces. {_between(now)}"
    piece = sync.pieces[number or 0]
    line = f"video = {piece.offset_s:+.3f} s + {piece.rate:.6f} × log".replace("-", "−")
    parts = [f"{_KNOWN[now.search]}{line}"]
    if number is not None and len(sync.pieces) > 1:
        begin, end = max(0.0, piece.medium_start_s), min(now.duration_s, piece.medium_end_s)
        which = f"piece {number + 1} of {len(sync.pieces)}"
        parts.append(f"{which}, from {begin:.2f} to {end:.2f} s of the video")
    if piece.sigma_s is not None:
        parts.append(f"±{1000 * piece.sigma_s:.0f} ms")
    parts.append("by hand" if sync.method in ("", "manual") else f"by {sync.method}")
    return ", ".join(parts) + "."


def _between(now: SyncMoment) -> str:
    if now.medium_s is None:
        return "None was filmed at the cursor."
    return "This stretch of the video is not placed; Set here places it."
