"""Map builder: has a map grow by an aircraft's recorded sensors, in the order of time."""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamError,
    StreamKind,
    StreamSample,
    ValueSample,
    ray_directions,
)
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.review.cameras.camera_settings import camera_of_stream
from telemetry.review.cameras.lens import lens_of
from telemetry.review.mapping.colours import add_picture, looks_down
from telemetry.review.mapping.grown_map import Floats, GrownMap
from telemetry.review.mapping.heights import add_points, add_range
from telemetry.review.mapping.recorded_poses import RecordedPoses
from telemetry.review.mapping.space_pose import SpacePose

PICTURES_EVERY_S: Final = 0.2
"""More of them show nothing new."""
_SLICE_US: Final = 10_000
"""Rays of a scan that are sent within so long have one pose."""
_FULL_SCALE: Final = 0.999
"""A sonar without an echo says the longest that it can."""

PoseAt = Callable[[float], SpacePose | None]
Take = Callable[[GrownMap, StreamSample, PoseAt], bool]
"""Takes a sample, by the poses some seconds after its stamp; False if that told nothing."""


class MapBuilder:
    """Reads each sensor's samples once. One thread at a time calls it, not that of the window:
    samples are read from disk.

    `taken`, `useless` and `missed` count samples: those that made the map grow, those that told
    nothing of the ground or have no pose, and those that were lost before they were read.
    """

    def __init__(
        self,
        recording: Recording,
        grown: GrownMap,
        poses: RecordedPoses,
        begin_s: float = -math.inf,
    ) -> None:
        """Samples from `begin_s` of the flight on count."""
        self.recording = recording
        self.grown = grown
        self.poses = poses
        self.built_s = begin_s
        """Up to where samples were read."""
        self.taken = self.useless = self.missed = 0
        self.first: SpacePose | None = None
        """Where the aircraft was at the first sample that counted."""
        self.begin_s = begin_s
        self._feeds: dict[MediaTrack, _Feed] = {}

    @property
    def has_sensors(self) -> bool:
        """Whether there is any sensor that tells of the ground."""
        return any(feed.take is not None for feed in self._all_feeds())

    def advance(self, until_s: float, most: int = 40) -> bool:
        """Take up to `most` samples up to a second of the flight; True if there are more of which
        the pose is known by now."""
        feeds = self._all_feeds()
        for _ in range(most):
            feed = min(feeds, key=lambda one: one.next_s, default=None)
            if feed is None or feed.next_s > until_s:
                return False
            if feed.next_s + feed.lasts_s > self.poses.decided_s:
                return False
            self._take(feed)
        return any(feed.next_s <= until_s for feed in feeds)

    def _all_feeds(self) -> list["_Feed"]:
        for track in self.recording.media_tracks():
            if track not in self._feeds:
                self._feeds[track] = _Feed(track, self.begin_s)
        return [feed for feed in self._feeds.values() if feed.take is not None]

    def _take(self, feed: "_Feed") -> None:
        t, sample = feed.next_s, feed.read()
        self.built_s = max(self.built_s, t)
        if sample is None:
            self.missed += 1
            return
        description = feed.track.description

        def sensor_at(after_s: float) -> SpacePose | None:
            body = self.poses.at(t + after_s)
            return body.of_sensor(description) if body is not None else None

        if feed.take is not None and feed.take(self.grown, sample, sensor_at):
            self.taken += 1
            self.first = self.first or self.poses.at(t)
        else:
            self.useless += 1


class _Feed:
    """How far a stream was read."""

    def __init__(self, track: MediaTrack, begin_s: float) -> None:
        self.track = track
        self._next, _ = track.range(begin_s, None)
        self.take = _taker(track.description)
        self.lasts_s = 1e-6 * float(_after_us(track.description).max(initial=0.0))
        self._every_s = 0.0
        if track.description.kind is StreamKind.PICTURES:
            self._every_s = PICTURES_EVERY_S

    @property
    def next_s(self) -> float:
        """When the next sample was taken; infinity if there is none yet."""
        return float(self.track.times[self._next]) if self._next < self.track.count else math.inf

    def read(self) -> StreamSample | None:
        """The next sample; None if it is lost."""
        sample, t = self.track.sample(self._next), self.next_s
        self._next += 1
        if self._every_s:
            self._next = max(self._next, int(self.track.times.searchsorted(t + self._every_s)))
        return sample


def _taker(description: StreamDescription) -> Take | None:
    """What takes the samples of a stream; None for one that tells nothing of the ground."""
    match description.kind:
        case StreamKind.SCANS:
            return _scans(description)
        case StreamKind.PICTURES if looks_down(description):
            return _pictures(description)
        case StreamKind.VALUES if list(description.details.get("names", ())) == ["range"]:
            return _ranges(description)
    return None


def _scans(description: StreamDescription) -> Take | None:
    try:
        rays = ray_directions(description)
    except StreamError:
        return None
    after_us = _after_us(description)
    slices = after_us // _SLICE_US if len(after_us) == len(rays) else np.zeros(len(rays))

    def take(grown: GrownMap, sample: StreamSample, pose_at: PoseAt) -> bool:
        if not isinstance(sample, ScanSample) or len(sample.ranges_m) != len(rays):
            return False
        own = rays * sample.ranges_m.astype(np.float64)[:, None]
        used = 0
        for number in np.unique(slices):
            pose = pose_at(1e-6 * _SLICE_US * (number + 0.5) if number or slices.any() else 0.0)
            if pose is not None:
                used += add_points(grown, pose.points(own[slices == number]), pose)
        return used > 0

    return take


def _pictures(description: StreamDescription) -> Take:
    def take(grown: GrownMap, sample: StreamSample, pose_at: PoseAt) -> bool:
        pose = pose_at(0.0)
        if not isinstance(sample, PictureSample) or sample.flaw or pose is None:
            return False
        height, width = sample.pixels.shape[:2]
        lens = lens_of(camera_of_stream(description), (width, height))
        return add_picture(grown, sample.pixels, lens, pose) > 0

    return take


def _ranges(description: StreamDescription) -> Take:
    least_m = _detail(description, "least_m", 0.0)
    longest_m = _detail(description, "longest_m", math.inf) * _FULL_SCALE
    half_angle_rad = math.radians(min(_detail(description, "half_angle_deg", 0.0), 45.0))

    def take(grown: GrownMap, sample: StreamSample, pose_at: PoseAt) -> bool:
        pose = pose_at(0.0)
        if not isinstance(sample, ValueSample) or pose is None:
            return False
        range_m = float(sample.values[0])
        return least_m < range_m < longest_m and add_range(grown, range_m, pose, half_angle_rad)

    return take


def _after_us(description: StreamDescription) -> Floats:
    """How much later than the stamp each ray of a scan is sent; empty where that is not said."""
    said = description.details.get("after_us")
    try:
        after = np.asarray(said if isinstance(said, list | tuple) else [], np.float64)
    except (TypeError, ValueError):
        return np.empty(0)
    is_sound = after.ndim == 1 and bool(((after >= 0.0) & (after <= 1e6)).all())
    return after if is_sound else np.empty(0)


def _detail(description: StreamDescription, key: str, otherwise: float) -> float:
    said = description.details.get(key)
    is_number = isinstance(said, int | float) and math.isfinite(said) and said >= 0.0
    return float(said) if is_number and said is not None else otherwise
