"""Camera modes: behind the aircraft, around it, out of it, from the ground, or anywhere."""

import math
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from telemetry.base.rotations import matrix_by_angles
from widgets.scene3d.camera import ViewCamera, looking, looking_at
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.scene import Floats, Place

NEAREST_ORBIT_M, FARTHEST_ORBIT_M = 0.6, 5000.0
_DEGREES_PER_PX = 0.35
_WHEEL = 0.999
_LEAST_DOWN_DEG, _MOST_DOWN_DEG = -85.0, 89.0
_LEAST_VIEW_DEG, _MOST_VIEW_DEG = 4.0, 90.0
_VIEW_DEG, _COCKPIT_VIEW_DEG = 55.0, 70.0
_EYES_M = 1.7
"""How high an observer's eyes are above the ground."""
_OVER_GROUND_M = 0.25
_SLOWEST_MPS, _FASTEST_MPS = 0.5, 400.0
_HASTE = 5.0
_USUAL_SPAN_M = 1.0
"""As aircraft are drawn whose size is not known."""
_OVER_BODY_M, _LEAST_DISTANCE_M = 0.15, 0.4
_BEFORE = 0.06
"""Of the way to an obstacle, so that it does not fill the picture's edges."""

SurfaceBelow = Callable[[Place], float | None]
"""Down to the surface that an eye at a place stays above; None where nothing is known of it."""


class CameraMode(StrEnum):
    """How one looks; the value is what the user reads."""

    CHASE = "Chase"
    ORBIT = "Orbit"
    COCKPIT = "Cockpit"
    OBSERVER = "Ground observer"
    FREE = "Free flight"

    @property
    def looks_at_aircraft(self) -> bool:
        """Whether the aircraft stands where it aims."""
        return self in (CameraMode.CHASE, CameraMode.ORBIT, CameraMode.OBSERVER)


class CameraMove(StrEnum):
    """What a key does in free flight, along the line of sight, to the sides, and straight up."""

    AHEAD = "ahead"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    FASTER = "faster"


@dataclass(frozen=True, slots=True)
class SeenAircraft:
    """Where the aircraft is and how it is turned; the ground below it is at `ground_down_m`. One
    that has no place stands at the origin, for nobody knows where it is. `span_m` is how wide it
    is, 0 where nobody says."""

    position: Place
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0
    ground_down_m: float = 0.0
    has_place: bool = True
    span_m: float = 0.0

    @property
    def size(self) -> float:
        """How large it is, compared with a usual one."""
        return self.span_m / _USUAL_SPAN_M if self.span_m else 1.0

    @property
    def angles_deg(self) -> tuple[float, float, float]:
        """Roll, pitch and yaw."""
        return self.roll_deg, self.pitch_deg, self.yaw_deg

    @property
    def rotation(self) -> Floats:
        """Of body axes into NED."""
        return matrix_by_angles(*self.angles_deg)


