"""What the camera makes of what it sees: shutter, focus, exposure, and its clock in the corner."""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from simulation.worlds.camera import FilmCamera
from simulation.worlds.renderer import CameraView, SceneRenderer
from simulation.worlds.scene import Picture, WorldScene
from simulation.worlds.video_faults import VideoFaults

Array = npt.NDArray[np.float64]

_MARGIN = 0.06
"""Of the width, on each side: drawn for a rolling shutter, whose rows look elsewhere."""
_BRIGHTNESS = 142.0
_ADAPTS_S = 0.6
_LEAST_GAIN, _MOST_GAIN = 0.45, 1.9
_LEAST_WIDTH_OF_CLOCK = 160


class PosesOverTime(Protocol):
    """Where a camera is and how it looks, at times of the log."""

    def poses(self, log_s: Array) -> tuple[Array, Array]:
        """NED positions (n, 3), rotations (n, 3, 3) of NED into the camera's axes."""


class CameraPictures:
    """Takes pictures of a scene with a camera's faults. A frame's time is that at which its
    middle row is exposed."""

    def __init__(self, scene: WorldScene, camera: FilmCamera, faults: VideoFaults) -> None:
        """Raises NoRendererError."""
        self._camera, self._faults = camera, faults
        width, height = camera.size
        margin = round(width * _MARGIN) if faults.rolling_shutter else 0
        self._margin = margin
        drawn = width + 2 * margin, height + 2 * margin
        self._renderer = SceneRenderer(scene, drawn, camera.focal_px)
        self._gain = 1.0

    def close(self) -> None:
        """Let go of what was drawn with."""
        self._renderer.close()

    def take(
        self, carried: PosesOverTime, log_s: Array, clock: Iterator[datetime]
    ) -> Iterator[Picture]:
        """The pictures at these times of the log, which lie close together, BGR."""
        places, rotations = carried.poses(log_s)
        for t, place, rotation in zip(log_s, places, rotations, strict=True):
            picture = self._renderer.draw(CameraView(place, rotation))
            if self._faults.rolling_shutter:
                picture = self._rolled(picture, rotation, carried, float(t))
            yield self._recorded(picture, next(clock))

    def _rolled(
        self, picture: Picture, middle: Array, carried: PosesOverTime, t_s: float
    ) -> Picture:
        """Every row as the camera looked when it was exposed. Only how it turned is accounted
        for; where it flew in a thirtieth of a second moves nothing by more than a pixel unless
        it is close."""
        import cv2

        width, height = self._camera.size
        focal, margin = self._camera.focal_px, self._margin
        share = (np.arange(height) + 0.5) / height - 0.5
        delay_s = self._faults.rolling_shutter / self._faults.rate
        _, rotations = carried.poses(t_s + share * delay_s)
        # Line of sight of a row's pixel in the middle row's axes: m @ (focal, column, row).
        m = (middle @ rotations.transpose(0, 2, 1)).astype(np.float32)
        row = (np.arange(height, dtype=np.float32) + 0.5 - height / 2)[:, None]
        column = np.arange(width, dtype=np.float32) + np.float32(0.5 - width / 2)
        forward, right, down = (
            m[:, i, 1, None] * column
            + (m[:, i, 0, None] * np.float32(focal) + m[:, i, 2, None] * row)
            for i in range(3)
        )
        scale = np.float32(focal) / forward
        return np.asarray(
            cv2.remap(
                picture,
                right * scale + np.float32(width / 2 - 0.5 + margin),
                down * scale + np.float32(height / 2 - 0.5 + margin),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
        )

    def _recorded(self, picture: Picture, clock: datetime) -> Picture:
        import cv2

        faults = self._faults
        if faults.blur:
            picture = cv2.GaussianBlur(picture, (0, 0), faults.blur)
        if faults.exposure:
            picture = cv2.convertScaleAbs(picture, alpha=self._adapted(picture))
        width = self._camera.size[0]
        if width >= _LEAST_WIDTH_OF_CLOCK:
            size = width / 640
            place = (round(14 * size), round(26 * size))
            text = f"{clock:%Y/%m/%d %H:%M:%S}"
            white = (255, 255, 255)
            cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.62 * size, white, 1)
        return picture

    def _adapted(self, picture: Picture) -> float:
        """The gain for a picture: the camera follows its brightness with a delay."""
        wanted = _BRIGHTNESS / max(float(picture[::8, ::8].mean()), 1.0)
        wanted = min(max(wanted, _LEAST_GAIN), _MOST_GAIN)
        share = 1.0 - np.exp(-1.0 / (self._camera.frames_per_s * _ADAPTS_S))
        self._gain += (wanted - self._gain) * share
        return float(self._gain**self._faults.exposure)
