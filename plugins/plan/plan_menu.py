"""Plan menu: files, how a plan begins and ends, and what is not needed at every plan."""

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QMenu, QWidget

from plugins.api import PanelContext
from plugins.plan.board_bar import BoardBar
from plugins.plan.files import PlanFiles
from plugins.plan.new_waypoints import with_stay
from plugins.plan.shared_plan import SharedPlan, StepName
from plugins.plan.waypoint_table import put_step
from telemetry.missions.edits import reversed_order
from telemetry.missions.mission import NEW_MISSION, Mission
from telemetry.missions.steps import EndingStep, LandStep, ReturnStep, TakeOffStep

_STEPS: Final[tuple[tuple[str, StepName, TakeOffStep | EndingStep], ...]] = (
    ("Take off first", "take_off", TakeOffStep()),
    ("Return and land at the end", "ending", ReturnStep()),
    ("Land at the last waypoint", "ending", LandStep()),
)


class PlanMenu(QMenu):
    """At its top stands what the plan is called, and whether that is saved."""

    def __init__(
        self,
        parent: QWidget,
        context: PanelContext,
        plan: SharedPlan,
        files: PlanFiles,
        board: BoardBar,
    ) -> None:
        super().__init__(parent)
        self._context, self._plan, self._board = context, plan, board
        self._name = self.addAction("")
        self._name.setEnabled(False)
        self.addSeparator()
        self.addAction("New", lambda: plan.draft.open("New mission", NEW_MISSION))
        self.addAction("Open …", files.ask_what_to_open)
        self.addAction("Save\tCtrl+S", files.save)
        self.addAction("Save as …", files.ask_where_to_save)
        self.addSeparator()
        steps = self.addMenu("Begin and end")
        for title, name, step in _STEPS:
            steps.addAction(title, self._putting(name, step))
        steps.addAction("Stay at the last waypoint", lambda: self._edit("Stay", with_stay))
        self.addAction("Fly it the other way round", lambda: self._edit("Turn", reversed_order))
        self._compare = self.addAction("Compare with the plan on board", board.compare)
        self._redo = self.addAction("Redo", self._do_again)
        self.aboutToShow.connect(self._tell)

    def _tell(self) -> None:
        draft = self._plan.draft
        self._name.setText(f"{draft.title}{', not saved' if draft.is_unsaved else ''}")
        self._compare.setEnabled(not self._board.why_not_read())
        self._redo.setEnabled(bool(draft.redo_title))
        self._redo.setText(f"Redo: {draft.redo_title}" if draft.redo_title else "Redo")

    def _putting(self, name: StepName, step: TakeOffStep | EndingStep) -> Callable[[], None]:
        return lambda: put_step(self._plan, name, step)

    def _do_again(self) -> None:
        self._plan.draft.redo()
        self._context.wake()

    def _edit(self, title: str, change: Callable[[Mission], Mission]) -> None:
        draft = self._plan.draft
        draft.edit(title, change(draft.mission))
        self._context.wake()
