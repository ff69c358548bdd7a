"""A panel in its dock: opening it, asking it to refresh, and what happens when it fails.

Whatever a panel raises stays here: an error card takes its place and the station goes on.
"""

import logging
import traceback
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QDockWidget, QVBoxLayout, QWidget

from app.hint_strip import HintStrip
from app.messages import Messages
from app.panel_title import PanelTitle
from app.shortcuts import take_over
from app.tick import Tick
from app.workspaces import PanelPlace
from plugins.api import Page, Panel, PanelContext, resolve
from telemetry.finding import Level
from telemetry.vehicle.vehicle import Fleet
from widgets.error_card import ErrorCard
from widgets.theme import Theme, hand_theme

_LEAST_PX = 120


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
    run_action: Callable[[str], None] = lambda _action_id: None
    open_log: Callable[[Path], None] = lambda _path: None
    hints_done: set[str] = field(default_factory=set)
    on_hint_done: Callable[[str], None] = lambda _panel_id: None


class PanelDock(QDockWidget):
    """One open panel. `key` is its name in the workspace, `panel_id` the full id of its kind.

    `on_command` is called with "menu" or "close" when that is wanted, and with "hint" when there
    may be room for one.
    """

    def __init__(
        self,
        place: PanelPlace,
        services: PanelServices,
        on_command: Callable[[str], None],
        shared: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._shared = {} if shared is None else shared
        self._on_command = on_command
        self._has_hint = False
        self.key = place.key
        self.panel_id = place.panel
        self._own_title = place.title
        self._opened_as = place
        self._services = services
        self._log = logging.getLogger(f"lapwing.panel.{place.panel}")
        self._panel = services.panels.get(place.panel)
        self._settings: dict[str, Any] = dict(place.settings)
        self._context: PanelContext | None = None
        self._view: QWidget | None = None
        self._is_open = False
        self._is_showing = False
        self.setObjectName(place.key)
        self.setWindowTitle(self.title)
        self._bar = PanelTitle(self.title, on_command)
        self.setTitleBarWidget(self._bar)
        self._bar.apply_theme(services.theme)
        body = QWidget()
        body.setMinimumSize(_LEAST_PX, _LEAST_PX // 2)  # a panel may not make the window grow
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setWidget(body)
        self.visibilityChanged.connect(self._take_visibility)
        self._untick = services.tick.add(self.refresh, self.rate_hz, self.is_showing)

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
        return self._view

    @property
    def help_text(self) -> str:
        """One sentence on what can be done in this panel."""
        return self._panel.help if self._panel else ""

    def rename(self, title: str) -> None:
        """Give the panel a name of its own; an empty one goes back to that of its kind."""
        self._own_title = title.strip()
        self.setWindowTitle(self.title)
        self._bar.set_title(self.title)

    def edit_title(self) -> None:
        """Let the user type a new name where the title stands."""
        self._bar.edit(self.rename)

    def open(self) -> None:
        """Build the panel's widget and begin to refresh it while it shows."""
        if self._is_open:
            return
        self._is_open = True
        if self._panel is None:
            self._fail(
                f"There is no panel {self.panel_id!r}. Its plugin is missing or did not load; "
                "install it, or close this panel.",
                "",
            )
            return
        try:
            view, context = self._build(self._panel)
        except Exception as error:  # noqa: BLE001  a panel may fail in any way it likes
            self._fail(f"{self.title} could not be opened ({error}).", traceback.format_exc())
            return
        self._view, self._context = view, context
        self._opened_as = self.place()
        self._column.insertWidget(0, view, 1)
        self._on_command("hint")

    def start_search(self) -> bool:
        """Go to the panel's search. False when it has none."""
        if not hasattr(self._view, "start_search"):
            return False
        self._guard("start_search")
        return True

    def show_title(self, is_shown: bool) -> None:
        """Show the title above the panel, or leave it to the tab that says it already."""
        self._bar.show_title(is_shown)

    @property
    def has_hint(self) -> bool:
        """Whether a hint stands beside the title."""
        return self._has_hint

    @property
    def wants_hint(self) -> bool:
        """Whether the panel can be seen and what it offers has not been read yet."""
        is_new = self.panel_id not in self._services.hints_done
        return is_new and self._view is not None and bool(self.help_text) and self._is_showing

    def show_hint(self) -> None:
        """Say beside the title what can be done in the panel."""
        self._has_hint = True
        self._bar.show_hint(HintStrip(self.help_text, self._finish_hint))

    def event(self, event: QEvent) -> bool:
        """In a window of its own, too, the focused control keeps the keys that it uses."""
        return take_over(event) or super().event(event)

    def is_showing(self) -> bool:
        """Whether any of the panel can be seen."""
        return self._is_showing and self.isVisible() and not self.visibleRegion().isEmpty()

    def refresh(self) -> None:
        """Have the panel show the recording at the cursor; the first time, build it.

        So the window appears before its panels, which follow one per tick.
        """
        self.open()
        if self._view is None or self._context is None:
            return
        timeline = self._context.timeline
        self._guard("refresh", timeline.t if timeline else 0.0)

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
        state = self._guard("save_state")
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
        self._close_view()
        self.deleteLater()

    def _build(self, panel: Panel) -> tuple[QWidget, PanelContext]:
        context = PanelContext(
            fleet=self._services.fleet,
            theme=self._services.theme,
            jobs=self._services.jobs,
            settings=dict(self._settings),
            shared=self._shared,
            pages=self._services.pages,
            log=self._log,
            show_message=self._services.messages.tell,
            run_action=self._services.run_action,
            open_log=self._services.open_log,
        )
        try:
            view: QWidget = resolve(panel.widget)(context)
            hand_theme(view, self._services.theme)
            if hasattr(view, "restore_state") and self._settings:
                view.restore_state(dict(self._settings))
        except BaseException:
            context.close()
            raise
        return view, context

    def _guard(self, name: str, *arguments: Any) -> Any:
        """Call one of the panel's functions, if it has it."""
        function = getattr(self._view, name, None)
        return None if function is None else self.run_guarded(function, *arguments)

    def run_guarded(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the panel or a widget in it; what it raises becomes an error card."""
        try:
            return function(*arguments)
        except Exception as error:  # noqa: BLE001  a panel may fail in any way it likes
            trace = traceback.format_exc()
            self._log.error("%s\n%s", error, trace)
            self._fail(
                f"{self.title} has stopped ({type(error).__name__}: {error}). The connection and "
                "the other panels are not touched.",
                trace,
            )
            return None

    def _fail(self, text: str, details: str) -> None:
        if self._view is not None:
            self.place_settings()
        self._close_view()
        self._is_open = True
        again = self._try_again if self._panel is not None else None
        self._column.insertWidget(0, ErrorCard(text, details, again), 1)

    def place_settings(self) -> None:
        """Remember the panel's settings without asking a widget that has failed."""
        if self._context is not None:
            self._settings = dict(self._context.settings)

    def _try_again(self) -> None:
        self._close_view()
        self.open()
        self._services.tick.wake()

    def _close_view(self) -> None:
        self._is_open = False
        context, self._context, self._view = self._context, None, None
        self._forget_hint()
        if context is not None:
            try:
                context.close()
            except Exception:  # noqa: BLE001  a panel may fail in any way it likes
                self._services.messages.report(
                    f"{self.title} did not close cleanly.", Level.WARNING, traceback.format_exc()
                )
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _forget_hint(self) -> None:
        self._has_hint = False
        self._bar.show_hint(None)

    def _finish_hint(self) -> None:
        self._forget_hint()
        self._services.hints_done.add(self.panel_id)
        self._services.on_hint_done(self.panel_id)
        self._on_command("hint")

    def _take_visibility(self, is_visible: bool) -> None:
        self._is_showing = is_visible
        if is_visible:
            self._services.tick.wake()
