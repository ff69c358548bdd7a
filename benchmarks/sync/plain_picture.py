"""Plain pictures: a second renderer, which shares no code with the simulator's.

Every pixel is a ray through a pinhole with Brown's distortion, turned by the pose of its row, that
meets a flat ground or a layer of clouds. Both carry value noise: octaves whose cells are as large
as some pixels there, so that there is detail at every distance and none finer than a pixel.
Cameras look along x, y is right, z down; pixel (0, 0) has its centre at the upper left.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Poses = Callable[[Array], tuple[Array, Array]]
"""NED positions (n, 3) and rotations (n, 3, 3) from the body's axes to NED, at times (n,) in s."""

_OCTAVES = 3
_FINEST_PX = 2.3
"""Cells of noise that are smaller are not drawn."""
_LONG_SHARE = 0.7
"""What counts as a pixel's size on the ground: this power of its length, the rest of its width."""
_CELLS, _TEXELS = 256, 4
_CLOUDS_M, _HAZE_M, _LEAST_HEIGHT_M = 700.0, 4000.0, 0.06
_SMEAR_PX = 1.2
"""Between two instants of one exposure, at most about."""
_MOST_INSTANTS = 3
_BAND = 48
"""Rows that are drawn at once: what they take stays in the processor's cache."""
_NOISE = 2.0


@dataclass(frozen=True, slots=True)
class PlainCamera:
    """Angles in degrees: horizontal field of view before distortion; the mount turns the body by
    yaw, then pitch, then roll. `distortion` is (k1, k2, p1, p2, k3), or its beginning. `shutter_s`
    is from the first row to the last, `exposure_s` of each row."""

    size: tuple[int, int] = (640, 480)
    field_of_view_deg: float = 60.0
    mount_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distortion: tuple[float, ...] = ()
    shutter_s: float = 0.0
    exposure_s: float = 0.0

    @property
    def focal_px(self) -> float:
        """Focal length."""
        return self.size[0] / 2.0 / float(np.tan(np.radians(self.field_of_view_deg) / 2.0))

    def to_body(self) -> Array:
        """The rotation (3, 3) from the camera's axes to the body's."""
        roll, pitch, yaw = self.mount_deg
        turned: Array = Rotation.from_euler("ZYX", [yaw, pitch, roll], degrees=True).as_matrix()
        return turned

    def rays(self) -> tuple[Array, Array]:
        """How far right and down of each pixel's ray, one ahead: (rows, columns) each."""
        width, height = self.size
        across = (np.arange(width) - (width - 1) / 2.0) / self.focal_px
        down = (np.arange(height) - (height - 1) / 2.0) / self.focal_px
        seen = np.stack(np.meshgrid(across, down))
        ray = seen.copy()
        for _ in range(60 if any(self.distortion) else 0):  # a pixel's ray is what is bent there
            ray += seen - self._bent(ray)
        return ray[0], ray[1]

    def _bent(self, ray: Array) -> Array:
        k1, k2, p1, p2, k3 = (*self.distortion, *(0.0,) * 5)[:5]
        x, y = ray
        r2 = x * x + y * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return np.stack(
            [
                x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x),
                y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y,
            ]
        )


