"""What is said next: by priority, the newest of each rule, nothing old; voices that fail."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from telemetry.base.finding import Level
from telemetry.warnings.speech_queue import MOST_WAITING, SpeechQueue, Utterance
from telemetry.warnings.speech_worker import NO_VOICE, SpeechWorker
from telemetry.warnings.tones import RATE_HZ, tone


def said(text: str, key: str = "", priority: int = 50, said_s: float = 0.0) -> Utterance:
    return Utterance(key or text, text, priority, Level.WARNING, said_s)


def texts(queue: SpeechQueue) -> list[str]:
    return [one.text for one in queue.waiting]


def test_a_newer_message_takes_the_place_of_the_queued_one() -> None:
    queue = SpeechQueue()
    for number in range(5):
        queue.put(said(f"Battery {number}", key="battery", said_s=number))
    assert texts(queue) == ["Battery 4"]


def test_the_most_urgent_comes_first_and_the_queue_never_grows_long() -> None:
    queue = SpeechQueue()
    for priority in range(20):
        queue.put(said(str(priority), priority=priority))
    assert texts(queue) == [str(n) for n in range(19, 19 - MOST_WAITING, -1)]


def test_nobody_hears_what_is_old() -> None:
    queue = SpeechQueue()
    queue.put(said("old"))
    queue.put(replace(said("an old error"), level=Level.ERROR))
    begun = queue.begin(10.0)
    assert begun is not None
    assert begun.text == "an old error", "an error lasts longer"
    queue.end()
    assert queue.begin(10.0) is None


class FakeSpeaking:
    def __init__(self, text: str, log: list[str], fails: bool) -> None:
        self.text, self.log, self.fails, self.over = text, log, fails, fails

    def is_over(self) -> bool:
        return self.over

    def has_failed(self) -> bool:
        return self.fails

    def stop(self) -> None:
        self.log.append(f"stop {self.text}")
        self.over = True


class FakeVoice:
    def __init__(
        self, name: str = "fake", *, fails: bool = False, is_missing: bool = False
    ) -> None:
        self.name, self.fails, self.is_missing = name, fails, is_missing
        self.log: list[str] = []
        self.current: FakeSpeaking | None = None

    def speak(self, text: str) -> FakeSpeaking:
        if self.is_missing:
            raise FileNotFoundError(self.name)
        self.log.append(text)
        self.current = FakeSpeaking(text, self.log, self.fails)
        return self.current


class FakeTones:
    def __init__(self) -> None:
        self.played: list[int] = []
        self.queued_s = 0.0
        self.closed = 0

    def queue(self, samples: npt.NDArray[np.float32]) -> None:
        self.played.append(len(samples))
        self.queued_s = len(samples) / RATE_HZ

    def clear(self) -> None:
        self.queued_s = 0.0

    def close(self) -> None:
        self.closed += 1


def step(worker: SpeechWorker, times: int = 4, now: float = 0.0) -> None:
    for _ in range(times):
        worker.step(now)


def test_the_more_urgent_interrupts_and_the_other_comes_after_it() -> None:
    voice = FakeVoice()
    worker = SpeechWorker([voice], lambda: None)
    worker.queue.put(said("Position Hold", priority=50))
    step(worker)
    worker.queue.put(said("Satellites", priority=40))
    step(worker)
    assert voice.log == ["Position Hold"], "the less urgent waits"
    worker.queue.put(said("Link lost", priority=95))
    step(worker)
    assert voice.log == ["Position Hold", "stop Position Hold", "Link lost"]
    assert texts(worker.queue) == ["Position Hold", "Satellites"]


def test_newer_words_of_the_rule_being_said_interrupt_it_for_good() -> None:
    voice = FakeVoice()
    worker = SpeechWorker([voice], lambda: None)
    worker.queue.put(said("Stabilized 1", key="mode"))
    step(worker)
    worker.queue.put(said("Land", key="mode"))
    step(worker)
    assert voice.log == ["Stabilized 1", "stop Stabilized 1", "Land"]
    assert worker.queue.waiting == ()


def test_a_voice_that_fails_gives_way_to_the_next_and_then_to_tones() -> None:
    broken, missing = FakeVoice("broken", fails=True), FakeVoice("missing", is_missing=True)
    good, tones = FakeVoice("good"), FakeTones()
    worker = SpeechWorker([broken, missing, good], lambda: tones)
    worker.queue.put(said("Link lost"))
    step(worker, 6)
    assert good.log == ["Link lost"]
    assert worker.voice_name == "good"
    assert tones.played == []
    worker = SpeechWorker([broken], lambda: tones)
    worker.queue.put(said("Link lost"))
    step(worker, 6)
    assert worker.voice_name == NO_VOICE
    assert tones.played == [len(tone(Level.WARNING))]


def test_the_tone_comes_before_the_words_and_the_device_is_let_go() -> None:
    voice, tones = FakeVoice(), FakeTones()
    worker = SpeechWorker([voice], lambda: tones)
    worker.queue.put(replace(said("Link lost"), sounds=True))
    step(worker)
    assert (len(tones.played), voice.log) == (1, [])
    tones.queued_s = 0.0
    step(worker)
    assert voice.log == ["Link lost"]
    assert voice.current is not None
    voice.current.over = True
    step(worker)
    assert tones.closed == 1
    assert worker.is_idle


def test_a_voice_that_hangs_is_stopped() -> None:
    voice = FakeVoice()
    worker = SpeechWorker([voice], lambda: None)
    worker.queue.put(said("Link lost"))
    step(worker)
    worker.step(30.0)
    assert voice.log == ["Link lost", "stop Link lost"]
    assert worker.is_idle


def test_silence_is_at_once_and_forgets_what_waits() -> None:
    voice = FakeVoice()
    worker = SpeechWorker([voice], lambda: None)
    worker.queue.put(said("Link lost"))
    step(worker)
    worker.queue.put(said("Battery"))
    worker.silence()
    step(worker)
    assert voice.log == ["Link lost", "stop Link lost"]


def test_without_voice_and_loudspeaker_nothing_breaks() -> None:
    worker = SpeechWorker([], lambda: None)
    worker.queue.put(said("Link lost"))
    step(worker)
    assert worker.is_idle


def test_tones_are_told_apart_and_do_not_click() -> None:
    tones = {level: tone(level) for level in (Level.INFO, Level.WARNING, Level.ERROR)}
    assert len({len(samples) for samples in tones.values()}) == 3
    for samples in tones.values():
        assert np.abs(samples).max() <= 0.5
        assert abs(float(samples[0])) < 0.01
