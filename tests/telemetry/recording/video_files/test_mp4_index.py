"""An MP4 file is opened by its index, with the same table that reading all of it gives."""

import struct
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from telemetry.recording.video_files.mp4_boxes import shown_after
from telemetry.recording.video_files.mp4_index import may_have_index, read_index
from telemetry.recording.video_files.packet_table import read_packets
from telemetry.recording.video_files.reader import open_video
from tests.telemetry.recording.video_files.barcode import SIZE, number_in, picture

_COUNT = 50


def _write(path: Path, b_frames: int = 2, delay: int = 0, **options: str) -> Path:
    """H.264 with sound; the first picture comes `delay` frames after the container's second 0."""
    with av.open(str(path), "w", container_options=options) as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height = SIZE
        stream.codec_context.gop_size, stream.codec_context.max_b_frames = 12, b_frames
        sound = container.add_stream("aac", rate=8000, layout="mono")
        for number in range(_COUNT):
            frame = av.VideoFrame.from_ndarray(picture(number), format="bgr24")
            frame.pts, frame.time_base = number + number // 7 + delay, Fraction(1, 30)
            container.mux(stream.encode(frame))
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 8000), np.float32), "flt", "mono")
        silence.sample_rate, silence.pts, silence.time_base = 8000, 0, Fraction(1, 8000)
        container.mux(sound.encode(silence))
        container.mux(stream.encode(None))
        container.mux(sound.encode(None))
    return path


def _index(path: Path) -> npt.NDArray[np.void] | None:
    with av.open(str(path)) as container:
        assert may_have_index(container)
        return read_index(path, container, container.streams.video[0])


def _all_packets(path: Path) -> npt.NDArray[np.void]:
    with av.open(str(path)) as container:
        return read_packets(container, container.streams.video[0])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("b.mp4", {}),
        ("at-once.mp4", {"b_frames": 0}),
        ("late.mp4", {"delay": 9}),
        ("header-first.mp4", {"movflags": "faststart"}),
        ("negative.mp4", {"movflags": "negative_cts_offsets"}),
        ("no-edits.mp4", {"use_editlist": "0"}),
        ("b.mov", {}),
    ],
)
def test_the_index_says_what_all_packets_say(
    tmp_path: Path, name: str, options: dict[str, str]
) -> None:
    path = _write(tmp_path / name, **options)  # type: ignore[arg-type]
    found = _index(path)
    assert found is not None
    assert np.array_equal(found, _all_packets(path))


def test_fragments_and_several_edits_are_read_whole(tmp_path: Path) -> None:
    fragments = _write(tmp_path / "f.mp4", movflags="frag_keyframe+empty_moov")
    assert _index(fragments) is None
    assert _shown(fragments) == list(range(_COUNT))
    doubled = _write(tmp_path / "d.mp4")
    data = doubled.read_bytes()
    at = data.index(b"elst")
    slow = data[: at + 20] + struct.pack(">I", 1 << 15) + data[at + 24 :]
    doubled.write_bytes(slow)
    assert _index(doubled) is None


def _shown(path: Path) -> list[int | None]:
    video = open_video([path])
    numbers = [number_in(video.frame(at)) for at in range(len(video.times()))]
    video.close()
    return numbers


def test_a_file_that_is_cut_off_has_what_is_there(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.mp4", movflags="faststart")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    video = open_video([path])
    report = video.report
    assert report.frames_announced == _COUNT
    assert 10 < report.frames_found < _COUNT
    assert report.frames_missing == _COUNT - report.frames_found
    shown = [number_in(video.frame(at)) for at in range(report.frames_found - 4)]
    assert shown == list(range(len(shown)))
    video.close()


def test_times_that_stand_wrong_in_the_header_are_not_believed(tmp_path: Path) -> None:
    """The control: one more tick for a picture at the beginning, as FFmpeg then has it, too; and
    a table that has a picture too many."""
    path = _write(tmp_path / "a.mp4")
    with path.open("rb") as file:
        shifts = shown_after(file, 1, _COUNT)
        assert shifts is not None
        assert len(shifts) == _COUNT
        assert shown_after(file, 1, _COUNT + 1) is None
        assert shown_after(file, 7, _COUNT) is None
    data = bytearray(path.read_bytes())
    at = data.index(b"ctts") + 12
    struct.pack_into(">I", data, at, struct.unpack_from(">I", data, at)[0] + 1)
    assert shown_after(BytesIO(bytes(data)), 1, _COUNT) is None
    path.write_bytes(data)
    assert len(_shown(path)) == _COUNT


def test_every_header_that_ends_early_is_refused(tmp_path: Path) -> None:
    data = _write(tmp_path / "a.mp4", movflags="faststart").read_bytes()
    at = data.index(b"moov") - 4
    end = at + struct.unpack_from(">I", data, at)[0]
    assert shown_after(BytesIO(data[:end]), 1, _COUNT) is not None
    for length in range(0, end, 7):
        assert shown_after(BytesIO(data[:length]), 1, _COUNT) is None
