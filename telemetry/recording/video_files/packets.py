"""Coded pictures of a file: when each is shown, and how to get them one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import av
    from av.video.codeccontext import VideoCodecContext


@dataclass(frozen=True, slots=True, eq=False)
class PacketIndex:
    """One row per coded picture, in the order of decoding.

    `times_s` are presentation times, the first frame 0, NaN where damage leaves them unknown;
    `numbers` count announced frames in the order of presentation, -1 where unknown; `is_key` says
    that decoding can begin there. `duration_s` is the end of the last frame. `announced` is the
    number of frames by the header, `missing` of those without a picture or without a time.
    `origin_s` is the first frame's time by the container's clock, on which sound is, too.
    `picture_bytes` is the mean of what a picture takes in the file, 0 where that is not known.
    """

    times_s: npt.NDArray[np.float64]
    numbers: npt.NDArray[np.int64]
    is_key: npt.NDArray[np.bool_]
    duration_s: float
    announced: int
    missing: int = 0
    origin_s: float = 0.0
    warnings: tuple[str, ...] = ()
    picture_bytes: float = 0.0


class PacketSource(Protocol):
    """A file's coded pictures. For one thread at a time."""

    @property
    def index(self) -> PacketIndex:
        """What there is, read once."""

    @property
    def codec(self) -> str:
        """What the pictures are coded with, in FFmpeg's words: "mpeg4", "h264"."""

    @property
    def has_sound(self) -> bool:
        """Whether there is a sound track."""

    @property
    def date(self) -> str:
        """When it was recorded, as the file has it; mostly ""."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as coded."""

    @property
    def quarter_turns(self) -> int:
        """Quarter turns clockwise by which pictures are turned to be shown: a camera that hangs
        upside down says 2."""

    @property
    def is_mirrored(self) -> bool:
        """Whether left and right are exchanged before that, as cameras that face who holds them
        have it."""

    def decoder(self) -> "VideoCodecContext":
        """A decoder that has seen nothing yet."""

    def packets(self, first: int) -> Iterator["av.Packet[Any]"]:
        """From this row of the index on, which is a key; `pts` is the row. What cannot be read any
        more is left out. Raises VideoError when the file is gone."""

    def close(self) -> None:
        """Let go of the file."""
