"""Camera fit: lens and mount of a camera whose film is synchronised with a log.

The log's turns are predicted from the picture's, not the other way round: a log is noisy, comes
late and is read between its samples, and a regression on noisy turns finds a scale that is too
small, hence a field of view too wide; points far away are found to a hundredth of a degree. What
the log cannot tell, the lens's k1, the points tell by themselves. The standard errors are those of
a jackknife over stretches of the film, and of what all stretches have in common.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from telemetry.base.rotations import angles_deg_of
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import Lens, lens_of
from telemetry.review.flights.sync import Sync
from telemetry.review.flights.synchronisation.camera_estimate import CameraEstimate
from telemetry.review.flights.synchronisation.kept_points import PointSteps
from telemetry.review.flights.synchronisation.lens_fit import (
    BEND,
    FOCAL,
    SHUTTER,
    StepTurns,
    fit_steps,
    lens_with,
)
from telemetry.review.flights.synchronisation.log_motion import LogMotion
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.rotations import (
    CAMERA_FROM_BODY,
    RotationCurve,
    accumulated,
    rotation_matrix,
    rotations_of,
)
from telemetry.review.flights.synchronisation.turns import LogTurns, turns_of_log

_Column = npt.NDArray[np.float64]

_LENS, _MOUNT, _SHIFT, _UNKNOWNS = slice(3), slice(3, 6), 6, 7
_PASSES, _STEPS = 3, 2
_FIRST_ROUNDS = 10
_LEAST_TURNS, _MARGIN_S = 60, 0.2
_NUDGE, _NUDGE_S = 1e-3, 0.05
_STILL_SIGMA, _TURNING_SIGMA = math.radians(0.06), 0.005
"""What is usually left of a turn; only the ratio of the two matters."""
_LEAST_SPREAD, _SHOULDER = 0.05, 2.0
_STRETCHES = 20
_USUAL_SHUTTER_S, _SHUTTER_SIGMA_S = 0.01, 0.01
"""Most cameras take 8 to 30 ms."""
_KNOWN_SHUTTER_SIGMA_S = 1e-6
_FOCAL_FLOOR: Final = 0.003
"""A gyro's scale factor and what an attitude filter leaves of a turn: of the log, not of chance."""
_BEND_FLOOR: Final = 0.004
"""By what share the picture's left and right edge are shifted: ground that is not flat does it."""
_MOUNT_FLOOR_RAD: Final = math.radians(0.4)
"""A log's attitude is no better."""
_NO_ANGLE_SIGMA_DEG: Final = 180.0 / math.sqrt(3.0)
"""Of an angle of which nothing is known."""
_BENT = 3.0
"""Sigmas beyond which a lens is said to be bent."""


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """The lens vector, the mount (3, 3), which turns the axes of a camera along the nose, and how
    much later the medium's times are than by the synchronisation."""

    vector: _Column
    mount: _Column
    shift_s: float = 0.0

    def changed(self, change: _Column) -> "_Guess":
        """By all unknowns."""
        return _Guess(
            self.vector + change[_LENS],
            rotation_matrix(change[_MOUNT]) @ self.mount,
            self.shift_s + float(change[_SHIFT]),
        )


def fit_camera(
    motion: PictureMotion, log: LogMotion, sync: Sync, camera: CameraSettings
) -> CameraEstimate | None:
    """What the film's points say of its camera; `camera` is what was assumed when they were
    followed. None where too little turns in both."""
    steps = motion.steps
    if steps is None or len(steps) < _LEAST_TURNS:
        return None
    told = _filmed_turns(steps, turns_of_log(log), sync)
    if len(told) < _LEAST_TURNS:
        return None
    base = lens_of(camera, steps.size, steps.full_width)
    fit = _CameraFit(steps, base, told, _down_at(steps, log, sync), camera.shutter_s)
    try:
        found, covariance = fit.run(may_bend=not camera.distortion)
    except np.linalg.LinAlgError:
        return None
    if not np.all(np.isfinite(covariance)):
        return None
    estimate = _estimate(found, covariance, lens_with(base, found.vector), steps.size[0])
    if not camera.focal_px:
        return estimate
    return replace(estimate, calibrated_deg=math.degrees(_field_rad(base, steps.size[0])))


