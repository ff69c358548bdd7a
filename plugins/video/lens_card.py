"""Lens calibration card: the board, the film, its progress, before and after."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from plugins.video.lens_search import LensSearch
from telemetry.review.cameras.camera_recorder import LiveFrame
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.chessboard import LEAST_CORNERS, MOST_CORNERS, Chessboard
from telemetry.review.flights.file_kind import VIDEO_PATTERNS
from widgets.change_detector import ChangeDetector
from widgets.dialogs import ask_for_file
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.wheel_filter import wheel_needs_focus
from widgets.wrapped_row import WrappedRow

if TYPE_CHECKING:
    from telemetry.review.cameras.lens_calibration import LensCalibration

NewestFrame = Callable[[], LiveFrame | None]

_HINT = (
    "Film a chessboard on something flat: near and far, up to the picture's edges, tilted to all "
    "sides. Count its inner corners, where four squares meet."
)


class LensCard(QWidget):
    """`accepted` carries the camera's settings with the lens found."""

    accepted = Signal(object)

    def __init__(self, search: LensSearch) -> None:
        super().__init__()
        self._search = search
        self._shown = ChangeDetector()
        self._camera = CameraSettings()
        self._size: tuple[int, int] | None = None
        self._live: NewestFrame | None = None
        self._accepted: CameraSettings | None = None
        self.begin = make_button("Calibrate from a filmed chessboard…", self._begin)
        self.columns, self.rows = self._box("Inner corners across", 9), self._box("and down", 6)
        wheel_needs_focus(self.columns, self.rows)
        self.choose = make_button("Choose the film…", self._ask)
        self.film = make_button("Use the live camera", self._film_live)
        self.hint = make_label(_HINT, tone="muted", wraps=True)
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.cancel = make_button("Cancel", self._discard)
        self.text = make_label(wraps=True)
        self.accept = make_button("Accept", self._accept, "primary")
        self.discard = make_button("Discard", self._discard)
        board = WrappedRow(
            QLabel("Inner corners"), self.columns, QLabel("×"), self.rows, self.choose
        )
        running = make_row((self.progress, 1), self.cancel)
        end = make_row(self.accept, self.discard, STRETCH)
        self._board = QWidget()
        self._board.setLayout(make_column(self.hint, board, make_row(self.film, STRETCH)))
        self.setLayout(
            make_column(make_row(self.begin, STRETCH), self._board, running, self.text, end)
        )
        self._is_begun = False
        self._show()

    def show_camera(
        self, camera: CameraSettings, size: tuple[int, int] | None, live: NewestFrame | None
    ) -> None:
        """For this camera, whose pictures are of `size` where that is known; `live` gives what it
        sees now."""
        self._camera, self._size, self._live = camera, size, live
        self._search.poll()
        search = self._search
        state = (
            search.job.is_running,
            round(100 * search.job.share),
            id(search.found),
            search.reason,
        )
        if self._shown.has_changed(*state, camera, size, live is not None, self._is_begun):
            self._show()

    def start_with_file(self, path: Path) -> None:
        """Look for the board in a film."""
        self._search.start_with_file(path, self._chessboard())

    def _film_live(self) -> None:
        if self._live is not None:
            self._search.start_with_camera(self._live, self._chessboard())

    def _chessboard(self) -> Chessboard:
        return Chessboard(round(self.columns.value()), round(self.rows.value()))

    def _begin(self) -> None:
        self._is_begun = True
        self._show()

    def _ask(self) -> None:
        filters = f"Videos ({VIDEO_PATTERNS});;All files (*)"
        ask_for_file(self, "Choose the film of a chessboard", filters, self.start_with_file)

    def _discard(self) -> None:
        self._search.cancel()
        self._is_begun = False
        self._show()

    def _accept(self) -> None:
        accepted = self._accepted
        self._discard()
        if accepted is not None:
            self.accepted.emit(accepted)

    def _show(self) -> None:
        search = self._search
        self._accepted, text = self._outcome()
        is_open = self._is_begun and not search.job.is_running and self._accepted is None
        self.begin.setVisible(not self._is_begun)
        self._board.setVisible(is_open)
        self.film.setVisible(self._live is not None)
        self.progress.setVisible(search.job.is_running)
        self.progress.setValue(round(100 * search.job.share))
        self.cancel.setVisible(search.job.is_running)
        self.text.setVisible(bool(text))
        self.text.setText(text)
        self.accept.setVisible(self._accepted is not None)
        self.discard.setVisible(self._is_begun and not search.job.is_running)
        self.discard.setText("Discard" if self._accepted else "Close")

    def _outcome(self) -> tuple[CameraSettings | None, str]:
        """What can be accepted, and what is said of it."""
        from telemetry.review.cameras.lens_calibration import LensCalibrationError

        found = self._search.found
        if found is None:
            reason = self._search.reason
            return None, f"Not calibrated. {reason}" if reason else ""
        try:
            fitting = found.for_size(self._size) if self._size else found
        except LensCalibrationError as error:
            return None, f"Not calibrated. {error}"
        return fitting.camera(self._camera), describe(fitting, self._camera)

    def _box(self, name: str, value: int) -> NumberBox:
        box = NumberBox(name, (LEAST_CORNERS, MOST_CORNERS), 0)
        box.setProperty("dense", True)
        box.setValue(value)
        return box


def describe(found: "LensCalibration", before: CameraSettings) -> str:
    """What was found, how well, and what stood there before."""
    after = found.camera(before)
    focal = "{:.1f}, {:.1f}".format(*after.focal_px)
    was = "{:.1f}, {:.1f} px".format(*before.focal_px) if before.focal_px else "not calibrated"
    centre = "{:.1f}, {:.1f}".format(*after.centre_px)
    bent = ", ".join(f"{value:.3f}" for value in after.distortion)
    text = (
        f"Field of view {after.field_of_view_deg:.1f}° (before {before.field_of_view_deg:.1f}°), "
        f"focal lengths {focal} px (before {was}), centre {centre} px, distortion {bent}. "
        f"Corners fit to {found.rms_px:.2f} px RMS in {found.views_used} views over "
        f"{100 * found.coverage:.0f} % of the picture."
    )
    return text.replace("-", "−")
