"""Video files as a source of pictures."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from telemetry.video.container import ContainerPackets
from telemetry.video.decoder import DecodedPicture, PictureDecoder
from telemetry.video.packets import PacketSource
from telemetry.video.report import VideoReport
from telemetry.video.source import VideoError, VideoFrame

_SAME_TIME_S = 1e-6

CACHE_MB = 64


def open_video(files: Sequence[Path], cache_mb: float = CACHE_MB) -> "VideoFileReader":
    """The files of one medium, in their order, as a FrameSource with a `report`.

    Several files are those of a loop recording: each begins where the one before ends, and
    `borders` are the times of the medium at which they do. `cache_mb` bounds the decoded pictures
    that are kept. Opening reads the file's index and may take seconds: not for the GUI thread.
    Raises VideoError where a file is missing, is no video or has no pictures.
    """
    if not files:
        raise VideoError("No video file was given. Choose at least one.")
    return VideoFileReader(files[0], ContainerPackets(files[0]), cache_mb)


class VideoFileReader:
    """One file as a FrameSource. Raises VideoError when the file goes away while it is read."""

    def __init__(self, path: Path, packets: PacketSource, cache_mb: float = CACHE_MB) -> None:
        from av.video.reformatter import VideoReformatter

        self.borders: tuple[float, ...] = ()
        self._path = path
        self._packets = packets
        self._reformatter = VideoReformatter()  # one for all: making its tables takes 2 ms
        index = packets.index
        self._rows = np.argsort(index.times_s, kind="stable")
        self._rows = self._rows[np.isfinite(index.times_s[self._rows])]
        self._times = index.times_s[self._rows]
        self._decoder = PictureDecoder(packets, round(cache_mb * 1e6))

    @property
    def size(self) -> tuple[int, int]:
        """See FrameSource."""
        return self._packets.size

    @property
    def duration_s(self) -> float:
        """The end of the last frame."""
        return self._packets.index.duration_s

    def times(self) -> npt.NDArray[np.float64]:
        """See FrameSource."""
        return self._times

    def index_at(self, time_s: float) -> int:
        """See FrameSource."""
        if not time_s + _SAME_TIME_S < self.duration_s:
            return -1
        return int(np.searchsorted(self._times, time_s + _SAME_TIME_S, side="right")) - 1

    def frame_at(self, time_s: float) -> VideoFrame | None:
        """See FrameSource. A time within a microsecond before a frame is that frame's: times that
        have gone through an offset and a rate come back with rounding errors."""
        at = self.index_at(time_s)
        if at < 0:
            return None
        row = int(self._rows[at])
        picture = self._decoder.picture(row)
        return None if picture is None else self._frame(row, picture)

    def _frame(self, row: int, picture: DecodedPicture) -> VideoFrame:
        index = self._packets.index
        return VideoFrame(
            self._pixels(picture),
            float(index.times_s[row]),
            int(index.numbers[row]),
            picture.is_damaged,
        )

    def _pixels(self, picture: DecodedPicture) -> npt.NDArray[np.uint8]:
        width, height = self.size
        frame = self._reformatter.reformat(picture.frame, width, height, "bgr24")
        return frame.to_ndarray().astype(np.uint8, copy=False)

    @property
    def report(self) -> VideoReport:
        """What is known of the file by now."""
        index = self._packets.index
        return VideoReport(
            files=(self._path,),
            size=self.size,
            codec="",
            duration_s=self.duration_s,
            rate_hz=len(self._times) / self.duration_s if self.duration_s else 0.0,
            frames_announced=index.announced,
            frames_found=len(self._times),
            frames_missing=index.missing,
            frames_damaged=len(self._decoder.damaged),
            has_sound=False,
            warnings=index.warnings,
        )

    def close(self) -> None:
        """See FrameSource."""
        self._packets.close()