def _filmed_turns(steps: PointSteps, turns: LogTurns, sync: Sync) -> LogTurns:
    """Those of the log's turns that the points show throughout, at the medium's times."""
    times_s = steps.times_s
    is_gap = np.abs(steps.start_s[1:] - steps.end_s[:-1]) > 1e-6
    gaps = np.concatenate([[0, 0], np.cumsum(is_gap)]).astype(np.float64)
    starts, ends, told = [], [], []
    for piece in sync.pieces:
        start_s, end_s = (
            piece.offset_s + piece.rate * at_s for at_s in (turns.start_s, turns.end_s)
        )
        first_s = max(piece.medium_start_s, times_s[0]) + _MARGIN_S
        last_s = min(piece.medium_end_s, times_s[-1]) - _MARGIN_S
        is_seen = (start_s >= first_s) & (end_s <= last_s)
        is_seen &= np.ptp(np.interp([start_s, end_s], times_s, gaps), axis=0) == 0.0
        starts.append(start_s[is_seen])
        ends.append(end_s[is_seen])
        told.append(turns.turn_rad[is_seen])
    start_s, end_s, turn_rad = (np.concatenate(column) for column in (starts, ends, told))
    return LogTurns(start_s, end_s, turn_rad, np.empty((0, 3)))


_Down = Callable[[float], _Column]


def _down_at(steps: PointSteps, log: LogMotion, sync: Sync) -> _Down | None:
    """Where the ground was by the log (n, 3) at each step's start, in the axes of a camera along
    the nose, if the medium's times are later by a shift; None where the log does not tell."""
    if not log.has_down:
        return None
    attitude = RotationCurve(log.times_s, log.attitude)
    starts_s = [piece.medium_start_s for piece in sync.pieces]
    lines = np.array([(piece.offset_s, piece.rate) for piece in sync.pieces])

    def down(shift_s: float) -> _Column:
        medium_s = steps.start_s - shift_s
        number = np.maximum(np.searchsorted(starts_s, medium_s, "right") - 1, 0)
        offset_s, rate = lines[number].T  # between two pieces those of the one before
        level = attitude.at((medium_s - offset_s) / rate)
        return np.asarray(level.inv().apply([0.0, 0.0, 1.0]))

    return down