class CameraRig:
    """All cameras of a view, one of which is looked through. Angles are degrees clockwise from
    north, or from the nose, and down; `distance_m` is that from an aircraft of the usual size."""

    def __init__(self) -> None:
        self.mode = CameraMode.CHASE
        self.azimuth_deg = 25.0
        self.down_deg = 18.0
        self.distance_m = 6.0
        self.chase_deg = 0.0
        """Of the chasing camera, from straight behind."""
        self.speed_mps = 10.0
        """Of free flight."""
        self._glance = (0.0, 0.0)
        self._view_deg = _VIEW_DEG
        self._stand: Place = (0.0, 0.0, 0.0)
        self._position: Place | None = None
        self._free = (0.0, 15.0)

    def choose(
        self,
        mode: CameraMode,
        aircraft: SeenAircraft | None,
        obstacles: LineOfSight | None = None,
    ) -> None:
        """Look through another camera. Free flight begins where one looked from."""
        if mode is CameraMode.FREE and self.mode is not CameraMode.FREE and aircraft is not None:
            eye = self.eye(aircraft, None, obstacles)
            sight = eye.to_eye[0]
            self._position = eye.position
            azimuth = math.degrees(math.atan2(sight[1], sight[0]))
            self._free = azimuth, math.degrees(math.asin(float(np.clip(sight[2], -1.0, 1.0))))
        self.mode = mode
        self._glance, self._view_deg = (0.0, 0.0), _VIEW_DEG

    def stand_at(self, place: Place) -> None:
        """Where the observer stands: a place on the ground."""
        self._stand = place

    def eye(
        self,
        aircraft: SeenAircraft,
        mode: CameraMode | None = None,
        obstacles: LineOfSight | None = None,
    ) -> ViewCamera:
        """The eye of a camera, of that which is looked through by default. One that goes around
        the aircraft comes closer where obstacles would hide it."""
        match mode or self.mode:
            case CameraMode.CHASE:
                eye = self._around(aircraft, aircraft.yaw_deg + self.chase_deg)
                return _unhidden(eye, aircraft, obstacles)
            case CameraMode.ORBIT:
                eye = self._around(aircraft, self.azimuth_deg)
                return _unhidden(eye, aircraft, obstacles)
            case CameraMode.COCKPIT:
                turn = looking(*self._glance) @ aircraft.rotation.T
                return ViewCamera(aircraft.position, turn, _COCKPIT_VIEW_DEG, is_carried=True)
            case CameraMode.OBSERVER:
                north, east, down = self._stand
                place = north, east, down - _EYES_M
                return ViewCamera(place, looking_at(place, aircraft.position), self._view_deg)
            case CameraMode.FREE:
                return ViewCamera(
                    self._free_position(aircraft), looking(*self._free), self._view_deg
                )

    def drag(self, dx_px: float, dy_px: float) -> None:
        """Look around by a mouse that moved so far."""
        turn, tilt = dx_px * _DEGREES_PER_PX, dy_px * _DEGREES_PER_PX
        match self.mode:
            case CameraMode.CHASE:
                self.chase_deg = (self.chase_deg - turn + 180.0) % 360.0 - 180.0
                self.down_deg = _tilted(self.down_deg + tilt)
            case CameraMode.ORBIT:
                self.azimuth_deg = (self.azimuth_deg - turn) % 360.0
                self.down_deg = _tilted(self.down_deg + tilt)
            case CameraMode.COCKPIT:
                self._glance = _turned(self._glance, -turn, -tilt)
            case CameraMode.FREE:
                self._free = _turned(self._free, turn, tilt)
            case CameraMode.OBSERVER:
                pass

    def wheel(self, angle: float) -> None:
        """Come closer by a turn of the wheel; in free flight, fly faster."""
        if self.mode is CameraMode.OBSERVER:
            view_deg = self._view_deg * math.pow(_WHEEL, angle)
            self._view_deg = min(max(view_deg, _LEAST_VIEW_DEG), _MOST_VIEW_DEG)
        elif self.mode is CameraMode.FREE:
            speed = self.speed_mps * math.pow(_WHEEL, -angle)
            self.speed_mps = min(max(speed, _SLOWEST_MPS), _FASTEST_MPS)
        else:
            self.look_from(self.distance_m * math.pow(_WHEEL, angle))

    def look_from(self, distance_m: float) -> None:
        """Chase and orbit from so far away."""
        self.distance_m = min(max(distance_m, NEAREST_ORBIT_M), FARTHEST_ORBIT_M)

    def fly(
        self, moves: AbstractSet[CameraMove], seconds: float, surface_m: Callable[[Place], float]
    ) -> None:
        """Free flight for so long with these keys held, never through a surface from above;
        `surface_m` says how far down the one below a place is."""
        if self.mode is not CameraMode.FREE or self._position is None:
            return
        sight, right, _ = looking(*self._free)
        way = sum((_ways(move, sight, right) for move in moves), np.zeros(3))
        reach = self.speed_mps * seconds * (_HASTE if CameraMove.FASTER in moves else 1.0)
        north, east, down = (np.asarray(self._position) + reach * way).tolist()
        above = north, east, min(down, self._position[2])
        self._position = north, east, min(down, surface_m(above) - _OVER_GROUND_M)

    def _around(self, aircraft: SeenAircraft, azimuth_deg: float) -> ViewCamera:
        to_eye = looking(azimuth_deg, self.down_deg)
        away_m = max(self.distance_m * aircraft.size, NEAREST_ORBIT_M)
        north, east, down = np.asarray(aircraft.position) - away_m * to_eye[0]
        lowest = aircraft.ground_down_m - _OVER_GROUND_M
        if down > lowest:  # raised out of the ground, still looking at the aircraft
            place = float(north), float(east), lowest
            return ViewCamera(place, looking_at(place, aircraft.position), _VIEW_DEG)
        return ViewCamera((float(north), float(east), float(down)), to_eye, _VIEW_DEG)

    def _free_position(self, aircraft: SeenAircraft) -> Place:
        if self._position is None:
            self._position = self._around(aircraft, self.azimuth_deg).position
        return self._position


def _unhidden(eye: ViewCamera, aircraft: SeenAircraft, obstacles: LineOfSight | None) -> ViewCamera:
    """Moved along its line of sight to before what hides the aircraft."""
    if obstacles is None:
        return eye
    north, east, down = aircraft.position
    start = north, east, down - _OVER_BODY_M  # what it stands on hides nothing
    free = obstacles.free_share(start, eye.position)
    if free >= 1.0:
        return eye
    way = np.asarray(eye.position) - start
    nearest = min(_LEAST_DISTANCE_M / max(float(np.linalg.norm(way)), 1e-6), 1.0)
    position = np.asarray(start) + max(free - _BEFORE, nearest) * way
    north, east, down = position.tolist()
    return replace(eye, position=(north, east, down))


def _ways(move: CameraMove, sight: Floats, right: Floats) -> Floats:
    up = np.array([0.0, 0.0, -1.0])
    ways = {
        CameraMove.AHEAD: sight,
        CameraMove.BACK: -sight,
        CameraMove.RIGHT: right,
        CameraMove.LEFT: -right,
        CameraMove.UP: up,
        CameraMove.DOWN: -up,
    }
    way: Floats = ways.get(move, np.zeros(3))
    return way


def _tilted(down_deg: float) -> float:
    return min(max(down_deg, _LEAST_DOWN_DEG), _MOST_DOWN_DEG)


def _turned(angles: tuple[float, float], turn: float, tilt: float) -> tuple[float, float]:
    azimuth = (angles[0] + turn + 180.0) % 360.0 - 180.0
    return azimuth, _tilted(angles[1] + tilt)
