"""Toolbar: workspaces on the left, the connection and recording on the right."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QWidget,
)

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from widgets.alarm_items import is_poor
from widgets.change_detector import ChangeDetector
from widgets.icons import icon_pixmap, themed_icon
from widgets.level_mark import LEVEL_TOKENS
from widgets.parts import make_row
from widgets.state_label import StateLabel, show_statement
from widgets.theme import Theme

HEIGHT_PX = 40
_USUAL_FROM_PX, _WIDE_FROM_PX = 1000, 1200
_NARROW, _USUAL, _WIDE = range(3)
_NAME_LENGTHS = (10, 14, 28)
_TAB_PADDING_PX = (8, 14, 14)
_WIDEST_LINK = "188 of 188 objects"
_TONES = {
    LinkState.DISCONNECTED: "muted",
    LinkState.CONNECTING: "accent",
    LinkState.FETCHING: "accent",
    LinkState.CONNECTED: "ok",
    LinkState.LOST: "danger",
    LinkState.RECONNECTING: "caution",
    LinkState.RESTARTING: "accent",
    LinkState.REPLAY: "muted",
}


class Toolbar(QWidget):
    """Holds no state of its own: `show_workspaces` and `show_vehicle` say what stands here.

    The callbacks: `on_workspace(index)`, `on_workspace_menu(index, global point)`,
    `on_new_workspace()`, `on_connections()`, `on_mute()`.
    """

    def __init__(self, theme: Theme, main_menu: QMenu) -> None:
        super().__init__()
        self.setObjectName("toolbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.on_workspace: Callable[[int], None] = lambda _index: None
        self.on_workspace_menu: Callable[[int, QPoint], None] = lambda _index, _point: None
        self.on_new_workspace: Callable[[], None] = lambda: None
        self.on_connections: Callable[[], None] = lambda: None
        self.on_mute: Callable[[], None] = lambda: None
        self.vehicle_menu = QMenu(self)
        self._theme = theme
        self._shown = ChangeDetector()
        self._vehicle_shown: Vehicle | None = None
        self._row = make_row(margins=(4, 0, 8, 0), spacing=4)
        self.setLayout(self._row)
        self._menu_button = self._button("Menu (F10)")
        self._menu_button.setMenu(main_menu)
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._tabs = self._make_tabs()
        self._new = self._button("New workspace")
        self._new.clicked.connect(lambda _checked: self.on_new_workspace())
        self._row.addStretch(1)
        self._vehicle = self._button("Which aircraft the panels show")
        self._vehicle.setMenu(self.vehicle_menu)
        self._vehicle.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._mute = self._button("")
        self._mute.clicked.connect(lambda _checked: self.on_mute())
        self._is_muted = False
        self._room = _NARROW
        self.link_button = self._button("Connections (Ctrl+Shift+L)")
        self.link_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.link_button.clicked.connect(lambda _checked: self.on_connections())
        self._rate = StateLabel(keeps_room=True, calm="")
        self._rate.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._record_icon = QLabel()
        self._record = StateLabel(keeps_room=True, calm="")
        for widget in (self._rate, self._record_icon, self._record):
            self._row.addWidget(widget)
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        self._room = self._room_now()
        self._shown.forget()
        self.setFixedHeight(round(HEIGHT_PX * theme.scale))
        side = QSize(round(18 * theme.scale), round(18 * theme.scale))
        for button, icon in ((self._menu_button, "menu"), (self._new, "plus")):
            button.setIcon(themed_icon(icon, theme))
            button.setIconSize(side)
            button.setMaximumSize(theme.target_px(), theme.target_px())
        self.link_button.setIconSize(side)
        for button in (self._vehicle, self.link_button):
            button.setMaximumHeight(theme.target_px())
        metrics = QFontMetrics(theme.font())
        words_px = metrics.horizontalAdvance(_WIDEST_LINK) + 24
        self.link_button.setStyleSheet(
            f"QToolButton {{ min-width: {words_px}px; max-width: {words_px}px; text-align: left; }}"
        )
        self._rate.setFixedWidth(metrics.horizontalAdvance("9999 obj/s"))
        self._record_icon.setFixedWidth(round(16 * theme.scale))
        self._record.setFixedWidth(metrics.horizontalAdvance("NOT REC"))
        self._mute.setIconSize(side)
        self._mute.setMaximumSize(theme.target_px(), theme.target_px())
        self._show_mute()
        self._tabs.setFixedHeight(self.height() - 1)
        padding = round(_TAB_PADDING_PX[self._room] * theme.scale)
        self._tabs.setStyleSheet(
            f"QTabBar::tab {{ min-height: {self.height() - 18}px;"
            f" padding-left: {padding}px; padding-right: {padding}px; }}"
        )
        self._new.setVisible(self._room != _NARROW)
        self.show_vehicle(self._vehicle_shown)

    def show_workspaces(self, titles: Sequence[str], current: int) -> None:
        """Show one tab per workspace."""
        self._tabs.blockSignals(True)
        while self._tabs.count() > len(titles):
            self._tabs.removeTab(self._tabs.count() - 1)
        for index, title in enumerate(titles):
            if index >= self._tabs.count():
                self._tabs.addTab(title)
            self._tabs.setTabText(index, title)
            if index < 9:
                self._tabs.setTabToolTip(index, f"Ctrl+{index + 1}")
        self._tabs.setCurrentIndex(current)
        self._tabs.blockSignals(False)

    def show_vehicle(self, vehicle: Vehicle | None) -> None:
        """Show which vehicle is active and how it is reached."""
        self._vehicle_shown = vehicle
        status = vehicle.status if vehicle else LinkStatus()
        name = vehicle.name if vehicle else "No aircraft"
        shown = (name, status.word, round(status.objects_per_s), status.recording_file,
                 status.recording_error, status.reason, _tone(status), self._room)  # fmt: skip
        if not self._shown.has_changed(shown):
            return
        self._vehicle.setText(f"{_elided(name, _NAME_LENGTHS[self._room])} ▾")
        self._vehicle.setEnabled(vehicle is not None)
        heard = Statement(status.word, name, status)
        show_statement(self.link_button, heard)
        tone = _tone(status)
        side = round(18 * self._theme.scale)
        filled = (
            status.state not in (LinkState.DISCONNECTED, LinkState.REPLAY) and not status.is_late
        )
        icon = icon_pixmap("dot" if filled else "ring", self._theme.color(tone), side)
        self.link_button.setIcon(icon)
        self.link_button.setToolTip(status.reason or "Connections (Ctrl+Shift+L)")
        is_fed = vehicle is not None and vehicle.is_live
        rate = Statement(f"{status.objects_per_s:.0f} obj/s", name, status)
        self._rate.setVisible(self._room == _WIDE)
        self._rate.state(rate if is_fed else None)
        self._rate.setToolTip("UAVObjects received per second")
        self._show_recording(status if is_fed else LinkStatus())

    def show_muted(self, is_muted: bool) -> None:
        """Show whether warnings are spoken."""
        if is_muted != self._is_muted:
            self._is_muted = is_muted
            self._show_mute()

    def popup_main_menu(self) -> None:
        """Open the menu from the keyboard."""
        self._menu_button.showMenu()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have room for more, or for less."""
        super().resizeEvent(event)
        if self._room != self._room_now():
            self.apply_theme(self._theme)

    def _room_now(self) -> int:
        width_px = self.width() / self._theme.scale
        return (width_px >= _USUAL_FROM_PX) + (width_px >= _WIDE_FROM_PX)

    def _show_mute(self) -> None:
        icon, token = ("muted", "attention") if self._is_muted else ("sound", "text")
        tip = "Warnings are muted: speak again" if self._is_muted else "Mute spoken warnings"
        self._mute.setIcon(themed_icon(icon, self._theme, token))
        self._mute.setToolTip(tip)
        self._mute.setAccessibleName(tip)

    def _choose_workspace(self, index: int) -> None:
        self.on_workspace(index)

    def _show_recording(self, status: LinkStatus) -> None:
        side = round(16 * self._theme.scale)
        if status.recording_error:
            token, words, tip = "danger", "NOT REC", status.recording_error
        elif status.recording_file:
            token, words, tip = "text", "REC", f"Recording to {status.recording_file}"
        else:
            token, words, tip = "disabled", "", "Nothing is being recorded"
        picture = icon_pixmap("dot", self._theme.color(token), side)
        self._record_icon.setPixmap(picture if words else QPixmap())
        level = Level.ERROR if token == "danger" else Level.INFO
        self._record.state(Statement(words, version=tip, level=level) if words else None)
        self._record.setToolTip(tip)

    def _make_tabs(self) -> QTabBar:
        tabs = QTabBar()
        tabs.setExpanding(False)
        tabs.setDrawBase(False)
        tabs.setUsesScrollButtons(True)
        tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        tabs.setAccessibleName("Workspaces")
        tabs.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tabs.currentChanged.connect(self._choose_workspace)
        tabs.customContextMenuRequested.connect(
            lambda point: self.on_workspace_menu(tabs.tabAt(point), tabs.mapToGlobal(point))
        )
        self._row.addWidget(tabs)
        return tabs

    def _button(self, tip: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("role", "flat")
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._row.addWidget(button)
        return button


def _tone(status: LinkStatus) -> str:
    """Green only while the aircraft is heard well and nothing of it is missing."""
    if status.age_level > Level.OK:
        return LEVEL_TOKENS[status.age_level]
    is_missing = status.state is LinkState.CONNECTED and status.fetched < status.total
    return "caution" if is_missing or is_poor(status) else _TONES[status.state]


def _elided(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