class _CameraFit:
    """All that is compared, and the solution."""

    def __init__(
        self, steps: PointSteps, base: Lens, told: LogTurns, down: _Down | None, shutter_s: float
    ) -> None:
        self._steps, self._base, self._told, self._down = steps, base, told, down
        self._shutter_s = shutter_s or _USUAL_SHUTTER_S
        self._shutter_sigma_s = _KNOWN_SHUTTER_SIGMA_S if shutter_s else _SHUTTER_SIGMA_S
        self._usual = told.usual_errors(_STILL_SIGMA, _TURNING_SIGMA)[:, None]
        edges = np.linspace(told.end_s[0], told.end_s[-1], _STRETCHES + 1)[1:-1]
        self._stretch = np.searchsorted(edges, told.end_s)
        self._step_stretch = np.searchsorted(edges, steps.end_s)

    def run(self, may_bend: bool) -> tuple[_Guess, _Column]:
        """What is found, and the covariance of all unknowns. A lens is straight unless it is bent
        beyond doubt."""
        found, covariance = self._solved(self._first(), may_bend)
        if may_bend and abs(found.vector[BEND]) <= _BENT * math.sqrt(covariance[BEND, BEND]):
            straight = np.where(np.arange(3) == BEND, 0.0, found.vector)
            return self._solved(_Guess(straight, found.mount), False)
        return found, covariance

    def _first(self) -> _Guess:
        """A first guess from turns at the assumed lens: the mount that fits best and the scale,
        each with the other."""
        vector = np.array([0.0, 0.0, self._shutter_s])
        still = np.zeros((len(self._steps), 3))
        seen = self._turned(fit_steps(self._steps, self._base, vector, None, still).turn_rad, 0.0)
        scale = 1.0
        for _ in range(_FIRST_ROUNDS):
            mount = rotations_of((seen / [scale, scale, 1.0]).T @ self._told.turn_rad)
            expected = self._told.turn_rad @ mount.T
            scale = float(np.sum(seen[:, :2] ** 2) / np.sum(seen[:, :2] * expected[:, :2]))
            scale = min(max(scale, 0.2), 5.0)
        vector[FOCAL] = math.log(scale)
        return _Guess(vector, mount)

    def _solved(self, guess: _Guess, may_bend: bool) -> tuple[_Guess, _Column]:
        """Around each lens the steps are fitted anew, the rest follows from their slopes."""
        turn_rad = np.zeros((len(self._steps), 3))
        for _ in range(_PASSES):
            down = None
            if self._down is not None:
                down = self._down(guess.shift_s) @ (guess.mount @ CAMERA_FROM_BODY).T
            fitted = fit_steps(self._steps, self._base, guess.vector, down, turn_rad)
            for _ in range(_STEPS):
                normal, right = self._equations(fitted, guess, may_bend)
                change = np.linalg.solve(normal.sum(axis=0), right.sum(axis=0))
                guess, fitted = guess.changed(change), fitted.at(change[_LENS])
            turn_rad = fitted.turn_rad
        return guess, _covariance(normal, right, self._bend_floor(guess.vector, may_bend))

    def _bend_floor(self, vector: _Column, may_bend: bool) -> float:
        """What is not known of k1 for all that its own error says; 0 where it is not asked for."""
        edge = self._steps.size[0] / 2 / lens_with(self._base, vector).focal_px[0]
        return _BEND_FLOOR / edge**2 if may_bend else 0.0

    def _equations(
        self, fitted: StepTurns, guess: _Guess, may_bend: bool
    ) -> tuple[_Column, _Column]:
        """The normal equations of each stretch: (stretches, unknowns, unknowns) and their right
        sides. That of k1 is the points' own."""
        rest, slopes = self._compared(fitted, guess)
        weighted = slopes * self._weights(rest)[..., None]
        normal = np.zeros((_STRETCHES, _UNKNOWNS, _UNKNOWNS))
        right = np.zeros((_STRETCHES, _UNKNOWNS))
        np.add.at(normal, self._stretch, np.swapaxes(weighted, 1, 2) @ slopes)
        np.add.at(right, self._stretch, np.einsum("nci,nc->ni", weighted, rest))
        normal[:, BEND], right[:, BEND] = 0.0, 0.0
        if may_bend:
            np.add.at(normal[:, BEND, _LENS], self._step_stretch, fitted.bend_slopes)
            np.add.at(right[:, BEND], self._step_stretch, fitted.bend_score)
        else:
            normal[:, :, BEND] = 0.0
            normal[:, BEND, BEND] = 1.0 / _STRETCHES
        known = self._shutter_sigma_s**-2
        normal[:, SHUTTER, SHUTTER] += known / _STRETCHES
        right[:, SHUTTER] += (self._shutter_s - guess.vector[SHUTTER]) * known / _STRETCHES
        return normal, right

    def _compared(self, fitted: StepTurns, guess: _Guess) -> tuple[_Column, _Column]:
        """How far turns (n, 3) are from what the log says, and how that falls with each unknown."""
        turn_rad, shift_s = fitted.turn_rad, guess.shift_s
        seen = self._turned(turn_rad, shift_s)
        expected = self._told.turn_rad @ guess.mount.T
        columns = [
            (self._turned(turn_rad + _NUDGE * fitted.slopes[:, :, number], shift_s) - seen) / _NUDGE
            for number in range(3)
        ]
        columns += [-np.cross(axis, expected) for axis in np.eye(3)]
        later, sooner = (self._turned(turn_rad, shift_s + by_s) for by_s in (_NUDGE_S, -_NUDGE_S))
        columns.append((later - sooner) / (2 * _NUDGE_S))
        return expected - seen, np.stack(columns, axis=-1)

    def _weights(self, rest: _Column) -> _Column:
        relative = rest / self._usual
        spread = max(1.4826 * float(np.median(np.abs(relative))), _LEAST_SPREAD)
        weight: _Column = 1.0 / (1.0 + (relative / (_SHOULDER * spread)) ** 2)
        return weight / (spread * self._usual) ** 2

    def _turned(self, turn_rad: _Column, shift_s: float) -> _Column:
        chained = accumulated(np.concatenate([np.zeros((1, 3)), turn_rad]))
        curve = RotationCurve(self._steps.times_s, chained)
        return curve.turned(self._told.start_s + shift_s, self._told.end_s + shift_s)


