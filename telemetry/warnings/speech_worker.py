"""Speech worker: speaks and sounds, step by step, in the thread of `speaker.py`.

Where a voice says nothing, because it is broken, the next one is tried, and then our own tones.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from telemetry.base.finding import Level
from telemetry.review.playback.audio_device import AudioDevice, open_audio_device
from telemetry.warnings.speech_queue import SpeechQueue, Utterance
from telemetry.warnings.tones import RATE_HZ, tone
from telemetry.warnings.voices import SpeakingProcess, VoiceProgram, find_voices

_LONGEST_S = 20.0
"""A voice that goes on for longer hangs."""
NO_VOICE = "tones"


class SpeechWorker:
    """Says what is queued by the first voice that works. The time is passed in."""

    def __init__(
        self, voices: Sequence[VoiceProgram], open_tones: Callable[[], AudioDevice | None]
    ) -> None:
        self.queue = SpeechQueue()
        self._voices = list(voices)
        self._open_tones = open_tones
        self._tones: AudioDevice | None = None
        self._speaking: SpeakingProcess | None = None
        self._begun_s = 0.0
        self._still_to_speak = False

    @property
    def voice_name(self) -> str:
        """Who speaks; NO_VOICE where only tones are left."""
        return self._voices[0].name if self._voices else NO_VOICE

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being said and nothing waits."""
        return self.queue.current is None and not self.queue.waiting

    def step(self, now: float) -> None:
        """Go on with what is being said, or begin with the next."""
        if self.queue.current is not None:
            if self.queue.interrupts(now):
                self._stop()
                self._begin(now)
                return
            if not self._is_over(now):
                return
            self.queue.end()
        self._begin(now)
        if self.queue.current is None:
            self._close_tones()

    def silence(self) -> None:
        """Be silent at once and forget what waits."""
        self._stop()
        self.queue.clear()

    def close(self) -> None:
        """Be silent and let go of the loudspeaker."""
        self.silence()
        self._close_tones()

    def _begin(self, now: float) -> None:
        utterance = self.queue.begin(now)
        if utterance is None:
            return
        self._begun_s = now
        has_voice = bool(self._voices)
        self._still_to_speak = utterance.speaks and has_voice
        if utterance.sounds or (utterance.speaks and not has_voice):
            self._sound(utterance.level)

    def _is_over(self, now: float) -> bool:
        """Whether the tone and then the voice have ended; speaks when the tone has."""
        current = self.queue.current
        if current is None or now - self._begun_s > _LONGEST_S:
            self._stop()
            return True
        if self._tones is not None and self._tones.queued_s > 0.0:
            return False
        if self._still_to_speak:
            self._still_to_speak = False
            self._speak(current)
        if self._speaking is None:
            return not self._still_to_speak
        if not self._speaking.is_over():
            return False
        failed, self._speaking = self._speaking.has_failed(), None
        if failed:
            self._try_next_voice(current)
        return self._speaking is None and not self._still_to_speak

    def _speak(self, utterance: Utterance) -> None:
        try:
            self._speaking = self._voices[0].speak(utterance.text)
        except OSError:
            self._try_next_voice(utterance)

    def _try_next_voice(self, utterance: Utterance) -> None:
        del self._voices[:1]
        if self._voices:
            self._still_to_speak = True
        elif not utterance.sounds:
            self._sound(utterance.level)

    def _sound(self, level: Level) -> None:
        if self._tones is None:
            self._tones = self._open_tones()
        if self._tones is not None:
            self._tones.queue(tone(level))

    def _close_tones(self) -> None:
        if self._tones is not None:
            self._tones.close()
            self._tones = None

    def _stop(self) -> None:
        self._still_to_speak = False
        if self._tones is not None:
            self._tones.clear()
        if self._speaking is not None:
            with suppress(OSError, TimeoutError):
                self._speaking.stop()
            self._speaking = None


def system_worker() -> SpeechWorker:
    """By the voices and the loudspeaker of this computer."""
    return SpeechWorker(find_voices(), _open_tones)


def silent_worker() -> SpeechWorker:
    """Where nobody listens."""
    return SpeechWorker((), lambda: None)


def _open_tones() -> AudioDevice | None:
    return open_audio_device(RATE_HZ)
