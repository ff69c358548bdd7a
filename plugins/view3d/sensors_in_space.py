"""Sensors in the scene: pictures in camera frusta, scans as points, beams, flow as arrows.

Axes of a sensor: x along its line of sight, y right, z down.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from plugins.view3d.flow_vectors import flow_vectors
from plugins.view3d.layers import SceneParts, SpaceInstant
from plugins.view3d.sample_reading import SampleReading
from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamError,
    StreamKind,
    ValueSample,
    ray_directions,
)
from telemetry.recording.media_track import MediaTrack
from telemetry.review.mapping.space_pose import SpacePose
from widgets.scene3d.camera_modes import SeenAircraft
from widgets.scene3d.scene import (
    Floats,
    Floats32,
    LinePoints,
    Place,
    PlacedMesh,
    PointCloud,
    SolidMesh,
    SpaceLine,
)

_LASTS_S = 2.0
"""What is older is not what the sensor sees."""
_SCANS, _SCANS_S = 40, 20.0
"""So many scans of so long a time stand together as a cloud."""
_POINT_PX, _NEW_POINT_PX = 2.0, 4.0
_HIGHEST_M = 5.0
"""Above the origin; points have colours from low to high up to there."""
_DEPTH = 0.13
"""How deep a frustum is, of how far away one looks from."""
_DISTANCES = ("range", "distance")
_FLOW_AWAY, _FLOW_LONG = 0.1, 0.06
"""Of how far away one looks from: where an arrow begins, and its length for a radian a second."""
_MOST_PX = 512
_KEPT = 128
_WIDEST_DEG = 140.0

_Made = TypeVar("_Made")


class SensorsInSpace:
    """Keeps what was made of samples, so that each is made and uploaded once."""

    def __init__(self, reading: SampleReading) -> None:
        self._reading = reading
        self._pictures: OrderedDict[object, SolidMesh] = OrderedDict()
        self._clouds: OrderedDict[object, PointCloud] = OrderedDict()
        self._rays: dict[MediaTrack, Floats | None] = {}

    def add(self, parts: SceneParts, now: SpaceInstant) -> None:
        """See SpaceLayer."""
        if not now.options.has_sensors:
            return
        for track in now.vehicle.recording.media_tracks():
            match track.description.kind:
                case StreamKind.PICTURES:
                    self._add_camera(parts, now, track)
                case StreamKind.SCANS:
                    self._add_scans(parts, now, track)
                case StreamKind.VALUES:
                    self._add_values(parts, now, track)

    def _add_camera(self, parts: SceneParts, now: SpaceInstant, track: MediaTrack) -> None:
        corners = frustum_corners(track.description)
        mount = mount_of(track.description, now.aircraft)
        depth = now.eye_m * _DEPTH
        edges = np.concatenate([[(0.0, 0.0, 0.0)], depth * corners])
        parts.lines.append(_line(mount, edges[[0, 1, 2, 0, 3, 4, 0, 2, 3, 0, 1, 4]], now, 1.5))
        index = _present(track, now.t)
        sample = self._reading.sample(track, index) if index >= 0 else None
        if isinstance(sample, PictureSample):
            mesh = _kept(self._pictures, (track, index), lambda: _picture(corners, sample))
            parts.meshes.append(PlacedMesh(mesh, _place(mount), mount.rotation, scale=depth))

    def _add_scans(self, parts: SceneParts, now: SpaceInstant, track: MediaTrack) -> None:
        newest = _present(track, now.t)
        if newest < 0:
            return
        for index in (newest, *_past_scans(track, now.t, newest)):
            cloud = self._cloud(track, index, now, is_new=index == newest)
            if cloud is not None:
                parts.clouds.append(cloud)

    def _cloud(
        self, track: MediaTrack, index: int, now: SpaceInstant, *, is_new: bool
    ) -> PointCloud | None:
        key = track, index, is_new, now.look.shades
        if key in self._clouds:
            self._clouds.move_to_end(key)
            return self._clouds[key]
        rays, sample = self._rays_of(track), self._reading.sample(track, index)
        aircraft = now.pose_at(float(track.times[index]))
        if rays is None or aircraft is None or not isinstance(sample, ScanSample):
            return None
        seen = np.isfinite(sample.ranges_m)
        own = rays[seen] * sample.ranges_m[seen, None]
        points = mount_of(track.description, aircraft).points(own).astype(np.float32)
        colours = now.look.scan if is_new else _by_height(points, now)
        size = _NEW_POINT_PX if is_new else _POINT_PX
        return _kept(self._clouds, key, lambda: PointCloud(points, colours, size))

    def _rays_of(self, track: MediaTrack) -> Floats | None:
        if track not in self._rays:
            try:
                self._rays[track] = ray_directions(track.description)
            except StreamError:
                self._rays[track] = None
        return self._rays[track]

    def _add_values(self, parts: SceneParts, now: SpaceInstant, track: MediaTrack) -> None:
        """A beam for a distance, arrows for optic flow; other values have no place in space."""
        names = list(track.description.details.get("names", ()))
        index = _present(track, now.t)
        sample = self._reading.sample(track, index) if index >= 0 else None
        if not isinstance(sample, ValueSample):
            return
        mount = mount_of(track.description, now.aircraft)
        for name in _DISTANCES:
            range_m = float(sample.values[names.index(name)]) if name in names else 0.0
            if math.isfinite(range_m) and range_m > 0.0:
                parts.lines.append(_line(mount, [(0, 0, 0), (range_m, 0, 0)], now, 2.0))
        flow = flow_vectors(track.description, sample)
        if flow is not None:
            feet = flow.sights * now.eye_m * _FLOW_AWAY
            tips = feet + flow.ways * now.eye_m * _FLOW_LONG
            rows = np.stack([feet, tips, np.full_like(feet, np.nan)], axis=1).reshape(-1, 3)
            parts.lines.append(_line(mount, rows, now, 3.0))


def _line(mount: SpacePose, own: npt.ArrayLike, now: SpaceInstant, width_px: float) -> SpaceLine:
    """Of points in a sensor's axes."""
    way = mount.points(np.asarray(own, np.float64)).astype(np.float32)
    return SpaceLine(LinePoints(way, now.look.scan), width_px)


