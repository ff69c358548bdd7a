"""Camera strip: choosing a live camera, its address, and how it does."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from plugins.video.vehicle_camera import VehicleCamera
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras.camera_address import EXAMPLES, camera_devices
from widgets.change_detector import ChangeDetector
from widgets.parts import make_button, make_column, make_label, make_row

_MOST_ADDRESSES = 8


class CameraStrip(QWidget):
    """Starts and stops the camera of the aircraft that `camera` says; `started` tells its name.
    `addresses` are those used before, the last one first."""

    started = Signal(str)

    def __init__(self, camera: Callable[[], VehicleCamera]) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self._camera = camera
        self._shown = ChangeDetector()
        self.address = QComboBox()
        self.address.setEditable(True)
        self.address.setProperty("keepsLetters", True)
        self.address.setAccessibleName("Address of the camera")
        self.address.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.address.setMinimumContentsLength(8)
        line = self.address.lineEdit()
        assert line is not None
        line.setPlaceholderText("/dev/video0 or rtsp://…")
        line.setProperty("keepsLetters", True)
        line.returnPressed.connect(self._start)
        self.address.setToolTip(f"Such as {EXAMPLES}")
        self.start = make_button("Start", self._start, "primary")
        self.stop = make_button("Stop", self._stop)
        self.status = make_label(tone="muted", wraps=True)
        row = make_row((self.address, 1), self.start, self.stop)
        self.setLayout(make_column(row, self.status, margins=(8, 4, 8, 8), spacing=4))

    def take_addresses(self, used: object) -> None:
        """Those of a saved state, whatever it holds."""
        known = used if isinstance(used, list) else []
        self.addresses = [one for one in known if isinstance(one, str)][:_MOST_ADDRESSES]

    def offer(self) -> None:
        """Let an address be chosen that was used before, or a device that is there now."""
        offered = list(dict.fromkeys([*self.addresses, *camera_devices()]))
        typed = self.address.currentText()
        with QSignalBlocker(self.address):
            self.address.clear()
            self.address.addItems(offered)
            self.address.setEditText(typed or next(iter(offered), ""))

    def show_camera(self) -> None:
        """Show how it does."""
        camera = self._camera()
        text = describe(camera)
        if self._shown.has_changed(camera.is_on, text):
            self.start.setText("Change" if camera.is_on else "Start")
            self.stop.setEnabled(camera.is_on)
            self.status.setText(text)

    def _start(self) -> None:
        address, camera = self.address.currentText().strip(), self._camera()
        try:
            camera.start(address)
        except VideoError as error:
            self.status.setText(str(error))
            return
        others = [one for one in self.addresses if one != address]
        self.addresses = [address, *others][:_MOST_ADDRESSES]
        self.started.emit(camera.name)

    def _stop(self) -> None:
        self._camera().stop()
        self.show_camera()


def describe(camera: VehicleCamera) -> str:
    """How a camera does and what of it is recorded; "" before one was started."""
    if not camera.name:
        return ""
    if not camera.is_on:
        return f"{camera.address} has ended."
    if camera.problem:
        return camera.problem
    if camera.newest is None:
        return f"Opening {camera.address}…"
    recorded = camera.unrecorded or f"{camera.address} is recorded beside the log."
    return f"{recorded} {camera.losses}".strip()
