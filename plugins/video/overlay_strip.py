"""Overlay strip: settings of what lies over the picture, and of the camera that took it."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSlider, QWidget

from plugins.video.lens_card import LensCard, NewestFrame
from plugins.video.lens_search import LensSearch
from plugins.video.overlay_scene import OverlayOptions
from telemetry.base.number_text import significant
from telemetry.review.cameras.camera_settings import CameraSettings, with_typed
from telemetry.review.flights.synchronisation.camera_estimate import turn_sigma_deg
from widgets.change_detector import ChangeDetector
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import STRETCH, make_column, make_label, make_row
from widgets.video.picture import Pixels
from widgets.wheel_filter import wheel_needs_focus

_Row = tuple[str, str, str, float, float, float, str]

_FIELDS: tuple[_Row, ...] = (
    ("field_of_view_deg", "Field of view", "°", 10, 170, 1, "From the left edge to the right one"),
    ("mount_pitch_deg", "Looks up", "°", -90, 90, 0.5, "Negative for a camera that looks down"),
    ("mount_roll_deg", "Turned right", "°", -180, 180, 0.5, "About its optical axis"),
    ("mount_yaw_deg", "Looks right", "°", -180, 180, 0.5, "90 looks over the right wing"),
    ("shutter_s", "Shutter", " ms", 0, 100, 1, "Rolling: from the first row to the last one"),
)
_BOX_PX = 56
_PER_UNIT = {"shutter_s": 1000.0}


class OverlayStrip(QWidget):
    """Emits what the user has set; the camera's settings belong to the flight's video."""

    options_changed = Signal(object)
    camera_changed = Signal(object)

    def __init__(self, lens_search: LensSearch) -> None:
        super().__init__()
        self._options = OverlayOptions()
        self._camera = CameraSettings()
        self._shown = ChangeDetector()
        self.horizon = QCheckBox("Horizon")
        self.values = QCheckBox("Values")
        self.opacity = QSlider(Qt.Orientation.Horizontal)
        self.opacity.setRange(10, 100)
        self.opacity.setAccessibleName("Opacity")
        self.opacity.setMinimumWidth(_BOX_PX)
        self.boxes = {row[0]: self._box(row) for row in _FIELDS}
        self.fisheye = QCheckBox("Fisheye")
        self.fisheye.setToolTip(
            "The angle from the optical axis grows with the distance from the picture's middle, as "
            "cv2.fisheye has it"
        )
        self.fisheye.toggled.connect(lambda is_checked: self._take("is_fisheye", is_checked))
        self._lens = make_label(tone="muted", wraps=True)
        self.lens = LensCard(lens_search)
        self.lens.accepted.connect(self.camera_changed.emit)
        for part in (self.horizon, self.values):
            part.toggled.connect(lambda _is_checked: self._take_options())
        self.opacity.valueChanged.connect(lambda _value: self._take_options())
        wheel_needs_focus(self.opacity, *self.boxes.values())
        options = make_row(self.horizon, self.values, QLabel("Opacity"), (self.opacity, 1))
        self.setLayout(
            make_column(options, self._grid(), self._lens, self.lens, STRETCH, margins=(8, 4, 8, 8))
        )

    def show_options(self, options: OverlayOptions) -> None:
        """Show what is drawn."""
        self._options = options
        with QSignalBlocker(self.horizon), QSignalBlocker(self.values):
            self.horizon.setChecked(options.has_horizon)
            self.values.setChecked(options.has_values)
        with QSignalBlocker(self.opacity):
            self.opacity.setValue(round(100 * options.opacity))

    def show_camera(
        self, camera: CameraSettings, pixels: Pixels | None, live: NewestFrame | None
    ) -> None:
        """Show the settings of the camera that took this picture; `live` gives what one sees now
        that can be calibrated by that."""
        size = None if pixels is None else (pixels.shape[1], pixels.shape[0])
        self.lens.show_camera(camera, size, live)
        if not self._shown.has_changed(camera):
            return
        self._camera = camera
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setValue(getattr(camera, name) * _PER_UNIT.get(name, 1.0))
        with QSignalBlocker(self.fisheye):
            self.fisheye.setChecked(camera.is_fisheye)
        is_calibrated = bool(camera.focal_px)
        self.fisheye.setEnabled(not is_calibrated)
        self.boxes["field_of_view_deg"].setEnabled(not is_calibrated)
        self._lens.setText(how_sure(camera))

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(4)
        for number, (name, title, *_rest) in enumerate(_FIELDS):
            line, column = divmod(number, 2)
            grid.addWidget(QLabel(title), line, 2 * column)
            grid.addWidget(self.boxes[name], line, 2 * column + 1)
            grid.setColumnStretch(2 * column + 1, 1)
        grid.addWidget(self.fisheye, len(_FIELDS) // 2, 2, 1, 2)
        return grid

    def _box(self, row: _Row) -> NumberBox:
        name, title, unit, least, most, step, tip = row
        box = NumberBox(title, (least, most), 1, unit, step)
        box.setProperty("dense", True)
        box.setMinimumWidth(_BOX_PX)
        box.setToolTip(tip)
        box.setKeyboardTracking(False)
        unit_of = _PER_UNIT.get(name, 1.0)
        box.valueChanged.connect(lambda value, name=name: self._take(name, value / unit_of))
        return box

    def _take_options(self) -> None:
        self._options = replace(
            self._options,
            has_horizon=self.horizon.isChecked(),
            has_values=self.values.isChecked(),
            opacity=self.opacity.value() / 100,
        )
        self.options_changed.emit(self._options)

    def _take(self, name: str, value: float | bool) -> None:
        self._camera = with_typed(self._camera, name, value)
        self._shown.has_changed(self._camera)
        self.camera_changed.emit(self._camera)


def how_sure(camera: CameraSettings) -> str:
    """How well lens and mount are known, in words."""
    field, mount = camera.field_of_view_sigma_deg, camera.mount_sigma_deg
    words = []
    if mount is not None:
        words.append(f"mount ±{significant(turn_sigma_deg(camera.mount_deg, mount), 2)}°")
    if camera.focal_px:
        lens = "The lens is calibrated: its matrix stands for the field of view."
        return " ".join((lens, *(f"Measured: {word}." for word in words)))
    if field is not None:
        words.insert(0, f"field of view ±{significant(field, 2)}°")
    return f"Measured: {', '.join(words)}." if words else "Not measured: as typed, or as assumed."
