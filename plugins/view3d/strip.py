"""View strip below the picture: which camera, a menu of what shows, and what the keys do."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QSizePolicy, QWidget

from widgets.choices import make_choice
from widgets.fitted_text import FittedText
from widgets.parts import make_row
from widgets.scene3d.camera_modes import CameraMode
from widgets.theme import Theme

_HINTS = {
    CameraMode.CHASE: "Drag to look around, wheel to come closer",
    CameraMode.ORBIT: "Drag to look around, wheel to come closer",
    CameraMode.COCKPIT: "Drag to look around",
    CameraMode.OBSERVER: "Wheel to zoom",
    CameraMode.FREE: "W A S D fly, E up, Q down; drag to look, wheel for speed",
}


class SpaceStrip(QWidget):
    """Asks for what is chosen; shows what it is told."""

    camera_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.camera = make_choice("Camera", [mode.value for mode in CameraMode], tip="Camera")
        self.camera.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.camera.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.menu = QMenu(self)
        show = QPushButton("Show")
        show.setToolTip("What the view shows")
        show.setMenu(self.menu)
        self.hint = FittedText()
        self.hint.setProperty("tone", "muted")
        self.hint.setProperty("textSize", "small")
        self.camera.activated.connect(self._choose_camera)
        parts = (self.camera, show, (self.hint, 1))
        self.setAutoFillBackground(True)  # it may stand on the picture
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setLayout(make_row(*parts, margins=(4, 4, 4, 4), spacing=4))

    def apply_theme(self, theme: Theme) -> None:
        """Make room for two lines of what the keys do."""
        self.hint.setFixedHeight(2 * QFontMetrics(theme.font("small")).lineSpacing() + 2)

    def show_choice(self, camera: CameraMode) -> None:
        """Show what is looked through."""
        with QSignalBlocker(self.camera):
            self.camera.setCurrentText(camera.value)
        self.hint.setText(_HINTS[camera])

    def _choose_camera(self, _index: int) -> None:
        self.camera_chosen.emit(CameraMode(self.camera.currentText()))
