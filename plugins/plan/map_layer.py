"""Mission layer of the map: fences, the way, waypoints, and where the aircraft is on it."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from plugins.plan.places_on_map import (
    LegPath,
    World,
    circle,
    fence_outline,
    leg_paths,
    mission_bounds,
    on_screen,
    place_of_waypoint,
)
from plugins.plan.shared_plan import SharedPlan
from telemetry.base.finding import Level
from telemetry.missions.geofences import Fence, FenceKind
from telemetry.missions.legs import jumps_of
from telemetry.missions.mission import Mission
from widgets.change_detector import ChangeDetector
from widgets.level_mark import draw_level_mark
from widgets.map.overlay import MapOverlay, MapPointer
from widgets.map.projection import Bounds, GeoPoint, Viewport
from widgets.theme import Theme

MARK_PX = 11.0
_LEVEL_PX = 16.0
_HIT_PX = 15.0
_INSERT_PX = 7.0
_ROOM_FOR_INSERT_PX = 70.0
_CORNER_PX = 5.0
_FILL_ALPHA = 36


class PlanLayer(MapOverlay):
    """Paints the draft; others ask it what is under the pointer."""

    def __init__(self, plan: SharedPlan) -> None:
        self._plan = plan
        self._read = ChangeDetector()
        self._paths: tuple[LegPath, ...] = ()
        self.flown_leg: int | None = None
        """The waypoint that is flown to now."""
        self.preview: tuple[World, ...] = ()
        """A pattern that is not part of the plan yet."""
        self.predicted: tuple[World, ...] = ()
        """The track that the simulator flew."""

    @property
    def paths(self) -> tuple[LegPath, ...]:
        """The ways to the waypoints as they are now."""
        mission = self._plan.draft.mission
        home = self._plan.home or mission.home
        if self._read.has_changed(mission, home):
            self._paths = leg_paths(mission, home)
        return self._paths

    def bounds(self) -> Bounds | None:
        return mission_bounds(self._plan.draft.mission)

    # What is under the pointer

    def waypoint_at(self, pointer: MapPointer) -> int | None:
        """The waypoint there, the topmost of several."""
        waypoints = self._plan.draft.mission.waypoints
        for index in range(len(waypoints) - 1, -1, -1):
            if pointer.distance_px(place_of_waypoint(waypoints[index])) <= _HIT_PX:
                return index
        return None

    def insert_at(self, pointer: MapPointer) -> int | None:
        """The waypoint before which the plus there inserts another."""
        for path in self.paths:
            if self._has_plus(path, pointer.view) and pointer.distance_px(path.middle) <= _HIT_PX:
                return path.index
        return None

    def corner_at(self, pointer: MapPointer) -> tuple[int, int] | None:
        """Fence and corner there."""
        for number, fence in enumerate(self._plan.draft.mission.fences):
            for corner, place in enumerate(fence.corners):
                if pointer.distance_px(GeoPoint(*place)) <= _HIT_PX:
                    return number, corner
        return None

    @staticmethod
    def _has_plus(path: LegPath, view: Viewport) -> bool:
        ends = view.to_px(*path.points[0]), view.to_px(*path.points[-1])
        length = abs(ends[0][0] - ends[1][0]) + abs(ends[0][1] - ends[1][1])
        return path.is_line and path.index > 0 and length > _ROOM_FOR_INSERT_PX

    # Painting

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        mission = self._plan.draft.mission
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        chosen = self._plan.chosen_fence
        for fence in mission.fences:
            _paint_fence(painter, view, theme, fence, is_chosen=fence is chosen)
        self._paint_board_fences(painter, view, theme)
        self._paint_ways(painter, view, theme)
        _paint_line(painter, view, theme.color("series_3"), self.predicted, Qt.PenStyle.DashLine)
        _paint_line(painter, view, theme.color("selected"), self.preview, Qt.PenStyle.DotLine)
        self._paint_jumps(painter, view, theme, mission)
        self._paint_waypoints(painter, view, theme, mission)

    def _paint_board_fences(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        """The radii that the board watches by itself."""
        home, aircraft = self._plan.home, self._plan.aircraft
        if home is None:
            return
        centre = GeoPoint(home.latitude_deg, home.longitude_deg)
        radii = ((aircraft.warning_radius_m, "caution"), (aircraft.error_radius_m, "danger"))
        for radius_m, token in radii:
            if radius_m:
                line = circle(centre, radius_m)
                _paint_line(painter, view, theme.color(token), line, Qt.PenStyle.DashDotLine)

    def _paint_ways(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        ground, ink = theme.color("map_background"), theme.color("commanded")
        for path in self.paths:
            line = on_screen(view, path.points)
            is_flown = path.index == self.flown_leg
            painter.setPen(QPen(ground, 6.0 if is_flown else 4.5))
            painter.drawPolyline(line)
            color = theme.color("attention") if is_flown else ink
            style = Qt.PenStyle.SolidLine if path.is_between else Qt.PenStyle.DashLine
            painter.setPen(QPen(color, 4.0 if is_flown else 2.0 * theme.line_px, style))
            painter.drawPolyline(line)
            if self._has_plus(path, view):
                _paint_plus(painter, theme, QPointF(*view.place_px(path.middle)))

    def _paint_jumps(
        self, painter: QPainter, view: Viewport, theme: Theme, mission: Mission
    ) -> None:
        painter.setPen(QPen(theme.color("commanded"), theme.line_px, Qt.PenStyle.DotLine))
        for start, end in jumps_of(mission):
            places = (place_of_waypoint(mission.waypoints[i]) for i in (start, end))
            painter.drawPolyline(QPolygonF([QPointF(*view.place_px(p)) for p in places]))

    def _paint_waypoints(
        self, painter: QPainter, view: Viewport, theme: Theme, mission: Mission
    ) -> None:
        wrong = self._plan.assessment.levels if self._plan.is_assessed else {}
        selected = self._plan.draft.selected
        for index, waypoint in enumerate(mission.waypoints):
            at = QPointF(*view.place_px(place_of_waypoint(waypoint)))
            fill = "selected" if index in selected else "commanded"
            painter.setPen(QPen(theme.color("map_background"), 1.5))
            painter.setBrush(theme.color(fill))
            if waypoint.is_locked:
                painter.drawRect(QRectF(at.x() - MARK_PX, at.y() - MARK_PX, 22.0, 22.0))
            else:
                painter.drawEllipse(at, MARK_PX, MARK_PX)
            painter.setPen(theme.color(f"text_on_{fill}"))
            box = QRectF(at.x() - 20.0, at.y() - 10.0, 40.0, 20.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(index + 1))
            level = wrong.get(index, Level.OK)
            if level >= Level.WARNING:
                corner = QPointF(at.x() - _LEVEL_PX / 2.0, at.y() - MARK_PX - _LEVEL_PX - 4.0)
                mark = QRectF(corner, QSizeF(_LEVEL_PX, _LEVEL_PX))
                draw_level_mark(painter, mark, level, theme)


def _paint_fence(
    painter: QPainter, view: Viewport, theme: Theme, fence: Fence, *, is_chosen: bool
) -> None:
    is_inside = fence.kind is FenceKind.STAY_INSIDE
    color = theme.color("caution" if is_inside else "danger")
    outline = on_screen(view, fence_outline(fence))
    painter.setPen(QPen(color, (4.0 if is_chosen else 2.0) * theme.line_px))
    if is_inside:
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        fill = QColor(color)
        fill.setAlpha(_FILL_ALPHA)
        painter.setBrush(fill)
    painter.drawPolygon(outline)
    painter.setBrush(color)
    for corner in fence.corners:
        painter.drawEllipse(QPointF(*view.place_px(GeoPoint(*corner))), _CORNER_PX, _CORNER_PX)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if fence.corners:
        word = fence.name or ("Stay inside" if is_inside else "Stay outside")
        top = min((outline.at(i) for i in range(outline.size())), key=lambda point: point.y())
        painter.drawText(top + QPointF(6.0, -6.0), word)


def _paint_line(
    painter: QPainter,
    view: Viewport,
    color: QColor,
    points: Sequence[World],
    style: Qt.PenStyle,
) -> None:
    if len(points) > 1:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 2.0, style))
        painter.drawPolyline(on_screen(view, tuple(points)))


def _paint_plus(painter: QPainter, theme: Theme, at: QPointF) -> None:
    painter.setPen(QPen(theme.color("commanded"), 1.0))
    painter.setBrush(theme.color("raised"))
    painter.drawEllipse(at, _INSERT_PX, _INSERT_PX)
    reach = _INSERT_PX - 3.0
    for dx, dy in ((reach, 0.0), (0.0, reach)):
        painter.drawLine(at - QPointF(dx, dy), at + QPointF(dx, dy))
    painter.setBrush(Qt.BrushStyle.NoBrush)