class PlainPictures:
    """Draws what a camera sees: luminance, and how far a pixel is ground."""

    def __init__(self, camera: PlainCamera, poses: Poses, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.camera, self._poses, self._random = camera, poses, random
        self._to_body, self._focal_px = camera.to_body(), camera.focal_px
        right, down = camera.rays()
        self._right, self._down = right.astype(np.float32), down.astype(np.float32)
        self._long = np.sqrt(1.0 + right**2 + down**2).astype(np.float32)
        rows = camera.size[1]
        self._row_s = ((np.arange(rows) + 0.5) / rows - 0.5) * camera.shutter_s
        self._tile = _noise_tile(random)
        self._grain = random.normal(0.0, _NOISE, (rows * 3, camera.size[0])).astype(np.float32)

    def picture(self, time_s: float) -> tuple[Floats, Floats]:
        """Luminance 0 to 255 and the share of ground 0 to 1, (rows, columns) each, of a picture
        whose middle row is exposed around that time."""
        spread = self._instants(time_s)
        parts = [self._instant(time_s + late_s) for late_s in spread.tolist()]
        light = sum((part[0] for part in parts[1:]), parts[0][0].copy())
        light /= len(parts)
        first = int(self._random.integers(0, len(self._grain) - len(light)))
        light += self._grain[first : first + len(light)]
        return np.clip(light, 0.0, 255.0), parts[len(parts) // 2][1]

    def _instants(self, time_s: float) -> Array:
        """When within the exposure it is drawn: more often while the camera turns fast."""
        half_s = self.camera.exposure_s / 2.0
        if not half_s:
            return np.zeros(1)
        _, turned = self._poses(np.array([time_s - half_s, time_s + half_s]))
        angle = Rotation.from_matrix(turned[0].T @ turned[1]).magnitude()
        count = int(np.clip(np.ceil(angle * self.camera.focal_px / _SMEAR_PX), 1, _MOST_INSTANTS))
        return half_s * ((np.arange(count) + 0.5) * 2.0 / count - 1.0)

    def _instant(self, time_s: float) -> tuple[Floats, Floats]:
        position, from_body = self._poses(time_s + self._row_s)
        turn = (from_body @ self._to_body).astype(np.float32)
        place = position.astype(np.float32)
        bands = [slice(first, first + _BAND) for first in range(0, len(turn), _BAND)]
        drawn = [self._band(rows, place[rows], turn[rows]) for rows in bands]
        return np.concatenate([one[0] for one in drawn]), np.concatenate([one[1] for one in drawn])

    def _band(self, rows: slice, place: Floats, turn: Floats) -> tuple[Floats, Floats]:
        ray_right, ray_down, ray_long = self._right[rows], self._down[rows], self._long[rows]
        looks: list[Floats] = [
            turn[:, axis, 1, None] * ray_right
            + (turn[:, axis, 2, None] * ray_down + turn[:, axis, 0, None])
            for axis in range(3)
        ]
        north, east, down = looks
        is_ground = down > 0.0
        steep = np.maximum(np.abs(down), np.float32(1e-5))
        height = np.maximum(-place[:, 2, None], np.float32(_LEAST_HEIGHT_M))
        reach = np.asarray(np.where(is_ground, height, _CLOUDS_M) / steep, np.float32)
        north = north * reach + place[:, 0, None]
        east = east * reach + place[:, 1, None]
        far_m = reach * ray_long
        wide_m = far_m * np.float32(1.0 / self._focal_px)
        size_m = np.asarray(wide_m * (ray_long / steep) ** _LONG_SHARE, np.float32)
        noise = self._noise(north, east, size_m)
        noise *= 1.0 / (1.0 + far_m * np.float32(1.0 / _HAZE_M))
        share = np.clip(0.5 + down / ray_long * np.float32(self._focal_px), 0.0, 1.0)
        sky = 232.0 - 90.0 * np.where(is_ground, np.float32(0.0), steep / ray_long)
        sky += 14.0 * noise
        ground = 96.0 + 30.0 * noise
        return np.asarray(sky + (ground - sky) * share, np.float32), np.asarray(share, np.float32)

    def _noise(self, north: Floats, east: Floats, size_m: Floats) -> Floats:
        """Value noise of about unit variance, in cells of some `size_m`."""
        finest = np.log2(size_m * np.float32(_FINEST_PX))
        octave = np.ceil(finest)
        fading = octave - finest
        scale = np.exp2(-octave) * np.float32(_TEXELS)
        across, along = north * scale, east * scale
        total = np.zeros_like(across)
        for number in range(_OCTAVES):
            shift = (octave + np.float32(number)) * np.float32(613.7)
            part = cv2.remap(
                self._tile,
                _wrapped(across + shift),
                _wrapped(along - shift),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_WRAP,
            )
            if number == 0:
                part *= fading
            elif number == _OCTAVES - 1:
                part *= 1.0 - fading
            total += part
            across *= 0.5
            along *= 0.5
        return np.asarray(total, np.float32)


def _wrapped(texels: Floats) -> Floats:
    side = np.float32(_CELLS * _TEXELS)
    inside: Floats = texels - side * np.floor(texels / side)
    return inside


def _noise_tile(random: np.random.Generator) -> Floats:
    """Smooth noise of variance 1/2 that goes on at its borders."""
    cells = random.normal(0.0, 1.0, (_CELLS, _CELLS)).astype(np.float32)
    padded = np.pad(cells, 4, mode="wrap")
    side = len(padded) * _TEXELS
    smooth = cv2.resize(padded, (side, side), interpolation=cv2.INTER_CUBIC)
    inner = smooth[4 * _TEXELS : -4 * _TEXELS, 4 * _TEXELS : -4 * _TEXELS]
    return np.ascontiguousarray(inner / inner.std() * np.sqrt(0.5), np.float32)
