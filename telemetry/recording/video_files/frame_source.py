"""Frame source of pictures: a video file, the files of a loop recording, a camera, a simulator."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

_LARGEST_SIDE: Final = 8192


@dataclass(frozen=True, slots=True, eq=False)
class VideoFrame:
    """One frame of a video.

    `pixels` are BGR, shape (height, width, 3). `time_s` is its presentation time, the first frame
    of the medium being 0, and None where damage of the file leaves it unknown. `number` counts the
    frames that the file announces, shown or not. `is_damaged` says that its content is doubtful.
    """

    pixels: npt.NDArray[np.uint8]
    time_s: float | None
    number: int
    is_damaged: bool = False


class FrameSource(Protocol):
    """The picture for a time, with its true time. It never plays: the timeline does.

    For one thread at a time.
    """

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def times(self) -> npt.NDArray[np.float64]:
        """The times of all frames that can be shown, ascending, in seconds."""

    @property
    def duration_s(self) -> float:
        """The end of the last frame."""

    def index_at(self, time_s: float) -> int:
        """Which of `times` is on screen at that time, -1 where there is none. From any thread."""

    def frame_at(self, time_s: float) -> VideoFrame | None:
        """The frame that is on screen at that time of the medium: the last one that begins at or
        before it. None before the first and after the end of the last frame, and where damage
        leaves no frame for it."""

    def close(self) -> None:
        """Let go of the file. Closing twice is fine."""


class PreviewedSource(FrameSource, Protocol):
    """A source of which some frames take long, and others near them do not."""

    def nearby_at(self, time_s: float) -> VideoFrame | None:
        """A frame before the one at that time, where that takes long and this one is on the way;
        None where it comes soon."""

    def is_on_way(self, time_s: float, later_s: float) -> bool:
        """Whether who decodes the frame at `later_s` comes past the one at `time_s`, or it is the
        same. From any thread."""

    def frame_unless(self, time_s: float, is_left: Callable[[], bool]) -> VideoFrame | None:
        """Like `frame_at`. Raises DecodingLeft when `is_left`, which is asked between pictures,
        says that nobody waits any more; what was done until then is not lost."""


class DecodingLeft(Exception):  # noqa: N818 - nothing is wrong
    """The picture is not wanted any more."""


class VideoError(Exception):
    """A video that cannot be read or written: one sentence that names it, and one with a remedy."""


def unreadable(path: Path, error: Exception) -> VideoError:
    """For a file that the system does not let us read."""
    reason = getattr(error, "strerror", None) or str(error)
    return VideoError(f"{path.name} cannot be read: {reason}. Check the drive, or copy it again.")


def is_size(width: int, height: int) -> bool:
    """Whether a picture can be that large; what damaged headers say would take all memory."""
    return 0 < width <= _LARGEST_SIDE and 0 < height <= _LARGEST_SIDE
