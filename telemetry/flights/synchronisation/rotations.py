"""Rotations of cameras and aircraft: chained, and looked up at times between frames."""

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

_Column = npt.NDArray[np.float64]

CAMERA_FROM_BODY = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""A camera that looks along the nose: FRD's (x, y, z) are its (z, x, y)."""


def accumulated(turns_rad: _Column) -> Rotation:
    """The attitude after each of the turns (n, 3), rotation vectors in the frame that turns.

    In log2(n) passes over all instead of n steps.
    """
    q = Rotation.from_rotvec(turns_rad)
    step = 1
    while step < len(turns_rad):
        q = Rotation.concatenate([q[:step], q[:-step] * q[step:]])
        step *= 2
    return q


class RotationCurve:
    """An attitude over time, between its samples on the shortest way. `times_s` ascends."""

    def __init__(self, times_s: _Column, attitude: Rotation) -> None:
        self.times_s = times_s
        q = attitude.as_quat()
        turned = np.sum(q[1:] * q[:-1], axis=1) < 0
        signs = np.where(np.cumsum(turned) % 2 == 1, -1.0, 1.0)
        self._q = np.concatenate([q[:1], q[1:] * signs[:, None]])

    def at(self, times_s: _Column) -> Rotation:
        """The attitude then; before the first and after the last sample it is theirs."""
        return Rotation.from_quat(self._q_at(times_s))

    def turned(self, from_s: _Column, to_s: _Column) -> _Column:
        """The rotation vectors (n, 3) from one time to the other, in the frame of the first."""
        a, b = self._q_at(from_s), self._q_at(to_s)
        # conj(a) * b, written out: this is where a search spends its time
        w = np.sum(a * b, axis=1)
        v = a[:, 3:] * b[:, :3] - b[:, 3:] * a[:, :3] - np.cross(a[:, :3], b[:, :3])
        size = np.linalg.norm(v, axis=1)
        angle = 2 * np.arctan2(size, np.abs(w)) * np.where(w < 0, -1.0, 1.0)
        turned: _Column = v * (angle / np.maximum(size, 1e-12))[:, None]
        return turned

    def _q_at(self, times_s: _Column) -> _Column:
        """Between two frames, which are a few degrees apart, on a straight line, normalised."""
        i = np.clip(np.searchsorted(self.times_s, times_s) - 1, 0, len(self.times_s) - 2)
        t0, t1 = self.times_s[i], self.times_s[i + 1]
        share = np.clip((times_s - t0) / (t1 - t0), 0.0, 1.0)[:, None]
        q = (1 - share) * self._q[i] + share * self._q[i + 1]
        found: _Column = q / np.linalg.norm(q, axis=1)[:, None]
        return found


def rotations_of(covariances: _Column) -> _Column:
    """The rotation matrices (..., 3, 3) that fit cross covariances of seen and expected best."""
    u, _, vt = np.linalg.svd(covariances)
    sign = np.sign(np.linalg.det(u) * np.linalg.det(vt))
    u = u.copy()
    u[..., :, 2] *= sign[..., None]
    found: _Column = u @ vt
    return found


def agreement_of(covariances: _Column) -> _Column:
    """How much of the products the best rotation brings in line: the signed sum (...) of the
    singular values."""
    values = np.linalg.svd(covariances, compute_uv=False)
    sign = np.sign(np.linalg.det(covariances))
    found: _Column = values[..., 0] + values[..., 1] + sign * values[..., 2]
    return found
