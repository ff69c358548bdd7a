"""Video notice in the place of a video that is not there, and what to do about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from widgets.parts import STRETCH, make_button, make_column, make_label
from widgets.wrapped_row import WrappedRow


class VideoNotice(QWidget):
    """A sentence and a button, which emits `pressed`; and one for a camera where that helps."""

    pressed = Signal()
    camera_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = make_label(tone="muted", wraps=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = make_button("", self.pressed.emit)
        self.camera = make_button("Live camera…", self.camera_wanted.emit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        press = WrappedRow(self.button, self.camera, spacing=8, is_centred=True)
        self.setLayout(make_column(STRETCH, self.text, press, STRETCH, margins=16, spacing=12))

    def show_notice(self, text: str, button: str, *, offers_camera: bool = False) -> None:
        """Say this, and offer that."""
        self.camera.setVisible(offers_camera)
        if (text, button) != (self.text.text(), self.button.text()):
            self.text.setText(text)
            self.button.setText(button)
