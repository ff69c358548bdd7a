"""Recorded stream: scans and values from its file, pictures from the video beside it."""

import threading
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from telemetry.protocol.streams.npz_file import FRAME_S, StreamFile, video_times
from telemetry.protocol.streams.samples import PictureSample, StreamSample
from telemetry.recording.video_files.frame_source import VideoError

if TYPE_CHECKING:
    from telemetry.recording.video_files.reader import VideoFileReader

_GROWN: Final = 15
"""So many rows later the video of a stream that is being recorded is opened again."""


class RecordedStream:
    """One file and its video. Raises what `StreamFile` raises. Any thread may ask for samples: they
    are read one after the other."""

    def __init__(self, path: Path) -> None:
        self.file = StreamFile(path)
        self.first_s = float(self.file.times_s[0]) if self.file.count else None
        """The flight's time of the first sample; who records it says it as soon as there is one."""
        self.video_s: float | None = None
        """How long the video is, once that was measured."""
        video = path.parent / self.file.video if self.file.video else None
        self.video = video if video is not None and video.is_file() else None
        """Where the pictures are; None where there are none, or they are missing."""
        self._reading = threading.Lock()
        self._video: VideoFileReader | None = None
        self._why_no_video = ""
        self._video_rows = -_GROWN
        self._let_go: Callable[[], object] = lambda: None

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    def sample(self, row: int) -> StreamSample | None:
        """The sample of a row, pictures in colour; None where it is missing or damaged."""
        with self._reading:
            if row >= self.file.count:
                self.file.refresh()
            if not 0 <= row < self.file.count:
                return None
            return self._picture(row) if self.file.video else self.file.sample(row)

    def measure_video(self) -> None:
        """Find out how long the video is; it must be finished."""
        with self._reading:
            video = self._opened()
            self.video_s = video.duration_s if video is not None else 0.0

    def losses(self) -> Iterator[str]:
        """What is missing of it, in sentences. Measures the video, as `measure_video`."""
        name = self.path.name
        if not self.file.has_end():
            yield (
                f"{name} was cut short, or is still being recorded: its end is missing. "
                f"{self.file.count} samples are left of it, which show as usual."
            )
        if self.file.video and self.video is None:
            yield f"{self.file.video} is missing: {name} has no pictures."
        if self.video is None or not self.file.count:
            return
        self.measure_video()
        shown = self._shown_rows()
        if self._why_no_video:
            yield self._why_no_video
        elif shown < self.file.count:
            yield (
                f"{self.video.name} was cut short, or is damaged: it holds {shown} of the "
                f"{self.file.count} pictures that {name} lists. They show as usual."
            )

    def close(self) -> None:
        """Let go of the video; at the latest it ends with this. Closing twice is fine."""
        with self._reading:
            self._let_go()
            self._video = None

    def _shown_rows(self) -> int:
        """How many rows have a picture in the video as it was opened last."""
        if self._video is None:
            return 0
        wanted_s = video_times(self.file.times_s)
        times = np.sort(self._video.times())
        after = np.searchsorted(times, wanted_s)
        neighbours = times[np.clip([after - 1, after], 0, len(times) - 1)]
        away_s = np.abs(neighbours - wanted_s).min(axis=0)
        return int(np.count_nonzero(away_s <= FRAME_S))

    def _picture(self, row: int) -> PictureSample | None:
        wanted_s = float(video_times(self.file.times_s[: row + 1])[-1])
        video = self._video
        is_short = video is None or wanted_s > video.times()[-1] + FRAME_S
        if is_short and self.file.count - self._video_rows >= _GROWN:
            video = self._opened()
        if video is None:
            return None
        times = video.times()
        at = int(np.argmin(np.abs(times - wanted_s)))
        frame = video.frame(at) if abs(times[at] - wanted_s) <= FRAME_S else None
        if frame is None:
            return None
        stamp = int(self.file.stamps_us[row]), int(self.file.numbers[row])
        return PictureSample(*stamp, frame.pixels, self.file.flaw(row))

    def _opened(self) -> "VideoFileReader | None":
        """The video as it is by now; None while, or where, it cannot be read."""
        from telemetry.recording.video_files.reader import open_video

        self._let_go()
        self._video, self._video_rows, self._why_no_video = None, self.file.count, ""
        if self.video is not None:
            try:
                self._video = open_video([self.video])
            except VideoError as error:
                self._why_no_video = str(error)
                return None
            self._let_go = weakref.finalize(self, self._video.close)
        return self._video


class RecordedParts:
    """The store of a media track that stands in one file after the other: which rows of the track
    are which rows of which file. One thread adds; any thread reads."""

    def __init__(self) -> None:
        self.parts: tuple[RecordedStream, ...] = ()
        self._firsts: list[int] = []
        self._runs: list[tuple[RecordedStream, int]] = []

    def add(self, row: int, part: RecordedStream, part_row: int) -> None:
        """From `row` of the track on, rows are those of `part` from `part_row` on."""
        if part not in self.parts:
            self.parts = (*self.parts, part)
        self._runs.append((part, part_row))
        self._firsts.append(row)

    def sample(self, index: int) -> StreamSample | None:
        """See MediaStore."""
        run = bisect_right(self._firsts, index) - 1
        if run < 0:
            return None
        part, begin = self._runs[run]
        part_row = begin + index - self._firsts[run]
        if run + 1 < len(self._firsts):
            following, next_row = self._runs[run + 1]
            if following is part and part_row >= next_row:
                return None  # it was lost between the two
        return part.sample(part_row)