def mount_of(description: StreamDescription, aircraft: SeenAircraft) -> SpacePose:
    """Where a sensor is while its aircraft is there."""
    return SpacePose(np.asarray(aircraft.position), aircraft.rotation).of_sensor(description)


def _place(mount: SpacePose) -> Place:
    north, east, down = mount.position_m.tolist()
    return north, east, down


def frustum_corners(description: StreamDescription) -> Floats:
    """What the corners of a camera's picture see at a depth of 1, (4, 3): upper left, upper right,
    lower right, lower left. A lens is taken for a pinhole."""
    details = description.details
    lens = details.get("lens", {})
    width, height = (float(side) for side in details.get("size_px", (4.0, 3.0)))
    field_deg = min(float(lens.get("field_of_view_deg", 60.0)), _WIDEST_DEG)
    focal = 0.5 * width / math.tan(math.radians(field_deg) / 2.0)
    fx, fy = lens.get("focal_px", (focal, focal)) if field_deg < _WIDEST_DEG else (focal, focal)
    cx, cy = lens.get("centre_px", ((width - 1.0) / 2.0, (height - 1.0) / 2.0))
    left, right = (-0.5 - cx) / fx, (width - 0.5 - cx) / fx
    top, bottom = (-0.5 - cy) / fy, (height - 0.5 - cy) / fy
    return np.array([(1, left, top), (1, right, top), (1, right, bottom), (1, left, bottom)])


def _present(track: MediaTrack, t: float) -> int:
    """The sample that the sensor has told last; -1 if that is long ago."""
    index = track.index_at(t)
    return index if index >= 0 and t - float(track.times[index]) <= _LASTS_S else -1


def _past_scans(track: MediaTrack, t: float, newest: int) -> Iterable[int]:
    """Some of those before, the same ones as long as they count."""
    first, _ = track.range(t - _SCANS_S, t)
    every = max(1, round(track.description.rate_hz * _SCANS_S / _SCANS))
    return range(first - first % -every, newest, every)


def _picture(corners: Floats, sample: PictureSample) -> SolidMesh:
    """The picture across the frustum's end."""
    pixels = sample.pixels
    every = max(1, math.ceil(max(pixels.shape[:2]) / _MOST_PX))
    pixels = pixels[::every, ::every]
    shown = pixels[..., ::-1] if pixels.ndim == 3 else pixels[..., None].repeat(3, axis=2)
    return SolidMesh(
        corners.astype(np.float32),
        np.tile(np.array([-1.0, 0.0, 0.0], np.float32), (4, 1)),
        np.ones((4, 3), np.float32),
        np.array([[0, 1, 2], [0, 2, 3]], np.int32),
        uv=np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32),
        picture=np.ascontiguousarray(shown),
        is_lit=False,
    )


def _by_height(points: Floats32, now: SpaceInstant) -> Floats32:
    shades = np.array(now.look.shades, np.float32)
    share = np.clip(-points[:, 2] / _HIGHEST_M, 0.0, 0.999)
    return np.asarray(shades[(share * len(shades)).astype(int)])


def _kept(kept: OrderedDict[object, _Made], key: object, make: Callable[[], _Made]) -> _Made:
    """What was made before for this key, or is made now; the longest unused are forgotten."""
    if key not in kept:
        kept[key] = make()
    kept.move_to_end(key)
    while len(kept) > _KEPT:
        kept.popitem(last=False)
    return kept[key]
