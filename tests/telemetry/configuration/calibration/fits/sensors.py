"""Sensors with errors that are known, read by a board that corrects them as the firmware does."""

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.correction import Correction, correction_from
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import Array, Values
from telemetry.configuration.calibration.fits.rotation import rotation_of

G = 9.81
BE = np.array([207.0, 13.0, 434.0])
"""mGauss, north, east, down: central Europe."""
BARE = correction_from({})


def published_accel(board: Correction, raw: Array, temperature: npt.ArrayLike) -> Array:
    """What a board publishes for raw accelerations."""
    scaled = (raw - board.accel_bias) * board.accel_scale
    return (scaled - board.accel_drift(temperature)) @ board.to_airframe.T


def published_gyro(board: Correction, raw: Array, temperature: npt.ArrayLike) -> Array:
    """What it publishes for raw rates."""
    drift = board.gyro_drift(temperature)
    return (raw * board.gyro_scale - board.gyro_bias - drift) @ board.to_airframe.T


def published_mag(board: Correction, raw: Array) -> Array:
    """What it publishes for a raw field."""
    return (raw - board.mag_bias) @ (board.to_airframe @ board.mag_transform).T


def with_settings(settings: Values, new: Values) -> Correction:
    """The board's correction once `new` is written over `settings`."""
    names = {*settings, *new}
    return correction_from(
        {name: {**settings.get(name, {}), **new.get(name, {})} for name in names}
    )


def any_rotations(count: int, rng: np.random.Generator) -> Array:
    """Rotations spread evenly over all attitudes, (count, 3, 3)."""
    q = rng.normal(size=(count, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def with_outliers(rows: Array, share: float, size: float, rng: np.random.Generator) -> Array:
    """`rows` with this share of them thrown off by about `size`."""
    hit = rng.random(len(rows)) < share
    thrown = rng.normal(size=rows.shape) * size + size
    return np.where(hit[:, None], rows + thrown, rows)


def raw_accel(
    true: Array, bias: Array, scale: Array, noise: float, rng: np.random.Generator
) -> Array:
    """What a sensor reads that (raw - bias) * scale would put right."""
    return true / scale + bias + rng.normal(size=true.shape) * noise


def six_sides(
    bias: Array,
    scale: Array,
    rng: np.random.Generator,
    *,
    noise: float = 0.05,
    tilt_deg: float = 5.0,
    outliers: float = 0.0,
    board: Correction = BARE,
    count: int = 60,
) -> dict[RestPose, Array]:
    """Published rows (count, 4) for each side, each some degrees askew, at 30 deg C."""
    sides = {}
    for pose in RestPose:
        askew = rotation_of(*rng.normal(size=3) * tilt_deg)
        true = np.tile(board.to_airframe.T @ askew @ (-G * pose.down), (count, 1))
        raw = raw_accel(true, bias, scale, noise, rng)
        raw = with_outliers(raw, outliers, 2.0, rng)
        published = published_accel(board, raw, 30.0)
        sides[pose] = np.column_stack([published, np.full(count, 30.0)])
    return sides


def raw_field(
    count: int,
    distortion: Array,
    bias: Array,
    rng: np.random.Generator,
    *,
    noise: float = 3.0,
    outliers: float = 0.0,
) -> Array:
    """Raw magnetometer readings (count, 3) at attitudes of all kinds: distortion @ B + bias."""
    body = any_rotations(count, rng) @ BE
    raw = body @ distortion.T + bias + rng.normal(size=(count, 3)) * noise
    return with_outliers(raw, outliers, 300.0, rng)
