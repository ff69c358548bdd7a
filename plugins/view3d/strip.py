"""View strip in a corner of the picture: which camera, what shows, and what the keys do."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QSizePolicy, QWidget

from widgets.choices import make_choice
from widgets.parts import make_label, make_row
from widgets.scene3d.camera_modes import CameraMode
from widgets.tool_card import ToolCard

_HINTS = {
    CameraMode.CHASE: "Drag to look around, wheel to come closer",
    CameraMode.ORBIT: "Drag to look around, wheel to come closer",
    CameraMode.COCKPIT: "Drag to look around",
    CameraMode.OBSERVER: "Wheel to zoom",
    CameraMode.FREE: "W A S D fly, E up, Q down; drag to look, wheel for speed",
}
_GAP_PX = 4


class SpaceStrip(ToolCard):
    """Asks for what is chosen; shows what it is told."""

    camera_chosen = Signal(object)

    def __init__(self, view: QWidget) -> None:
        self.camera = make_choice("Camera", [mode.value for mode in CameraMode], tip="Camera")
        self.camera.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.camera.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        show = QPushButton("Show")
        show.setToolTip("What the view shows")
        self.hint = make_label(tone="muted", size="small")
        self._parts = (self.camera, show, self.hint)
        row = make_row(*self._parts, margins=_GAP_PX, spacing=_GAP_PX)
        super().__init__(view, row, ground="ground_top")
        self.menu = QMenu(self)
        show.setMenu(self.menu)
        self.camera.activated.connect(self._choose_camera)

    def fit(self, room_px: int) -> None:
        """Say what the keys do only where there is room for all of it."""
        wanted_px = _GAP_PX + sum(part.sizeHint().width() + _GAP_PX for part in self._parts)
        self.hint.setVisible(wanted_px <= room_px)

    def show_choice(self, camera: CameraMode) -> None:
        """Show what is looked through."""
        with QSignalBlocker(self.camera):
            self.camera.setCurrentText(camera.value)
        self.hint.setText(_HINTS[camera])

    def _choose_camera(self, _index: int) -> None:
        self.camera_chosen.emit(CameraMode(self.camera.currentText()))
