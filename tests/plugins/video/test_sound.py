"""A video's sound along with the cursor: what is queued, when it falls silent."""

from pathlib import Path

import numpy as np
import pytest

from plugins.video.sound_player import AHEAD_S, SoundFeed, SoundPlayer
from telemetry.recording.video_files.writer import VideoEncoding
from telemetry.review.playback.audio_device import AudioDevice, open_audio_device
from telemetry.review.playback.sound import SoundBlock, open_sound
from tests.plugins.video.conftest import Show, Shown, synchronised, video_of
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered
from tests.waiting import wait_until

RATE_HZ = 1000


class Ramp:
    """A track whose samples are their own times."""

    rate_hz = RATE_HZ

    def samples(self, first_s: float, last_s: float) -> SoundBlock:
        times = np.arange(round(first_s * RATE_HZ), round(last_s * RATE_HZ)) / RATE_HZ
        return SoundBlock(first_s, RATE_HZ, times.astype(np.float32))


class Speaker:
    """Plays what is queued as time goes by."""

    rate_hz = RATE_HZ

    def __init__(self) -> None:
        self.queued = np.empty(0, np.float32)

    @property
    def queued_s(self) -> float:
        return len(self.queued) / RATE_HZ

    def queue(self, samples: np.ndarray) -> None:
        self.queued = np.append(self.queued, samples)

    def clear(self) -> None:
        self.queued = self.queued[:0]

    def play(self, seconds: float) -> np.ndarray:
        count = round(seconds * RATE_HZ)
        heard, self.queued = self.queued[:count], self.queued[count:]
        return heard


@pytest.fixture(scope="session")
def clip_with_sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips") / "sound.avi"
    return write_numbered(path, 30, VideoEncoding(SIZE, sound_hz=8000))


def test_what_is_heard_is_what_is_seen() -> None:
    speaker = Speaker()
    feed = SoundFeed(Ramp(), speaker)
    heard = []
    for step in range(20):
        feed.step(5.0 + step * 0.04)
        heard.append(speaker.play(0.04))
    times = np.concatenate(heard)
    assert times == pytest.approx(5.0 + np.arange(800) / RATE_HZ, abs=1e-3), "without a gap"
    assert speaker.queued_s <= AHEAD_S


def test_a_jump_begins_anew_there() -> None:
    speaker = Speaker()
    feed = SoundFeed(Ramp(), speaker)
    feed.step(5.0)
    speaker.play(0.04)
    feed.step(9.0)
    assert speaker.play(0.01)[0] == pytest.approx(9.0)
    feed.step(9.02)  # no jump: what is queued goes on
    assert speaker.play(0.01)[0] == pytest.approx(9.01)


def test_silence_is_at_once() -> None:
    speaker = Speaker()
    feed = SoundFeed(Ramp(), speaker)
    feed.step(5.0)
    feed.step(None)
    assert speaker.queued_s == 0.0


@pytest.mark.slow
def test_the_thread_plays_a_file_until_nothing_is_said_any_more(
    clip_with_sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SDL without a loudspeaker; the window's clock stands still and then jumps."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    opened: list[AudioDevice] = []

    def open_speaker(rate_hz: int) -> AudioDevice | None:
        device = open_audio_device(rate_hz)
        assert device is not None
        opened.append(device)
        return device

    now = [0.0]
    player = SoundPlayer(lambda: open_sound([clip_with_sound]), open_speaker, lambda: now[0])
    player.follow(0.2)
    wait_until(lambda: opened and opened[0].queued_s > 0.0)
    assert opened[0].rate_hz == 8000
    now[0] = 10.0
    wait_until(lambda: opened[0].queued_s == 0.0)
    player.close()


def test_no_sound_and_no_loudspeaker_are_no_fault(clip: Path, clip_with_sound: Path) -> None:
    for path, open_speaker in ((clip, open_audio_device), (clip_with_sound, lambda _rate: None)):
        player = SoundPlayer(lambda path=path: open_sound([path]), open_speaker)
        player.follow(0.0)
        player.close()


def test_it_is_heard_only_forwards_at_its_own_speed(
    show: Show, clip_with_sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float | None] = []
    monkeypatch.setattr(SoundPlayer, "follow", lambda _self, medium_s: asked.append(medium_s))
    shown: Shown = show(video_of(clip_with_sound, synchronised()))
    shown.seek(5.5)
    shown.wait_for_frame(15)

    def heard() -> bool:
        shown.panel.refresh(5.5)
        return asked[-1] is not None

    timeline = shown.vehicle.timeline
    assert not heard(), "paused"
    timeline.play()
    assert heard()
    assert asked[-1] == pytest.approx(0.5)
    shown.panel.bar.sound.click()
    assert not heard(), "muted"
    shown.panel.bar.sound.click()
    for rate in (-1.0, 4.0):
        timeline.set_rate(rate)
        assert not heard(), rate
