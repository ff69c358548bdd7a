"""Sound player of a video, heard while the flight plays forwards at its own speed.

The cursor leads: the window says again and again what should be heard now, a thread keeps the
loudspeaker's queue filled from there. Whatever jumps, pauses or is no longer said falls silent.
"""

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass

from telemetry.base.clock import monotonic_s
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.playback.audio_device import AudioDevice, open_audio_device
from telemetry.review.playback.sound import SoundTrack

PERIOD_S = 0.04
AHEAD_S = 0.25
"""So much is queued: a window that stops for less is not heard."""
APART_S = 0.12
"""Sound so far from the picture begins anew where the cursor is."""
_CLOSE_PATIENCE_S = 0.2
"""A thread that is still opening a file ends by itself; the window does not wait for it."""
STALE_S = 0.4
"""A window that has said nothing for so long shows something else, or nothing."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What should be heard at an instant of the clock; None for silence."""

    medium_s: float | None
    at_s: float


class SoundFeed:
    """Keeps a loudspeaker's queue filled with what the cursor asks for. For one thread."""

    def __init__(self, track: SoundTrack, speaker: AudioDevice) -> None:
        self._track = track
        self._speaker = speaker
        self._fed_s: float | None = None

    def step(self, medium_s: float | None) -> None:
        """Play on, with `medium_s` to be heard now; None is silence."""
        if medium_s is None:
            if self._fed_s is not None:
                self._speaker.clear()
            self._fed_s = None
            return
        queued_s = self._speaker.queued_s
        heard_s = None if self._fed_s is None else self._fed_s - queued_s
        if heard_s is None or abs(heard_s - medium_s) > APART_S:
            self._speaker.clear()
            self._fed_s, queued_s = medium_s, 0.0
        missing_s = AHEAD_S - queued_s
        if missing_s > 0.0 and self._fed_s is not None:
            until_s = self._fed_s + missing_s
            self._speaker.queue(self._track.samples(self._fed_s, until_s).samples)
            self._fed_s = until_s


class SoundPlayer:
    """The thread that plays one video's sound. It begins with the first sound asked for."""

    def __init__(
        self,
        open_track: Callable[[], SoundTrack],
        open_speaker: Callable[[int], AudioDevice | None] = open_audio_device,
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        self._open_track = open_track
        self._open_speaker = open_speaker
        self._clock = clock
        self._asked = _Asked(None, 0.0)
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self, medium_s: float | None) -> None:
        """Have this time of the medium heard now, and what follows from it; None is silence."""
        self._asked = _Asked(medium_s, self._clock())
        if medium_s is not None and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="video-sound", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Fall silent and end the thread. Closing twice is fine."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_PATIENCE_S)

    def _run(self) -> None:
        """A video without sound, a lost file, a computer without a loudspeaker: all are silent."""
        with suppress(VideoError), closing(self._open_track()) as track:
            speaker = self._open_speaker(track.rate_hz)
            if speaker is not None:
                with closing(speaker):
                    self._play(SoundFeed(track, speaker))

    def _play(self, feed: SoundFeed) -> None:
        while not self._ending.wait(PERIOD_S):
            asked, age_s = self._asked, self._clock() - self._asked.at_s
            is_silent = asked.medium_s is None or age_s > STALE_S
            feed.step(None if is_silent or asked.medium_s is None else asked.medium_s + age_s)
