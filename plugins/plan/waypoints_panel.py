"""Waypoints panel: the steps of the plan as a table, and the chosen one changed below it."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFontMetrics, QIcon, QPainter, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QWidget

from plugins.api import PanelContext
from plugins.plan.board_bar import BoardBar
from plugins.plan.checks_list import ChecksList, troubles
from plugins.plan.files import PlanFiles, dropped_mission
from plugins.plan.keys import PlanKeys
from plugins.plan.plan_menu import PlanMenu
from plugins.plan.popup_button import PopupButton
from plugins.plan.shared_plan import shared_plan_of
from plugins.plan.step_form import StepForm
from plugins.plan.summary import plan_summary, summary_basis
from plugins.plan.waypoint_form import WaypointForm
from plugins.plan.waypoint_table import WaypointTable
from telemetry.base.statement import Statement
from widgets.change_detector import ChangeDetector
from widgets.drop_filter import DropFilter
from widgets.icons import themed_icon
from widgets.level_icon import level_icon
from widgets.parts import make_button, make_column, make_label
from widgets.state_label import FittedStateLabel, about_statement, show_statement
from widgets.theme import PaintedWidget, Theme

_EMPTY = (
    "No waypoints. Choose Waypoint above the map and click on it, open a file, or download the "
    "plan that is on board."
)
_NONE_CHOSEN = "Choose a row to change it here."
_CHECKS_PX = (360, 220)
_COUNT_SIDES_PX = 36
_CHECK_LINES = 3
_ROOM_FOR_CHECKS_PX = 440


class _HairLine(PaintedWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.fillRect(self.rect(), theme.color("line"))


class WaypointsPanel(QWidget):
    """The panel "plan.waypoints". What is said in it comes and goes in places that are kept."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._plan = plan = shared_plan_of(context)
        context.on_close(plan.opened())
        self._context, self._theme = context, context.theme
        self._changed = ChangeDetector()
        self.files = PlanFiles(context, plan, self)
        self.table = WaypointTable(plan)
        self.form, self.step_form = WaypointForm(plan), StepForm(plan)
        self.undo = make_button("", self._undo, role="flat")
        self.undo.setAccessibleName("Undo")
        self.more = QToolButton()
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setProperty("role", "flat")
        self.more.setAccessibleName("Files, steps and what was done")
        self.checks = ChecksList(context, plan)
        self.checks.setMinimumSize(*_CHECKS_PX)
        self.count = PopupButton("Checks", make_column(self.checks, margins=4), "What was found.")
        self.count.setProperty("tight", True)
        self.board = BoardBar(plan, self.table, (self.undo, self.more), (self.count,))
        self.more.setMenu(PlanMenu(self, context, plan, self.files, self.board))
        self._note = make_label(_EMPTY, tone="muted", wraps=True)
        self._note.setMargin(8)
        self._strip = QStackedWidget()
        for page in (self._note, self.form, self.step_form):
            self._strip.addWidget(page)
        self.check = FittedStateLabel(calm="muted")
        self.check.setContentsMargins(8, 4, 8, 0)
        self.summary = FittedStateLabel()
        self.summary.setContentsMargins(8, 4, 8, 4)
        self.setLayout(
            make_column(
                self.board, (self.table, 1), _HairLine(), self._strip, self.check, _HairLine(),
                self.summary, spacing=0,
            )
        )  # fmt: skip
        self.setProperty("keepsLetters", True)
        DropFilter(self, dropped_mission, self.files.open)
        keys = PlanKeys(self, plan, context.show_message)
        keys.save = self.files.save

    def apply_theme(self, theme: Theme) -> None:
        """Keep room for what is said, and for a row."""
        self._theme = theme
        self._changed.forget()
        self._keep_check_lines()
        self.summary.keep_lines(1, theme)
        head_px = self.table.horizontalHeader().sizeHint().height()
        self.table.setMinimumHeight(head_px + theme.row_px())
        self.undo.setIcon(themed_icon("undo", theme))
        self.more.setIcon(themed_icon("more", theme))
        for button in (self.undo, self.more):
            button.setFixedWidth(theme.target_px())
        count_px = QFontMetrics(theme.font()).horizontalAdvance("Checks 99")
        self.count.setFixedWidth(count_px + _COUNT_SIDES_PX)

    def event(self, event: QEvent) -> bool:
        """Keep room for a row of the form once its parts have taken over their sizes."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._strip.setFixedHeight(self.form.sizeHint().height())
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, a check has one line, and the rest is its tip."""
        super().resizeEvent(event)
        self._keep_check_lines()

    def _keep_check_lines(self) -> None:
        has_room = self.height() >= _ROOM_FOR_CHECKS_PX
        self.check.keep_lines(_CHECK_LINES if has_room else 1, self._theme)

    def refresh(self, t: float) -> None:
        """Show the draft as it is now."""
        plan = self._plan
        self.files.poll()
        plan.poll()
        self.board.take()
        self.checks.take()
        self.summary.state(plan_summary(plan))
        read = plan.draft.version, plan.assessment, plan.step
        if not self._changed.has_changed(*read):
            return
        draft = plan.draft
        self.undo.setEnabled(bool(draft.undo_title))
        self.undo.setToolTip(f"Undo: {draft.undo_title} (Ctrl+Z)" if draft.undo_title else "")
        self.table.take()
        self._show_chosen()
        self.check.state(self._found())
        self._show_count()
        if self.summary.statement is not None:
            basis = summary_basis(plan)
            self.summary.about = f"{basis}\n{about_statement(self.summary.statement)}".lstrip()
            self.summary.setToolTip(self.summary.about)

    def _show_chosen(self) -> None:
        """Show what is chosen where it can be changed."""
        draft, step = self._plan.draft, self._plan.step
        if draft.current is not None:
            self.form.take()
            self._strip.setCurrentWidget(self.form)
        elif step is not None and self.table.rows.row_of(step) >= 0:
            self.step_form.take(step)
            self._strip.setCurrentWidget(self.step_form)
        else:
            self._note.setText(_NONE_CHOSEN if draft.mission.waypoints else _EMPTY)
            self._strip.setCurrentWidget(self._note)

    def _show_count(self) -> None:
        """How many checks speak against the plan, by the mark of the worst."""
        count, level = troubles(self._plan)
        words = f"Checks {count}" if count else "Checks"
        show_statement(self.count, Statement(words, ends="the plan changes"))
        self.count.setIcon(level_icon(level, self._theme) if count else QIcon())

    def _found(self) -> Statement | None:
        """What the checks say of the step that is chosen, the worst first."""
        draft, assessment = self._plan.draft, self._plan.assessment
        chosen, count = draft.current, len(draft.mission.waypoints)
        if assessment.question.mission != draft.mission:
            return None
        found = [
            one.finding
            for one in assessment.findings
            if chosen in one.waypoints
            or (self._plan.step == "ending" and any(i >= count for i in one.waypoints))
        ]
        if not found:
            return None
        text = " ".join(f"{one.text} {one.remedy}".rstrip() for one in found)
        level = max(one.level for one in found)
        return Statement(text, version=draft.mission, ends="the plan changes", level=level)

    def _undo(self) -> None:
        self._plan.draft.undo()
        self._context.wake()
