"""Mission in the scene: waypoints with their legs, fences, home, and where autopilot flies to."""

import math

import numpy as np

from plugins.view3d.layers import SceneParts, SpaceInstant
from telemetry.base.earth.tangent_plane import TangentPlane
from telemetry.missions.draft import MissionDraft, mission_draft_of
from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.geofences import Fence, FenceKind
from telemetry.missions.legs import legs_of, point_of
from telemetry.missions.local_coordinates import MissionHome, to_north_east
from telemetry.missions.mission import Mission
from telemetry.recording.flight_state import read_flight_state
from telemetry.vehicle.vehicle import Fleet
from widgets.change_detector import ChangeDetector
from widgets.scene3d.scene import (
    Floats,
    Floats32,
    LinePoints,
    Place,
    PlacedMesh,
    Rgb,
    SolidMesh,
    SpaceLabel,
    SpaceLine,
)
from widgets.scene3d.solids import box, box_edges

_MARK_M, _MARK_PX = 0.4, 35.0
_TARGET_M, _EDGE_M, _TARGET_PX = 1.0, 0.04, 22.0
_CIRCLE = np.linspace(0.0, 2.0 * math.pi, 49)
_LOWEST_M, _HIGHEST_M = 0.0, 120.0
"""A fence without a band of heights is shown so high."""
_FENCE_OPACITY = 0.14


class PlanInSpace:
    """Made again when the plan or home has changed."""

    def __init__(self, fleet: Fleet) -> None:
        self._draft: MissionDraft = mission_draft_of(fleet)
        self._read = ChangeDetector()
        self._lines: list[SpaceLine] = []
        self._meshes: list[PlacedMesh] = []
        self._labels: list[SpaceLabel] = []
        self._target: tuple[Rgb, SolidMesh] | None = None

    def add(self, parts: SceneParts, now: SpaceInstant) -> None:
        """See SpaceLayer."""
        if not now.options.has_plan:
            return
        mission, home = self._draft.mission, _home(now)
        if self._read.has_changed(mission, home, now.origin, now.look):
            self._make(mission, home, now)
        parts.lines += self._lines
        parts.meshes += self._meshes
        parts.labels += self._labels
        self._add_target(parts, now)

    def _make(self, mission: Mission, home: MissionHome | None, now: SpaceInstant) -> None:
        self._lines, self._meshes, self._labels = [], [], []
        if home is None:
            return
        at = _Shift(home, now.origin)
        mark = _cube(now.look.plan)
        for number, waypoint in enumerate(mission.waypoints, 1):
            place = at.place(point_of(waypoint, home))
            self._meshes.append(PlacedMesh(mark, place, least_px=_MARK_PX))
            self._labels.append(SpaceLabel(waypoint.name or str(number), place))
            post = np.array([place, (place[0], place[1], 0.0)], np.float32)
            self._lines.append(SpaceLine(LinePoints(post, now.look.plan), 1.0, opacity=0.4))
        for leg in legs_of(flown_plan(mission, home), home):
            points = np.array([at.place(point) for point in leg.points], np.float32)
            self._lines.append(SpaceLine(LinePoints(points, now.look.plan), 2.0))
        for fence in mission.fences:
            self._add_fence(fence, home, at, now)

    def _add_fence(self, fence: Fence, home: MissionHome, at: "_Shift", now: SpaceInstant) -> None:
        """Its border at the bottom and the top, and glassy walls."""
        border = _border(fence, home)
        heights = (
            fence.lowest_m if math.isfinite(fence.lowest_m) else _LOWEST_M,
            fence.highest_m if math.isfinite(fence.highest_m) else _HIGHEST_M,
        )
        is_inside = fence.kind is FenceKind.STAY_INSIDE
        colour = now.look.fence_inside if is_inside else now.look.fence_outside
        low, high = (
            np.array([at.place((north, east, up)) for north, east in border.tolist()], np.float32)
            for up in heights
        )
        self._lines += [SpaceLine(LinePoints(ring, colour), 2.0) for ring in (low, high)]
        self._meshes.append(PlacedMesh(_walls(low, high, colour), opacity=_FENCE_OPACITY))

    def _add_target(self, parts: SceneParts, now: SpaceInstant) -> None:
        """Where the autopilot is told to go, with a line from the aircraft; once it is there, one
        still sees it through the edges."""
        state = read_flight_state(now.vehicle.recording, now.t)
        home = _home(now)
        if home is None or state.desired_north_m is None or state.desired_east_m is None:
            return
        up = state.desired_height_m or 0.0
        place = _Shift(home, now.origin).place((state.desired_north_m, state.desired_east_m, up))
        if self._target is None or self._target[0] != now.look.target:
            self._target = now.look.target, box_edges(_TARGET_M, _EDGE_M, now.look.target)
        parts.meshes.append(PlacedMesh(self._target[1], place, least_px=_TARGET_PX))
        way = np.array([now.aircraft.position, place], np.float32)
        parts.lines.append(SpaceLine(LinePoints(way, now.look.target), 1.0, opacity=0.7))


class _Shift:
    """Places north, east and up of a home as places of the scene."""

    def __init__(self, home: MissionHome, origin: TangentPlane) -> None:
        self._north, self._east = origin.north_east(home.latitude_deg, home.longitude_deg)

    def place(self, point: tuple[float, float, float]) -> Place:
        """North, east and down."""
        return self._north + point[0], self._east + point[1], -point[2]


def _home(now: SpaceInstant) -> MissionHome | None:
    """The aircraft's, from which heights of its plan count."""
    state = read_flight_state(now.vehicle.recording, math.inf)
    if state.home_latitude_deg is None or state.home_longitude_deg is None:
        return None
    altitude_m = state.home_altitude_m or 0.0
    return MissionHome(state.home_latitude_deg, state.home_longitude_deg, altitude_m)


def _border(fence: Fence, home: MissionHome) -> Floats:
    """North and east of home, closed, (n, 2)."""
    corners = np.array([to_north_east(home, *corner) for corner in fence.corners])
    if len(corners) == 1:
        around = np.column_stack((np.cos(_CIRCLE), np.sin(_CIRCLE)))
        return np.asarray(corners + fence.radius_m * around)
    return np.concatenate((corners, corners[:1]))


def _walls(low: Floats32, high: Floats32, colour: Rgb) -> SolidMesh:
    """Between two rings of equal length."""
    count = len(low)
    i = np.arange(count - 1, dtype=np.int32)
    a, b, c, d = i, i + 1, i + count, i + count + 1
    vertices = np.concatenate((low, high))
    return SolidMesh(
        vertices,
        np.tile(np.array([0.0, 0.0, -1.0], np.float32), (2 * count, 1)),
        np.full((2 * count, 3), colour, np.float32),
        np.concatenate([np.stack([a, b, c], -1), np.stack([b, d, c], -1)]),
        is_lit=False,
    )


def _cube(colour: Rgb) -> SolidMesh:
    half = 0.5 * _MARK_M
    return box((-half, -half, -half), (half, half, half), colour)
