"""Geofence strip: a fence that was drawn, in words and numbers, changed here, or deleted."""

from dataclasses import replace

from PySide6.QtWidgets import QLineEdit, QWidget

from plugins.plan.place_menu import delete_fence
from plugins.plan.shape_boxes import ShapeBoxes
from plugins.plan.shapes import FENCE_KINDS, fence_values, fence_with
from plugins.plan.shared_plan import SharedPlan
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.missions.geofences import Fence
from telemetry.missions.patterns import PatternError
from widgets.change_detector import ChangeDetector
from widgets.parts import make_button, make_column, make_row
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme
from widgets.wheel_filter import wheel_needs_focus

_LONGEST_NAME = 60


class FenceStrip(QWidget):
    """Shows the fence that the desk says is chosen; without one it is out of sight."""

    def __init__(self, plan: SharedPlan) -> None:
        super().__init__()
        self._plan = plan
        self._shown = ChangeDetector()
        self.name = QLineEdit()
        self.name.setMaxLength(_LONGEST_NAME)
        self.name.setPlaceholderText("Name")
        self.name.setAccessibleName("Name of the fence")
        self.name.editingFinished.connect(self._take_fields)
        self.boxes = ShapeBoxes(FENCE_KINDS, self._take_fields)
        for field in FENCE_KINDS:
            wheel_needs_focus(self.boxes.box(field.name))
        self.told = FittedStateLabel(calm="muted")
        buttons = make_button("Delete", self._delete), make_button("Done", self._close)
        below = make_row((self.told, 1), *buttons, spacing=4)
        self.setLayout(make_column(self.name, self.boxes.grid(), below, margins=4, spacing=4))
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        """Keep two lines for what is said."""
        self.told.keep_lines(2, theme)

    def take(self) -> None:
        """Show the chosen fence as it is now."""
        fence = self._plan.chosen_fence
        self.setVisible(fence is not None)
        if fence is not None and self._shown.has_changed(fence):
            self.told.state(None)
            self.boxes.show_values(fence_values(fence))
            if not self.name.hasFocus():
                self.name.setText(fence.name)
            for widget in (self.boxes.label("radius"), self.boxes.box("radius")):
                widget.setVisible(len(fence.corners) == 1)

    def _take_fields(self) -> None:
        fence = self._plan.chosen_fence
        if fence is None:
            return
        try:
            changed = fence_with(fence, self.boxes.values)
        except PatternError as error:
            self.told.state(Statement(str(error), version=fence, level=Level.ERROR))
            return
        self.told.state(None)
        self._put(replace(changed, name=self.name.text().strip()))

    def _put(self, fence: Fence) -> None:
        draft, number = self._plan.draft, self._plan.fence
        fences = draft.mission.fences
        draft.edit(
            "Change a fence",
            replace(
                draft.mission,
                fences=tuple(fence if i == number else one for i, one in enumerate(fences)),
            ),
            f"fence {number}",
        )

    def _delete(self) -> None:
        if self._plan.fence is not None:
            delete_fence(self._plan, self._plan.fence)
            self.take()

    def _close(self) -> None:
        self._plan.draft.end_gesture()
        self._plan.fence = None
        self.take()
