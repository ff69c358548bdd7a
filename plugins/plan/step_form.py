"""Step form: the take-off or the ending of the plan, and what it does without the link."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from plugins.plan.shared_plan import SharedPlan, StepName
from plugins.plan.waypoint_table import HEIGHTS_M, put_step, step_words
from telemetry.base.statement import Statement
from telemetry.missions.steps import EndingStep, LandStep, ReturnStep, TakeOffStep
from widgets.choices import fill_choice, make_choice
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_column, make_label, make_row
from widgets.state_label import FittedStateLabel
from widgets.wheel_filter import wheel_needs_focus

_KINDS: Final[dict[StepName, tuple[tuple[str, type | None], ...]]] = {
    "take_off": (("Take off", TakeOffStep), ("No take-off: by hand before", None)),
    "ending": (
        ("Return and land", ReturnStep),
        ("Land", LandStep),
        ("No ending: as the last waypoint", None),
    ),
}
_BOX_PX: Final = 92


class StepForm(QWidget):
    """Shows the step of a name and changes it."""

    def __init__(self, plan: SharedPlan) -> None:
        super().__init__()
        self._plan = plan
        self._name: StepName = "take_off"
        self.kind = make_choice("What it does", act=self._set_kind)
        self.height_box = NumberBox("Height above home", (1.0, HEIGHTS_M[1]), 1, "\u202fm")
        self.height_box.setKeyboardTracking(False)
        self.height_box.valueChanged.connect(self._set_height)
        self.height_box.setProperty("dense", True)
        self.height_box.setFixedWidth(_BOX_PX)
        self._above = make_label("above home", tone="muted")
        self.told = FittedStateLabel(calm="muted")
        for part in (self.height_box, self._above):
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)
        wheel_needs_focus(self.kind, self.height_box)
        row = make_row((self.kind, 1), self.height_box, self._above, spacing=4)
        self.setLayout(make_column(row, (self.told, 1), margins=(8, 4, 8, 0), spacing=4))

    def take(self, name: StepName) -> None:
        """Show this step as it is now."""
        self._name = name
        step = self._step
        fill_choice(self.kind, _KINDS[name], type(step) if step is not None else None)
        has_height = step is not None and not isinstance(step, LandStep)
        for part in (self.height_box, self._above):
            part.setVisible(has_height)
        if step is not None and not isinstance(step, LandStep):
            with QSignalBlocker(self.height_box):
                self.height_box.setValue(step.height_m)
        words = step_words(step) if step is not None else ""
        self.told.state(Statement(words, version=step, ends="the step changes") if step else None)

    @property
    def _step(self) -> TakeOffStep | EndingStep | None:
        mission = self._plan.draft.mission
        return mission.take_off if self._name == "take_off" else mission.ending

    def _set_kind(self, kind: type[TakeOffStep | EndingStep] | None) -> None:
        if not isinstance(self._step, kind or type(None)):
            put_step(self._plan, self._name, kind() if kind is not None else None)
            self.take(self._name)

    def _set_height(self, height_m: float) -> None:
        step = self._step
        if isinstance(step, TakeOffStep | ReturnStep):
            changed = replace(step, height_m=height_m)
            put_step(self._plan, self._name, changed, f"height of the {self._name}")
