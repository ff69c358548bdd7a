"""Camera fit: lens and mount of a camera whose film is synchronised with a log.

The log's turns are predicted from the picture's, not the other way round: a log is noisy, comes
late and is read between its samples, and a regression on noisy turns finds a scale that is too
small, hence a field of view too wide; points far away are found to a hundredth of a degree. What
the log cannot tell, the lens's k1, the points tell by themselves. The standard errors are those of
a jackknife over stretches of the film, and of what all stretches have in common.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.ndimage import uniform_filter1d
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
    rotations_of,
)
from telemetry.review.flights.synchronisation.turns import LogTurns, turns_of_log

_Column = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

_MOUNT, _SHIFT, _UNKNOWNS = slice(3, 6), 6, 7
_PASSES, _STEPS = 3, 2
_FIRST_ROUNDS = 10
_LEAST_TURNS, _MARGIN_S = 60, 0.2
_NUDGE, _NUDGE_S = 1e-3, 0.05
_STILL_SIGMA, _TURNING_SIGMA, _LIVELY_S = math.radians(0.06), 0.005, 2.0
_LEAST_SPREAD, _SHOULDER = 0.05, 2.0
_STRETCHES = 20
_USUAL_SHUTTER_S, _SHUTTER_SIGMA_S = 0.01, 0.01
"""Most cameras take 8 to 30 ms."""
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
class _Found:
    """The lens vector, the mount (3, 3), which turns the axes of a camera along the nose, and the
    covariance of all unknowns: the lens vector, the mount's turn, a shift in s."""

    vector: _Column
    mount: _Column
    covariance: _Column


def fit_camera(
    motion: PictureMotion, log: LogMotion, sync: Sync, camera: CameraSettings
) -> CameraEstimate | None:
    """What the film's points say of its camera; `camera` is what was assumed when they were
    followed. None where too little turns in both."""
    steps = motion.steps
    if steps is None or len(steps) < _LEAST_TURNS:
        return None
    base = lens_of(camera, steps.size, steps.full_width)
    try:
        fit = _CameraFit(steps, base, log, sync, camera.shutter_s)
        found, is_bent = fit.run(not camera.distortion)
    except np.linalg.LinAlgError:
        return None
    if found is None or not np.all(np.isfinite(found.covariance)):
        return None
    return _estimate(found, lens_with(base, found.vector), steps.size[0], is_bent)


