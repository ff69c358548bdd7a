"""Height profile of the plan over the way, above the ground."""

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from plugins.api import PanelContext
from plugins.plan.assessment import FLAT_WORDS, PlanAssessment
from plugins.plan.shared_plan import shared_plan_of
from plugins.plan.simulated_flight import PredictedFlight
from telemetry.base.statement import Statement
from telemetry.missions.flown_plan import waypoint_words
from widgets.change_detector import ChangeDetector
from widgets.line_chart import Line, LineChart, Mark
from widgets.parts import make_column
from widgets.state_label import StateLabel

_LEAST_M = 10.0
_LEAST_CHART_PX = 60
_MOST_MARKS = 40
_ROOM_FOR_NOTE_PX = 170
_EMPTY = "The height over the way shows here once there are two waypoints."


class ProfilePanel(QWidget):
    """The panel "plan.profile"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._plan = plan = shared_plan_of(context)
        context.on_close(plan.opened())
        self._changed = ChangeDetector()
        self.chart = LineChart("Height above home", "m", "m")
        self.chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.chart.setMinimumHeight(_LEAST_CHART_PX)
        self.chart.least_y = _LEAST_M
        self.chart.notice = _EMPTY
        self.note = StateLabel(keeps_room=True)
        self.note.setContentsMargins(10, 0, 8, 2)
        self.setLayout(make_column((self.chart, 1), self.note, spacing=0))

    def refresh(self, t: float) -> None:
        """Show the profile of the plan as it was judged last."""
        self._plan.poll()
        plan = self._plan
        assessment, found = plan.assessment, plan.flying.result
        is_present = plan.predicted is not None
        if self._changed.has_changed(assessment, plan.draft.selected, found, is_present):
            lines = [*_lines(assessment, plan.limits.clearance_m), *_predicted(found, is_present)]
            self.chart.show_lines(lines, self._marks(assessment))
            words = _note(assessment)
            version, ends = assessment.question.mission, "the plan, home or the terrain changes"
            self.note.state(Statement(words, version=version, ends=ends) if words else None)
            self.chart.setToolTip(self.note.toolTip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, the words are the chart's tip."""
        super().resizeEvent(event)
        self.note.setVisible(self.height() >= _ROOM_FOR_NOTE_PX)

    def _marks(self, assessment: PlanAssessment) -> list[Mark]:
        """Where each waypoint is; those chosen in their colour."""
        ends: dict[int, float] = {}
        for point in assessment.profile:
            ends[point.waypoint] = point.distance_m
        count = len(assessment.question.mission.waypoints)
        ends = {i: at for i, at in ends.items() if i < count}
        if len(ends) > _MOST_MARKS:
            ends = {i: at for i, at in ends.items() if i in self._plan.draft.selected}
        chosen = self._plan.draft.selected
        return [
            Mark(at, str(i + 1), "selected" if i in chosen else "muted") for i, at in ends.items()
        ]


def _lines(assessment: PlanAssessment, clearance_m: float) -> list[Line]:
    points = assessment.profile
    if len(points) < 2:
        return []
    distance = np.array([point.distance_m for point in points])
    ground = np.array([point.ground_m for point in points])
    height = np.array([point.height_m for point in points])
    known = all(point.is_known for point in points)
    return [
        Line("Ground" if known else "Ground (flat where unknown)", "series_12", distance, ground),
        Line(f"{clearance_m:g}\u202fm above it", "caution", distance, ground + clearance_m, True),
        Line("Plan", "commanded", distance, height),
    ]


def _predicted(found: PredictedFlight | None, is_present: bool) -> list[Line]:
    """The height over the way that the simulator flew, maybe with another plan."""
    if found is None or not found.track:
        return []
    way, heights = np.array(found.distances_m), np.array(found.heights_m)
    title = "Predicted" if is_present else "Predicted before the change"
    return [Line(title, "series_3", way, heights, True)]


def _note(assessment: PlanAssessment) -> str:
    points = assessment.profile
    if len(points) < 2:
        return ""
    least = min(points, key=lambda point: point.height_m - point.ground_m)
    words = (
        f"Lowest over the ground: {least.height_m - least.ground_m:.0f}\u202fm, on the way to "
        f"{waypoint_words(assessment.question.mission, least.waypoint)}."
    )
    if not any(point.is_known for point in points):
        return f"{words} {FLAT_WORDS}"
    return words
