"""Live camera: its newest picture for whoever looks, all of them for the recorder.

A frame's time is that at which it arrived here. What camera and network take before that is not
known; it is a constant that a user can nudge away in the synchronisation.
"""

import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from telemetry.review.cameras.camera_address import CameraAddress
from telemetry.review.cameras.camera_recorder import CameraRecorder, LiveFrame

PATIENCE_S: Final = (0.5, 1.0, 2.0, 4.0)
"""How long is waited before a camera is opened again, longer from time to time."""
OPEN_S, SILENT_S = 5.0, 3.0
_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class LiveCameraStatus:
    """How a camera does; replaced as a whole. `problem` says why there are no pictures now, ""
    while there are; `interruptions` counts how often it was lost. `damaged` counts packets of
    which no picture could be made."""

    is_open: bool = False
    problem: str = ""
    frames: int = 0
    damaged: int = 0
    interruptions: int = 0


class LiveCamera:
    """Reads a camera in a thread of its own until it is closed, opening it again when it is lost.

    `now_s` is the flight's time; it is asked when a frame arrives, in the thread. `recorder` gets
    every frame, and is closed with the camera. It ends by itself when `is_over`.
    """

    def __init__(
        self,
        address: CameraAddress,
        now_s: Callable[[], float],
        recorder: CameraRecorder | None = None,
        is_over: Callable[[], bool] = lambda: False,
        patience_s: tuple[float, ...] = PATIENCE_S,
    ) -> None:
        self.address = address
        self.recorder = recorder
        self.status = LiveCameraStatus()
        self.newest: LiveFrame | None = None
        """The last picture that arrived; it stays when the camera is lost."""
        self._now_s = now_s
        self._is_over = is_over
        self._patience_s = patience_s
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="live camera", daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether no picture will come any more."""
        return not self._thread.is_alive()

    def close(self, patience_s: float = OPEN_S + SILENT_S) -> None:
        """End it, and wait so long for that; a device that hangs ends by itself later. Closing
        twice is fine."""
        self._closing.set()
        self._thread.join(patience_s)

    # ------------------------------------------------------------------ the thread

    def _work(self) -> None:
        from av.video.reformatter import VideoReformatter

        self._reformatter = VideoReformatter()
        attempt = 0
        try:
            while not self._should_end():
                before = self.status.frames
                reason = self._film()
                if self._should_end():
                    return
                attempt = 0 if self.status.frames > before else attempt + 1
                self._lose(reason, was_there=self.status.frames > before)
                self._closing.wait(self._patience_s[min(attempt, len(self._patience_s) - 1)])
        finally:
            self.status = replace(self.status, is_open=False)
            if self.recorder is not None:
                self.recorder.close()

    def _should_end(self) -> bool:
        return self._closing.is_set() or self._is_over()

    def _lose(self, reason: str, *, was_there: bool) -> None:
        what = "sends no more pictures" if was_there else "cannot be opened"
        problem = (
            f"The camera {self.address.text} {what}: {reason}. It is tried again; "
            "check its cable, its network and its address."
        )
        lost = self.status.interruptions + was_there
        self.status = replace(self.status, is_open=False, problem=problem, interruptions=lost)
        if was_there and self.recorder is not None:
            self.recorder.interrupt()

    def _film(self) -> str:
        """Open the camera and take its frames; return why they ended."""
        import av

        try:
            with _opened(self.address, self._should_end) as container:
                if not container.streams.video:
                    return "it sends no pictures"
                for frame in self._frames(container):
                    self._take(frame)
                    if self._should_end():
                        break
        except (OSError, ValueError, av.error.FFmpegError) as error:
            return getattr(error, "strerror", None) or str(error)
        return "the end was reached"

    def _frames(self, container: Any) -> Iterator[Any]:
        """What the decoder makes of the packets, at once; a damaged one costs itself alone."""
        import av

        stream = container.streams.video[0]
        stream.thread_type = "SLICE"  # threads by frames hold some of them back
        began_s = self._now_s()
        for packet in container.demux(stream):
            try:
                frames = packet.decode()
            except av.error.InvalidDataError:
                self.status = replace(self.status, damaged=self.status.damaged + 1)
                continue
            for frame in frames:
                if self.address.is_file and frame.time is not None:
                    self._closing.wait(max(0.0, frame.time - (self._now_s() - began_s)))
                yield frame

    def _take(self, frame: Any) -> None:
        arrived_s = self._now_s()
        whole = self._reformatter.reformat(frame, frame.width, frame.height, "bgr24")
        pixels = whole.to_ndarray().astype(np.uint8, copy=False)
        taken = LiveFrame(pixels, arrived_s, self.status.frames)
        self.status = replace(self.status, is_open=True, problem="", frames=self.status.frames + 1)
        self.newest = taken
        if self.recorder is not None:
            self.recorder.put(taken)


@contextmanager
def _opened(address: CameraAddress, should_end: Callable[[], bool]) -> Iterator[Any]:
    """The camera as a container of PyAV."""
    import av

    with ExitStack() as on_exit:
        place: Any = address.place
        if Path(address.place).is_fifo():
            place = _Pipe(Path(address.place), should_end)
            on_exit.callback(place.end)
        container = av.open(
            place,
            format=address.format or None,
            options=dict(address.options),
            timeout=(OPEN_S, SILENT_S),
            metadata_errors="replace",
        )
        yield on_exit.enter_context(container)


class _Pipe:
    """A named pipe whose reader can be ended while nobody writes into it."""

    def __init__(self, path: Path, should_end: Callable[[], bool]) -> None:
        self._file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._should_end = should_end

    def read(self, size: int) -> bytes:
        """Some bytes, b"" at the end; for FFmpeg."""
        while not self._should_end():
            if select.select([self._file], [], [], _LOOK_S)[0]:
                return os.read(self._file, size)
        return b""

    def end(self) -> None:
        """Let go of it."""
        os.close(self._file)
