"""The sound of a video, on the time of its pictures."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.writer import VideoEncoding
from telemetry.review.playback.sound import SoundBlock, open_sound
from tests.telemetry.recording.video_files.avi_surgery import (
    with_broken_content,
    with_broken_headers,
)
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered


def _pitch_hz(block: SoundBlock) -> float:
    spectrum = np.abs(np.fft.rfft(block.samples * np.hanning(len(block.samples))))
    return float(np.argmax(spectrum) * block.rate_hz / len(block.samples))


def _first_loud_s(block: SoundBlock) -> float:
    return float(block.times_s[np.flatnonzero(np.abs(block.samples) > 0.2)[0]])


@pytest.mark.parametrize("kind", ["xvid", "h264"])
def test_pitch_and_level_are_those_written(xvid: Path, h264: Path, kind: str) -> None:
    track = open_sound([xvid if kind == "xvid" else h264])
    assert track.rate_hz == 8000
    assert track.duration_s == pytest.approx(2.0, abs=0.01)
    assert _pitch_hz(track.samples(0.3, 0.8)) == pytest.approx(440, abs=3)
    assert _pitch_hz(track.samples(1.2, 1.7)) == pytest.approx(880, abs=3)
    assert np.abs(track.samples(0.2, 0.8).samples).max() == pytest.approx(0.5, abs=0.05)
    track.close()
    track.close()


@pytest.mark.parametrize("kind", ["xvid", "h264"])
def test_a_piece_is_the_same_wherever_reading_begins(xvid: Path, h264: Path, kind: str) -> None:
    track = open_sound([xvid if kind == "xvid" else h264])
    whole = track.samples(0.0, 2.0)
    for first_s in (0.05, 0.7331, 1.5):
        piece = track.samples(first_s, first_s + 0.3)
        at = round(first_s * 8000)
        assert piece.time_s == pytest.approx(first_s, abs=1 / 8000)
        assert piece.samples == pytest.approx(whole.samples[at : at + len(piece.samples)], abs=0.02)
    track.close()


def test_blocks_are_the_whole_track(xvid: Path) -> None:
    track = open_sound([xvid])
    blocks = list(track.blocks(0.75))
    assert [block.time_s for block in blocks] == [0.0, 0.75, 1.5]
    joined = np.concatenate([block.samples for block in blocks])
    assert np.array_equal(joined, track.samples(0.0, 2.0).samples)
    track.close()


def test_outside_is_silence(xvid: Path) -> None:
    track = open_sound([xvid])
    block = track.samples(-0.1, 0.1)
    assert block.time_s == pytest.approx(-0.1)
    assert not block.samples[:800].any()
    assert block.samples[800:].any()
    assert not track.samples(5.0, 5.1).samples.any()
    track.close()


@pytest.mark.parametrize("bits", [8, 16])
def test_damage_of_pictures_shifts_no_sound(tmp_path: Path, bits: int) -> None:
    encoding = VideoEncoding(SIZE, sound_hz=8000, sound_bits=bits)
    whole = write_numbered(tmp_path / "whole.avi", 60, encoding)
    data = whole.read_bytes()
    broken = tmp_path / "broken.avi"
    broken.write_bytes(with_broken_headers(with_broken_content(data, range(5, 60, 5)), (7, 19)))
    tracks = [open_sound([whole]), open_sound([broken])]
    first, second = (track.samples(0.0, 2.0).samples for track in tracks)
    assert np.array_equal(first, second)
    for track in tracks:
        track.close()


def test_the_sound_of_a_loop_recording_is_on_the_time_of_its_pictures(
    tmp_path: Path, xvid: Path
) -> None:
    copy = tmp_path / "2.avi"
    shutil.copy(xvid, copy)
    silent = write_numbered(tmp_path / "3.avi", 15)
    track = open_sound([xvid, silent, copy])
    assert track.duration_s == pytest.approx(4.5)
    assert _pitch_hz(track.samples(1.2, 1.7)) == pytest.approx(880, abs=3)
    assert not track.samples(2.01, 2.49).samples.any()
    assert _first_loud_s(track.samples(2.01, 3.0)) == pytest.approx(2.5, abs=0.002)
    assert _pitch_hz(track.samples(2.7, 3.2)) == pytest.approx(440, abs=3)
    track.close()


def test_no_sound_is_said(tmp_path: Path) -> None:
    silent = write_numbered(tmp_path / "silent.avi", 3)
    with pytest.raises(VideoError, match=r"silent.avi has no sound"):
        open_sound([silent])
    with pytest.raises(VideoError, match="is not there"):
        open_sound([tmp_path / "none.avi"])
