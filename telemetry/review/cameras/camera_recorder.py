"""Camera recorder: a live camera's frames into video files, each with its time of arrival.

Every stretch without an interruption is a file of its own, so that nothing of one that is being
written is lost with the camera, and no frame stands still over a time that nobody saw.
"""

import shutil
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Full, Queue
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.base.unused_names import unused_path
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter

MOST_WAITING: Final = 10
"""Frames: a third of a second, 60 MB of the largest usual ones. Beyond they are left out and
counted."""
RETRY_S: Final = 5.0
LEAST_FREE_BYTES: Final = 64 << 20
NO_FILE: Final = "The camera is not recorded, because the flight is not."


@dataclass(frozen=True, slots=True)
class RecordedPart:
    """One file: the flight's time of its first frame, and how long the file is, as who opens it
    finds; None while it is being written."""

    file: Path
    first_s: float
    duration_s: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LiveFrame:
    """A picture (BGR, (height, width, 3)) and the flight's time at which it arrived. `number`
    counts from 0 over all that the camera has sent."""

    pixels: npt.NDArray[np.uint8]
    arrived_s: float
    number: int


class CameraRecorder:
    """Encodes in a thread of its own. `put`, `interrupt` and `close` are for one other thread,
    the camera's; `parts`, `error` and `dropped` may be read from any.

    `log_file` says which log the flight is being recorded in, "" for none: the videos stand
    beside it, as `<log>_camera.mkv`. `free_bytes` raises OSError.
    """

    def __init__(
        self,
        log_file: Callable[[], str],
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self.parts: tuple[RecordedPart, ...] = ()
        self.error = ""
        """Why nothing is recorded now, in a sentence."""
        self.dropped = 0
        """Frames that were not recorded because encoding did not keep up."""
        self._log_file = log_file
        self._free_bytes = free_bytes
        self._waiting: Queue[LiveFrame | None] = Queue(MOST_WAITING)
        self._writer: VideoWriter | None = None
        self._size = (0, 0)
        self._tried_s = -np.inf
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="camera recorder", daemon=True)
        self._thread.start()

    def put(self, frame: LiveFrame) -> None:
        """Record a frame; never waits."""
        try:
            self._waiting.put_nowait(frame)
        except Full:
            self.dropped += 1

    def interrupt(self) -> None:
        """The camera was lost: the next frame begins a file. Waits for a place in the queue."""
        self._waiting.put(None)

    def close(self) -> None:
        """Finish the file, with all that was put, and wait for that. Closing twice is fine."""
        if not self._is_closed.is_set():
            self._is_closed.set()
            self._waiting.put(None)
        self._thread.join()

    # ------------------------------------------------------------------ the thread

    def _work(self) -> None:
        while True:
            frame = self._waiting.get()
            if frame is not None:
                self._record(frame)
                continue
            self._finish()
            if self._is_closed.is_set() and self._waiting.empty():
                return

    def _record(self, frame: LiveFrame) -> None:
        size = _even_size(frame.pixels)
        if self._writer is not None and size != self._size:
            self._finish()
        if self._writer is None and not self._begin(frame, size):
            return
        assert self._writer is not None
        first_s = self.parts[-1].first_s
        try:
            width, height = size
            self._writer.frame(frame.pixels[:height, :width], frame.arrived_s - first_s)
        except VideoError as error:
            self._writer = None
            self._end_part()
            self._fail(str(error), frame)

    def _begin(self, frame: LiveFrame, size: tuple[int, int]) -> bool:
        """Begin a file, if there is a place for it."""
        if frame.arrived_s - self._tried_s < RETRY_S:
            return False
        log_file = self._log_file()
        if not log_file:
            self.error = NO_FILE
            return False
        log = Path(log_file)
        path = unused_path(log.with_name(f"{log.stem}_camera.mkv"))
        try:
            if self._free_bytes(path.parent) < LEAST_FREE_BYTES:
                raise VideoError(f"The camera is not recorded: {path.parent} is full. Make room.")
            encoding = VideoEncoding(size, encoder="mpeg4")  # quick, and nothing waits in it
            self._writer = VideoWriter(path, encoding, in_place=True)
        except (VideoError, OSError) as error:
            self._fail(str(error), frame)
            return False
        self._size, self.error = size, ""
        self.parts = (*self.parts, RecordedPart(path, frame.arrived_s))
        return True

    def _fail(self, error: str, frame: LiveFrame) -> None:
        self.error, self._tried_s = error, frame.arrived_s

    def _finish(self) -> None:
        """The file that is being written ends."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        try:
            writer.finish()
        except VideoError as error:
            self.error = str(error)
        self._end_part()

    def _end_part(self) -> None:
        """Find out how long the last file is; one without pictures is none."""
        from telemetry.recording.video_files.reader import open_video

        part = self.parts[-1]
        try:
            with closing(open_video([part.file])) as source:
                self.parts = (*self.parts[:-1], replace(part, duration_s=source.duration_s))
        except VideoError:
            self.parts = self.parts[:-1]


def _even_size(pixels: npt.NDArray[np.uint8]) -> tuple[int, int]:
    """Width and height, which encoders want even."""
    height, width = pixels.shape[:2]
    return width // 2 * 2, height // 2 * 2
