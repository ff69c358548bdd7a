"""Video bar below a picture: which video, its frames, sound, overlay, synchronisation."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from widgets.change_detector import ChangeDetector
from widgets.elided_choice import ElidedChoice
from widgets.icons import themed_icon
from widgets.labels import set_look
from widgets.parts import make_row
from widgets.theme import Theme

_ADD, _CAMERA = "Add a video…", "Live camera…"
_ICON_PX = 20


class VideoBar(QWidget):
    """Asks for what its buttons say; shows what it is told."""

    video_chosen = Signal(str)
    add_wanted = Signal()
    camera_wanted = Signal()
    step_wanted = Signal(int)
    mute_toggled = Signal(bool)
    overlay_toggled = Signal(bool)
    sync_toggled = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown = ChangeDetector()
        self._icons: list[tuple[QToolButton, str]] = []
        self.videos = ElidedChoice()
        self.videos.setAccessibleName("Video shown")
        self.videos.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.videos.setMinimumContentsLength(4)
        self.videos.activated.connect(self._choose)
        back = self._button("step-back", "One frame back (, in the picture)")
        back.clicked.connect(lambda: self.step_wanted.emit(-1))
        on = self._button("step-forward", "One frame on (. in the picture)")
        on.clicked.connect(lambda: self.step_wanted.emit(1))
        self.sound = self._toggle("sound", "Sound, heard while it plays at 1×", self._mute)
        self.overlay = self._toggle("horizon", "Horizon and values", self.overlay_toggled.emit)
        self.sync = QToolButton()
        self.sync.setText("Synchronise")
        self.sync.setCheckable(True)
        self.sync.setToolTip("How the video's time runs with the log's")
        self.sync.toggled.connect(self.sync_toggled.emit)
        parts = (back, on, self.sound, self.overlay, self.sync)
        self.setLayout(make_row((self.videos, 1), *parts, margins=(4, 4, 4, 4), spacing=2))
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        side = round(_ICON_PX * theme.scale)
        for button, icon in self._icons:
            button.setIcon(themed_icon(icon, theme))
            button.setIconSize(QSize(side, side))

    def show_videos(self, names: Sequence[str], chosen: str) -> None:
        """Offer these videos, with one of them chosen."""
        if not self._shown.has_changed(tuple(names), chosen):
            return
        self.videos.clear()
        self.videos.addItems([*names, _CAMERA, _ADD])
        self.videos.setCurrentIndex(names.index(chosen) if chosen in names else -1)
        self.videos.setToolTip(chosen)

    def show_synchronised(self, is_synchronised: bool) -> None:
        """Have the way to synchronising stand out as long as that is to be done."""
        is_to_be_done = not is_synchronised and not self.sync.isChecked()
        set_look(self.sync, "role", "attention" if is_to_be_done else "")

    def show_sound(self, is_muted: bool) -> None:
        """Show whether it is to be heard."""
        with QSignalBlocker(self.sound):
            self.sound.setChecked(not is_muted)
        self._show_sound_icon()

    def show_overlay(self, is_shown: bool) -> None:
        """Show whether an overlay lies over the picture."""
        with QSignalBlocker(self.overlay):
            self.overlay.setChecked(is_shown)

    def _choose(self, index: int) -> None:
        self._shown.forget()
        if index == self.videos.count() - 1:
            self.add_wanted.emit()
        elif index == self.videos.count() - 2:
            self.camera_wanted.emit()
        else:
            self.video_chosen.emit(self.videos.itemText(index))

    def _mute(self, is_heard: bool) -> None:
        self._show_sound_icon()
        self.mute_toggled.emit(not is_heard)

    def _show_sound_icon(self) -> None:
        icon = "sound" if self.sound.isChecked() else "muted"
        self._icons = [(b, icon if b is self.sound else i) for b, i in self._icons]
        self.sound.setIcon(themed_icon(icon, self._theme))

    def _button(self, icon: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setProperty("role", "flat")
        self._icons.append((button, icon))
        return button

    def _toggle(self, icon: str, tip: str, act: Callable[[bool], object]) -> QToolButton:
        button = self._button(icon, tip)
        button.setCheckable(True)
        button.toggled.connect(act)
        return button
