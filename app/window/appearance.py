"""Appearance of the station: colours, sizes and units, as the user chose them."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase, QFontInfo
from PySide6.QtWidgets import QApplication

from app.messages import Messages
from app.preferences import SCALE_RANGE, PreferenceStore
from telemetry.base.finding import Level
from widgets.display_units import ALL_UNITS, METRIC
from widgets.theme import Theme, apply_theme, desktop_scale, load_theme, theme_names


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
        self.theme = replace(load_theme(name, scale), units=units)
        apply_theme(self._app, self.theme)
        self.on_change()


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
