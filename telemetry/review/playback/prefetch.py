"""Frame prefetch: pictures ahead of the cursor, decoded by a thread of their own."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from telemetry.recording.video_files.frame_source import (
    DecodingLeft,
    FrameSource,
    PreviewedSource,
    VideoError,
    VideoFrame,
)

MEMORY_MB = 24
LONGEST_LEAD = 12
"""Frames that are decoded ahead at most: 0.4 s at 30 Hz, more than a long way back to a key."""

_SHOWN_PER_S = 30.0
"""How often a picture can change on screen; faster playback leaves out what lies between."""

_Wish = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PrefetchedFrame:
    """What there is for a time. `is_exact`: `frame` is what is on screen then, and None means that
    nothing is; otherwise it is the last one that was at hand, with its own time, or None.
    `is_nearby`: it is not what was shown before but stands in until the exact one comes."""

    frame: VideoFrame | None
    is_exact: bool
    is_nearby: bool = False


class FramePrefetch:
    """Owns a FrameSource in a thread, from opening to closing it.

    The methods are for one other thread, mostly the GUI's, and never wait for a picture. Only the
    newest wish counts. `memory_mb` bounds the pictures held here; a source has a cache of its own.
    `on_change` is called by the thread whenever something wanted has come, or failed, never once
    `close` was called; it must not wait for the other thread.
    """

    def __init__(
        self,
        open_source: Callable[[], PreviewedSource],
        memory_mb: float = MEMORY_MB,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.source: PreviewedSource | None = None
        """The source once it is open: its `times`, `index_at`, `size` and `duration_s` may be
        asked; its frames belong to the thread."""
        self.problem = ""
        """Why there are no pictures, or no more, in a sentence with a remedy."""
        self.dropped = 0
        """Frames wished for that another wish replaced before they had come."""
        self._open_source = open_source
        self._memory_bytes = memory_mb * 1e6
        self._on_change = on_change
        self._held: dict[int, VideoFrame | None] = {}
        self._newest: VideoFrame | None = None
        self._nearby: VideoFrame | None = None
        self._wish: _Wish | None = None
        self._is_served = True
        self._is_closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="video", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether no picture will come any more: closed or failed."""
        return self._is_closed or bool(self.problem)

    def ask(self, time_s: float, rate: float = 0.0) -> None:
        """Wish for the frame at a time of the medium; `rate` is how the cursor moves on: 1 is
        playback, negative backwards, 0 standing still."""
        with self._changed:
            index = self._index(time_s)
            if self._wish is None or self._index(self._wish[0]) != index:
                self.dropped += not self._is_served
                self._is_served = index in self._held
                self._newest = self._held.get(index) or self._newest
            self._wish = (time_s, rate)
            self._changed.notify()

    def frame_for(self, time_s: float) -> PrefetchedFrame:
        """The frame at a time if it is at hand, otherwise the newest one."""
        with self._changed:
            index = self._index(time_s)
            if self.source is not None and index < 0:
                return PrefetchedFrame(None, True)
            if index in self._held:
                return PrefetchedFrame(self._held[index], True)
            is_nearby = self._newest is not None and self._newest is self._nearby
            return PrefetchedFrame(self._newest, False, is_nearby)

    def close(self, patience_s: float = 5.0) -> None:
        """End the thread, which closes the source. Waits for the frame that it is at."""
        with self._changed:
            self._is_closed = True
            self._held.clear()
            self._changed.notify()
        self._thread.join(patience_s)

    def _index(self, time_s: float) -> int:
        return -1 if self.source is None else self.source.index_at(time_s)

    # ------------------------------------------------------------------ the thread

    def _work(self) -> None:
        try:
            source = self._open_source()
        except VideoError as error:
            self._fail(error)
            return
        try:
            with self._changed:
                self.source = source
            self._tell()
            while (wish := self._next_wish()) is not None:
                self._serve(source, wish)
        except VideoError as error:
            self._fail(error)
        finally:
            source.close()

    def _fail(self, error: VideoError) -> None:
        self.problem = str(error)
        self._tell()

    def _tell(self) -> None:
        """Who has closed this is not there to be told any more: so neither comes between."""
        with self._changed:
            if not self._is_closed:
                self._on_change()

    def _next_wish(self) -> _Wish | None:
        """What to look for now; waits until there is something. None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._missing() is not None)
            return None if self._is_closed else self._missing()

    def _serve(self, source: PreviewedSource, wish: _Wish) -> None:
        time_s, _ = wish
        index = source.index_at(time_s)
        nearby = source.nearby_at(time_s) if index >= 0 else None
        if nearby is not None:
            self._stand_in(nearby)
        try:
            frame = source.frame_unless(time_s, partial(self._is_left, source, time_s))
        except DecodingLeft:
            return
        with self._changed:
            if self._is_closed:
                return
            self._held[index] = frame
            wished_s = time_s if self._wish is None else self._wish[0]
            self._is_served |= source.index_at(wished_s) == index
            is_shown = source.index_at(wished_s) == index or source.is_on_way(time_s, wished_s)
            if is_shown:
                self._newest = frame or self._newest
            self._forget(source)
        if is_shown:
            self._tell()

    def _is_left(self, source: PreviewedSource, time_s: float) -> bool:
        """Whether the hand has gone on to where the frame at `time_s` does not lie on the way. What
        is played comes by again and again: there a late picture is better than none."""
        if self._is_closed or self._wish is None:
            return self._is_closed
        wished_s, rate = self._wish
        return not rate and not source.is_on_way(time_s, wished_s)

    def _stand_in(self, nearby: VideoFrame) -> None:
        with self._changed:
            self._newest = self._nearby = nearby
        self._tell()

    def _missing(self) -> _Wish | None:
        """The first frame that is wanted and not held: the wish itself, then what comes next."""
        if self._wish is None or self.source is None:
            return None
        for time_s in self._wanted(self.source, self._wish):
            if self.source.index_at(time_s) not in self._held:
                return time_s, self._wish[1]
        return None

    def _wanted(self, source: FrameSource, wish: _Wish) -> Iterator[float]:
        """Times in the order in which their frames will be needed, as many as memory allows."""
        time_s, rate = wish
        yield time_s
        index, times = source.index_at(time_s), source.times()
        step = max(1, round(abs(rate) / _SHOWN_PER_S * len(times) / max(source.duration_s, 1e-9)))
        step = step if rate > 0 else -step
        for ahead in range(1, self._lead(source) if rate else 0):
            if index < 0 or not 0 <= index + ahead * step < len(times):
                return
            yield float(times[index + ahead * step])

    def _lead(self, source: FrameSource) -> int:
        width, height = source.size
        return min(LONGEST_LEAD, int(self._memory_bytes / (3 * width * height)))

    def _forget(self, source: FrameSource) -> None:
        """Let go of what lies farthest from the wish, and last of all of what comes next."""
        width, height = source.size
        most = max(1, int(self._memory_bytes / (3 * width * height)))
        wish = self._wish or (0.0, 0.0)
        now = source.index_at(wish[0])
        wanted = {source.index_at(time_s) for time_s in self._wanted(source, wish)}
        while len(self._held) > most:
            del self._held[max(self._held, key=lambda one: (one not in wanted, abs(one - now)))]