class _CameraFit:
    """All that is compared, and the solution."""

    def __init__(
        self, steps: PointSteps, base: Lens, log: LogMotion, sync: Sync, shutter_s: float
    ) -> None:
        self._steps, self._base, self._shutter_s = steps, base, shutter_s
        self._times_s = np.concatenate([steps.start_s[:1], steps.end_s])
        is_gap = np.abs(steps.start_s[1:] - steps.end_s[:-1]) > 1e-6
        self._gaps = np.concatenate([[0, 0], np.cumsum(is_gap)]).astype(np.float64)
        self._start_s, self._end_s, self._told = self._compared(turns_of_log(log), sync)
        self._sync, self._log = sync, log
        if len(self._told) >= _LEAST_TURNS:
            self._usual = _usual_errors(self._told, self._end_s)
            edges = np.linspace(self._end_s[0], self._end_s[-1], _STRETCHES + 1)[1:-1]
            self._stretch = np.searchsorted(edges, self._end_s)
            self._step_stretch = np.searchsorted(edges, steps.end_s)

    def run(self, may_bend: bool) -> tuple[_Found | None, bool]:
        """What is found, and whether the lens is bent beyond doubt."""
        if len(self._told) < _LEAST_TURNS:
            return None, False
        vector, mount = self._first()
        found = self._solved(vector, mount, may_bend)
        sigma = math.sqrt(found.covariance[BEND, BEND])
        if not may_bend or abs(found.vector[BEND]) > _BENT * sigma:
            return found, may_bend
        vector = found.vector.copy()
        vector[BEND] = 0.0
        return self._solved(vector, found.mount, False), False

    def _compared(self, turns: LogTurns, sync: Sync) -> tuple[_Column, _Column, _Column]:
        """Those turns of the log, as from and to which of the medium's times, that were seen."""
        starts, ends, told = [], [], []
        for piece in sync.pieces:
            start_s, end_s = (
                piece.offset_s + piece.rate * at_s for at_s in (turns.start_s, turns.end_s)
            )
            first_s = max(piece.medium_start_s, self._times_s[0]) + _MARGIN_S
            last_s = min(piece.medium_end_s, self._times_s[-1]) - _MARGIN_S
            is_seen = (start_s >= first_s) & (end_s <= last_s)
            gaps = np.interp([start_s, end_s], self._times_s, self._gaps)
            is_seen &= gaps[1] - gaps[0] == 0.0
            starts.append(start_s[is_seen])
            ends.append(end_s[is_seen])
            told.append(turns.turn_rad[is_seen])
        return np.concatenate(starts), np.concatenate(ends), np.concatenate(told)

    def _first(self) -> tuple[_Column, _Column]:
        """A first guess from turns at the assumed lens: the mount that fits best and the scale,
        each with the other."""
        vector = np.array([0.0, 0.0, self._shutter_s or _USUAL_SHUTTER_S])
        still = np.zeros((len(self._steps), 3))
        seen = self._turned(fit_steps(self._steps, self._base, vector, None, still).turn_rad, 0.0)
        scale = 1.0
        for _ in range(_FIRST_ROUNDS):
            mount = rotations_of((seen / [scale, scale, 1.0]).T @ self._told)
            expected = self._told @ mount.T
            scale = float(np.sum(seen[:, :2] ** 2) / np.sum(seen[:, :2] * expected[:, :2]))
            scale = min(max(scale, 0.2), 5.0)
        vector[FOCAL] = math.log(scale)
        return vector, mount

    def _solved(self, vector: _Column, mount: _Column, may_bend: bool) -> _Found:
        """Around each lens the steps are fitted anew, the rest follows from their slopes."""
        shift_s, turn_rad = 0.0, np.zeros((len(self._steps), 3))
        for _ in range(_PASSES):
            fitted = fit_steps(
                self._steps, self._base, vector, self._down(mount, shift_s), turn_rad
            )
            turn_rad, score = fitted.turn_rad, fitted.bend_score
            for _ in range(_STEPS):
                normal, right = self._equations(fitted, turn_rad, score, vector, mount, shift_s)
                if not may_bend:
                    normal[:, BEND], normal[:, :, BEND], right[:, BEND] = 0.0, 0.0, 0.0
                normal[:, BEND, BEND] += 0.0 if may_bend else 1.0 / _STRETCHES
                change = np.linalg.solve(normal.sum(axis=0), right.sum(axis=0))
                vector = vector + change[:3]
                turn_rad = turn_rad + fitted.slopes @ change[:3]
                score = score - fitted.bend_slopes @ change[:3]
                mount = Rotation.from_rotvec(change[_MOUNT]).as_matrix() @ mount
                shift_s += float(change[_SHIFT])
        return _Found(vector, mount, _covariance(normal, right, self._bend_floor(vector, may_bend)))

    def _bend_floor(self, vector: _Column, may_bend: bool) -> float:
        """What is not known of k1 for all that its own error says; 0 where it is not asked for."""
        edge = self._steps.size[0] / 2 / lens_with(self._base, vector).focal_px[0]
        return _BEND_FLOOR / edge**2 if may_bend else 0.0

    def _equations(
        self,
        fitted: StepTurns,
        turn_rad: _Column,
        score: _Column,
        vector: _Column,
        mount: _Column,
        shift_s: float,
    ) -> tuple[_Column, _Column]:
        """The normal equations of each stretch: (stretches, unknowns, unknowns) and their right
        sides. That of k1 is the points' own."""
        seen = self._turned(turn_rad, shift_s)
        expected = self._told @ mount.T
        columns = [
            (self._turned(turn_rad + _NUDGE * fitted.slopes[:, :, number], shift_s) - seen) / _NUDGE
            for number in range(3)
        ]
        columns += [-np.cross(axis, expected) for axis in np.eye(3)]
        later, sooner = (self._turned(turn_rad, shift_s + by_s) for by_s in (_NUDGE_S, -_NUDGE_S))
        columns.append((later - sooner) / (2 * _NUDGE_S))
        slopes, rest = np.stack(columns, axis=-1), expected - seen
        weight = self._weights(rest)
        weighted = slopes * weight[..., None]
        normal = np.zeros((_STRETCHES, _UNKNOWNS, _UNKNOWNS))
        right = np.zeros((_STRETCHES, _UNKNOWNS))
        np.add.at(normal, self._stretch, np.swapaxes(weighted, 1, 2) @ slopes)
        np.add.at(right, self._stretch, np.einsum("nci,nc->ni", weighted, rest))
        normal[:, BEND], right[:, BEND] = 0.0, 0.0
        np.add.at(normal[:, BEND, :3], self._step_stretch, fitted.bend_slopes)
        np.add.at(right[:, BEND], self._step_stretch, score)
        known = _SHUTTER_SIGMA_S if not self._shutter_s else 1e-6
        usual_s = self._shutter_s or _USUAL_SHUTTER_S
        normal[:, SHUTTER, SHUTTER] += known**-2 / _STRETCHES
        right[:, SHUTTER] += (usual_s - vector[SHUTTER]) * known**-2 / _STRETCHES
        return normal, right

    def _weights(self, rest: _Column) -> _Column:
        relative = rest / self._usual[:, None]
        spread = max(1.4826 * float(np.median(np.abs(relative))), _LEAST_SPREAD)
        weight: _Column = 1.0 / (1.0 + (relative / (_SHOULDER * spread)) ** 2)
        return weight / (spread * self._usual[:, None]) ** 2

    def _turned(self, turn_rad: _Column, shift_s: float) -> _Column:
        chained = accumulated(np.concatenate([np.zeros((1, 3)), turn_rad]))
        curve = RotationCurve(self._times_s, chained)
        return curve.turned(self._start_s + shift_s, self._end_s + shift_s)

    def _down(self, mount: _Column, shift_s: float) -> _Column | None:
        """Where the ground was by the log at each step's start, in the camera's axes."""
        if not self._log.has_down:
            return None
        log_s = _log_s(self._sync, self._steps.start_s - shift_s)
        attitude = Rotation.from_quat(np.roll(self._log.q_wxyz, -1, axis=1))
        down = RotationCurve(self._log.times_s, attitude).at(log_s).inv().apply([0.0, 0.0, 1.0])
        found: _Column = down @ (mount @ CAMERA_FROM_BODY).T
        return found


