"""Pictures of a camera that turns as told: a texture at infinity, or half sky, half ground.

Made from the definition alone: a pixel looks along K^-1 (u, v, 1) in the camera frame (x right,
y down, z forward), and a camera frame's direction d is R d in the world.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from telemetry.recording.video_files.frame_source import VideoFrame

Picture = npt.NDArray[np.uint8]

SIZE = (160, 120)
FIELD_OF_VIEW_DEG = 60.0
FRAME_S = 1.0 / 30.0


class Frames:
    """A `FrameSource` of pictures at 30 frames a second, or at times as told (None: unknown)."""

    def __init__(
        self, pictures: Sequence[Picture], times_s: Sequence[float | None] | None = None
    ) -> None:
        if times_s is None:
            times_s = [number * FRAME_S for number in range(len(pictures))]
        self._frames = [
            VideoFrame(picture, time_s, number)
            for number, (picture, time_s) in enumerate(zip(pictures, times_s, strict=True))
        ]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self._frames[0].pixels.shape[:2]
        return width, height

    def times(self) -> npt.NDArray[np.float64]:
        """The times that are known, in seconds."""
        return np.array([one.time_s for one in self._frames if one.time_s is not None])

    @property
    def duration_s(self) -> float:
        """The end of the last frame."""
        return float(self.times()[-1]) + FRAME_S

    def index_at(self, time_s: float) -> int:
        """Which of the times is on screen, -1 for none."""
        return int(np.searchsorted(self.times(), time_s + 1e-9, side="right")) - 1

    def frame_at(self, time_s: float) -> VideoFrame | None:
        """The last frame at or before a time."""
        known = [f for f in self._frames if f.time_s is not None and f.time_s <= time_s + 1e-9]
        return known[-1] if known else None

    def close(self) -> None:
        """Nothing to let go of."""


def orientations(rotations_rad: npt.NDArray[np.float64]) -> list[Rotation]:
    """Camera to world after each rotation (n, 3), each in the frame before it, from none."""
    orientation = Rotation.identity()
    found = []
    for rotation_rad in rotations_rad:
        orientation = orientation * Rotation.from_rotvec(rotation_rad)
        found.append(orientation)
    return found


def camera_matrix(size: tuple[int, int] = SIZE) -> npt.NDArray[np.float64]:
    """The pinhole's, for the field of view."""
    width, height = size
    focal = 0.5 * width / math.tan(math.radians(FIELD_OF_VIEW_DEG / 2.0))
    return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])


@cache
def texture(seed: int = 3, side: int = 512) -> Picture:
    """Coloured blots of many sizes, (side, side, 3)."""
    rng = np.random.default_rng(seed)
    blots = sum(
        scale * cv2.GaussianBlur(rng.normal(size=(side, side, 3)), (0, 0), scale)
        for scale in (1.5, 4.0, 12.0)
    )
    return np.asarray(np.clip(120 + 70 * np.asarray(blots), 0, 255), np.uint8)


def far_pictures(turned: Iterable[Rotation], size: tuple[int, int] = SIZE) -> list[Picture]:
    """What a camera sees of a wall far away that stands across the world's z, 90 degrees wide."""
    wall = texture()
    side = wall.shape[0]
    matrix = camera_matrix(size)
    onto_wall = np.array([[side / 2, 0, side / 2], [0, side / 2, side / 2], [0, 0, 1.0]])
    return [
        np.asarray(
            cv2.warpPerspective(
                wall,
                onto_wall @ one.as_matrix() @ np.linalg.inv(matrix),
                size,
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REFLECT,
            ),
            np.uint8,
        )
        for one in turned
    ]


def horizon_pictures(
    turned: Iterable[Rotation],
    size: tuple[int, int] = SIZE,
    flown: npt.NDArray[np.float64] | None = None,
) -> list[Picture]:
    """What a camera sees over flat ground: the world's y points down, the sky is hazy. `flown`
    (n, 3) is where it is in the world, in heights above ground; its y stays 0."""
    ground = texture()
    width, height = size
    u, v = np.meshgrid(np.arange(width), np.arange(height))
    rays = np.linalg.inv(camera_matrix(size)) @ np.stack([u, v, np.ones_like(u)]).reshape(3, -1)
    rays /= np.linalg.norm(rays, axis=0)
    pictures = []
    for number, one in enumerate(turned):
        x, down, z = one.as_matrix() @ rays
        east, _, north = np.zeros(3) if flown is None else flown[number]
        far = 1.0 / np.maximum(down, 0.02)
        where = (np.stack([x * far + east, z * far + north]) * 40).astype(np.float32)
        grass = cv2.remap(ground, where[:1] % 511, where[1:] % 511, cv2.INTER_LINEAR)[0]
        grass = grass * np.array([0.3, 0.75, 0.6])
        sky = np.array([235.0, 205.0, 180.0]) - 60 * np.clip(-down, 0, 1)[:, None]
        cover = np.clip(0.5 + down[:, None] * camera_matrix(size)[0, 0], 0, 1)
        picture = cover * grass + (1 - cover) * sky
        pictures.append(picture.reshape(height, width, 3).round().astype(np.uint8))
    return pictures
