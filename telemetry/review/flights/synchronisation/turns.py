"""Turns of aircraft and camera made comparable: cleaned, in one frame, with what is missing.

The log's are taken between its own samples. The picture's are chained to a curve that is looked
up where a supposed synchronisation puts those samples: frames come often enough for that.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.ndimage import median_filter, uniform_filter1d

from telemetry.review.flights.synchronisation.log_motion import LogMotion
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.rotations import (
    CAMERA_FROM_BODY,
    RotationCurve,
    accumulated,
)

_Column = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

LEAST_TURN_S = 0.4
"""Attitude that comes more often is compared over this time: shorter turns are mostly noise."""
LEAST_SEEN_S, LEAST_TURN_DEG = 10.0, 0.25
"""For so long a picture has to be followed, and so far a camera that flies turns at least in
`LEAST_TURN_S`, in the liveliest tenth of a video."""
MOST_TURN_S = 1.6
"""Over a longer silence of the log nothing is compared."""
_NEIGHBOURS = 7
"""Frames, of which a third may be wrong, that say what the one in their middle may be."""
_SPIKE = 5.0
"""A turn that differs by so many times the usual difference from its neighbours is wrong."""
_HORIZON_LASTS_S = 0.15
"""Between two frames with a horizon that are further apart, the roll is not known."""
_DARK = 0.06
"""A mean brightness, of 1, below which what is not followed is not followed for want of light."""
_LIVELY_S = 2.0
_MOST_UNSEEN = 0.35
"""The share of a turn that the picture may have missed."""


@dataclass(frozen=True, slots=True, eq=False)
class LogTurns:
    """Turns between samples of the log: from `start_s` to `end_s` (n,), `turn_rad` (n, 3) as a
    camera along the nose would see them, in the frame of their start. `down` (n, 3) is where
    the ground was at `end_s` in the same axes, empty where the log does not tell."""

    start_s: _Column
    end_s: _Column
    turn_rad: _Column
    down: _Column

    def __len__(self) -> int:
        return len(self.start_s)

    def where(self, kept: _Mask | npt.NDArray[np.intp]) -> "LogTurns":
        """Some of them, by a mask or by their numbers."""
        down = self.down[kept] if len(self.down) else self.down
        return LogTurns(self.start_s[kept], self.end_s[kept], self.turn_rad[kept], down)

    def usual_errors(self, still_rad: float, turning_share: float) -> _Column:
        """The usual error (n,) of a turn in rad, by what it is for one that stands still and for
        how much is turned around it."""
        if len(self) < 2:
            return np.full(len(self), still_rad)
        size = max(round(_LIVELY_S / float(np.median(np.diff(self.end_s)))), 1)
        square = uniform_filter1d(np.sum(self.turn_rad**2, axis=1), size, mode="nearest")
        return np.asarray(np.hypot(still_rad, turning_share * np.sqrt(square)))


def turns_of_log(motion: LogMotion) -> LogTurns:
    """Each sample against the last one at least `LEAST_TURN_S` before it."""
    times_s = motion.times_s
    attitude = motion.attitude
    end = np.arange(1, len(times_s))
    start = np.searchsorted(times_s, times_s[end] - LEAST_TURN_S + 0.02, "right") - 1
    start = np.clip(start, 0, end - 1)
    kept = times_s[end] - times_s[start] <= MOST_TURN_S
    start, end = start[kept], end[kept]
    turn = (attitude[start].inv() * attitude[end]).as_rotvec() @ CAMERA_FROM_BODY.T
    down = np.empty((0, 3))
    if motion.has_down:
        down = attitude[end].inv().apply([0.0, 0.0, 1.0]) @ CAMERA_FROM_BODY.T
    return LogTurns(times_s[start], times_s[end], turn, down)


@dataclass(frozen=True, slots=True, eq=False)
class PictureTurns:
    """What the picture tells, at any time of the medium.

    `rates_rad_s` (n, 3) are the camera's without spikes, each for the time up to its frame.
    """

    times_s: _Column
    rates_rad_s: _Column
    is_seen: _Mask
    curve: RotationCurve
    unseen_s: _Column
    """(n,) How much time up to each frame nothing was measured for."""
    roll_s: _Column
    roll_rad: _Column
    """Where a horizon was seen, the camera's roll against it: the horizon's without its spikes, and
    without steps of a whole turn."""
    borders_s: _Column
    jump: _Column
    """(n,) How far each rate stands out of its neighbours, rad/s; inf where it is not known."""

    is_dark: _Mask
    """(n,) What was not seen in a picture that is nearly black."""

    def between(self, start_s: _Column, end_s: _Column) -> tuple[_Column, _Mask]:
        """The turns (n, 3) between two times each, and whether they were seen."""
        turned = self.curve.turned(start_s, end_s)
        first_s, last_s = self.times_s[0], self.times_s[-1]
        unseen = np.interp(end_s, self.times_s, self.unseen_s)
        unseen -= np.interp(start_s, self.times_s, self.unseen_s)
        seen = (start_s >= first_s) & (end_s <= last_s)
        seen &= unseen <= _MOST_UNSEEN * (end_s - start_s)
        return turned, seen

    def told(self, start_s: float = -np.inf, end_s: float = np.inf) -> tuple[float, float]:
        """For how many seconds of a stretch the picture was followed, and how far, in degrees, the
        camera turned there in `LEAST_TURN_S` in its liveliest tenth."""
        first_s, last_s = max(start_s, self.times_s[0]), min(end_s, self.times_s[-1])
        at_s = np.arange(first_s, last_s - LEAST_TURN_S, LEAST_TURN_S / 2)
        turned, is_seen = self.between(at_s, at_s + LEAST_TURN_S)
        if not is_seen.any():
            return 0.0, 0.0
        size = np.linalg.norm(turned[is_seen], axis=1)
        return (
            np.count_nonzero(is_seen) * LEAST_TURN_S / 2,
            float(np.degrees(np.percentile(size, 90))),
        )

    def dark_share(self, start_s: float = -np.inf, end_s: float = np.inf) -> float:
        """The share of a stretch's frames that are too dark to be followed."""
        inside = (self.times_s >= start_s) & (self.times_s < end_s)
        return float(self.is_dark[inside].mean()) if inside.any() else 0.0

    def roll_at(self, times_s: _Column) -> _Column:
        """The roll (n,) against the horizon then; nan where none was seen nearby."""
        if len(self.roll_s) < 2:
            return np.full(len(times_s), np.nan)
        i = np.searchsorted(self.roll_s, times_s) - 1
        i = np.minimum(np.maximum(i, 0), len(self.roll_s) - 2)
        t0, roll_rad = self.roll_s[i], self.roll_rad[i]
        apart_s = self.roll_s[i + 1] - t0
        share = (times_s - t0) / apart_s
        roll = roll_rad + share * (self.roll_rad[i + 1] - roll_rad)
        is_near = (apart_s <= _HORIZON_LASTS_S) & (share >= 0) & (share <= 1)
        return np.where(is_near, roll, np.nan)


