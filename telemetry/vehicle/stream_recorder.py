"""Stream recorder: a flight's streams beside its log, pictures as video, the rest as arrays.

    <log>_<stream>.npz      stamps of all samples, scans and values (protocol/streams/stream_file)
    <log>_<stream>.mkv      pictures: MPEG-4, which loses details, or FFV1, which does not

It follows the media tracks, whose memory is the queue: what has left that before it was its turn is
lost, and counted.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.base.unused_names import unused_path
from telemetry.protocol.streams.npz_file import FRAME_S, SUFFIX, StreamFileWriter
from telemetry.protocol.streams.samples import PictureSample, StreamError, StreamSample
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.recorded_stream import RecordedParts, RecordedStream
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter

LEAST_FREE_BYTES: Final = 64 << 20
RETRY_S: Final = 5.0
_NO_LOG: Final = "Not recorded, because the flight is not."
_VIDEO: Final = ".mkv"


class StreamRecorder:
    """Records the streams of a recording; `catch_up` and `close` are for one thread.

    `log_file` says which log the flight is being recorded in, "" for none. What is not recorded,
    and why, each track says (`MediaTrack.unrecorded`). `free_bytes` raises OSError.
    """

    def __init__(
        self,
        recording: Recording,
        log_file: Callable[[], str],
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
        is_lossless: bool = False,
    ) -> None:
        """`is_lossless`: every pixel is kept as sent, in half the room of the bare pixels."""
        self._recording = recording
        self._log_file = log_file
        self._free_bytes = free_bytes
        self._encoder = "ffv1" if is_lossless else "mpeg4"  # quick, and nothing waits in them
        self._followers: dict[MediaTrack, _Follower] = {}

    def catch_up(self) -> None:
        """Record what is new; the last of a disk's room is the log's, which a flight needs most."""
        log_file = self._log_file()
        is_full = bool(log_file) and self._has_become_full(Path(log_file).parent)
        for track in self._recording.media_tracks():
            follower = self._followers.get(track)
            if follower is None:
                follower = self._followers[track] = _Follower(track, self._encoder)
            if is_full:
                follower.stop(_full(Path(log_file).parent))
            if log_file or follower.is_writing:
                follower.catch_up(self._place_for, Path(log_file))
            elif track.count:
                track.unrecorded = _NO_LOG

    def close(self) -> None:
        """Record what is left and finish the files."""
        self.catch_up()
        for follower in self._followers.values():
            follower.finish()

    def _place_for(self, track: MediaTrack, log: Path) -> Path:
        """The file that comes next; raises OSError where there is no room for it, or no log."""
        if not log.name:
            raise OSError("the flight is not")
        if self._is_full(log.parent):
            raise _full(log.parent)
        return unused_path(log.with_name(f"{log.stem}_{track.description.name}{SUFFIX}"), _VIDEO)

    def _has_become_full(self, folder: Path) -> bool:
        try:
            return self._is_full(folder)
        except OSError:
            return False  # what is written there next will say why

    def _is_full(self, folder: Path) -> bool:
        return self._free_bytes(folder) < LEAST_FREE_BYTES


def _full(folder: Path) -> OSError:
    return OSError(f"{folder} is full")


class _Follower:
    """One track being recorded."""

    def __init__(self, track: MediaTrack, encoder: str) -> None:
        self._track = track
        self._encoder = encoder
        self._next = 0
        self._lost = 0
        self._store = RecordedParts()
        self._part: _Part | None = None
        self._failed_s = -np.inf

    @property
    def is_writing(self) -> bool:
        """Whether there is a file for it."""
        return self._part is not None

    def catch_up(self, place_for: Callable[[MediaTrack, Path], Path], log: Path) -> None:
        """Record what is new, into files beside a log."""
        track, stop = self._track, self._track.count
        while self._next < stop:
            row, sample = self._next, track.held(self._next)
            t = float(track.times[row])
            if sample is None:
                self._lose()
            elif self._part is not None and not self._part.takes(sample):
                self.finish()
                continue
            elif self._part is None and not self._begin(place_for, log, sample):
                return
            else:
                self._record(row, t, sample)
            self._next += 1

    def stop(self, why: OSError) -> None:
        """End the file, if there is one, and say why; another is tried after a while."""
        if self._part is not None:
            self._fail(why)
            self.finish()

    def finish(self) -> None:
        """End the file."""
        part, self._part = self._part, None
        if part is not None:
            try:
                part.close()
            except (OSError, VideoError) as error:
                self._track.unrecorded = f"Not recorded to its end: {_words(error)}."

    def _begin(
        self,
        place_for: Callable[[MediaTrack, Path], Path],
        log: Path,
        sample: StreamSample,
    ) -> bool:
        """Begin a file for this sample; not so soon after a failure."""
        if self._track.last_s - self._failed_s < RETRY_S:
            return False
        try:
            self._part = _Part(place_for(self._track, log), self._track, sample, self._encoder)
        except (OSError, VideoError, StreamError) as error:
            self._fail(error)
            return False
        self._store.add(self._next, self._part.recorded, 0)
        self._track.store = self._store
        self._track.unrecorded = ""
        return True

    def _record(self, row: int, t: float, sample: StreamSample) -> None:
        assert self._part is not None
        try:
            self._part.add(t, sample)
        except (OSError, VideoError) as error:
            self._fail(error)
            part, self._part = self._part, None
            part.abandon()

    def _lose(self) -> None:
        """One has gone from memory before it was recorded."""
        if self._part is None:
            return
        self._lost += 1
        self._track.unrecorded = f"{self._lost} samples were not recorded."
        self._store.add(self._next + 1, self._part.recorded, self._part.rows)

    def _fail(self, error: Exception) -> None:
        self._failed_s = self._track.last_s
        self._track.unrecorded = f"Not recorded: {_words(error)}."


class _Part:
    """A file, and the video beside it where the stream is one of pictures."""

    def __init__(self, path: Path, track: MediaTrack, first: StreamSample, encoder: str) -> None:
        self.rows = 0
        self._size = _even_size(first)
        self._first_s = self._last_s = 0.0
        self._video: VideoWriter | None = None
        if self._size is not None:
            encoding = VideoEncoding(self._size, encoder=encoder)
            self._video = VideoWriter(path.with_suffix(_VIDEO), encoding, in_place=True)
        video = path.with_suffix(_VIDEO).name if self._video is not None else ""
        self._file = StreamFileWriter(path, track.description, video)
        self.recorded = RecordedStream(path)

    def takes(self, sample: StreamSample) -> bool:
        """Whether this sample fits: a video has pictures of one size."""
        return _even_size(sample) == self._size

    def add(self, t: float, sample: StreamSample) -> None:
        """Record a sample of `t` seconds of the flight."""
        if self._video is not None and isinstance(sample, PictureSample):
            if not self.rows:
                self._first_s, self._last_s = t, -FRAME_S
                self.recorded.first_s = t
            self._last_s = max(t - self._first_s, self._last_s + FRAME_S)
            self._video.frame(_even_picture(sample.pixels), self._last_s)
        self._file.add(t, sample)
        self.rows += 1

    def close(self) -> None:
        """Finish the files."""
        try:
            if self._video is not None:
                self._video.finish()
        finally:
            self._file.close()
        if self._video is not None:
            self.recorded.measure_video()

    def abandon(self) -> None:
        """Keep what was written of files that take no more."""
        if self._video is not None:
            self._video.cancel()
        with suppress(OSError):
            self._file.close()


def _even_size(sample: StreamSample) -> tuple[int, int] | None:
    """Width and height of a picture, made even as encoders want it."""
    if not isinstance(sample, PictureSample):
        return None
    height, width = sample.pixels.shape[:2]
    return (width + 1) // 2 * 2, (height + 1) // 2 * 2


def _even_picture(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """In colour, with the last column and row twice where their number is odd."""
    height, width = pixels.shape[:2]
    if height % 2 or width % 2:
        around = [(0, height % 2), (0, width % 2), (0, 0)][: pixels.ndim]
        pixels = np.pad(pixels, around, mode="edge")
    return pixels if pixels.ndim == 3 else np.repeat(pixels[:, :, np.newaxis], 3, axis=2)


def _words(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).rstrip(".")
