"""Picture motion: a video's, in one pass over its frames, in bounded memory.

The points of a reference frame, the last good one, are looked for in a new one: where frames come
often that is a frame ahead, and those passed over are looked at only where it cannot be compared.
Where too few are found where one rotation puts them, or nothing moves all at once, the frame is
kept back: if the next one fits the reference, it was broken or came twice, and the rotation spans
the time over it. If the next one fits the frame that was kept back instead, the picture has changed
for good (a cut, a turn that was too fast): then the gap stays unmeasured, and the measurement goes
on from there.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.frame_source import FrameSource, VideoFrame
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of
from telemetry.review.flights.synchronisation.errors import MeasuringCancelledError
from telemetry.review.flights.synchronisation.horizon import Horizon, find_horizon
from telemetry.review.flights.synchronisation.kept_points import KeptPoints
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.point_tracks import (
    Gray,
    PointTracks,
    Reference,
    TrackedPoints,
)
from telemetry.review.flights.synchronisation.rotation_fit import RotationFit, fit_rotation
from telemetry.review.flights.synchronisation.rotations import rotation_matrix

_Array = npt.NDArray[np.float64]

_LOOK_S = 0.085
"""Turns are compared over 0.4 s: of frames that come more often not every one need be looked at,
nor the horizon looked for in every one that is."""
_WIDTH = 320
"""Pictures are made smaller to this width: points are then found to 0.05 pixels, 0.2 mrad."""
_MOST_KEPT_BACK = 4
_MOST_DAMAGED = 2
"""A reader calls all frames damaged up to the next key; more than these are looked at."""
_MOVING_PX = 0.3
_MOST_AHEAD_RAD = 0.5
"""After a gap it is not known any more where points ought to be."""
_LEAST_INLIERS, _LEAST_SHARE = 12, 0.4
_GOOD_INLIERS = 40
_DOWN_LASTS_S = 2.0


def measure_motion(
    source: FrameSource,
    camera: CameraSettings,
    progress: Callable[[float], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> PictureMotion:
    """What the frames of a video say of the camera's motion.

    `progress` is told the share that is done, 0 to 1, and `is_cancelled` is asked before each
    frame. Raises MeasuringCancelledError if it says so.
    """
    times = source.times().tolist()
    measurement = MotionMeasurement(camera, source.size)
    passed: list[float] = []
    for number, time_s in enumerate(times):
        if is_cancelled is not None and is_cancelled():
            raise MeasuringCancelledError
        passed.append(time_s)
        next_s = times[number + 1] if number + 1 < len(times) else np.inf
        if next_s - measurement.last_s > _LOOK_S or not measurement.is_sure:
            _look_at(source, measurement, passed)
            passed.clear()
        if progress is not None:
            progress((number + 1) / len(times))
    return measurement.motion()


def _look_at(source: FrameSource, measurement: "MotionMeasurement", times_s: list[float]) -> None:
    """The last of the frames, or all of them where that one cannot be compared at once."""
    if len(times_s) > 1:
        frame = source.frame_at(times_s[-1])
        if frame is not None and measurement.reaches(frame):
            return
    for time_s in times_s:
        frame = source.frame_at(time_s)
        if frame is not None:
            measurement.add(frame)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A frame made smaller."""

    time_s: float
    colours: npt.NDArray[np.uint8]
    gray: Gray


