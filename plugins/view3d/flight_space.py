"""Flight scene at one instant: the aircraft, what it is told and what is around it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from plugins.view3d.flown_track import FlownTrack
from plugins.view3d.layers import SceneParts, SpaceInstant, SpaceLayer
from plugins.view3d.observer_stand import ObserverStand
from plugins.view3d.options import SpaceOptions
from plugins.view3d.places import origin_of
from plugins.view3d.poses import believed_pose, silent_s, true_pose, true_pose_between
from plugins.view3d.scene_theme import SceneTheme
from plugins.view3d.space_ground import SpaceGround
from telemetry.recording.flown_places import FlownPlaces
from telemetry.vehicle.vehicle import Vehicle
from widgets.scene3d.aircraft_meshes import aircraft_mesh, mesh_span_m
from widgets.scene3d.camera_modes import SeenAircraft, SurfaceBelow
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.scene import LinePoints, Place, PlacedMesh, Rgb, SpaceLine, SpaceScene

_LASTS_S = 3.0
_THIN = "\u2009"
_GHOST = 0.45
_LEAST_PX = 26.0
_BODY_M = 0.1
"""What is below an aircraft is below its middle, which may be as deep in what it stands on."""
_NO_PLACE = "Place not known"


@dataclass(frozen=True, slots=True, eq=False)
class SpaceMoment:
    """What the view shows at one instant."""

    scene: SpaceScene
    aircraft: SeenAircraft
    words: tuple[str, ...]
    obstacles: LineOfSight | None
    surface_m: SurfaceBelow
    stand: Place
    """Where somebody on the ground watches from."""


class FlightSpace:
    """Reads the recording of one vehicle. `layers` are what there is besides the aircraft, its
    track and its `ground`."""

    def __init__(self, vehicle: Vehicle, ground: SpaceGround, layers: Sequence[SpaceLayer]) -> None:
        self.vehicle = vehicle
        self._places = FlownPlaces(vehicle.recording)
        self._ground = ground
        self._stand = ObserverStand(vehicle.recording, ground)
        self.track = FlownTrack(self._places)
        self._layers: tuple[SpaceLayer, ...] = (ground, self.track, *layers)

    def at(
        self, t: float, look: SceneTheme, options: SpaceOptions, eye_m: float
    ) -> SpaceMoment | None:
        """The flight as it was at `t`; `eye_m` is how far away one looks from, at an aircraft of
        the usual size. None where neither place nor attitude is known."""
        recording = self.vehicle.recording
        self._places.update()
        origin = origin_of(recording, self._places)
        self._ground.poll(self.vehicle, origin, options, look)
        truth = true_pose(recording, t)
        believed = believed_pose(recording, t, self._places, origin)
        shown = truth or believed
        if shown is None:
            return None
        stand = self._stand.place(shown.ground_down_m)
        shown = self._grounded(shown)
        if truth is not None and believed is not None and not self._places.had_fix(t):
            believed = _where_known(believed, truth)
        eye_m = max(eye_m * shown.size, shown.ground_down_m - shown.position[2])

        def pose_at(then_s: float) -> SeenAircraft | None:
            if truth is not None:
                return true_pose_between(recording, then_s)
            return believed_pose(recording, then_s, self._places, origin)

        now = SpaceInstant(self.vehicle, t, origin, look, options, shown, pose_at, eye_m)
        parts = SceneParts(look.light, words=_words(shown, truth and believed, look))
        for layer in self._layers:
            layer.add(parts, now)
        parts.lines.append(_drop_line(shown, look.outline))
        parts.meshes.append(_body(now, shown))
        if truth is not None and believed is not None:
            parts.meshes.append(_body(now, believed, _GHOST))
        silence_s = silent_s(recording, t)
        if silence_s > _LASTS_S:
            parts.words.append(f"As it was {silence_s:.0f}{_THIN}s ago")
        words, ground = tuple(parts.words), self._ground
        return SpaceMoment(parts.scene(), shown, words, ground.obstacles, ground.surface_m, stand)

    def _grounded(self, pose: SeenAircraft) -> SeenAircraft:
        """As large as it is known to be, over the ground that is known there."""
        world = self.vehicle.recording.world
        pose = replace(pose, span_m=world.span_m if world is not None else 0.0)
        north, east, down = pose.position
        below_m = self._ground.below_m((north, east, down - _BODY_M))
        return pose if below_m is None else replace(pose, ground_down_m=below_m)


def _where_known(believed: SeenAircraft, truth: SeenAircraft) -> SeenAircraft:
    """An estimate that knows its height alone, at its true place: north and east are where it was
    switched on, and mean nothing."""
    place = (*truth.position[:2], believed.position[2])
    return replace(believed, position=place, has_place=False)


def _words(shown: SeenAircraft, believed: SeenAircraft | None, look: SceneTheme) -> list[str]:
    """How high it is, and how far off it believes to be where the truth is known."""
    if not shown.has_place:
        return [_NO_PLACE]
    units = look.units
    height = shown.ground_down_m - shown.position[2]
    words = [f"{units.value(height, 'm'):.1f}{_THIN}{units.height} high"]
    if believed is not None:
        off = units.value(math.dist(shown.position, believed.position), "m")
        what = "Estimate" if believed.has_place else "Estimate of height"
        words.append(f"{what} {off:.1f}{_THIN}{units.height} off")
        if not believed.has_place:
            words.append("Place not estimated: no GPS fix yet")
    return words


def _body(now: SpaceInstant, pose: SeenAircraft, opacity: float = 1.0) -> PlacedMesh:
    """The aircraft, never too small to be seen."""
    settings = now.vehicle.recording.latest("SystemSettings", now.t)
    airframe = str(settings["AirframeType"]) if settings is not None else ""
    mesh = aircraft_mesh(airframe, now.look.aircraft)
    span_m = now.aircraft.span_m
    scale = span_m / mesh_span_m(mesh) if span_m else 1.0
    return PlacedMesh(
        mesh, pose.position, pose.rotation, opacity, scale, least_px=_LEAST_PX, is_carrier=True
    )


def _drop_line(pose: SeenAircraft, colour: Rgb) -> SpaceLine:
    north, east, down = pose.position
    ends = np.array([(north, east, down), (north, east, pose.ground_down_m)], np.float32)
    return SpaceLine(LinePoints(ends, colour), 1.0, opacity=0.5)
