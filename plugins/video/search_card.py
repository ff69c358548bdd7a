"""Synchronisation search card: its progress, what it found, and why not."""

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from plugins.video.sync_search import SyncSearch
from telemetry.base.statement import Statement
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.synchronisation.camera_estimate import taken_over
from telemetry.review.flights.synchronisation.suggestion import (
    SyncSuggestion,
    TurningCompared,
)
from widgets.change_detector import ChangeDetector
from widgets.labels import set_look
from widgets.line_chart import Line, LineChart
from widgets.parts import STRETCH, make_button, make_column, make_row
from widgets.state_label import StateLabel

_SHOWN_S = 20.0
_AXES = ("Pitch", "Yaw", "Roll")
_CHART_PX = 130


class SearchCard(QWidget):
    """`start_wanted` and `cancel_wanted` are for the search, `accepted` carries a suggestion."""

    start_wanted = Signal()
    cancel_wanted = Signal()
    accepted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ChangeDetector()
        self._suggestion: SyncSuggestion | None = None
        self.start = make_button("Find by itself", self.start_wanted.emit, "primary")
        self.start.setToolTip("By the picture's motion and the attitude in the log")
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.cancel = make_button("Cancel", self.cancel_wanted.emit)
        self.text = StateLabel(wraps=True, calm="")
        self.chart = LineChart("", "s of the video", "°/s", _CHART_PX)
        self.accept = make_button("Accept", self._accept, "primary")
        self.discard = make_button("Discard", self.cancel_wanted.emit)
        self.begin = QWidget()
        """Where it begins, how far it is, and what becomes of it; apart, above all that is found:
        nothing moves, and no scrolling is needed."""
        ways = (self.start, (self.progress, 8), self.cancel, self.accept, self.discard, STRETCH)
        self.begin.setLayout(make_row(*ways))
        self.setLayout(make_column(self.text, self.chart, spacing=4))
        self._show(None, None, CameraSettings())

    def show_search(self, search: SyncSearch, shown: FlightVideo) -> None:
        """Show how far it is, or what it found; in which video, where another one shows."""
        set_look(self.start, "role", "" if shown.sync else "primary")
        percent, found, looked_at = round(100 * search.job.share), search.suggestion, search.video
        name = "" if looked_at is None or search.is_of(shown) else looked_at.name
        camera = looked_at.camera if looked_at is not None and name else shown.camera
        if self._shown.has_changed(search.job.is_running, percent, id(found), name, camera):
            self._show(percent if search.job.is_running else None, found, camera, name)

    def _show(
        self,
        percent: int | None,
        found: SyncSuggestion | None,
        camera: CameraSettings,
        name: str = "",
    ) -> None:
        """`percent` is None where nothing is being looked for."""
        self._suggestion = found
        is_found = found is not None and found.is_found
        self.start.setVisible(percent is None and not is_found)
        self.progress.setVisible(percent is not None)
        self.progress.setValue(percent or 0)
        self.cancel.setVisible(percent is not None)
        whose = f"{name}: " if name else ""
        told = describe(found, camera) if found is not None else ""
        said = Statement(f"{whose}{told}", name) if found is not None else None
        self.text.state(said)
        self.progress.setFormat(f"{whose}%p%")
        self.accept.setVisible(is_found)
        self.discard.setVisible(found is not None)
        compared = found.compared if found is not None else None
        self.chart.setVisible(compared is not None)
        if compared is not None:
            self._show_chart(compared)

    def _show_chart(self, compared: TurningCompared) -> None:
        axis = liveliest_axis(compared)
        shown = liveliest_stretch(compared, axis)
        x = compared.medium_s[shown]
        picture, log = compared.picture_deg_s[shown, axis], compared.log_deg_s[shown, axis]
        self.chart.retitle(f"{_AXES[axis]} rate", "°/s")
        self.chart.show_lines(
            [
                Line("Log", "series_1", x, log),
                Line("Picture", "series_2", x, picture, is_dashed=True),
            ]
        )

    def _accept(self) -> None:
        if self._suggestion is not None:
            self.accepted.emit(self._suggestion)


def describe(suggestion: SyncSuggestion, camera: CameraSettings) -> str:
    """What was found, how sure and how exact it is, and what of its camera is taken over; or why
    nothing was."""
    sync = suggestion.sync
    if sync is None:
        return f"Not found. {suggestion.reason} {suggestion.note}".rstrip()
    words = taken_over(suggestion.camera, camera)[1] if suggestion.camera else ()
    found = " ".join([f"Found: {_line(sync)}. {_sureness(sync)}", *words])
    found = found.replace("-", "−")
    return f"{found} {suggestion.note}".rstrip()


def _line(sync: Sync) -> str:
    """How the video runs; of several pieces where each stands in it, and how sure that is."""
    if len(sync.pieces) == 1:
        return f"video = {sync.offset_s:+.3f} s + {sync.rate:.6f} × log"
    words = (_piece(number, piece) for number, piece in enumerate(sync.pieces, 1))
    return f"{len(sync.pieces)} pieces, rate {sync.rate:.6f}. {'; '.join(words)}"


def _piece(number: int, piece: Piece) -> str:
    end = "the end" if math.isinf(piece.medium_end_s) else f"{piece.medium_end_s:.1f} s"
    sigma = "" if piece.sigma_s is None else f" ±{1000 * piece.sigma_s:.0f} ms"
    begin = max(0.0, piece.medium_start_s)
    return f"{number}: from {begin:.1f} s to {end}, offset {piece.offset_s:+.3f} s{sigma}"


def _sureness(sync: Sync) -> str:
    parts = []
    if sync.sigma_s is not None:
        parts.append(f"exact to ±{1000 * sync.sigma_s:.0f} ms within the video")
    if sync.rate_sigma is not None:
        parts.append(f"rate ±{1e6 * sync.rate_sigma:.0f} ppm")
    if sync.confidence is not None:
        parts.append(f"confidence {min(99.0, 100 * sync.confidence):.0f} %")
    parts.append(f"by {sync.method}")
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def liveliest_axis(compared: TurningCompared) -> int:
    """The axis about which most was turned, by the log."""
    return int(np.argmax(np.nan_to_num(compared.log_deg_s).std(axis=0)))


def liveliest_stretch(compared: TurningCompared, axis: int) -> slice:
    """The rows of the 20 s in which most was turned about an axis."""
    turned = np.cumsum(np.abs(np.nan_to_num(compared.log_deg_s[:, axis])))
    stops = np.searchsorted(compared.medium_s, compared.medium_s + _SHOWN_S, side="right") - 1
    start = int(np.argmax(turned[stops] - turned)) if len(turned) else 0
    return slice(start, int(stops[start]) + 1) if len(turned) else slice(0, 0)
