"""Synchronisation by hand: scrub the video alone, set anchors, nudge, type."""

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QToolButton, QWidget

from plugins.video.anchor_list import AnchorList
from plugins.video.search_card import SearchCard
from plugins.video.sync_edits import SyncEdits, anchors_of
from telemetry.base.statement import Statement
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import LEAST_RATE, MOST_RATE, Anchor, Sync
from widgets.change_detector import ChangeDetector
from widgets.forms.refusal import say_refused
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.state_label import StateLabel
from widgets.wheel_filter import wheel_needs_focus

FOUND = "What was found is not taken over yet: Accept it, or discard it and set it by hand."
_NUDGES = (-10, -1, 1, 10)
_FARTHEST_S = 1e6
_TICKS_PER_S = 1000
_BOX_PX = 84
_NUDGE_PX = 36


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
    is_found: bool = False
    """Whether a synchronisation of it was found that nobody has accepted yet."""


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
        self.set_here = make_button("Set here", self._set_here, "primary")
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
        medium = None if now.medium_s is None else round(now.medium_s, 3)
        can_undo = edits.can_undo(now.video.name)
        sync = now.video.sync
        text = FOUND if sync is None and now.is_found else describe(sync)
        ends = "the video is synchronised otherwise"
        self.status.state(Statement(text, now.video.name, sync, ends=ends))
        if not self._shown.has_changed(now.video, medium, now.duration_s, now.is_alone, can_undo):
            return
        self.undo.setEnabled(can_undo)
        self.set_here.setEnabled(now.medium_s is not None)
        for button in self._nudge_buttons:
            button.setEnabled(sync is not None)
        self._show_slider(now)
        self._show_line(sync)
        self.anchors.show_anchors(anchors_of(sync))

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
        act = make_row(self.set_here, self.undo, STRETCH, *self._nudge_buttons)
        line = make_row(
            QLabel("Offset"), (self.offset, 3), QLabel("Rate"), (self.rate, 2), spacing=4
        )
        parts = (self.status, self.search, scrub, act, line, self.anchors)
        self.setLayout(make_column(*parts, margins=(8, 4, 8, 8), spacing=4))

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

    def _show_line(self, sync: Sync | None) -> None:
        with QSignalBlocker(self.offset), QSignalBlocker(self.rate):
            self.offset.setValue(sync.offset_s if sync else 0.0)
            self.rate.setValue(sync.rate if sync else 1.0)

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
            self._edits.type_line(name, self.offset.value(), self.rate.value())

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


def describe(sync: Sync | None) -> str:
    """How a video runs with the flight, in words."""
    if sync is None:
        return (
            "Not synchronised. By hand: put the cursor on an instant that you can see in the "
            "video, the launch for instance, look for it with the slider, and press Set here."
        )
    parts = [f"video = {sync.offset_s:+.3f} s + {sync.rate:.6f} × log".replace("-", "−")]
    if len(sync.pieces) > 1:
        parts.append(f"{len(sync.pieces)} pieces, this is the first")
    if sync.offset_sigma_s is not None:
        parts.append(f"±{1000 * sync.offset_sigma_s:.0f} ms")
    parts.append("by hand" if sync.method in ("", "manual") else f"by {sync.method}")
    return ", ".join(parts) + "."
