"""Views of the plan without a station: jobs are done at once, nothing is connected."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from plugins.api import Json, PanelContext
from plugins.plan.shared_plan import SharedPlan, shared_plan_of
from telemetry.missions.draft import MissionDraft
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from widgets.theme import hand_theme, load_theme

THEME = load_theme("light")


class PlanBench:
    """A fleet with its desk; `open` shows a panel, all of one bench show the same plan."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.fleet = Fleet()
        self.jobs = ImmediateJobs()
        self.said: list[str] = []
        self.shared: Json = {}
        self.views: list[Any] = []
        self._contexts: list[PanelContext] = []

    @property
    def plan(self) -> SharedPlan:
        """The desk that all panels share."""
        return shared_plan_of(self.context())

    @property
    def draft(self) -> MissionDraft:
        """The plan."""
        return self.plan.draft

    def context(self, settings: Json | None = None) -> PanelContext:
        """What a panel is called with."""
        made = PanelContext(self.fleet, THEME, self.jobs, settings or {}, self.shared)
        made.show_message = self.said.append
        return made

    def open(self, panel: Any, size: tuple[int, int] = (600, 400)) -> Any:
        """Show a panel and keep it until the test ends."""
        context = self.context()
        self._contexts.append(context)
        view = panel(context)
        self._qtbot.addWidget(view)
        hand_theme(view, THEME)
        view.resize(*size)
        view.show()
        self.views.append(view)
        self.tick()
        return view

    def close(self) -> None:
        """Close what was opened, as the station does: maps have threads that load tiles."""
        for context in self._contexts:
            context.close()

    def tick(self) -> None:
        """What the station's tick does: twice, so that what a job found shows."""
        for _ in range(2):
            for view in self.views:
                view.refresh(0.0)


def mission_file(folder: Path, text: str, name: str = "plan.mission") -> Path:
    """A file with this in it."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def places(panel: QWidget) -> dict[str, QRect]:
    """Where everything stands that can be pressed, typed into or chosen from."""
    kinds = QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox
    controls = [control for kind in kinds for control in panel.findChildren(kind)]
    return {
        f"{number} {type(control).__name__}": QRect(
            control.mapTo(panel, QPoint(0, 0)), control.size()
        )
        for number, control in enumerate(controls)
        if control.isVisible() and control.window() is panel
    }
