"""YUV layer: a picture with transparent parts, to be laid over others in their own colours."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.yuv_picture import Plane, YuvPicture

if TYPE_CHECKING:
    from av.video.reformatter import VideoReformatter

_BLACK = (16, 128, 128)
_OPAQUE = 255

Shares = npt.NDArray[np.uint16]


class YuvLayer:
    """What of a picture shows through, and what is added to it; worked out once, for it lies over
    many. Where it is wholly transparent the picture below stays as it is, bit for bit."""

    def __init__(
        self, reformatter: "VideoReformatter", pixels: npt.NDArray[np.uint8], opacity: float = 1.0
    ) -> None:
        """`pixels` are BGRA, shape (height, width, 4), both even, colours multiplied by alpha."""
        import av

        height, width = pixels.shape[:2]
        frame = av.VideoFrame.from_numpy_buffer(pixels, format="bgra")
        added = YuvPicture.converted(reformatter, frame, (width, height))
        alpha = pixels[:, :, 3]
        quarters = alpha.reshape(height // 2, 2, width // 2, 2).sum(axis=(1, 3), dtype=np.uint16)
        light, colour = _kept(_OPAQUE, opacity)[alpha], _kept(4 * _OPAQUE, opacity)[quarters]
        self._parts = tuple(
            (kept, _added(plane, kept, black, opacity))
            for kept, plane, black in zip(
                (light, colour, colour), added.planes, _BLACK, strict=True
            )
        )

    def lay_over(self, picture: YuvPicture, left: int, top: int) -> None:
        """Lay it over a part of a picture, at an even place; all of it finds room."""
        for shift, plane, (kept, added) in zip((0, 1, 1), picture.planes, self._parts, strict=True):
            x, y = left >> shift, top >> shift
            below = plane[y : y + kept.shape[0], x : x + kept.shape[1]]
            below[:] = ((below * kept + 128) >> 8) + added


def _kept(opaque: int, opacity: float) -> Shares:
    """How much of what lies below is seen, in 256ths, for each alpha up to `opaque`."""
    share = 1.0 - opacity * np.arange(opaque + 1) / opaque
    return np.asarray(np.rint(256.0 * share), np.uint16)


def _added(plane: Plane, kept: Shares, black: int, opacity: float) -> Shares:
    """Colours multiplied by alpha stand above black; so much of black as is kept comes from below.
    The sum of both is never more than a byte holds."""
    shades = np.rint(opacity * (np.arange(256) - black)).astype(np.int16)
    shares = np.arange(257) / 256.0
    blacks = np.rint(black * (1.0 - shares)).astype(np.int16)
    most = np.maximum(np.floor(254.5 - 255.0 * shares), 0.0).astype(np.int16)
    value = np.clip(shades[plane] + blacks[kept], 0, most[kept])
    return np.asarray(value, np.uint16)
