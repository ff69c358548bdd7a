"""Camera pictures: shutter, focus, exposure, and the clock in the corner."""

from collections.abc import Iterator
from datetime import datetime

import numpy as np
import numpy.typing as npt

from simulation.worlds.camera import FilmCamera
from simulation.worlds.picture_taker import PictureTaker, Shutter
from simulation.worlds.row_motion import PosesOverTime
from simulation.worlds.scene import Picture
from simulation.worlds.shared_renderer import SharedRenderer
from simulation.worlds.video_faults import VideoFaults
from telemetry.review.cameras.lens import lens_of

Array = npt.NDArray[np.float64]

_BRIGHTNESS = 142.0
_ADAPTS_S = 0.6
_LEAST_GAIN, _MOST_GAIN = 0.45, 1.9
_LEAST_WIDTH_OF_CLOCK = 160


class CameraPictures:
    """Takes pictures of a scene with a camera's faults. A frame's time is that at which its
    middle row is exposed."""

    def __init__(self, renderer: SharedRenderer, camera: FilmCamera, faults: VideoFaults) -> None:
        self.renderer_name = renderer.name
        self._camera, self._faults = camera, faults
        shutter = Shutter(faults.rolling_shutter / faults.rate)
        lens = lens_of(camera.settings, camera.size)
        self._taker = PictureTaker(renderer, lens, camera.size, shutter)
        self._gain = 1.0

    def take(
        self, carried: PosesOverTime, log_s: Array, clock: Iterator[datetime]
    ) -> Iterator[Picture]:
        """The pictures at these times of the log, which lie close together, BGR."""
        for t in log_s.tolist():
            yield self._recorded(self._taker.take(carried, t).picture, next(clock))

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
