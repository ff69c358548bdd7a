"""Recorded poses: where an aircraft was at any time of a recording, between its samples."""

import math
from enum import Enum
from typing import Final

import numpy as np

from telemetry.base.rotations import Floats, matrix_by_angles
from telemetry.recording.flight_state import ATTITUDE, CENTI_UNITS, POSITION
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track
from telemetry.review.mapping.space_pose import SpacePose

TRUTH: Final = "AttitudeSimulated"
LONGEST_GAP_S: Final = 1.0
"""Between two samples; over a longer time nobody knows how it moved."""
_ANGLES: Final = ("Roll", "Pitch", "Yaw")


class PoseSource(Enum):
    """Who says where the aircraft is."""

    ESTIMATE = "estimate"
    """It itself: metres from its home."""
    TRUTH = "truth"
    """The simulator: metres from its world's origin."""


class RecordedPoses:
    """Poses of one recording; what was appended meanwhile counts."""

    def __init__(self, recording: Recording, source: PoseSource = PoseSource.ESTIMATE) -> None:
        self._recording = recording
        self.source = source

    def is_known(self) -> bool:
        """Whether anything of this source was recorded."""
        return all(track is not None and track.count for track in self._tracks())

    @property
    def decided_s(self) -> float:
        """Up to when nothing that arrives later can change what `at` says; minus infinity before
        anything was told."""
        return min(-math.inf if track is None else track.last_s for track in self._tracks())

    def at(self, t: float) -> SpacePose | None:
        """Straight between the samples before and after, angles the shorter way; None where there
        are none, or more than LONGEST_GAP_S apart, or where a sample is no number."""
        attitude, position = self._tracks()
        angles = _between(attitude, t, _ANGLES, is_angle=True)
        if self.source is PoseSource.TRUTH:
            place = _between(position, t, ("Position",))
        else:
            place = _between(position, t, ("North", "East", "Down"))
        if angles is None or place is None:
            return None
        return SpacePose(place, matrix_by_angles(*angles.tolist()))

    def _tracks(self) -> tuple[Track | None, Track | None]:
        """Who says the attitude and who the position."""
        if self.source is PoseSource.TRUTH:
            track = self._recording.track(TRUTH)
            return track, track
        return self._first_of(ATTITUDE), self._first_of(POSITION)

    def _first_of(self, names: tuple[str, ...]) -> Track | None:
        found = (self._recording.track(name) for name in names)
        return next((track for track in found if track is not None), None)


def _between(
    track: Track | None, t: float, fields: tuple[str, ...], *, is_angle: bool = False
) -> Floats | None:
    """Three numbers at a time."""
    if track is None or not math.isfinite(t):
        return None
    before = track.index_at(t)
    if before < 0 or (before + 1 >= track.count and float(track.times[before]) < t):
        return None
    after = min(before + 1, track.count - 1)
    begin_s, end_s = float(track.times[before]), float(track.times[after])
    if end_s - begin_s > LONGEST_GAP_S:
        return None
    a, b = _numbers(track, before, fields), _numbers(track, after, fields)
    step = (b - a + 180.0) % 360.0 - 180.0 if is_angle else b - a
    found = a + step * ((t - begin_s) / (end_s - begin_s) if end_s > begin_s else 0.0)
    return found if bool(np.isfinite(found).all()) else None


def _numbers(track: Track, index: int, fields: tuple[str, ...]) -> Floats:
    columns = [np.ravel(track.values(field, None, index, index + 1)) for field in fields]
    scale = 0.01 if track.definition.field_named(fields[0]).units in CENTI_UNITS else 1.0
    return scale * np.concatenate(columns).astype(np.float64)