@dataclass(slots=True)
class _Rows:
    """The columns of a PictureMotion while they grow."""

    times_s: list[float] = field(default_factory=list)
    rotation_rad: list[_Array] = field(default_factory=list)
    sigma_rad: list[float] = field(default_factory=list)
    quality: list[float] = field(default_factory=list)
    horizon: list[tuple[float, float, float]] = field(default_factory=list)
    row: list[float] = field(default_factory=list)
    brightness: list[float] = field(default_factory=list)
    skipped: int = 0

    def add(
        self, look: _Look, fit: RotationFit | None, horizon: Horizon | None, row: float
    ) -> None:
        """One more row; without a fit its rotation was not measured."""
        self.times_s.append(look.time_s)
        self.brightness.append(float(look.gray.mean()) / 255)
        self.rotation_rad.append(np.zeros(3) if fit is None else fit.rotation_rad)
        self.sigma_rad.append(np.inf if fit is None else fit.sigma_rad)
        self.quality.append(0.0 if fit is None else _quality(fit))
        self.horizon.append(
            (np.nan, np.nan, 0.0)
            if horizon is None
            else (horizon.roll_rad, horizon.pitch_rad, horizon.quality)
        )
        self.row.append(row)

    def motion(self, kept_back: int) -> PictureMotion:
        """The columns; `kept_back` frames at the end have none of them."""
        horizon = np.array(self.horizon, np.float64).reshape(-1, 3)
        return PictureMotion(
            np.array(self.times_s, np.float64),
            np.array(self.rotation_rad, np.float64).reshape(-1, 3),
            np.array(self.sigma_rad, np.float64),
            np.array(self.quality, np.float64),
            horizon[:, 0],
            horizon[:, 1],
            horizon[:, 2],
            np.array(self.row, np.float64),
            self.skipped + kept_back,
            np.array(self.brightness, np.float64),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """How a frame compares with a reference."""

    points: TrackedPoints
    fit: RotationFit


class MotionMeasurement:
    """The pass itself, for a caller who has the frames one by one, in order of time.

    `size` (width, height) is that of the frames; others are skipped.
    """

    def __init__(self, camera: CameraSettings, size: tuple[int, int]) -> None:
        width = min(_WIDTH, size[0])
        self._full_size = size
        self._size = (width, round(size[1] * width / size[0]))
        self._lens = lens_of(camera, self._size, size[0])
        self._tracks = PointTracks(self._size)
        self._rows = _Rows()
        self._kept = KeptPoints()
        self._reference: Reference | None = None
        self._reference_s = 0.0
        self.last_s = -np.inf
        """The time of the last frame that was taken or kept back."""
        self._kept_back: list[_Look] = []
        self._damaged = 0
        self._rate = np.zeros(3)
        self._down: _Array | None = None
        self._down_s = 0.0
        self._horizon_s = -np.inf

    def add(self, frame: VideoFrame) -> None:
        """Take the next frame."""
        look = self._look(frame)
        if look is None:
            self._rows.skipped += 1
            return
        self.last_s = look.time_s
        if self._reference is None:
            self._lose(look)
        elif frame.is_damaged and self._damaged < _MOST_DAMAGED:
            self._kept_back.append(look)
        else:
            self._compare(self._reference, look)
        self._damaged = self._damaged + 1 if frame.is_damaged else 0

    @property
    def is_sure(self) -> bool:
        """Whether the last frame could be compared with the one before."""
        return not self._kept_back and bool(self._rows.quality) and self._rows.quality[-1] > 0

    def reaches(self, frame: VideoFrame) -> bool:
        """Take a frame that is not the next one, if it can be compared with the reference as it is;
        nothing has changed where it cannot."""
        look = self._look(frame)
        if look is None or self._reference is None or frame.is_damaged:
            return False
        found = self._found(self._reference, look, look.time_s - self._reference_s)
        if found is None or self._stutters(self._reference, found):
            return False
        self._take(look, found)
        self.last_s, self._damaged = look.time_s, 0
        return True

    def motion(self) -> PictureMotion:
        """What was found up to here."""
        steps = self._kept.steps(self._size, self._full_size[0])
        return replace(self._rows.motion(len(self._kept_back)), steps=steps)

    def _look(self, frame: VideoFrame) -> _Look | None:
        """None for a frame of another size, or that does not come after the last one."""
        import cv2

        is_next = frame.time_s is not None and frame.time_s > self.last_s
        if frame.time_s is None or not is_next or frame.pixels.shape[1::-1] != self._full_size:
            return None
        colours = frame.pixels
        if self._size != self._full_size:
            colours = np.asarray(
                cv2.resize(colours, self._size, interpolation=cv2.INTER_AREA), np.uint8
            )
        gray = np.asarray(cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY), np.uint8)
        return _Look(frame.time_s, colours, gray)

    def _compare(self, reference: Reference, look: _Look) -> None:
        found = self._found(reference, look, look.time_s - self._reference_s)
        if found is not None and (self._kept_back or not self._stutters(reference, found)):
            self._rows.skipped += len(self._kept_back)
            self._take(look, found)
            return
        if found is None and self._kept_back:
            last = self._kept_back[-1]
            found = self._found(self._tracks.reference(last.gray), look, 0.0)
            if found is not None:
                self._rows.skipped += len(self._kept_back) - 1
                self._lose(last)
                self._take(look, found)
                return
        self._kept_back.append(look)
        if len(self._kept_back) > _MOST_KEPT_BACK:
            for kept in self._kept_back:
                self._lose(kept)

    def _found(self, reference: Reference, look: _Look, ahead_s: float) -> _Found | None:
        """How a frame compares with a reference, if it does; `ahead_s` is how long the camera is
        expected to have turned as it last did."""
        ahead_rad = self._rate * ahead_s
        if ahead_rad @ ahead_rad > _MOST_AHEAD_RAD**2:
            ahead_rad = np.zeros(3)
        expected = self._turned(reference.points, ahead_rad)
        points = self._tracks.follow(reference, look.gray, expected)
        before, after = self._lens.directions(points.before), self._lens.directions(points.after)
        is_down_known = look.time_s - self._down_s < _DOWN_LASTS_S
        fit = fit_rotation(before, after, self._down if is_down_known else None)
        if fit is None:
            return None
        inliers = int(fit.is_inlier.sum())
        if inliers < max(_LEAST_INLIERS, _LEAST_SHARE * len(reference.points)):
            return None
        return _Found(points, fit)

    def _stutters(self, reference: Reference, found: _Found) -> bool:
        """Whether nothing changed where it ought to, had the camera gone on turning: a frame that
        comes twice, or what a decoder shows in the place of a broken one."""
        points = found.points
        expected_px = np.hypot(*(points.expected - points.before).T)
        columns, rows = points.before.astype(int).T
        change = points.picture[rows, columns].astype(int) - reference.picture[rows, columns]
        return bool(np.median(np.abs(change)) == 0 and np.median(expected_px) > _MOVING_PX)

    def _take(self, look: _Look, found: _Found) -> None:
        """The frame has its row and is the reference from now on."""
        fit, points = found.fit, found.points
        self._rate = fit.rotation_rad / max(1e-3, look.time_s - self._reference_s)
        if self._down is not None:
            self._down = rotation_matrix(fit.rotation_rad).T @ self._down
        turned = self._turned(points.before, fit.rotation_rad)
        self._tracks.still.learn(points.before, points.after, turned)
        self._kept.add(self._reference_s, look.time_s, points.before, points.after)
        self._reference = self._tracks.next_reference(points, fit.is_inlier)
        self._reference_s = look.time_s
        self._kept_back = []
        height = self._size[1]
        seen_px = float(points.after[fit.is_inlier, 1].mean())
        row = (seen_px + 0.5) / height - 0.5
        self._rows.add(look, fit, self._horizon(look), row)

    def _lose(self, look: _Look) -> None:
        """The frame has a row without a rotation; measuring starts anew from it."""
        self._reference = self._tracks.reference(look.gray)
        self._reference_s = look.time_s
        self._rate, self._down = np.zeros(3), None
        self._kept_back = []
        self._rows.add(look, None, self._horizon(look), np.nan)

    def _horizon(self, look: _Look) -> Horizon | None:
        if look.time_s - self._horizon_s < _LOOK_S:
            return None
        self._horizon_s = look.time_s
        horizon = find_horizon(look.colours, self._lens)
        if horizon is not None:
            self._down, self._down_s = np.array(horizon.down), look.time_s
        return horizon

    def _turned(self, points: _Array, rotation_rad: _Array) -> _Array:
        """Where points (n, 2) far away are seen after a rotation."""
        straight = self._lens.directions(points)
        rays = np.column_stack([straight, np.ones(len(points))])
        turned = rays @ rotation_matrix(rotation_rad)
        moved = self._lens.pixels(turned) - self._lens.pixels(rays)
        return points + np.nan_to_num(moved)  # what leaves the lens is looked for where it was


def _quality(fit: RotationFit) -> float:
    share, count = float(fit.is_inlier.mean()), float(fit.is_inlier.sum())
    return share * min(1.0, count / _GOOD_INLIERS)
