"""Video reader: video files as a source of pictures."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import numpy.typing as npt

from telemetry.base.input_files import open_file
from telemetry.recording.video_files.avi import is_avi, read_layout
from telemetry.recording.video_files.avi_packets import AviPackets, can_read
from telemetry.recording.video_files.container import ContainerPackets
from telemetry.recording.video_files.decoder import DecodedPicture, PictureDecoder
from telemetry.recording.video_files.frame_source import VideoError, VideoFrame, unreadable
from telemetry.recording.video_files.packets import PacketSource
from telemetry.recording.video_files.picture_times import exact_times
from telemetry.recording.video_files.report import VideoReport
from telemetry.recording.video_files.start_time import started
from telemetry.recording.video_files.turned_pixels import turned_pixels
from telemetry.recording.video_files.yuv_picture import YuvPicture

_SAME_TIME_S = 1e-6

CACHE_MB = 32


def open_video(files: Sequence[Path], cache_mb: float = CACHE_MB) -> "VideoFileReader":
    """The files of one medium, in their order, as a FrameSource with a `report`.

    Several files are those of a loop recording: each begins where the one before ends, and
    `borders` are the times of the medium at which they do. A file beside which a stream's stamps
    were recorded has those times. `cache_mb` bounds the decoded pictures
    that are kept. Opening reads the files' indices and may take seconds: not for the GUI thread.
    Raises VideoError where a file is missing, is no video or has no pictures.
    """
    if not files:
        raise VideoError("No video file was given. Choose at least one.")
    parts: list[_Part] = []
    try:
        for path in files:
            parts.append(_Part(path, open_packets(path), cache_mb / len(files)))
    except VideoError:
        for part in parts:
            part.packets.close()
        raise
    return VideoFileReader(parts)


def open_packets(path: Path) -> PacketSource:
    """The coded pictures of a file, AVI by our own reading as far as we know its codec, whatever
    the file is called. Raises VideoError."""
    try:
        return _avi_packets(path) or ContainerPackets(path)
    except FileNotFoundError as error:
        raise VideoError(f"{path} is not there. Choose where it is now.") from error
    except OSError as error:
        raise unreadable(path, error) from error


def _avi_packets(path: Path) -> AviPackets | None:
    if not is_avi(path):
        return None
    with ExitStack() as on_failure:
        file = on_failure.enter_context(open_file(path))
        layout = read_layout(file)
        stream = layout.first(b"vids") if layout else None
        if layout is None or stream is None or not can_read(stream):
            return None
        packets = AviPackets(path, file, layout, stream)
        on_failure.pop_all()
    return packets


class _Part:
    """One file of the medium: its frames in the order of presentation."""

    def __init__(self, path: Path, packets: PacketSource, cache_mb: float) -> None:
        self.path, self.packets, self.index = path, packets, packets.index
        rows = np.argsort(self.index.times_s, kind="stable")
        self.rows = rows[np.isfinite(self.index.times_s[rows])]
        self.times = exact_times(path, self.index.times_s[self.rows])
        self.decoder = PictureDecoder(packets, round(cache_mb * 1e6))


class VideoFileReader:
    """One medium as a FrameSource. Reading raises VideoError when a file goes away meanwhile."""

    def __init__(self, parts: "Sequence[_Part]") -> None:
        from av.video.reformatter import VideoReformatter

        self._parts = parts
        self._reformatter = VideoReformatter()  # one for all: making its tables takes 2 ms
        self._to_yuv = VideoReformatter()
        self._used: list[int] = []  # the files that pictures were taken of last
        lengths = [part.index.duration_s for part in parts]
        self._starts = np.concatenate(([0.0], np.cumsum(lengths)))
        self._times = np.concatenate(
            [start + part.times for start, part in zip(self._starts, parts, strict=False)]
        )
        self._first_frames = np.cumsum([0, *(len(part.times) for part in parts)])
        self._first_numbers = np.cumsum([0, *(part.index.announced for part in parts)])

    @property
    def size(self) -> tuple[int, int]:
        """See FrameSource; the first file's, to which all pictures are scaled."""
        packets = self._parts[0].packets
        return packets.size[::-1] if packets.quarter_turns % 2 else packets.size

    @property
    def duration_s(self) -> float:
        """See FrameSource."""
        return float(self._starts[-1])

    @property
    def borders(self) -> tuple[float, ...]:
        """The times at which the second and each further file of the medium begins."""
        return tuple(float(start) for start in self._starts[1:-1])

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
        return None if at < 0 else self.frame(at)

    def nearby_at(self, time_s: float) -> VideoFrame | None:
        """See PreviewedSource: the key frame before it."""
        at = self.index_at(time_s)
        if at < 0:
            return None
        number, part, row = self._place(at)
        key = part.decoder.far_key(row)
        if key is None:
            return None
        place = int(np.argmax(part.rows == key))
        return self.frame(int(self._first_frames[number]) + place)

    def is_on_way(self, time_s: float, later_s: float) -> bool:
        """See PreviewedSource."""
        at, later = self.index_at(time_s), self.index_at(later_s)
        if not 0 <= at <= later:
            return False
        (number, row), (other, later_row) = self._row(at), self._row(later)
        return number == other and self._parts[number].decoder.shares_key(row, later_row)

    def frame_unless(self, time_s: float, is_left: Callable[[], bool]) -> VideoFrame | None:
        """See PreviewedSource."""
        at = self.index_at(time_s)
        return None if at < 0 else self.frame(at, is_left)

    def frame(self, at: int, is_left: Callable[[], bool] = lambda: False) -> VideoFrame | None:
        """The frame of that place in `times`; None if no picture can be made of it."""
        number, part, row = self._place(at)
        picture = part.decoder.picture(row, is_left)
        pixels = None if picture is None else self._pixels(part, picture)
        if picture is None or pixels is None:
            return None
        return VideoFrame(
            pixels,
            float(self._times[at]),
            int(self._first_numbers[number] + part.index.numbers[row]),
            picture.is_damaged,
        )

    def yuv_at(self, time_s: float, size: tuple[int, int]) -> YuvPicture | None:
        """Like `frame_at`, but the picture alone, scaled to an even width and height, as encoders
        take it: in a fifth of the time."""
        at = self.index_at(time_s)
        if at < 0:
            return None
        _, part, row = self._place(at)
        picture, packets = part.decoder.picture(row), part.packets
        if picture is None:
            return None
        coded_size = size[::-1] if packets.quarter_turns % 2 else size
        try:
            scaled = YuvPicture.converted(self._to_yuv, picture.frame, coded_size)
        except (OSError, ValueError):  # damage can make up sizes and colours that do not exist
            return None
        return scaled.turned(packets.quarter_turns, is_mirrored=packets.is_mirrored)

    def _place(self, at: int) -> tuple[int, _Part, int]:
        """The file that has a frame, with its number, and the frame's row there. Of many files
        only the two used last keep their decoders."""
        number, row = self._row(at)
        if number not in self._used:
            for other in self._used[:-1]:
                self._parts[other].decoder.rest()
            self._used = [*self._used[-1:], number]
        return number, self._parts[number], row

    def _row(self, at: int) -> tuple[int, int]:
        """The number of the file that has a frame, and its row there."""
        number = int(np.searchsorted(self._first_frames, at, side="right")) - 1
        return number, int(self._parts[number].rows[at - self._first_frames[number]])

    def _pixels(self, part: _Part, picture: DecodedPicture) -> npt.NDArray[np.uint8] | None:
        turns, is_mirrored = part.packets.quarter_turns, part.packets.is_mirrored
        width, height = self.size[::-1] if turns % 2 else self.size
        try:
            frame = self._reformatter.reformat(picture.frame, width, height, "bgr24")
        except (OSError, ValueError):  # damage can make up sizes and colours that do not exist
            return None
        pixels = frame.to_ndarray().astype(np.uint8, copy=False)
        return turned_pixels(pixels, turns, is_mirrored=is_mirrored)

    @property
    def report(self) -> VideoReport:
        """What is known of the medium by now."""
        indices = [part.index for part in self._parts]
        first = self._parts[0]
        return VideoReport(
            files=tuple(part.path for part in self._parts),
            size=self.size,
            codec=first.packets.codec,
            duration_s=self.duration_s,
            rate_hz=len(self._times) / self.duration_s if self.duration_s else 0.0,
            frames_announced=sum(index.announced for index in indices),
            frames_found=len(self._times),
            frames_missing=sum(index.missing for index in indices),
            frames_damaged=sum(part.decoder.damaged for part in self._parts),
            has_sound=any(part.packets.has_sound for part in self._parts),
            started=started(first.packets.date, first.path.name),
            warnings=tuple(words for index in indices for words in index.warnings),
        )

    def close(self) -> None:
        """See FrameSource."""
        for part in self._parts:
            part.decoder.rest()
            part.packets.close()