def turns_of_picture(motion: PictureMotion, borders_s: _Column) -> PictureTurns:
    """Chain what was measured. At a border of two files nothing was seen."""
    times_s = motion.times_s
    steps_s = np.diff(times_s, prepend=times_s[0] - 1.0)
    is_seen = motion.quality > 0
    is_seen[0] = False
    if len(borders_s):
        is_seen[np.clip(np.searchsorted(times_s, borders_s - 1e-6), 0, len(times_s) - 1)] = False
    rates, jump = _without_spikes(motion.rotation_rad / steps_s[:, None], is_seen)
    turns = rates * steps_s[:, None]
    turns[0] = 0.0
    unseen_s = np.cumsum(np.where(is_seen, 0.0, steps_s))
    unseen_s -= unseen_s[0]
    found = motion.horizon_quality > 0
    brightness = motion.brightness if len(motion.brightness) else np.ones(len(times_s))
    return PictureTurns(
        times_s,
        rates,
        is_seen,
        RotationCurve(times_s, accumulated(turns)),
        unseen_s,
        times_s[found],
        _steady_roll(motion.horizon_roll_rad[found], np.cumsum(turns[:, 2])[found]),
        borders_s,
        jump,
        ~is_seen & (brightness < _DARK),
    )


def _without_spikes(rates: _Column, is_seen: _Mask) -> tuple[_Column, _Column]:
    """Rates with each that stands out among its neighbours replaced by their median, and what was
    not seen by a line between what was; and how far each stands out (inf: not seen)."""
    seen, jump = np.flatnonzero(is_seen), np.full(len(rates), np.inf)
    if len(seen) < _NEIGHBOURS:
        return np.zeros_like(rates), jump
    known = rates[seen]
    middle = median_filter(known, (_NEIGHBOURS, 1), mode="nearest")
    away = np.abs(known - middle)
    usual = 1.4826 * median_filter(away, (3 * _NEIGHBOURS, 1), mode="nearest") + 1e-6
    jump[seen] = np.linalg.norm(away, axis=1)
    is_spike = np.any(away > _SPIKE * usual, axis=1)
    known = np.where(is_spike[:, None], middle, known)
    every = np.arange(len(rates))
    between = [np.interp(every, seen, known[:, axis]) for axis in range(3)]
    return np.stack(between, axis=1), jump


def _steady_roll(roll_rad: _Column, turned_rad: _Column) -> _Column:
    """The horizon's roll without spikes: what the picture has turned, which is exact from frame to
    frame, plus the median of what the horizon says beyond that, which is right in the long run."""
    if len(roll_rad) < 2:
        return roll_rad
    beyond = roll_rad - turned_rad
    size = 2 * _NEIGHBOURS + 1
    sine, cosine = (median_filter(f(beyond), size, mode="nearest") for f in (np.sin, np.cos))
    steady: _Column = np.unwrap(turned_rad + np.arctan2(sine, cosine))
    return steady
