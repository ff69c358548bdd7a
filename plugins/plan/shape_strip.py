"""Shape strip: the numbers of what is being drawn, with a live preview of it on the map."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtWidgets import QWidget

from plugins.plan.map_layer import PlanLayer
from plugins.plan.outline_tool import OutlineTool, length_words
from plugins.plan.shape_boxes import ShapeBoxes
from plugins.plan.shapes import Drawn, MapShape, preview_of, with_drawn
from plugins.plan.shared_plan import SharedPlan
from telemetry.base.statement import Statement
from telemetry.missions.geofences import Fence
from telemetry.missions.patterns import PatternError
from widgets.map.projection import GeoPoint, distance_m
from widgets.parts import make_button, make_column, make_row
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme


class ShapeStrip(QWidget):
    """One strip per shape: its tool draws, its fields say how, *Add* takes it into the plan."""

    def __init__(self, shape: MapShape, plan: SharedPlan, layer: PlanLayer) -> None:
        super().__init__()
        self._shape, self._plan, self._layer = shape, plan, layer
        self._drawn: Drawn | None = None
        self.tool = OutlineTool(
            shape.hint,
            lambda _points: self._preview(),
            self.add,
            is_closed=shape.is_closed,
            most=shape.most,
        )
        self._boxes = ShapeBoxes(shape.fields, self._preview)
        self.told = FittedStateLabel(calm="muted")
        self.told.state(Statement(shape.hint))
        self.add_button = make_button("Add", self.add, role="primary")
        self.add_button.setEnabled(False)
        below = make_row((self.told, 1), self.add_button, spacing=4)
        self.setLayout(make_column(self._boxes.grid(), below, margins=4, spacing=4))

    def apply_theme(self, theme: Theme) -> None:
        """Keep two lines for what is said."""
        self.told.keep_lines(2, theme)

    def begin(self) -> None:
        """Draw anew."""
        self.tool.clear()

    def set_value(self, name: str, value: float) -> None:
        """Put one of the fields to a value, or to the option of that number."""
        self._boxes.set_value(name, value)

    def add(self) -> None:
        """Take what is drawn into the plan, after the waypoint that is chosen."""
        drawn, draft = self._drawn, self._plan.draft
        if drawn is None:
            return
        index = draft.next_index
        draft.edit(f"Add {self._shape.title.lower()}", with_drawn(draft.mission, drawn, index))
        if not isinstance(drawn, Fence):
            draft.select([index + len(drawn) - 1])
        self.begin()

    def _preview(self) -> None:
        places = [(point.latitude_deg, point.longitude_deg) for point in self.tool.points]
        self._drawn, text = self._make(places)
        self._layer.preview = preview_of(self._drawn) if self._drawn is not None else ()
        self.add_button.setEnabled(self._drawn is not None)
        self.told.state(Statement(text, ends="what is drawn changes"))

    def _make(self, points: Sequence[tuple[float, float]]) -> tuple[Drawn | None, str]:
        if len(points) < self._shape.least:
            return None, self._shape.hint
        try:
            drawn = self._shape.make(points, self._boxes.values)
        except PatternError as error:
            return None, str(error)
        if isinstance(drawn, Fence):
            return drawn, "Return or Add takes it into the plan; Esc begins anew."
        places = [GeoPoint(w.latitude_deg, w.longitude_deg) for w in drawn]
        way_m = sum(distance_m(a, b) for a, b in pairwise(places))
        return drawn, f"{len(drawn)} waypoints, {length_words(way_m)}. Return or Add takes them."
