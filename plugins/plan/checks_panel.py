"""Mission checks panel: what is wrong with the plan and what to do; how long and how far it is."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from plugins.api import Json, PanelContext
from plugins.plan.assessment import PlanAssessment
from plugins.plan.outline_tool import length_words
from plugins.plan.shared_plan import shared_plan_of
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.missions.board.comparison import WaypointDifference
from telemetry.missions.checks.situation import MissionFinding, MissionLimits
from telemetry.missions.estimate import MissionEstimate
from telemetry.recording.timeline import format_time
from widgets.change_detector import ChangeDetector
from widgets.dialogs import ask_for_files
from widgets.forms.spin_boxes import NumberBox
from widgets.level_icon import level_icon
from widgets.parts import (
    STRETCH,
    LayoutPart,
    make_button,
    make_column,
    make_label,
    make_row,
    make_scrolled,
)
from widgets.state_label import StateLabel, about_statement
from widgets.theme import Theme
from widgets.wheel_filter import wheel_needs_focus

_EMPTY = "Add waypoints: what is wrong with the plan, and how long it takes, is listed here."
_FINE = "Nothing was found."
_SENDABLE = "The plan can be sent."
_CHECKING = "The plan is being checked."
_LEAST_LIST_PX = 40
_LIMITS = (
    ("farthest_m", "Farthest", 10.0, 100_000.0),
    ("highest_m", "Highest", 1.0, 10_000.0),
    ("clearance_m", "Clearance", 0.0, 1000.0),
)


class ChecksPanel(QWidget):
    """The panel "plan.checks"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._plan = plan = shared_plan_of(context)
        context.on_close(plan.opened())
        self._changed = ChangeDetector()
        self.list = QListWidget()
        self.list.setAccessibleName("Checks")
        self.list.setWordWrap(True)
        self.list.itemClicked.connect(self._go_to)
        self.list.itemActivated.connect(self._go_to)
        self.estimate = StateLabel(keeps_room=True, calm="")
        self.limits: dict[str, NumberBox] = {}
        self._terrain = make_button("Terrain files …", self._ask_for_terrain)
        parts: list[LayoutPart] = [self.estimate, STRETCH]
        for name, title, low, high in _LIMITS:
            parts += [make_label(title, tone="muted"), self._limit_box(name, title, low, high)]
        row = make_row(*parts, self._terrain, margins=(10, 4, 8, 0), spacing=6)
        self.list.setMinimumHeight(_LEAST_LIST_PX)
        column = make_column(row, (self.list, 1), spacing=4)
        self.setLayout(make_column(make_scrolled(column)))
        self.setProperty("keepsLetters", True)

    def refresh(self, t: float) -> None:
        """Show what was found last."""
        plan = self._plan
        plan.poll()
        problems = plan.problem, plan.terrain_problem
        found = plan.assessment, plan.is_assessed, plan.why_not_upload(), plan.compared
        if self._changed.has_changed(*found, problems, plan.terrain, self._theme):
            self._show()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._changed.forget()

    def save_state(self) -> Json:
        """The limits and the files of terrain."""
        limits = {name: box.value() for name, box in self.limits.items()}
        return {"limits": limits, "terrain": [str(path) for path in self._plan.terrain]}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        limits = state.get("limits")
        for name, box in self.limits.items():
            value = limits.get(name) if isinstance(limits, dict) else None
            if isinstance(value, int | float):
                box.setValue(float(value))
        terrain = state.get("terrain")
        if isinstance(terrain, list) and terrain:
            self._plan.choose_terrain([Path(str(name)) for name in terrain])

    # Showing

    def _show(self) -> None:
        plan = self._plan
        assessment = plan.assessment
        found = assessment.findings
        mission = assessment.question.mission
        self._say_estimate(assessment)
        for shown in (self.list, self.estimate):  # grey: it is of the plan before
            shown.setEnabled(plan.is_assessed)
        self.list.clear()
        for problem in (plan.problem, plan.terrain_problem):
            if problem:
                self.list.addItem(problem)
        if not mission.waypoints:
            self.list.addItem(_EMPTY)
        elif not found:
            sendable = plan.why_not_upload() or _SENDABLE
            self.list.addItem(f"{_FINE} {sendable}" if plan.is_assessed else _CHECKING)
        for one in found if mission.waypoints else ():
            self.list.addItem(self._item(one))
        for difference in plan.compared or ():
            self.list.addItem(self._difference(difference))
        if plan.compared == ():
            self.list.insertItem(0, "Compared: the plan that was read from the board is this one.")
        names = ", ".join(path.name for path in plan.terrain)
        self._terrain.setToolTip(names or "SRTM .hgt or GeoTIFF; without, the ground is flat.")

    def _say_estimate(self, assessment: PlanAssessment) -> None:
        """How long and how far, and from what that was worked out."""
        mission, found = assessment.question.mission, assessment.estimate
        basis = "\n".join(found.basis) if found is not None else ""
        words = _estimate_words(found) if mission.waypoints else ""
        ends = "the plan, home or what is known of the aircraft changes"
        said = Statement(words, version=mission, ends=ends) if words else None
        self.estimate.state(said)
        self.estimate.setToolTip(f"{basis}\n{about_statement(said)}" if said is not None else "")

    def _item(self, found: MissionFinding) -> QListWidgetItem:
        finding = found.finding
        item = QListWidgetItem(level_icon(finding.level, self._theme), finding.text)
        if finding.remedy:
            item.setText(f"{finding.text}  {finding.remedy}")
        item.setData(Qt.ItemDataRole.UserRole, found.waypoints)
        return item

    def _difference(self, difference: WaypointDifference) -> QListWidgetItem:
        """A line of the comparison with the plan on board."""
        item = QListWidgetItem(
            level_icon(Level.INFO, self._theme),
            f"Compared with the plan on board, waypoint {difference.waypoint + 1}: "
            f"{difference.text}",
        )
        item.setData(Qt.ItemDataRole.UserRole, (difference.waypoint,))
        return item

    def _go_to(self, item: QListWidgetItem) -> None:
        waypoints = item.data(Qt.ItemDataRole.UserRole)
        if waypoints:
            self._plan.draft.select(tuple(waypoints)[::-1])
            self._plan.look_at_selection()
            self._context.wake()

    # Limits and terrain

    def _limit_box(self, name: str, title: str, low: float, high: float) -> NumberBox:
        box = NumberBox(title, (low, high), 0, "\u202fm")
        box.setKeyboardTracking(False)
        box.setValue(getattr(self._plan.limits, name))
        box.valueChanged.connect(lambda _value: self._take_limits())
        wheel_needs_focus(box)
        self.limits[name] = box
        return box

    def _take_limits(self) -> None:
        self._plan.limits = MissionLimits(**{n: box.value() for n, box in self.limits.items()})

    def _ask_for_terrain(self) -> None:
        title = "Files with the height of the ground"
        filters = "Terrain (*.hgt *.tif *.tiff);;All files (*)"
        ask_for_files(self, title, filters, self._plan.choose_terrain)


def _estimate_words(found: MissionEstimate | None) -> str:
    if found is None:
        return "Home is not known yet."
    words = f"About {format_time(found.time_s)}, {length_words(found.distance_m)}"
    if found.is_endless:
        words += " until it stays"
    if found.battery_percent is not None:
        words += f", battery {found.battery_percent:.0f}\u202f%"
    if found.left_percent is not None:
        words += f" ({found.left_percent:.0f}\u202f% left)"
    return words