def _log_s(sync: Sync, medium_s: _Column) -> _Column:
    """The log's times (n,) at those of the medium; between two pieces those of the one before."""
    starts_s = np.array([piece.medium_start_s for piece in sync.pieces])
    piece = np.maximum(np.searchsorted(starts_s, medium_s, "right") - 1, 0)
    offset_s, rate = (np.array([getattr(one, name) for one in sync.pieces]) for name in _LINE)
    log_s: _Column = (medium_s - offset_s[piece]) / rate[piece]
    return log_s


_LINE = ("offset_s", "rate")


def _usual_errors(turn_rad: _Column, end_s: _Column) -> _Column:
    """What is usually left of each turn (n,) in rad, by how much is turned around it; only the
    ratio of two matters."""
    size = max(round(_LIVELY_S / max(float(np.median(np.diff(end_s))), 1e-3)), 1)
    lively = np.sqrt(uniform_filter1d(np.sum(turn_rad**2, axis=1), size, mode="nearest"))
    found: _Column = np.hypot(_STILL_SIGMA, _TURNING_SIGMA * lively)
    return found


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


def _estimate(found: _Found, lens: Lens, width: int, is_bent: bool) -> CameraEstimate:
    sigma = np.sqrt(np.diag(found.covariance))
    share = width / lens.focal_px[0]
    field = share if lens.is_fisheye else 2.0 * math.atan(share / 2.0)
    by_focal = field if lens.is_fisheye else math.sin(field)
    return CameraEstimate(
        math.degrees(field),
        math.degrees(by_focal * float(sigma[FOCAL])),
        _mount_deg(found.mount),
        _mount_sigma_deg(found),
        tuple((*lens.distortion, *(0.0,) * 4)[:4]) if is_bent else (),
        (float(sigma[BEND]), 0.0, 0.0, 0.0) if is_bent else (),
    )


def _mount_sigma_deg(found: _Found) -> tuple[float, float, float]:
    """The covariance of the mount's turn as those of its angles."""
    before = np.array(_mount_deg(found.mount))
    slopes = np.stack(
        [
            np.array(_mount_deg(Rotation.from_rotvec(_NUDGE * axis).as_matrix() @ found.mount))
            - before
            for axis in np.eye(3)
        ],
        axis=1,
    )
    slopes = ((slopes + 180.0) % 360.0 - 180.0) / _NUDGE
    sigmas = np.sqrt(np.diag(slopes @ found.covariance[_MOUNT, _MOUNT] @ slopes.T))
    roll, pitch, yaw = np.minimum(sigmas, _NO_ANGLE_SIGMA_DEG)
    return float(roll), float(pitch), float(yaw)


def _mount_deg(mount: _Column) -> tuple[float, float, float]:
    """(roll, pitch, yaw) as in CameraSettings."""
    x, y, z, w = Rotation.from_matrix((CAMERA_FROM_BODY.T @ mount @ CAMERA_FROM_BODY).T).as_quat()
    return angles_deg_of((float(w), float(x), float(y), float(z)))
