"""Repaint key of a map scene: what can be told apart on screen, in half pixels."""

import math

from widgets.display_units import AVIATION
from widgets.map.decorations import home_text
from widgets.map.projection import Viewport
from widgets.map.scene import CameraGround, MapScene, TrackLine, VehicleMark, Wind
from widgets.map.symbols import AHEAD_FROM_MPS

_STEPS_PER_PX = 2
_HEADING_STEP_DEG = 1.0
_SPEED_STEP_MPS = 0.1
_POINTS = 16
"""A track is painted again after so many points that all lie in one pixel."""

Look = tuple[object, ...]


def look_of(scene: MapScene, view: Viewport) -> Look:
    """Scenes of equal looks paint the same in `view`, give or take half a pixel and a degree."""
    marks = tuple(_mark_look(mark, view) for mark in scene.vehicles)
    tracks = tuple(_track_look(line, view) for line in scene.tracks)
    places = (scene.home, scene.start, scene.target)
    home = home_text(scene), home_text(scene, AVIATION)
    seen = _wind_look(scene.wind), _camera_look(scene.camera, view)
    return view, marks, tracks, places, scene.note, home, seen


def _camera_look(ground: CameraGround | None, view: Viewport) -> Look:
    if ground is None:
        return ()
    return ground.title, tuple(_steps(*view.place_px(place)) for place in ground.corners)


def _wind_look(wind: Wind | None) -> Look:
    if wind is None:
        return ()
    return _rounded(wind.speed_mps, _SPEED_STEP_MPS), _rounded(wind.from_deg, _HEADING_STEP_DEG)


def _mark_look(mark: VehicleMark, view: Viewport) -> Look:
    place = _steps(*view.place_px(mark.place))
    turned = _rounded(mark.heading_deg, _HEADING_STEP_DEG)
    goes: Look = ()
    if (mark.groundspeed_mps or 0.0) >= AHEAD_FROM_MPS:
        course = _rounded(mark.course_deg, _HEADING_STEP_DEG)
        goes = course, _rounded(mark.groundspeed_mps, _SPEED_STEP_MPS)
    return mark.name, place, turned, goes, mark.is_active, mark.age_s


def _track_look(line: TrackLine, view: Viewport) -> Look:
    ends = [index for index in (line.past - 1, len(line.x) - 1) if index >= 0]
    places = [view.to_px(float(line.x[index]), float(line.y[index])) for index in ends]
    ends_px = tuple(_steps(x, y) if math.isfinite(x) else None for x, y in places)
    return line.key, line.look, line.past // _POINTS, len(line.x) // _POINTS, ends_px


def _steps(x: float, y: float) -> tuple[int, int]:
    return round(x * _STEPS_PER_PX), round(y * _STEPS_PER_PX)


def _rounded(value: float | None, step: float) -> int | None:
    return None if value is None else round(value / step)
