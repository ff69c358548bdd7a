"""YUV layer: a picture with transparent parts, to be laid over others in their own colours."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.yuv_picture import YuvPicture

if TYPE_CHECKING:
    from av.video.reformatter import VideoReformatter

_BLACK = (16, 128, 128)
_OPAQUE = 255


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
        alpha = pixels[:, :, 3].astype(np.uint16)
        quarters = alpha.reshape(height // 2, 2, width // 2, 2).sum(axis=(1, 3))
        kept = (_kept(alpha, 1, opacity), *(_kept(quarters, 4, opacity),) * 2)
        self._parts = tuple(
            (share, _added(plane, share, black, opacity))
            for share, plane, black in zip(kept, added.planes, _BLACK, strict=True)
        )

    def lay_over(self, picture: YuvPicture, left: int, top: int) -> None:
        """Lay it over a part of a picture, at an even place; all of it finds room."""
        for shift, plane, (kept, added) in zip((0, 1, 1), picture.planes, self._parts, strict=True):
            x, y = left >> shift, top >> shift
            below = plane[y : y + kept.shape[0], x : x + kept.shape[1]]
            below[:] = ((below * kept + 128) >> 8) + added


def _kept(alpha: npt.NDArray[np.uint16], parts: int, opacity: float) -> npt.NDArray[np.uint16]:
    """How much of what lies below is seen, in 256ths, by the sum of `parts` alphas."""
    share = 1.0 - opacity * alpha / (parts * _OPAQUE)
    return np.rint(256.0 * share).astype(np.uint16)


def _added(
    plane: npt.NDArray[np.uint8], kept: npt.NDArray[np.uint16], black: int, opacity: float
) -> npt.NDArray[np.uint16]:
    """Colours multiplied by alpha stand above black; so much of black as is kept comes from
    below."""
    value = opacity * (plane.astype(np.float32) - black) + black * (1.0 - kept / 256.0)
    most = np.maximum(np.floor(254.5 - 255.0 * kept / 256.0), 0.0)
    return np.clip(np.rint(value), 0.0, most).astype(np.uint16)
