"""Mission checks panel: what is wrong with the plan and what to do, and by which limits."""

from pathlib import Path

from PySide6.QtWidgets import QGridLayout, QWidget

from plugins.api import Json, PanelContext
from plugins.plan.checks_list import ChecksList
from plugins.plan.popup_button import PopupButton
from plugins.plan.shared_plan import shared_plan_of
from telemetry.base.statement import Statement
from telemetry.missions.checks.situation import MissionLimits
from widgets.dialogs import ask_for_files
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_button, make_column, make_grid, make_label, make_row
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme
from widgets.wheel_filter import wheel_needs_focus

_LIMITS = (
    ("farthest_m", "Farthest from home", 10.0, 100_000.0),
    ("highest_m", "Highest above home", 1.0, 10_000.0),
    ("clearance_m", "Least above the ground", 0.0, 1000.0),
)
_TERRAIN_TIP = "SRTM or GeoTIFF files. Without them the ground is taken for flat."


class ChecksPanel(QWidget):
    """The panel "plan.checks"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._plan = plan = shared_plan_of(context)
        context.on_close(plan.opened())
        self.list = ChecksList(context, plan)
        self.limits: dict[str, NumberBox] = {}
        self._terrain = make_button("Heights of the ground …", self._ask_for_terrain)
        self._limits = PopupButton("Limits …", self._make_limits(), "What plans are judged by.")
        self._said = FittedStateLabel(calm="muted")
        row = make_row((self._said, 1), self._limits, margins=(8, 0, 8, 4), spacing=4)
        self.setLayout(make_column((self.list, 1), row, spacing=4))
        self.setProperty("keepsLetters", True)

    def apply_theme(self, theme: Theme) -> None:
        """Keep two lines for the limits."""
        self._said.keep_lines(2, theme)

    def refresh(self, t: float) -> None:
        """Show what was found last."""
        plan = self._plan
        plan.poll()
        self.list.take()
        limits = plan.limits
        self._said.state(
            Statement(
                f"Within {limits.farthest_m:g}\u202fm of home and {limits.highest_m:g}\u202fm "
                f"above it, {limits.clearance_m:g}\u202fm clear of the ground.",
                version=limits,
                ends="the limits are changed",
            )
        )
        names = ", ".join(path.name for path in plan.terrain)
        self._terrain.setToolTip(names or _TERRAIN_TIP)

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

    def _make_limits(self) -> QGridLayout:
        grid = make_grid(margins=12, spacing=(8, 4))
        for row, (name, title, low, high) in enumerate(_LIMITS):
            box = NumberBox(title, (low, high), 0, "\u202fm")
            box.setKeyboardTracking(False)
            box.setValue(getattr(self._plan.limits, name))
            box.valueChanged.connect(lambda _value: self._take_limits())
            wheel_needs_focus(box)
            self.limits[name] = box
            grid.addWidget(make_label(title), row, 0)
            grid.addWidget(box, row, 1)
        grid.addWidget(self._terrain, len(_LIMITS), 0, 1, 2)
        return grid

    def _take_limits(self) -> None:
        self._plan.limits = MissionLimits(**{n: box.value() for n, box in self.limits.items()})

    def _ask_for_terrain(self) -> None:
        title = "Files with the height of the ground"
        filters = "Terrain (*.hgt *.tif *.tiff);;All files (*)"
        ask_for_files(self, title, filters, self._plan.choose_terrain)
