"""Appearance of the station: colours, sizes and units, as the user chose them."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QFontDatabase, QFontInfo
from PySide6.QtWidgets import QApplication, QWidget

from app.messages import Messages
from app.preferences import SCALE_RANGE, PreferenceStore
from telemetry.base.finding import Level
from widgets.display_units import ALL_UNITS, METRIC
from widgets.theme import (
    DENSITIES_PX,
    Density,
    Theme,
    apply_theme,
    desktop_scale,
    load_theme,
    theme_names,
)

_COMPACT_BELOW_PX = 900
"""The height of the window, at a scale of 1, from which there is room for comfortable sizes."""


class Appearance:
    """Owns the present `theme`; `on_change` is called whenever it is another one.

    Everything is as large as the desktop's text asks for, times the size in the preferences.
    A theme asked for at the start goes before the preferences until one is chosen.
    """

    def __init__(
        self, app: QApplication, preferences: PreferenceStore, messages: Messages, asked_for: str
    ) -> None:
        self._app = app
        self._preferences = preferences
        self._messages = messages
        self._asked_for = asked_for
        self._height_px = app.primaryScreen().availableSize().height()
        self.on_change: Callable[[], None] = lambda: None
        self.theme: Theme
        self.refresh()

    def choose(self, theme_name: str) -> None:
        """Change the colours everywhere, now and for later. "system" follows the desktop."""
        self._asked_for = ""
        self._messages.report(self._preferences.change(theme=theme_name), Level.WARNING)
        self.refresh()

    def set_scale(self, scale: float) -> None:
        """Change the size of everything, now and for later; 1 is the usual size."""
        self._messages.report(self._preferences.change(scale=round(scale, 2)), Level.WARNING)
        self.refresh()

    def enlarge(self, step: float) -> None:
        """Add to the size of everything, as far as the preferences go."""
        least, most = SCALE_RANGE
        self.set_scale(min(max(self._preferences.current.scale + step, least), most))

    def follow_desktop(self) -> None:
        """Be as large as the desktop's text is now, once it has told all of its change."""
        QTimer.singleShot(0, self._app, self._follow_text)

    def follow_window(self, window: QWidget) -> None:
        """Be compact while this window is low, if nothing else was chosen."""
        if not (window.isMaximized() or window.isFullScreen()):  # else as high as the screen soon
            self._take_height(window.height())
        _HeightWatch(window, self._take_height)

    def _take_height(self, height_px: int) -> None:
        self._height_px = height_px
        if self._density(self.theme.scale) != self.theme.density:
            self.refresh()

    def _density(self, scale: float) -> Density:
        chosen = self._preferences.current.density
        for density in DENSITIES_PX:
            if density == chosen:
                return density
        return "compact" if self._height_px < _COMPACT_BELOW_PX * scale else "comfortable"

    def _follow_text(self) -> None:
        if _desktop_text_px() != self._desktop_text_px:
            self.refresh()

    def refresh(self) -> None:
        """Take over what the preferences say now."""
        chosen = self._preferences.current
        name = self._asked_for or chosen.theme
        if name not in theme_names():
            name = "dark" if _system_is_dark(self._app) else "light"
        units = ALL_UNITS.get(chosen.units, METRIC)
        self._desktop_text_px = _desktop_text_px()
        scale = chosen.scale * desktop_scale(self._desktop_text_px)
        theme = load_theme(name, scale)
        self.theme = replace(theme, units=units, density=self._density(theme.scale))
        apply_theme(self._app, self.theme)
        self.on_change()


class _HeightWatch(QObject):
    """Tells how high a window is, after all else of its change."""

    def __init__(self, window: QWidget, take: Callable[[int], None]) -> None:
        super().__init__(window)
        self._window, self._take = window, take
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            QTimer.singleShot(0, self, lambda: self._take(self._window.height()))
        return False


def _desktop_text_px() -> float:
    """How high the desktop writes, in logical pixels; asked anew each time, as it can be changed
    while this runs."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return float(QFontInfo(font).pixelSize())


def _system_is_dark(app: QApplication) -> bool:
    hints = app.styleHints()
    if hasattr(hints, "unsetColorScheme"):  # since Qt 6.8
        hints.unsetColorScheme()
    return hints.colorScheme() is Qt.ColorScheme.Dark
