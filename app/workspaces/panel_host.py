"""Panel host: opening a panel, asking it to refresh, and what happens when it fails.

Whatever a panel raises stays here: an error card takes its place and the station goes on.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.messages import Messages
from app.refreshing.tick import Tick
from app.workspaces.workspace import PanelPlace
from plugins.api import NO_VEHICLE, Page, Panel, PanelContext, Undo, resolve
from telemetry.base.finding import Level
from telemetry.vehicle.vehicle import Fleet, Vehicle
from widgets.parts import make_column
from widgets.theme import Theme, hand_theme
from widgets.view_host import ViewHost

_UNHARMED = "The connection and the other panels are not touched."


@dataclass
class PanelServices:
    """What the station lends to every panel. `theme` is the present one."""

    fleet: Fleet
    theme: Theme
    jobs: Executor
    messages: Messages
    tick: Tick
    panels: dict[str, Panel]
    pages: dict[str, Page] = field(default_factory=dict)
    place_offers: tuple[str, ...] = ()
    run_action: Callable[[str], None] = lambda _action_id: None
    open_log: Callable[[Path], None] = lambda _path: None
    connect: Callable[[str], Vehicle | None] = lambda _address: None
    follow: Callable[[Callable[[], str], Callable[[], None]], Undo] = lambda _words, _cancel: (
        lambda: None
    )


class PanelHost(QWidget):
    """One open panel, wherever it stands. `key` is its name in the workspace, `panel_id` the full
    id of its kind. `on_title` is called when it is called otherwise.
    """

    def __init__(
        self, place: PanelPlace, services: PanelServices, shared: dict[str, Any] | None = None
    ) -> None:
        super().__init__()
        self._shared = {} if shared is None else shared
        self.on_title: Callable[[], None] = lambda: None
        self.key = place.key
        self.panel_id = place.panel
        self._own_title = place.title
        self._opened_as = place
        self._services = services
        self._panel = services.panels.get(place.panel)
        self._settings: dict[str, Any] = dict(place.settings)
        self._context: PanelContext | None = None
        self._is_open = False
        self._is_waiting = False
        self._free_area = QRect()
        self.setObjectName(place.key)
        self.setWindowTitle(self.title)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._host = ViewHost(
            lambda: self.title,
            _UNHARMED,
            logging.getLogger(f"lapwing.panel.{place.panel}"),
            self._try_again if self._panel is not None else None,
            lambda text, trace: services.messages.report(text, Level.WARNING, trace),
        )
        self._host.setMinimumSize(1, 1)  # where it stands is for the workspace to say
        self.setLayout(make_column(self._host, spacing=0))
        least_hz = self._panel.least_hz if self._panel else None
        self._untick = services.tick.add(self.refresh, self.rate_hz, self.is_showing, least_hz)

    @property
    def title(self) -> str:
        """What the panel is called here: the user's name for it or that of its kind."""
        return self._own_title or (self._panel.title if self._panel else self.panel_id)

    @property
    def rate_hz(self) -> int:
        """How often the panel wants to be refreshed at most."""
        return self._panel.rate_hz if self._panel else 1

    @property
    def view(self) -> QWidget | None:
        """The panel's widget, None while there is none or it failed."""
        return self._host.view

    @property
    def help_text(self) -> str:
        """One sentence on what can be done in this panel."""
        return self._panel.help if self._panel else ""

    def rename(self, title: str) -> None:
        """Give the panel a name of its own; an empty one goes back to that of its kind."""
        self._own_title = title.strip()
        self.setWindowTitle(self.title)
        self.on_title()

    @property
    def least_size(self) -> tuple[int, int]:
        """The width and height in pixels, below which it shows too little to be of use."""
        width, height = self._panel.least_size if self._panel else (0, 0)
        scale = self._services.theme.scale
        return round(width * scale), round(height * scale)

    @property
    def wants_half(self) -> bool:
        """Whether it is opened in half of the workspace."""
        return self._panel is not None and self._panel.wants_half

    @property
    def can_be_stage(self) -> bool:
        """Whether the panel may fill the workspace."""
        return self._panel is not None and self._panel.can_be_stage

    def show_free_area(self, area: QRect) -> None:
        """Tell the panel which part of it no card covers."""
        self._free_area = area
        if not area.isNull():
            self._host.call("show_free_area", area)

    @property
    def is_waiting(self) -> bool:
        """Whether the panel says that there is no vehicle, which it needs."""
        return self._is_waiting

    def open(self) -> None:
        """Build the panel's widget, if it can be there, and begin to refresh it while it shows."""
        needs_vehicle = self._panel is not None and self._panel.needs_vehicle
        if needs_vehicle and self._services.fleet.active is None:
            self._wait_for_vehicle()
            return
        if self._is_open:
            return
        had_changed = self.has_changed()
        self._is_open, self._is_waiting = True, False
        if self._panel is None:
            self._host.fail(
                f"There is no panel {self.panel_id!r}. Its plugin is missing or did not load; "
                "install it, or close this panel."
            )
        elif self._open(self._panel):
            if not had_changed:
                self._opened_as = self.place()
            self.show_free_area(self._free_area)

    def start_search(self) -> bool:
        """Go to the panel's search. False when it has none."""
        if not hasattr(self.view, "start_search"):
            return False
        self._host.call("start_search")
        return True

    def is_showing(self) -> bool:
        """Whether any of the panel can be seen."""
        return self.isVisible()

    def showEvent(self, event: QShowEvent) -> None:
        """Be shown what there is."""
        super().showEvent(event)
        self._services.tick.wake()

    def refresh(self) -> None:
        """Have the panel show the recording at the cursor; the first time, build it.

        So the window appears before its panels, which follow one per tick.
        """
        self.open()
        if self._context is not None:
            timeline = self._context.timeline
            self._host.call("refresh", timeline.t if timeline else 0.0)

    def apply_theme(self, theme: Theme) -> None:
        """Let the panel's context have the new colours; its widgets are given them one by one."""
        if self._context is not None:
            self._context.theme = theme

    def has_changed(self) -> bool:
        """Whether name or configuration are no longer as the panel was opened."""
        return self.place() != self._opened_as

    def place(self) -> PanelPlace:
        """The panel as the workspace keeps it, its configuration included."""
        if self._context is not None:
            self._settings = dict(self._context.settings)
        state = self._host.call("save_state")
        if isinstance(state, dict):
            self._settings = {**self._settings, **state}
        return PanelPlace(self.key, self.panel_id, self._own_title, dict(self._settings))

    def pin_vehicle(self, name: str) -> None:
        """Show one vehicle always; "" follows the active one."""
        if self._context is not None:
            self._context.settings["vehicle"] = name
            self._services.tick.wake()

    @property
    def pinned_vehicle(self) -> str:
        """The vehicle the panel always shows, or ""."""
        return str(self._context.settings.get("vehicle", "")) if self._context else ""

    def dispose(self) -> None:
        """Close the panel: run its undos and free its widget. Disposing twice is fine."""
        self._untick()
        self._host.close_view()
        self.deleteLater()

    def _open(self, panel: Panel) -> bool:
        """Build the panel's widget in a context of its own; False if it failed."""
        context = panel.context(
            fleet=self._services.fleet,
            theme=self._services.theme,
            jobs=self._services.jobs,
            settings=dict(self._settings),
            shared=self._shared,
            pages=self._services.pages,
            place_offers=self._services.place_offers,
            log=logging.getLogger(f"lapwing.panel.{self.panel_id}"),
            show_message=self._services.messages.tell,
            run_action=self._services.run_action,
            open_log=self._services.open_log,
            connect=self._services.connect,
            follow=self._services.follow,
            detail=lambda: self._services.tick.detail,
            wake=self._services.tick.wake,
        )

        def make() -> QWidget:
            view: QWidget = resolve(panel.widget)(context)
            hand_theme(view, self._services.theme)
            if hasattr(view, "restore_state") and self._settings:
                view.restore_state(dict(self._settings))
            self._context = context
            return view

        def close() -> None:
            if self._context is not None:  # else it never stood
                self._settings = dict(context.settings)
            self._context = None
            context.close()

        return self._host.open(make, close)

    def _wait_for_vehicle(self) -> None:
        """Close the panel until there is a vehicle again, and keep how it was."""
        if self._is_waiting:
            return
        self._is_open, self._is_waiting = False, True
        kept = self.place().settings
        self._host.show_text(NO_VEHICLE)
        self._settings = kept

    def _try_again(self) -> None:
        self._is_open = False
        self.open()
        self._services.tick.wake()
