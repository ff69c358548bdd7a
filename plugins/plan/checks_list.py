"""List of checks: what is wrong with the plan and what to do, the worst first."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from plugins.api import PanelContext
from plugins.plan.shared_plan import SharedPlan
from telemetry.base.finding import Level
from telemetry.missions.board.comparison import WaypointDifference
from telemetry.missions.checks.situation import MissionFinding
from telemetry.missions.flown_plan import waypoint_words
from widgets.change_detector import ChangeDetector
from widgets.level_icon import level_icon
from widgets.theme import Theme

_EMPTY = "Add waypoints: what is wrong with the plan is listed here."
_FINE = "Nothing was found."
_SENDABLE = "The plan can be sent."
_CHECKING = "The plan is being checked."
_SAME = "Compared: the plan that was read from the board is this one."
_LEAST_PX = 40
_SETTING = Qt.ItemDataRole.UserRole + 1


class ChecksList(QListWidget):
    """A click on a line goes to its waypoints, or to the setting that it is about. Call `take` at
    every refresh."""

    def __init__(self, context: PanelContext, plan: SharedPlan) -> None:
        super().__init__()
        self._context, self._plan, self._theme = context, plan, context.theme
        self._changed = ChangeDetector()
        self.setAccessibleName("Checks")
        self.setWordWrap(True)
        self.setMinimumHeight(_LEAST_PX)
        self.itemClicked.connect(self._go_to)
        self.itemActivated.connect(self._go_to)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._changed.forget()

    def take(self) -> None:
        """Show what was found last."""
        plan = self._plan
        problems = plan.problem, plan.terrain_problem
        found = plan.assessment, plan.is_assessed, plan.why_not_upload(), plan.compared
        if self._changed.has_changed(*found, problems, self._theme):
            self._show([problem for problem in problems if problem])

    def _show(self, problems: list[str]) -> None:
        plan, assessment = self._plan, self._plan.assessment
        found, mission = assessment.findings, assessment.question.mission
        self.setEnabled(plan.is_assessed)  # grey: it is of the plan before
        self.clear()
        for problem in problems:
            self.addItem(problem)
        if plan.compared == ():
            self.addItem(_SAME)
        if not mission.waypoints:
            self.addItem(_EMPTY)
        elif not found:
            sendable = plan.why_not_upload() or _SENDABLE
            self.addItem(f"{_FINE} {sendable}" if plan.is_assessed else _CHECKING)
        for one in found if mission.waypoints else ():
            self.addItem(self._item(one))
        for difference in plan.compared or ():
            self.addItem(self._difference(difference))

    def _item(self, found: MissionFinding) -> QListWidgetItem:
        finding = found.finding
        item = QListWidgetItem(level_icon(finding.level, self._theme), finding.text)
        if finding.remedy:
            item.setText(f"{finding.text}  {finding.remedy}")
        item.setData(Qt.ItemDataRole.UserRole, found.waypoints)
        if finding.settings:
            item.setData(_SETTING, finding.settings[0])
            item.setToolTip(f"Go to {', '.join(finding.settings)}.")
        return item

    def _difference(self, difference: WaypointDifference) -> QListWidgetItem:
        """A line of the comparison with the plan on board."""
        words = waypoint_words(self._plan.draft.mission, difference.waypoint)
        item = QListWidgetItem(
            level_icon(Level.INFO, self._theme),
            f"Compared with the plan on board, {words}: {difference.text}",
        )
        item.setData(Qt.ItemDataRole.UserRole, (difference.waypoint,))
        return item

    def _go_to(self, item: QListWidgetItem) -> None:
        waypoints = item.data(Qt.ItemDataRole.UserRole)
        if waypoints:
            self._plan.draft.select(tuple(waypoints)[::-1])
            self._plan.step = None if self._plan.draft.selected else "ending"
            self._plan.look_at_selection()
            self._context.wake()
        elif item.data(_SETTING):
            self._context.show_setting(item.data(_SETTING))


def troubles(plan: SharedPlan) -> tuple[int, Level]:
    """How many checks speak against the plan, and the worst level of them."""
    levels = [one.finding.level for one in plan.assessment.findings]
    if not plan.assessment.question.mission.waypoints:
        levels = []
    bad = [level for level in levels if level >= Level.WARNING]
    return len(bad), max(bad, default=Level.OK)
