"""Rotations of cameras and aircraft: chained, and looked up at times between frames."""

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

_Column = npt.NDArray[np.float64]

CAMERA_FROM_BODY = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""A camera that looks along the nose: FRD's (x, y, z) are its (z, x, y)."""


def rotation_matrix(rotation_rad: _Column) -> _Column:
    """exp of a rotation vector (3,) or of several (n, 3): (3, 3) or (n, 3, 3).

    Written out, as the rest here: SciPy's Rotation takes ten times as long for a single one, and
    one picture needs ten.
    """
    x, y, z = rotation_rad.T
    half = 0.5 * np.sqrt(x * x + y * y + z * z) + 1e-30
    by_half = np.sin(half) / half
    sine, cosine = by_half * np.cos(half), 0.5 * by_half * by_half
    columns = [
        [1.0 - cosine * (y * y + z * z), cosine * x * y + sine * z, cosine * x * z - sine * y],
        [cosine * x * y - sine * z, 1.0 - cosine * (x * x + z * z), cosine * y * z + sine * x],
        [cosine * x * z + sine * y, cosine * y * z - sine * x, 1.0 - cosine * (x * x + y * y)],
    ]
    return np.array(columns).T


def accumulated(turns_rad: _Column) -> Rotation:
    """The attitude after each of the turns (n, 3), rotation vectors in the frame that turns.

    In log2(n) passes over all instead of n steps.
    """
    q = Rotation.from_rotvec(turns_rad).as_quat().T
    step = 1
    while step < len(turns_rad):
        q = np.concatenate([q[:, :step], _product(q[:, :-step], q[:, step:])], axis=1)
        step *= 2
    return Rotation.from_quat(q.T)


def _product(a: _Column, b: _Column) -> _Column:
    """Of quaternions (x, y, z, w), (4, n) each."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    product: _Column = np.stack(
        [
            aw * bx + bw * ax + ay * bz - az * by,
            aw * by + bw * ay + az * bx - ax * bz,
            aw * bz + bw * az + ax * by - ay * bx,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )
    return product


class RotationCurve:
    """An attitude over time, between its samples on the shortest way. `times_s` ascends."""

    def __init__(self, times_s: _Column, attitude: Rotation) -> None:
        self.times_s = times_s
        self._steps_s = np.diff(times_s)
        q = attitude.as_quat()
        turned = np.sum(q[1:] * q[:-1], axis=1) < 0
        signs = np.where(np.cumsum(turned) % 2 == 1, -1.0, 1.0)
        self._q = np.concatenate([q[:1], q[1:] * signs[:, None]]).T.copy()

    def at(self, times_s: _Column) -> Rotation:
        """The attitude then; before the first and after the last sample it is theirs."""
        return Rotation.from_quat(self._q_at(times_s).T)

    def turned(self, from_s: _Column, to_s: _Column) -> _Column:
        """The rotation vectors (n, 3) from one time to the other, in the frame of the first."""
        q = self._q_at(np.concatenate([from_s, to_s]))
        (ax, ay, az, aw), (bx, by, bz, bw) = q[:, : len(from_s)], q[:, len(from_s) :]
        # conj(a) * b, written out: this is where a search spends its time
        w = ax * bx + ay * by + az * bz + aw * bw
        v = np.empty((3, len(from_s)))
        v[0] = aw * bx - bw * ax - ay * bz + az * by
        v[1] = aw * by - bw * ay - az * bx + ax * bz
        v[2] = aw * bz - bw * az - ax * by + ay * bx
        size = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        angle = 2 * np.arctan2(size, np.abs(w)) * np.where(w < 0, -1.0, 1.0)
        v *= angle / np.maximum(size, 1e-12)
        turned: _Column = v.T
        return turned

    def _q_at(self, times_s: _Column) -> _Column:
        """(4, n) Between two frames, which are a few degrees apart, on a straight line,
        normalised."""
        i = np.searchsorted(self.times_s, times_s) - 1
        i = np.minimum(np.maximum(i, 0), len(self._steps_s) - 1)
        share = np.minimum(np.maximum((times_s - self.times_s[i]) / self._steps_s[i], 0.0), 1.0)
        q = (1 - share) * self._q.take(i, axis=1) + share * self._q.take(i + 1, axis=1)
        found: _Column = q / np.sqrt(np.einsum("ij,ij->j", q, q))
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
