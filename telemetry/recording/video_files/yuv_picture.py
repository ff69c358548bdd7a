"""YUV pictures as encoders take them, put together without a detour over RGB."""

from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.turned_pixels import turned_pixels

if TYPE_CHECKING:
    import av
    from av.video.reformatter import VideoReformatter

_BLACK, _GREY = 16, 128

Plane = npt.NDArray[np.uint8]


class YuvPicture:
    """YUV 4:2:0 by BT.601 in limited range, what most small cameras write. Sizes and places in it
    are even numbers of pixels; `pixels` has shape (3/2 height, width): Y, then U, then V."""

    def __init__(self, pixels: Plane) -> None:
        self.pixels = pixels
        self.size = (pixels.shape[1], pixels.shape[0] * 2 // 3)

    @classmethod
    def black(cls, size: tuple[int, int]) -> Self:
        """A black picture of that width and height."""
        width, height = size
        picture = cls(np.empty((height * 3 // 2, width), np.uint8))
        picture.blacken()
        return picture

    @classmethod
    def converted(
        cls, reformatter: "VideoReformatter", frame: "av.VideoFrame", size: tuple[int, int]
    ) -> Self:
        """A frame of any format and colour space, scaled. Raises OSError and ValueError for what
        swscale does not take."""
        from av.video.reformatter import ColorRange, Colorspace

        converted = reformatter.reformat(
            frame,
            *size,
            "yuv420p",
            dst_colorspace=Colorspace.ITU601,
            dst_color_range=ColorRange.MPEG,
            threads=1,
        )
        return cls(converted.to_ndarray().astype(np.uint8, copy=False))

    @property
    def planes(self) -> tuple[Plane, Plane, Plane]:
        """Y, U and V as views: (height, width), then twice half of that."""
        width, height = self.size
        half = (height // 2, width // 2)
        u, v = self.pixels[height:].reshape(2, *half)
        return self.pixels[:height], u, v

    def blacken(self) -> None:
        """Make all of it black."""
        y, u, v = self.planes
        y[:], u[:], v[:] = _BLACK, _GREY, _GREY

    def paste(self, other: "YuvPicture", left: int, top: int) -> None:
        """Put another picture into this one, all of which finds room."""
        for shift, onto, plane in zip((0, 1, 1), self.planes, other.planes, strict=True):
            x, y = left >> shift, top >> shift
            onto[y : y + plane.shape[0], x : x + plane.shape[1]] = plane

    def turned(self, quarter_turns: int, *, is_mirrored: bool = False) -> "YuvPicture":
        """The picture mirrored and turned clockwise; see `turned_pixels`."""
        if not quarter_turns % 4 and not is_mirrored:
            return self
        turned = [
            turned_pixels(plane, quarter_turns, is_mirrored=is_mirrored) for plane in self.planes
        ]
        pixels = np.concatenate([plane.ravel() for plane in turned])
        return YuvPicture(pixels.reshape(-1, turned[0].shape[1]))