def _covariance(normal: _Column, right: _Column, bend_floor: float) -> _Column:
    """Of all unknowns: what leaving out one stretch each changes, and what all have in common."""
    whole, all_right = normal.sum(axis=0), right.sum(axis=0)
    without = np.array(
        [
            np.linalg.solve(whole - one, all_right - its)
            for one, its in zip(normal, right, strict=True)
        ]
    )
    away = without - without.mean(axis=0)
    covariance: _Column = (_STRETCHES - 1) / _STRETCHES * away.T @ away
    covariance[FOCAL, FOCAL] += _FOCAL_FLOOR**2
    covariance[_MOUNT, _MOUNT] += _MOUNT_FLOOR_RAD**2 * np.eye(3)
    if bend_floor:
        others = np.arange(_UNKNOWNS) != BEND
        by_bend = np.ones(_UNKNOWNS)
        by_bend[others] = -np.linalg.solve(whole[np.ix_(others, others)], whole[others, BEND])
        covariance += bend_floor**2 * np.outer(by_bend, by_bend)
    return covariance


def _field_rad(lens: Lens, width: int) -> float:
    share = width / lens.focal_px[0]
    return share if lens.is_fisheye else 2.0 * math.atan(share / 2.0)


def _estimate(found: _Guess, covariance: _Column, lens: Lens, width: int) -> CameraEstimate:
    sigma = np.sqrt(np.diag(covariance))
    field = _field_rad(lens, width)
    by_focal = field if lens.is_fisheye else math.sin(field)
    is_bent = bool(found.vector[BEND])
    return CameraEstimate(
        math.degrees(field),
        math.degrees(by_focal * float(sigma[FOCAL])),
        _mount_deg(found.mount),
        _mount_sigma_deg(found.mount, covariance[_MOUNT, _MOUNT]),
        (*lens.distortion, *(0.0,) * 4)[:4] if is_bent else (),
        (float(sigma[BEND]), 0.0, 0.0, 0.0) if is_bent else (),
    )


def _mount_sigma_deg(mount: _Column, covariance: _Column) -> tuple[float, float, float]:
    """The covariance (3, 3) of the mount's turn as those of its angles."""
    moved = [_mount_deg(rotation_matrix(_NUDGE * axis) @ mount) for axis in np.eye(3)]
    slopes = (np.array(moved) - np.array(_mount_deg(mount))).T
    slopes = ((slopes + 180.0) % 360.0 - 180.0) / _NUDGE
    sigmas = np.sqrt(np.diag(slopes @ covariance @ slopes.T))
    roll, pitch, yaw = np.minimum(sigmas, _NO_ANGLE_SIGMA_DEG)
    return float(roll), float(pitch), float(yaw)


def _mount_deg(mount: _Column) -> tuple[float, float, float]:
    """(roll, pitch, yaw) as in CameraSettings."""
    x, y, z, w = Rotation.from_matrix((CAMERA_FROM_BODY.T @ mount @ CAMERA_FROM_BODY).T).as_quat()
    return angles_deg_of((float(w), float(x), float(y), float(z)))
