"""Video player: pictures and sound of one video, each by a thread."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from plugins.video.sound_player import SoundPlayer
from telemetry.base.memory import give_back_freed
from telemetry.recording.video_files.reader import VideoFileReader, open_video
from telemetry.review.playback.prefetch import FramePrefetch, PrefetchedFrame
from telemetry.review.playback.sound import open_sound

_CLOSE_PATIENCE_S = 0.2
"""A thread that is still opening a file ends by itself; the window does not wait for it."""
_INTO_FRAME = 0.25
"""How far into a frame a step goes, so that rounding never ends in the one before."""


def _opened(files: Sequence[Path]) -> VideoFileReader:
    """In the thread that decodes. An index of hours leaves much memory that was freed."""
    video = open_video(files)
    give_back_freed()
    return video


class VideoPlayer:
    """The files of one medium. For the GUI thread; never waits.

    `on_change` is called by another thread when a picture that was asked for has come, when the
    files are open, and when there will be no more.
    """

    def __init__(self, files: Sequence[Path], on_change: Callable[[], None]) -> None:
        self.files = tuple(files)
        self._prefetch = FramePrefetch(partial(_opened, self.files), on_change=on_change)
        self._sound = SoundPlayer(lambda: open_sound(self.files))

    @property
    def problem(self) -> str:
        """Why there are no pictures, in a sentence; "" while there may be some."""
        return self._prefetch.problem

    @property
    def is_open(self) -> bool:
        """Whether it is known what is in the files."""
        return self._prefetch.source is not None

    @property
    def duration_s(self) -> float:
        """The end of the last frame; 0 while it is opened."""
        source = self._prefetch.source
        return source.duration_s if source is not None else 0.0

    @property
    def frame_s(self) -> float:
        """How long a frame lasts, the median; 0 while it is opened."""
        source = self._prefetch.source
        times = source.times() if source is not None else np.empty(0)
        return float(np.median(np.diff(times))) if len(times) > 1 else 0.0

    def frame(self, medium_s: float, rate: float) -> PrefetchedFrame:
        """What there is to show for a time, asked for if it is not at hand; see FramePrefetch."""
        self._prefetch.ask(medium_s, rate)
        return self._prefetch.frame_for(medium_s)

    def stepped_s(self, medium_s: float, frames: int) -> float | None:
        """The time of the frame so many after (negative: before) the one at `medium_s`; None
        beyond either end."""
        source = self._prefetch.source
        if source is None:
            return None
        times = source.times()
        wanted = source.index_at(medium_s) + frames
        if not 0 <= wanted < len(times):
            return None
        stop_s = float(times[wanted + 1]) if wanted + 1 < len(times) else source.duration_s
        start_s = float(times[wanted])
        return start_s + _INTO_FRAME * max(0.0, stop_s - start_s)

    def hear(self, medium_s: float | None) -> None:
        """Have the sound of this time heard now, and on from there; None is silence."""
        self._sound.follow(medium_s)

    def close(self) -> None:
        """Let go of the files. Closing twice is fine."""
        self._sound.close()
        self._prefetch.close(_CLOSE_PATIENCE_S)
